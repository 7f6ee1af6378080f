package lobby

import (
	"slices"
	"time"

	"ayumu/lobby/table"
)

// tableEventsKept is the number of events that are kept for each user. A session that reads too late misses
// the oldest.
const tableEventsKept = 32

// TableEvent notifies a user that a table which concerned them has closed without becoming a match, or that
// they were removed from it.
type TableEvent struct {
	Seq   uint64 // number among the user's events, from 1
	At    time.Time
	Kind  table.EventKind
	Table *table.View // its state after the event
	By    string      // the name of the user who declined, withdrew or is absent
}

// notifyTable adds an event to the user's list and wakes their sessions.
func (u *user) notifyTable(e TableEvent) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lastEvent++
	e.Seq = u.lastEvent
	kept := u.events[max(len(u.events)+1-tableEventsKept, 0):]
	u.events = append(slices.Clip(kept), e)
	for s := range u.sessions {
		s.wake()
	}
}

// TableEvents returns the user's events with a Seq above seq that happened since the session began, oldest
// first. The slice is shared and must not be changed.
func (s *Session) TableEvents(seq uint64) []TableEvent {
	s.user.mu.Lock()
	defer s.user.mu.Unlock()
	events := s.user.events
	for len(events) > 0 && events[0].Seq <= max(seq, s.firstEvent) {
		events = events[1:]
	}
	return events
}
