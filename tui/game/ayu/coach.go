package ayu

import (
	"fmt"

	"ayumu/engine"
	"ayumu/engine/ayu"
)

// The bounds of Warn: it looks at all replies to all moves.
const (
	maxWarnSize = 9
	minWarnLoss = 4 // moves more than now that a reply must cost, by the estimate of ayu.Board.Span
	minWarnGain = 3 // of them that another move must avoid
)

// Advise implements game.Coach.
func (Game) Advise(p engine.Position, seat int) string {
	at, own := p.(*ayu.Position), colorOf(p, seat)
	b, other := at.Board(), own.Other()
	units, moves := b.CountUnits(other), b.Span(other)
	text := fmt.Sprintf("You have %s, about %s to go", plural(b.CountUnits(own), "unit"), plural(b.Span(own), "move"))
	switch {
	case moves > 0 || at.CanSwap() || b.Turn() != own:
		return fmt.Sprintf("%s; %s has %d, about %d.", text, other.Name(), units, moves)
	case units > 1:
		return fmt.Sprintf("%s; no path joins %s's units, so %s wins on its next turn unless you open one.", text, other.Name(), other.Name())
	}
	return fmt.Sprintf("%s; %s has joined all stones and wins on its next turn.", text, other.Name())
}

// Warn implements game.Coach: the turn locks the opponent in, or allows a reply that makes the own way much longer.
func (Game) Warn(p engine.Position, turn []string) string {
	pos := p.(*ayu.Position)
	m, ok := onlyMove(turn)
	if !ok || pos.Board().Explain(m) != "" {
		return ""
	}
	b := pos.Board()
	own, other := b.Turn(), b.Turn().Other()
	if after := b.After(m); after.IsImmobile() && after.CountUnits(other) > 1 {
		return fmt.Sprintf("That locks %s in: no path joins any of %s's units, so %s has no move and wins.", other.Name(), other.Name(), other.Name())
	}
	if b.Size() > maxWarnSize {
		return ""
	}
	reply, cost := worstReply(b.After(m), own)
	now := b.Span(own)
	if cost < now+minWarnLoss {
		return ""
	}
	for _, better := range b.Moves(nil) {
		if _, least := worstReply(b.After(better), own); least <= cost-minWarnGain {
			return fmt.Sprintf("Then %s can move %s to %s, and you need about %d moves instead of about %d. Another move avoids that.",
				other.Name(), reply.From, reply.To, cost, now)
		}
	}
	return ""
}

// worstReply returns the move after which own needs most moves, by the estimate, and how many.
func worstReply(b ayu.Board, own ayu.Color) (reply ayu.Move, cost int) {
	for _, m := range b.Moves(nil) {
		if after := b.After(m); after.Span(own) > cost {
			reply, cost = m, after.Span(own)
		}
	}
	return reply, cost
}
