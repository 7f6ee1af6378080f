package lobby

import (
	"time"

	"ayumu/lobby/clock"
)

// firstTurnLimit returns how long a seat has for its first turn under a live clock. Who plays a
// slow game may need a moment to come to the screen.
func firstTurnLimit(c clock.Control) time.Duration {
	switch {
	case c.Initial <= 15*time.Minute:
		return time.Minute
	case c.Initial <= time.Hour:
		return 3 * time.Minute
	}
	return 10 * time.Minute
}

// firstDeadline returns when the first turn of the seat to move is due: its limit after since, the
// moment at which its clock started, or clockUp if that is sooner. A seat that was to move when the
// server restarted has the credit of a restart on top. While the server closes there is no
// deadline, because the players are disconnected.
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

// restartUnstarted gives the seat to move the credit of a restart in a match without a turn. No
// entry records it: another restart gives it again, and the first turn records the clocks.
func (m *Match) restartUnstarted() {
	if !m.restartedAt.IsZero() && m.Info.Control.IsLive() {
		m.clock.Credit(m.state.pos.Turn(), restartCredit)
	}
}

// FirstTurnRemaining returns how long the seat to move still has for its first turn, at that moment; ok is
// false where its clock alone counts. When that time is up the match is aborted, or with more than
// two players the seat leaves.
func (s *Snapshot) FirstTurnRemaining(now time.Time) (left time.Duration, ok bool) {
	if s.FirstTurnDeadline.IsZero() {
		return 0, false
	}
	return max(s.FirstTurnDeadline.Sub(now), 0), true
}
