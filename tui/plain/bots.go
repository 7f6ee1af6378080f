package plain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/tui/client"
)

// playBot starts a game against a bot, such as "3 9x9" or "pebble 7x7 10+5". The defaults are those of the form for
// bots, without a clock.
func (t *session) playBot(args string) {
	builtin := t.config.Bots
	if builtin == nil {
		t.printf("This server has no bots.")
		return
	}
	level := client.DefaultBotLevel
	first, rest, _ := strings.Cut(args, " ")
	if n := levelOf(builtin, first); n > 0 {
		level, args = n, rest
	} else if _, err := strconv.Atoi(first); err == nil {
		t.printf("There is no level %s. The bots are %s.", first, botList(builtin))
		return
	}
	p, err := parseTable(t.config.Games, args, true)
	if err != nil {
		t.printf("Error: %v. The bots are %s.", err, botList(builtin))
		return
	}
	p.To, p.Private = "", false
	var match string
	if t.call(func(ctx context.Context) (err error) {
		match, err = builtin.Play(ctx, t.session, level, p)
		return err
	}) {
		t.knownMatches[match] = true
		t.openMatch(match, "")
	}
}

// levelOf returns the level that a word names by its number or a bot's name; 0 for none.
func levelOf(builtin *bots.Bots, word string) int {
	for level := 1; level <= bots.Levels; level++ {
		if word == strconv.Itoa(level) || strings.EqualFold(word, builtin.Name(level)) {
			return level
		}
	}
	return 0
}

// botList lists the levels and names of the bots.
func botList(builtin *bots.Bots) string {
	var list []string
	for level := 1; level <= bots.Levels; level++ {
		list = append(list, fmt.Sprintf("%d %s", level, builtin.Name(level)))
	}
	return strings.Join(list, ", ")
}

// hint prints the engine's estimate and its best turns, at most one per client.HintInterval.
func (t *session) hint(string) {
	p := t.current
	switch {
	case t.config.Bots == nil:
		t.printf("This server has no engine for hints.")
		return
	case p.snapshot.IsOver():
		t.printf("The game is over.")
		return
	case !client.CanHint(p.snapshot, p.seat):
		t.printf("Hints are only available in your own casual games with bots.")
		return
	}
	now := time.Now()
	if now.Sub(t.lastHint) < client.HintInterval {
		t.printf("Too many hints. Try again in a second.")
		return
	}
	t.lastHint = now
	var advice search.Advice
	if t.call(func(ctx context.Context) (err error) {
		advice, err = t.config.Bots.Advise(ctx, t.session, p.game.Engine(), p.snapshot.Position)
		if errors.Is(err, search.ErrNoTurn) {
			err = &lobby.Error{Code: lobby.CodeGameOver, Message: "the game is over"}
		}
		return err
	}) {
		t.printAdvice(advice)
	}
	t.printEvents()
}

// printAdvice prints the chances of the seats and the best turns, each with the line that plays it.
func (t *session) printAdvice(a search.Advice) {
	p := t.current
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
		ahead = "The position is even"
	case best == p.seat:
		ahead = "You are ahead"
	}
	t.printf("%s. Chances: %s.", ahead, strings.Join(chances, ", "))
	if p.snapshot.Position.Turn() == p.seat {
		t.printf("Your best moves:")
	} else {
		t.printf("The best moves for %s:", t.seatName(p.snapshot.Position.Turn()))
	}
	for i, c := range a.Choices[:min(len(a.Choices), client.MaxHintTurns)] {
		after, err := engine.PlayTurn(p.snapshot.Position, c.Actions)
		if err != nil {
			continue
		}
		t.printf("%d, %s: %s. Type: %s", i+1, percent(c.Chance), p.game.DescribeTurn(after, c.Actions, ""), typedForm(c.Actions))
	}
}

// typedForm returns the line that plays a turn.
func typedForm(turn []string) string { return strings.Join(turn, "; ") }

// seatName returns "You" or the player's name.
func (t *session) seatName(seat int) string {
	if seat == t.current.seat {
		return "You"
	}
	return t.current.snapshot.Info.Seats[seat].Name
}

func percent(share float64) string { return fmt.Sprintf("%.0f percent", 100*share) }
