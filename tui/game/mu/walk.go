package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// walk is the way of the only piece that another player has moved in a turn. The zero value is none.
type walk struct {
	way  []mu.Hex // from where it was to the last cell before its target
	step int      // index of the cell on which it is shown
}

func (w *walk) isRunning() bool { return w.step < len(w.way) }

// advance shows the next step, if the walk has not ended.
func (w *walk) advance() {
	if w.isRunning() {
		w.step++
	}
}

// way returns the cells on which the piece of the last turn is shown on its way: of a turn of one move without an explosion,
// because the others are replayed step by step. nil: none, or the players saw the turn while it was made.
func (v *seatView) way() (way []mu.Hex) {
	if v.showsDraft() || v.previous == nil || v.state.IsShared || v.previous.Turn() == v.state.Seat {
		return nil
	}
	r := v.replay()
	if r == nil || len(r.frameEnds) != 1 || r.steps[0].Kind != mu.Moved {
		return nil
	}
	moved := r.steps[0]
	cells := moved.At.Distance(moved.To)
	steps := min(cells, game.MaxWalkSteps)
	for i := range steps {
		way = append(way, moved.At.Step(moved.Dir, i*cells/steps))
	}
	return way
}
