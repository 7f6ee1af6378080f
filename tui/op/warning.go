package op

import (
	"time"

	"ayumu/tui/words"
)

// The time left to a player from which on a turn is urgent.
const (
	UrgentFirstTurn = 15 * time.Second // of the first-turn limit
	UrgentClock     = 20 * time.Second // of the clock
)

// urgent returns the time left until the user's turn is urgent, 0 if it is; ok is false if nothing limits the
// time or the user is not to move.
func (m *Match) urgent(now time.Time) (left time.Duration, ok bool) {
	if !m.IsOwnTurn() {
		return 0, false
	}
	if left, ok := m.Snapshot.FirstTurnRemaining(now); ok {
		return max(left-UrgentFirstTurn, 0), true
	}
	left, ok = m.Snapshot.Remaining(m.Seat, now)
	return max(left-UrgentClock, 0), ok && m.Snapshot.RunningSeat == m.Seat
}

// NextWarning returns when the user's turn becomes urgent; zero: never, or the user knows.
func (m *Match) NextWarning(now time.Time) time.Time {
	left, ok := m.urgent(now)
	if !ok || m.hasWarned() {
		return time.Time{}
	}
	return now.Add(left)
}

// Warn returns a warning if the user's turn has become urgent, once for each turn; otherwise "". A turn that was
// urgent from its beginning gives no warning, since its beginning is announced with the time.
func (m *Match) Warn(now time.Time) string {
	left, ok := m.urgent(now)
	if !ok || left > 0 || m.hasWarned() {
		return ""
	}
	m.warned = m.Snapshot.Version + 1
	if left, ok := m.Snapshot.FirstTurnRemaining(now); ok {
		return words.FirstTurnLimit(m.Snapshot, left)
	}
	left, _ = m.Snapshot.Remaining(m.Seat, now)
	return "Your time is running short: " + words.Clock(left) + " left."
}

// hasWarned reports whether the user has been warned in this turn.
func (m *Match) hasWarned() bool { return m.warned == m.Snapshot.Version+1 }

// noteUrgent records at the beginning of a turn that it is urgent from the beginning.
func (m *Match) noteUrgent(now time.Time) {
	if left, ok := m.urgent(now); ok && left == 0 {
		m.warned = m.Snapshot.Version + 1
	}
}
