package ayu

import (
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
)

// seatView is a match as one session sees it: the state of Show, parsed.
type seatView struct {
	state   game.State
	pos     *ayu.Position
	last    ayu.Move
	hasLast bool // last is a move
	hint    ayu.Move
	hasHint bool       // hint is a move
	marked  string     // state.Marked, separated by spaces
	movable ayu.Points // the stones that the seat can move, now or as its planned turn

	// isPlanning reports that the seat enters a turn in advance: pos is the position as if it were to move, and
	// state.CanAct is true.
	isPlanning bool
}

// show replaces the state. changed reports whether the position, the seat or its permission to act is
// another one.
func (v *seatView) show(s game.State) (changed bool) {
	pos, isPlanning := s.Position.(*ayu.Position), false
	switch {
	case s.CanAct || !s.CanPlan:
	case v.isPlanning && v.state.Position == s.Position:
		pos, isPlanning, s.CanAct = v.pos, true, true
	default:
		if next := pos.Passed(); next.Board().Movable() != (ayu.Points{}) {
			pos, isPlanning, s.CanAct = next, true, true
		}
	}
	changed = v.pos == nil || v.isPlanning != isPlanning || v.pos.Board() != pos.Board() || v.state.CanAct != s.CanAct || v.state.Seat != s.Seat
	v.state, v.pos, v.isPlanning = s, pos, isPlanning
	v.last, v.hasLast = onlyMove(s.LastTurn)
	v.hint, v.hasHint = onlyMove(s.Hint)
	if p, err := ayu.ParsePoint(s.HintPoint); err == nil && !v.hasHint {
		v.hint, v.hasHint = ayu.Move{From: p, To: p}, true // the stone alone
	}
	v.marked = strings.Join(s.Marked, " ")
	if changed {
		v.movable = ayu.Points{}
		if s.CanAct {
			v.movable = pos.Board().Movable()
		}
	}
	return changed
}

// hidesCursor reports whether the cursor of a pointer is not there, because the user only watches.
func (v *seatView) hidesCursor(c *pointer) bool { return v.state.IsWatching && !c.isCalled }

// canEnter reports whether the seat may enter a move.
func (v *seatView) canEnter() bool { return v.state.CanAct }

// onlyMove returns the move of a turn; ok is false if the turn is a swap or empty.
func onlyMove(actions []string) (m ayu.Move, ok bool) {
	if len(actions) != 1 {
		return m, false
	}
	m, err := ayu.ParseMove(actions[0])
	return m, err == nil
}

// ownColor returns the colour of the session's seat; for a spectator it is not meaningful.
func (v *seatView) ownColor() ayu.Color { return seatColor(v.pos, max(v.state.Seat, 0)) }
