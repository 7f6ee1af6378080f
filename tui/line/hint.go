package line

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/tui"
)

// playBot begins a game against a bot: "3 mu", "pebble 7x7 10+5". What is not said is as usual, and no
// clock runs.
func (t *talk) playBot(args string) {
	company := t.visit.Bots
	if company == nil {
		t.say("This server has no bots.")
		return
	}
	level := tui.UsualBot
	first, rest, _ := strings.Cut(args, " ")
	if n := levelOf(company, first); n > 0 {
		level, args = n, rest
	} else if _, err := strconv.Atoi(first); err == nil {
		t.say("There is no level %s. Bots are %s.", first, roster(company))
		return
	}
	p, err := parseTable(args, true)
	if err != nil {
		t.say("Sorry: %v. Bots are %s.", err, roster(company))
		return
	}
	p.To, p.Private = "", false
	var match string
	if t.call(func(ctx context.Context) (err error) {
		match, err = company.Play(ctx, t.session, level, p)
		return err
	}) {
		t.known[match] = true
		t.open(match, "")
	}
}

// levelOf returns the level that a word means, its number or a bot's name; 0 if it means none.
func levelOf(company *bots.Company, word string) int {
	for level := 1; level <= bots.Levels; level++ {
		if word == strconv.Itoa(level) || strings.EqualFold(word, company.Name(level)) {
			return level
		}
	}
	return 0
}

// roster names the bots with their levels.
func roster(company *bots.Company) string {
	var list []string
	for level := 1; level <= bots.Levels; level++ {
		list = append(list, fmt.Sprintf("%d %s", level, company.Name(level)))
	}
	return strings.Join(list, ", ")
}

// hint asks the engine who is ahead and for the best turns.
func (t *talk) hint(string) {
	p := t.at
	switch {
	case t.visit.Bots == nil:
		t.say("This server has no engine to ask.")
		return
	case p.snap.Over():
		t.say("The game is over.")
		return
	case !tui.MayHint(p.snap, p.seat):
		t.say("There are hints only in your own casual games with bots.")
		return
	}
	now := time.Now()
	if now.Sub(t.hinted) < tui.HintPause {
		t.say("One hint a second. Try again in a moment.")
		return
	}
	t.hinted = now
	var advice bot.Advice
	if t.call(func(ctx context.Context) (err error) {
		advice, err = t.visit.Bots.Advise(ctx, t.session, p.snap.Position)
		if errors.Is(err, bot.ErrNoTurn) {
			err = &lobby.Error{Code: lobby.GameOver, Message: "the game is over"}
		}
		return err
	}) {
		t.tellAdvice(advice)
	}
	t.events()
}

// tellAdvice says the seats' chances and the best turns, each with what can be typed to play it.
func (t *talk) tellAdvice(a bot.Advice) {
	p := t.at
	var chances []string
	best, tied := 0, false
	for seat, chance := range a.Chances {
		chances = append(chances, t.seatName(seat)+" "+percent(chance))
		if seat > 0 && percent(chance) == percent(a.Chances[best]) {
			tied = true
		} else if chance > a.Chances[best] {
			best, tied = seat, false
		}
	}
	ahead := t.seatName(best) + " is ahead"
	switch {
	case tied:
		ahead = "Nobody is ahead"
	case best == p.seat:
		ahead = "You are ahead"
	}
	t.say("%s. Chances: %s.", ahead, strings.Join(chances, ", "))
	if p.snap.Position.Turn() == p.seat {
		t.say("Your best turns:")
	} else {
		t.say("The best turns of %s:", t.seatName(p.snap.Position.Turn()))
	}
	for i, c := range a.Choices[:min(len(a.Choices), tui.HintTurns)] {
		after, err := engine.PlayTurn(p.snap.Position, c.Actions)
		if err != nil {
			continue
		}
		t.say("%d, %s: %s. Typed: %s", i+1, percent(c.Chance), p.game.Tell(after, c.Actions), typed(c.Actions))
	}
}

// typed is how a turn is typed.
func typed(turn []string) string { return strings.Join(turn, "; ") }

// seatName is "You" or a player's name.
func (t *talk) seatName(seat int) string {
	if seat == t.at.seat {
		return "You"
	}
	return t.at.snap.Info.Seats[seat].Name
}

func percent(share float64) string { return fmt.Sprintf("%.0f percent", 100*share) }
