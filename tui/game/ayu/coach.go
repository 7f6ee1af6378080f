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
func (Game) Advise(p engine.Position, seat int) (text string, isUrgent bool) {
	at, own := p.(*ayu.Position), seatColor(p, seat)
	b, other := at.Board(), own.Other()
	text = describePath(b, own, "You have")
	units := b.CountUnits(other)
	if b.Span(other) > 0 || at.CanSwap() || b.Turn() != own {
		return fmt.Sprintf("%s; %s.", text, describePath(b, other, other.Name()+" has")), false
	}
	if units > 1 {
		return fmt.Sprintf("%s; no path joins %s's units, so %s wins on its next turn unless you open one.", text, other.Name(), other.Name()), true
	}
	return fmt.Sprintf("%s; %s has joined all stones and wins on its next turn.", text, other.Name()), true
}

// describePath returns how many units a side has, and the length of the path that joins those that paths can join; has is "You have".
func describePath(b ayu.Board, c ayu.Color, has string) string {
	units, span := b.CountUnits(c), b.Span(c)
	switch {
	case units == 1:
		return has + " joined all stones"
	case span == 0:
		return fmt.Sprintf("%s %d units and no path between them", has, units)
	case !b.CanJoinAll(c):
		return fmt.Sprintf("%s %d units, and a path of %s to join those that can be joined", has, units, plural(span, "point"))
	}
	return fmt.Sprintf("%s %d units, and a path of %s to join them", has, units, plural(span, "point"))
}

// Warn implements game.Coach: the turn locks the opponent in, or allows a reply that makes the player's own path much longer.
func (Game) Warn(p engine.Position, turn []string) (text string, isUrgent bool) {
	pos := p.(*ayu.Position)
	m, ok := onlyMove(turn)
	if !ok || pos.Board().Explain(m) != "" {
		return "", false
	}
	b := pos.Board()
	own, other := b.Turn(), b.Turn().Other()
	if after := b.After(m); after.IsImmobile() && after.CountUnits(other) > 1 {
		return fmt.Sprintf("That locks %s in: no path joins any of %s's units, so %s has no move and wins.", other.Name(), other.Name(), other.Name()), true
	}
	if b.Size() > maxWarnSize {
		return "", false
	}
	reply, cost := worstReply(b.After(m), own)
	now := b.Span(own)
	if cost < now+minWarnLoss {
		return "", false
	}
	for _, better := range b.Moves(nil) {
		if _, least := worstReply(b.After(better), own); least <= cost-minWarnGain {
			return fmt.Sprintf("Then %s can move %s to %s, and your path is %d points long instead of %d. Another move avoids that.",
				other.Name(), reply.From, reply.To, cost, now), false
		}
	}
	return "", false
}

// Bounds of Game.Comment, in points of a path.
const (
	minLonger  = 2 // that the better move makes the opponent's path longer, than it was and than after the other move
	minShorter = 1 // that the player's own path is shorter after the better move
)

// Comment implements game.Coach: the units that the better move joins, and the paths of both sides after it.
func (Game) Comment(p engine.Position, played, better []string) string {
	b := p.(*ayu.Position).Board()
	m, ok := onlyMove(played)
	best, isMove := onlyMove(better)
	if !ok || !isMove || b.Explain(m) != "" || b.Explain(best) != "" {
		return ""
	}
	if why := compare(b, m, best); why != "" {
		return fmt.Sprintf("Instead of your last move, the engine would move %s to %s: that %s.", best.From, best.To, why)
	}
	return ""
}

// compare returns what the better of two legal moves does and the one that was played does not, as a clause that follows its name;
// "" for nothing.
func compare(b ayu.Board, m, best ayu.Move) string {
	own, other := b.Turn(), b.Turn().Other()
	after, wanted := b.After(m), b.After(best)
	closed, isClosed := closedUnit(b, after, wanted, other)
	joined := b.CountUnits(own) - wanted.CountUnits(own)
	longer := wanted.Span(other)
	switch {
	case wanted.IsImmobile():
		return "" // it wins nothing: the opponent has no move, and wins
	case wanted.CountUnits(own) == 1 && after.CountUnits(own) > 1:
		return "joins all your stones"
	case isClosed:
		return fmt.Sprintf("leaves %s's last path to %s open, which your move has closed: a unit that is locked in need not be joined", other.Name(), closed)
	case joined > 1 && joined > b.CountUnits(own)-after.CountUnits(own):
		return fmt.Sprintf("joins %s units at once", [...]string{2: "three", 3: "four", 4: "five"}[joined])
	case longer >= b.Span(other)+minLonger && longer >= after.Span(other)+minLonger:
		return fmt.Sprintf("makes %s's path longer: %s instead of %d", other.Name(), plural(longer, "point"), after.Span(other))
	case joined == 1 && after.CountUnits(own) >= b.CountUnits(own):
		return "joins two units"
	case wanted.Span(own)+minShorter <= after.Span(own) && longer >= after.Span(other):
		return fmt.Sprintf("leaves you a shorter path: %s instead of %d", plural(wanted.Span(own), "point"), after.Span(own))
	}
	return ""
}

// closedUnit returns a stone of a unit to which paths of its colour lead in b and wanted, but not in after, where stones of the
// other colour have moved.
func closedUnit(b, after, wanted ayu.Board, c ayu.Color) (stone ayu.Point, ok bool) {
	for _, u := range after.Units(c) {
		if u.Distance > 0 {
			continue
		}
		for p := range u.Stones.All() {
			before, _ := b.UnitAt(p)
			if open, _ := wanted.UnitAt(p); before.Distance > 0 && open.Distance > 0 {
				return p, true
			}
			break // the other stones of the unit have the same paths
		}
	}
	return 0, false
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
