package tui

import (
	"time"

	"ayumu/tui/game"
)

// replaySpeeds are the speeds of replays: the duration of a step. Index 0 switches replays of other
// players' turns off.
var replaySpeeds = []struct {
	name string
	step time.Duration
}{{"off", 0}, {"slow", 900 * time.Millisecond}, {"normal", 450 * time.Millisecond}, {"fast", 150 * time.Millisecond}}

const defaultSpeed = 2

// startReplay shows the last turn step by step, if the board supports it and the settings allow it.
func (v *matchScreen) startReplay() {
	r, ok := v.board.(game.Replayer)
	if !ok || v.app.settings.ReplaySpeed == 0 {
		return
	}
	if e := v.turnRecord.entries; len(e) > 0 && e[len(e)-1].Seat == v.seat {
		return // the player saw the own turn while making it
	}
	r.Replay()
	v.updateReplay(time.Now())
}

// updateReplay advances a running replay when its next step is due and schedules the step after it.
func (v *matchScreen) updateReplay(now time.Time) {
	r, ok := v.board.(game.Replayer)
	if !ok {
		return
	}
	step := replaySpeeds[max(v.app.settings.ReplaySpeed, 1)].step
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
