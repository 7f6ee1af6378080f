package tui

import (
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/tui/screen"
)

// updates runs the updates of a model that others and time cause.
type updates struct {
	model    *Model
	wasWoken atomic.Bool // by the lobby
	isDue    atomic.Bool // the alarm has fired

	// Used by Model's methods.
	alarm     *lobby.Alarm // fires when time alone changes the screen
	ownChange time.Time    // when it changes something else than a frame that sessions share; zero: never
	drawAt    time.Time    // until then the budget delays the update after a wake, which has been charged; zero: none has
	drawAlarm *lobby.Alarm // fires at drawAt; nil until the budget has been exceeded
}

// wake has the session updated after a change in the lobby. It never blocks.
func (u *updates) wake() {
	u.wasWoken.Store(true)
	u.model.runtime.Schedule()
}

// alarmFired has the screen updated because of the time. It never blocks.
func (u *updates) alarmFired() {
	u.isDue.Store(true)
	u.model.runtime.Schedule()
}

// run processes the pending updates.
func (u *updates) run() (cmd tea.Cmd) {
	wasWoken, isDue := u.wasWoken.Swap(false), u.isDue.Swap(false)
	if wasWoken && u.mayDraw(time.Now()) {
		cmd = u.model.handle(wakeMsg{})
	}
	if isDue && !u.advance(time.Now()) {
		cmd = tea.Batch(cmd, u.model.handle(screen.TickMsg(time.Now())))
	}
	return cmd
}

// mayDraw reports whether the budget allows the update after a wake; otherwise it has the session woken when it does.
// The account alone is charged, so that a match with many spectators at one address costs that address nothing.
func (u *updates) mayDraw(now time.Time) bool {
	m := u.model
	if id := m.account.Load(); id != 0 && u.drawAt.IsZero() {
		u.drawAt = now.Add(m.Config.Lobby.Budgets.Reserve(limit.Payer{Account: id}, limit.WorkRedraw, int(m.cells.Load())))
	}
	if now.Before(u.drawAt) {
		if u.drawAlarm == nil {
			u.drawAlarm = lobby.NewAlarm(u.wake)
		}
		m.Config.Lobby.Alarms.Set(u.drawAlarm, u.drawAt)
		return false
	}
	u.drawAt = time.Time{}
	return true
}

// advance shows the frame that follows by time alone. It returns false if the session has to process the time itself.
// Nothing is charged, because the frame is drawn once for all sessions.
func (u *updates) advance(now time.Time) bool {
	m := u.model
	if !u.ownChange.IsZero() && !now.Before(u.ownChange) || m.Visit == nil || m.Visit.IsFollowing() {
		return false
	}
	frame, ok := m.Advance(now)
	if ok {
		m.frame = frame
		u.setAlarm()
	}
	return ok
}

// setAlarm sets the alarm to the next time at which time alone changes the screen.
func (u *updates) setAlarm() {
	next := u.ownChange
	if until := u.model.Until(); next.IsZero() || !until.IsZero() && until.Before(next) {
		next = until
	}
	u.model.Config.Lobby.Alarms.Set(u.alarm, next)
}

// end ends the updates, after the runtime has.
func (u *updates) end() {
	m := u.model
	m.Config.Lobby.Alarms.Set(u.alarm, time.Time{})
	if !u.drawAt.IsZero() {
		m.Config.Lobby.Alarms.Set(u.drawAlarm, time.Time{})
		m.Config.Lobby.Budgets.GiveBack(limit.Payer{Account: m.account.Load()}, limit.WorkRedraw, int(m.cells.Load()))
	}
}

// fault ends the session because of an internal error. It may be called from any goroutine.
func (m *Model) fault(err error) { m.runtime.Send(screen.ErrorMsg{Err: err}) }
