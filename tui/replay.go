package tui

import (
	"time"

	"ayumu/tui/board"
)

// paces are the speeds at which others' turns of many steps are shown; the first is not at all.
var paces = []struct {
	name string
	step time.Duration
}{{"off", 0}, {"slow", 900 * time.Millisecond}, {"normal", 450 * time.Millisecond}, {"fast", 150 * time.Millisecond}}

const usualPace = 2

// replay shows the last turn step by step, if the board can and the person wants it.
func (v *matchView) replay() {
	r, ok := v.board.(board.Replayer)
	if !ok || v.app.settings.Pace == 0 {
		return
	}
	if e := v.record.entries; len(e) > 0 && e[len(e)-1].Seat == v.seat {
		return // he has just seen it happen
	}
	r.Replay()
	v.pace(time.Now())
}

// pace keeps a replay going that the board has begun, or lets it rest.
func (v *matchView) pace(now time.Time) {
	r, ok := v.board.(board.Replayer)
	if !ok {
		return
	}
	step := paces[max(v.app.settings.Pace, 1)].step
	switch {
	case !r.Replaying():
		v.stepAt = time.Time{}
	case v.stepAt.IsZero():
		v.stepAt = now.Add(step)
	case !now.Before(v.stepAt):
		r.Advance()
		if v.stepAt = now.Add(step); !r.Replaying() {
			v.stepAt = time.Time{}
		}
	}
}
