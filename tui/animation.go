package tui

import (
	"time"

	"ayumu/tui/game"
	"ayumu/tui/screen"
)

// startReplay shows the last turn step by step, if the board supports it and the settings allow it.
func (v *matchScreen) startReplay() {
	r, ok := v.board.(game.Replayer)
	if !ok || v.app.Settings.ReplaySpeed == 0 {
		return
	}
	if e := v.turnRecord.entries; len(e) > 0 && e[len(e)-1].Seat == v.Seat {
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
	step := screen.ReplaySpeeds[max(v.app.Settings.ReplaySpeed, 1)].Step
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
