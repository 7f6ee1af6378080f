package mu

import (
	"slices"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// seatView is a match as one session sees it: the state of Show, and the draft of its seat on that state.
type seatView struct {
	shared    *caches
	state     game.State
	pos       *mu.Position // of the match; the base of the draft
	previous  *mu.Position // in which the last turn was played; nil if that is not known
	draft     draft
	hint      []mu.Action // the turn to mark, without its end
	hintAt    mu.Hex      // a cell to mark, if hasHintAt
	hasHintAt bool
	// isPlanning reports that the seat enters a turn in advance, of which state.CanAct is true. The segments are laid in turn,
	// on the same board, so that the next one can be laid in advance.
	isPlanning bool
}

// show replaces the state. moved reports whether the position of the match is another one, changed
// whether the shown position, the seat or its permission to act is.
func (v *seatView) show(s game.State) (moved, changed bool) {
	pos := s.Position.(*mu.Position)
	v.isPlanning = s.CanPlan && !s.CanAct && pos.Phase() == mu.Layout
	s.CanAct = s.CanAct || v.isPlanning
	moved = v.pos != pos
	changed = moved || v.state.CanAct != s.CanAct || v.state.Seat != s.Seat
	isEnd := func(a mu.Action) bool { return a.Kind == mu.End }
	v.state, v.pos, v.previous, v.hint = s, pos, nil, slices.DeleteFunc(parseActions(s.Hint), isEnd)
	at, err := mu.ParseAction("explode " + s.HintPoint)
	v.hintAt, v.hasHintAt = at.At, err == nil && len(v.hint) == 0
	if s.Previous != nil {
		v.previous = s.Previous.(*mu.Position)
	}
	if s.CanAct || len(s.Draft) > 0 || s.Static && v.showsDraft() {
		head := v.shown()
		v.draft.mirror(pos, s.Draft)
		changed = changed || head != v.shown()
	}
	return moved, changed
}

// parseActions parses the actions of a turn. It skips any that is not in the notation.
func parseActions(texts []string) []mu.Action {
	var actions []mu.Action
	for _, text := range texts {
		if a, err := mu.ParseAction(text); err == nil {
			actions = append(actions, a)
		}
	}
	return actions
}

// geometry returns the geometry of the shown position.
func (v *seatView) geometry() *geometry { return v.shared.geometry(v.shown()) }

// showsDraft reports whether the shown position is the draft's.
func (v *seatView) showsDraft() bool { return v.draft.base == v.pos && v.draft.isStarted() }

// shown returns the position that is shown, during a replay the one at its end.
func (v *seatView) shown() *mu.Position {
	if v.showsDraft() {
		return v.draft.head()
	}
	return v.pos
}

// before returns the position against which the changes of the shown one are marked; nil if it is not
// known.
func (v *seatView) before() *mu.Position {
	if v.showsDraft() {
		return v.draft.base
	}
	return v.previous
}

// replay returns the steps of the draft's last action or of the last turn of play; nil if the position
// before it is not known.
func (v *seatView) replay() *replay {
	switch {
	case v.showsDraft():
		n := len(v.draft.actions)
		return newReplay(v.draft.at(n-1), v.draft.head(), v.draft.actions[n-1:])
	case v.previous != nil && v.previous.Phase() == mu.Play:
		return v.shared.replays.Get(replayKey{v.previous, v.pos}, func() *replay {
			return newReplay(v.previous, v.pos, parseActions(v.state.LastTurn))
		})
	}
	return nil
}

// markedSeat returns the seat that is marked as the session's; -1: none.
func (v *seatView) markedSeat() int {
	if v.state.IsShared {
		return -1
	}
	return v.state.Seat
}

// hidesCursor reports whether the cursor of a pointer is not there, because the user only watches.
func (v *seatView) hidesCursor(c *pointer) bool { return v.state.IsWatching && !c.isCalled }

// isOwn reports whether a cell holds a piece of the session's seat.
func (v *seatView) isOwn(c mu.Cell) bool { return c.Men > 0 && c.Owner == v.state.Seat }

// canMove reports whether the player may move the piece on a cell now.
func (v *seatView) canMove(c mu.Cell) bool {
	p := v.shown()
	return v.state.CanAct && p.Phase() == mu.Play && len(p.Critical()) == 0 && v.isOwn(c) &&
		v.hasRight(c) && len(p.AppendMoves(nil, c.At)) > 0
}

// isStuck reports whether a piece of the player to move cannot move.
func (v *seatView) isStuck(c mu.Cell) bool {
	p := v.shown()
	return v.state.CanAct && p.Phase() == mu.Play && len(p.Critical()) == 0 && v.isOwn(c) && !v.canMove(c)
}

// hasRight reports whether the player to move has an unspent right in a cell's segment.
func (v *seatView) hasRight(c mu.Cell) bool {
	return slices.Contains(v.shown().Rights(), v.segmentCentre(c))
}

// hadRight reports whether the player had a right in a cell's segment when the turn began.
func (v *seatView) hadRight(c mu.Cell) bool {
	return slices.Contains(v.pos.Rights(), v.segmentCentre(c))
}

// segmentCentre returns the centre of a cell's segment.
func (v *seatView) segmentCentre(c mu.Cell) mu.Hex { return v.shown().Board().Centres()[c.Segment] }
