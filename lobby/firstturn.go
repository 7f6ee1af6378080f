package lobby

import (
	"time"

	"ayumu/lobby/clock"
)

// firstTurnLimit returns the time that a seat has for its first turn under a live clock. Players of slow
// games may need some time to come to the screen.
func firstTurnLimit(c clock.Control) time.Duration {
	switch {
	case c.Initial <= 15*time.Minute:
		return time.Minute
	case c.Initial <= time.Hour:
		return 3 * time.Minute
	}
	return 10 * time.Minute
}

// firstDeadline returns the time at which the first turn of the seat to move is due: its limit after since,
// the start of its clock, but not later than clockUp. A seat that was to move when the server restarted
// gets restartCredit on top. While the server drains there is no deadline (zero time), because the players
// are being disconnected.
func (m *Match) firstDeadline(since, clockUp time.Time) time.Time {
	if m.l.draining.Load() {
		return time.Time{}
	}
	limit := firstTurnLimit(m.Info.Control)
	if !m.restartedAt.IsZero() && since.Equal(m.restartedAt) {
		limit += restartCredit
	}
	if due := since.Add(limit); due.Before(clockUp) {
		return due
	}
	return clockUp
}

// restartUnstarted credits restartCredit to the seat to move in a match without a turn. No entry records
// the credit: each restart gives it again, and the first turn records the clocks.
func (m *Match) restartUnstarted() {
	if !m.restartedAt.IsZero() && m.Info.Control.IsLive() {
		m.clock.Credit(m.state.Position.Turn(), restartCredit)
	}
}
