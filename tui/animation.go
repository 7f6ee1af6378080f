package tui

import (
	"time"

	"ayumu/tui/game"
)

// replaySpeeds are the speeds at which others' turns of many steps are shown; the first is not at all.
var replaySpeeds = []struct {
	name string
	step time.Duration
}{{"off", 0}, {"slow", 900 * time.Millisecond}, {"normal", 450 * time.Millisecond}, {"fast", 150 * time.Millisecond}}

const defaultSpeed = 2

// startReplay shows the last turn step by step, if the board can and the person wants it.
func (v *matchScreen) startReplay() {
	r, ok := v.board.(game.Replayer)
	if !ok || v.app.settings.Pace == 0 {
		return
	}
	if e := v.turnRecord.entries; len(e) > 0 && e[len(e)-1].Seat == v.seat {
		return // he has just seen it happen
	}
	r.Replay()
	v.updateReplay(time.Now())
}

// updateReplay keeps a replay going that the board has begun, or lets it rest.
func (v *matchScreen) updateReplay(now time.Time) {
	r, ok := v.board.(game.Replayer)
	if !ok {
		return
	}
	step := replaySpeeds[max(v.app.settings.Pace, 1)].step
	switch {
	case !r.IsReplaying():
		v.nextStepAt = time.Time{}
	case v.nextStepAt.IsZero():
		v.nextStepAt = now.Add(step)
	case !now.Before(v.nextStepAt):
		r.Advance()
		if v.nextStepAt = now.Add(step); !r.IsReplaying() {
			v.nextStepAt = time.Time{}
		}
	}
}
