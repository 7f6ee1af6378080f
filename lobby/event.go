package lobby

import (
	"slices"
	"time"
)

// The number of events that are kept. A session that reads too late misses the oldest.
const (
	tableEventsKept = 32 // by user
	matchEventsKept = 32 // by match
)

// TableEvent notifies a user that a table which concerned them has closed without becoming a match, or that
// they were removed from it.
type TableEvent struct {
	Seq   uint64 // number among the user's events, from 1
	At    time.Time
	Kind  EventKind
	Table *Table // its state before the event
	By    string // the name of the user who declined, withdrew or is absent
}

// appendBounded returns a copy of the last elements of list with e appended, at most limit elements.
func appendBounded[T any](list []T, e T, limit int) []T {
	list = list[max(len(list)+1-limit, 0):]
	return append(slices.Clip(list), e)
}

// notifyTable adds an event to the user's list and wakes their sessions.
func (p *user) notifyTable(e TableEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastEvent++
	e.Seq = p.lastEvent
	p.events = appendBounded(p.events, e, tableEventsKept)
	for s := range p.sessions {
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

// addEvent adds an event to the match and sets its Seq and Version. The next snapshot has it. Only run
// calls it.
func (m *Match) addEvent(e MatchEvent) {
	m.lastEventSeq++
	e.Seq, e.Version = m.lastEventSeq, len(m.log)
	m.events = appendBounded(m.events, e, matchEventsKept)
}
