package mu

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// The bounds of Game.Warn, in men.
const (
	minLoss = 3 // by one move of the next player
	minMore = 2 // than after a pass
)

// Advise implements game.Coach: what the phase is for, and in play the territories. Nothing in it is urgent.
func (g Game) Advise(pos engine.Position, seat int) (text string, isUrgent bool) {
	return g.describeState(pos.(*mu.Position), seat), false
}

func (g Game) describeState(p *mu.Position, seat int) string {
	switch p.Phase() {
	case mu.Layout:
		if p.Segments() == 1 {
			return "When the board is complete, your segment is filled: a man on each of its seven cells."
		}
		return "Later you clear all of your segments but one, and that one is filled with men."
	case mu.Clearing:
		return "The segment that you keep is filled: a man on each of its seven cells."
	}
	var parts []string
	for s, n := range p.Territory() {
		if s == seat {
			parts = append(parts, fmt.Sprintf("you %d", n))
		} else {
			parts = append(parts, fmt.Sprintf("%s %d", g.Side(p, s), n))
		}
	}
	text := "Territory: " + strings.Join(parts, ", ") + ". "
	for _, c := range p.Cells() {
		if c.Terrain == mu.Virgin {
			return text + "Explode virgin cells: each gives you a man, unless it becomes Wall."
		}
	}
	return text + "No virgin cells are left: hold sections alone, and reach empty ones from the Wall."
}

// Warn implements game.Coach: the turn ends the game for another player, or allows the next one to capture many men with
// one move.
func (g Game) Warn(pos engine.Position, turn []string) (text string, isUrgent bool) {
	p := pos.(*mu.Position)
	seat := p.Turn()
	next, err := engine.PlayTurn(p, turn)
	if err != nil || p.Phase() != mu.Play {
		return "", false
	}
	after := next.(*mu.Position)
	if r, over := after.Result(); over {
		if r.Places[seat] == 0 {
			return "", false
		}
		return "That ends the game: " + whyLost(after, r, g.Side(after, slices.Index(r.Places, 0))), true
	}
	move, loss := worstMove(after, seat)
	if loss < minLoss {
		return "", false
	}
	passed, err := p.Play(mu.Action{}.String())
	if err != nil || len(turn) == 1 {
		return "", false
	}
	if _, anyway := worstMove(passed.(*mu.Position), seat); loss < anyway+minMore {
		return "", false
	}
	return fmt.Sprintf("Then %s can capture %d of your men with one move, from %s to %s.",
		g.Side(after, after.Turn()), loss, move.At, move.At.Step(move.Dir, int(move.Men))), false
}

// Compare implements game.Coach: the men and the territory that the better turn brings.
func (g Game) Compare(pos engine.Position, played, better []string) string {
	p := pos.(*mu.Position)
	seat := p.Turn()
	one, err := engine.PlayTurn(p, played)
	if err != nil || p.Phase() != mu.Play {
		return ""
	}
	other, err := engine.PlayTurn(p, better)
	if err != nil {
		return ""
	}
	after, wanted := one.(*mu.Position), other.(*mu.Position)
	opponents := func(p *mu.Position) (men int) {
		for s, n := range p.Men() {
			if s != seat {
				men += n
			}
		}
		return men
	}
	// At the end of a turn men can go without being captured.
	captured, territory, men := opponents(p)-opponents(beforeEnd(p, better)), wanted.Territory()[seat], wanted.Men()[seat]
	switch {
	case captured > max(opponents(p)-opponents(beforeEnd(p, played)), 0):
		return "captures " + plural(captured, "man")
	case territory > after.Territory()[seat]:
		return fmt.Sprintf("leaves you %s of territory instead of %d", plural(territory, "cell"), after.Territory()[seat])
	case men > after.Men()[seat]:
		return fmt.Sprintf("leaves you %s instead of %d", plural(men, "man"), after.Men()[seat])
	}
	return ""
}

// beforeEnd returns the position in which a turn in play of legal actions is ended.
func beforeEnd(p *mu.Position, turn []string) *mu.Position {
	for _, text := range turn {
		next, err := p.Play(text)
		if err != nil || !next.MidTurn() {
			break
		}
		p = next.(*mu.Position)
	}
	return p
}

// whyLost returns why a match has ended and a winner has won it, as a sentence.
func whyLost(p *mu.Position, r engine.Result, winner string) string {
	alive := 0
	for seat, men := range p.Men() {
		if men > 0 && !p.HasLeft(seat) {
			alive++
		}
	}
	switch {
	case alive == 1:
		return fmt.Sprintf("only %s has men left.", winner)
	case r.Reason == engine.ReasonRepetition:
		return fmt.Sprintf("the position has occurred for the third time, and %s has more territory.", winner)
	}
	return fmt.Sprintf("all have passed, and %s has more territory.", winner)
}

// worstMove returns the move of the seat to move that costs another seat most men, and how many.
func worstMove(p *mu.Position, seat int) (worst mu.Action, loss int) {
	if p.Turn() == seat || p.Phase() != mu.Play {
		return worst, 0
	}
	men := p.Men()[seat]
	for _, text := range p.Legal() {
		a, err := mu.ParseAction(text)
		if err != nil || a.Kind != mu.Move {
			continue
		}
		if after, err := p.Do(a); err == nil && men-after.Men()[seat] > loss {
			worst, loss = a, men-after.Men()[seat]
		}
	}
	return worst, loss
}
