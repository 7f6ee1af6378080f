package match

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// playback shows the steps of a turn or the way of its piece, and with autoplay one turn after the other.
type playback struct {
	view       *view
	nextStepAt time.Time // when the board shows the next step of a turn; zero: not running
	isWalk     bool      // the steps are those of game.Walker.Walk
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
// it; otherwise a player sees its piece walk.
func (p *playback) showLastTurn(now time.Time) {
	v := p.view
	e := v.turns.Entries
	isOwn := v.Snapshot.Info.Local || len(e) > 0 && e[len(e)-1].Seat == v.Seat
	if r, ok := v.board.(game.Replayer); ok && v.Shell.Settings.ReplaySpeed > 0 && !isOwn { // the players saw their own turn while making it
		p.replay(r, now)
	}
	if w, ok := v.board.(game.Walker); ok && !w.IsReplaying() && p.canWalk() {
		w.Walk()
		p.isWalk, p.nextStepAt, v.lastBoard.isStale = true, time.Time{}, true
		p.updateSteps(w, now)
	}
}

// walkStep is the time for which a step of a walk is shown.
const walkStep = 70 * time.Millisecond

// canWalk reports whether pieces walk here: in the matches of the user, on a terminal with colours that keeps up. A
// walk is a frame of one session alone, and spectators share theirs.
func (p *playback) canWalk() bool {
	sh := p.view.Shell
	return sh.Settings.Walk && p.view.Player != nil && !sh.HasOverlay() && sh.ShownProfile().Colors != paint.NoColor && !sh.IsBehind()
}

// endWalk shows the position to which a walk leads, at once.
func (p *playback) endWalk() {
	w, ok := p.view.board.(game.Walker)
	if !ok || !p.isWalk {
		return
	}
	for w.IsReplaying() {
		w.Advance()
	}
	p.isWalk, p.nextStepAt, p.view.lastBoard.isStale = false, time.Time{}, true
}

// update shows the next step and the next turn if they are due.
func (p *playback) update(now time.Time) {
	if w, ok := p.view.board.(game.Walker); ok {
		p.updateSteps(w, now)
	}
	r, replays := p.view.board.(game.Replayer)
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
	p.isWalk, p.view.lastBoard.isStale = false, true
	p.updateSteps(r, now)
}

// updateReplay schedules the steps of a replay that the board has begun.
func (p *playback) updateReplay(now time.Time) {
	if r, ok := p.view.board.(game.Replayer); ok {
		p.isWalk = false
		p.updateSteps(r, now)
	}
}

// updateSteps shows the next step of a turn when it is due and schedules the step after it. A walk ends if the terminal
// has not shown the step before.
func (p *playback) updateSteps(r game.Walker, now time.Time) {
	step := screen.ReplaySpeeds[max(p.view.Shell.Settings.ReplaySpeed, 1)].Step
	if p.isWalk {
		step = walkStep
	}
	switch {
	case !r.IsReplaying():
		p.isWalk, p.nextStepAt = false, time.Time{}
	case p.isWalk && !p.canWalk():
		p.endWalk()
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
