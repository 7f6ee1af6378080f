// Package coach has the advice for beginners of Mu, which package tui/game/mu shows. It follows from the rules alone.
package coach

import (
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// The bounds of Warn, in men.
const (
	minLoss = 3 // by one move of the next player
	minMore = 2 // than after a pass
)

// Advise returns what the phase is for, and in play the territories. name returns the name of a seat's shape.
func Advise(p *mu.Position, seat int, name func(seat int) string) string {
	switch p.Phase() {
	case mu.Layout:
		return "Later you clear all of your segments but one, and that one is filled with men."
	case mu.Clearing:
		return "The segment that you keep is filled: a man on each of its seven cells."
	}
	var parts []string
	for s, n := range p.Territory() {
		if s == seat {
			parts = append(parts, fmt.Sprintf("you %d", n))
		} else {
			parts = append(parts, fmt.Sprintf("%s %d", name(s), n))
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

// Warn returns why a turn is probably a mistake: it ends the game for another player, or allows the next one to capture
// many men with one move.
func Warn(p *mu.Position, turn []string, name func(seat int) string) string {
	seat := p.Turn()
	next, err := engine.PlayTurn(p, turn)
	if err != nil || p.Phase() != mu.Play {
		return ""
	}
	after := next.(*mu.Position)
	if r, over := after.Result(); over {
		for other, place := range r.Places {
			if place == 0 && r.Places[seat] > 0 {
				return fmt.Sprintf("That ends the game: all have passed, and %s has the larger territory.", name(other))
			}
		}
		return ""
	}
	move, loss := worstMove(after, seat)
	if loss < minLoss {
		return ""
	}
	passed, err := p.Play(mu.Action{}.String())
	if err != nil || len(turn) == 1 {
		return ""
	}
	if _, anyway := worstMove(passed.(*mu.Position), seat); loss < anyway+minMore {
		return ""
	}
	return fmt.Sprintf("Then %s can capture %d of your men with one move, from %s to %s.",
		name(after.Turn()), loss, move.At, move.At.Step(move.Dir, int(move.Men)))
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
