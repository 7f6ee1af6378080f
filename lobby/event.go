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

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	EventDeclined  EventKind = "declined"  // of a challenge, by the challenged user
	EventExpired   EventKind = "expired"   // of a table, because By is absent
	EventWithdrawn EventKind = "withdrawn" // of a table by its owner, or of an offer by the seat that made it
	EventOffered   EventKind = "offer"     // of an offer
	EventRefused   EventKind = "refused"   // of an offer, by another seat than the one that made it
	EventVoted     EventKind = "vote"      // of a vote to remove an absent seat
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

// MatchEvent is an action of a seat that is no entry of the match's log.
type MatchEvent struct {
	Seq     uint64 // number among the match's events, from 1
	Version int    // the version of the match: the event comes after this entry and before the next
	At      time.Time
	Kind    EventKind
	Seat    int       // the seat that acted
	Offer   OfferKind // of offers
	Target  int       // of votes: the seat to be removed
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

// notifyTable notifies users, except by, of what by has done to a table. The caller holds l.mu.
func (l *Lobby) notifyTable(t *tableState, kind EventKind, by *user, users ...*user) {
	e := TableEvent{At: time.Now(), Kind: kind, Table: t.snapshot(), By: by.Account().Name}
	for _, p := range users {
		if p != by {
			p.notifyTable(e)
		}
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

// lastEvent returns the Seq of the newest event of the snapshot; 0 if there is none.
func (s *Snapshot) lastEvent() uint64 {
	if n := len(s.Events); n > 0 {
		return s.Events[n-1].Seq
	}
	return 0
}

// eventsBefore returns the events of versions below version.
func (s *Snapshot) eventsBefore(version int) []MatchEvent {
	n := slices.IndexFunc(s.Events, func(e MatchEvent) bool { return e.Version >= version })
	if n < 0 {
		return s.Events
	}
	return s.Events[:n:n]
}
