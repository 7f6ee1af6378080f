package match

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/screen"
)

// playback shows the steps of a turn, and with autoplay one turn after the other.
type playback struct {
	view       *view
	nextStepAt time.Time // when the board shows the next step of a turn; zero: not running
	nextTurnAt time.Time // when autoplay shows the next turn; zero: not running
}

// stepsPerTurn is the time for which autoplay shows a turn, in steps of the selected speed.
const stepsPerTurn = 2

// isRunning reports whether autoplay is running.
func (p *playback) isRunning() bool { return !p.nextTurnAt.IsZero() }

// stop ends autoplay.
func (p *playback) stop() { p.nextTurnAt = time.Time{} }

// toggle starts autoplay from the turn that is shown, or from the beginning if that is the last one; or
// stops it.
func (p *playback) toggle(now time.Time) tea.Cmd {
	if p.isRunning() {
		p.stop()
		return nil
	}
	v := p.view
	if n := len(v.turns.Entries); v.shownPly() == n {
		v.step(-n)
	}
	if v.isReviewing {
		p.nextTurnAt = now.Add(p.turnDuration())
	}
	return nil
}

// turnDuration returns how long autoplay shows a turn.
func (p *playback) turnDuration() time.Duration {
	speed := p.view.Shell.Settings.ReplaySpeed
	if speed == 0 {
		speed = screen.DefaultSpeed
	}
	return stepsPerTurn * screen.ReplaySpeeds[speed].Step
}

// showLastTurn shows the last turn of the match step by step, if the board supports it and the settings allow
// it.
func (p *playback) showLastTurn() {
	v := p.view
	r, ok := v.board.(game.Replayer)
	if !ok || v.Shell.Settings.ReplaySpeed == 0 {
		return
	}
	if e := v.turns.Entries; v.Snapshot.Info.Local || len(e) > 0 && e[len(e)-1].Seat == v.Seat {
		return // the players saw their own turn while making it
	}
	p.replay(r, time.Now())
}

// update shows the next step and the next turn if they are due.
func (p *playback) update(now time.Time) {
	r, replays := p.view.board.(game.Replayer)
	if replays {
		p.updateSteps(r, now)
	}
	if !p.isRunning() || now.Before(p.nextTurnAt) {
		return
	}
	if replays && r.IsReplaying() { // all steps of the current turn come first
		p.nextTurnAt = now.Add(p.turnDuration())
		return
	}
	p.view.step(1)
	if p.nextTurnAt = now.Add(p.turnDuration()); !p.view.isReviewing {
		p.stop()
		return
	}
	if replays && p.view.Shell.Settings.ReplaySpeed > 0 {
		p.replay(r, now)
	}
}

// replay shows the first step of the last turn and schedules the next one.
func (p *playback) replay(r game.Replayer, now time.Time) {
	r.Replay()
	p.view.lastBoard.isStale = true
	p.updateSteps(r, now)
}

// updateReplay schedules the steps of a replay that the board has begun.
func (p *playback) updateReplay(now time.Time) {
	if r, ok := p.view.board.(game.Replayer); ok {
		p.updateSteps(r, now)
	}
}

// updateSteps shows the next step of a turn when it is due and schedules the step after it.
func (p *playback) updateSteps(r game.Replayer, now time.Time) {
	step := screen.ReplaySpeeds[max(p.view.Shell.Settings.ReplaySpeed, 1)].Step
	switch {
	case !r.IsReplaying():
		p.nextStepAt = time.Time{}
	case p.nextStepAt.IsZero():
		p.nextStepAt = now.Add(step)
	case !now.Before(p.nextStepAt):
		r.Advance()
		p.view.lastBoard.isStale = true
		if p.nextStepAt = now.Add(step); !r.IsReplaying() {
			p.nextStepAt = time.Time{}
		}
	}
}
