package lobby

import (
	"slices"
	"time"
)

// How many events are kept. A session that reads later than that misses the oldest.
const (
	tableEventsKept = 32 // for each person
	matchEventsKept = 32 // for each match
)

// EventKind is what an event reports.
type EventKind string

// The kinds of events.
const (
	EventDeclined  EventKind = "declined"  // of a challenge, by the challenged player
	EventExpired   EventKind = "expired"   // of a table, because By has gone
	EventWithdrawn EventKind = "withdrawn" // of a table by its owner, or of an offer by the seat that made it
	EventOffered   EventKind = "offer"     // of an offer
	EventRefused   EventKind = "refused"   // of an offer, by another seat than the one that made it
	EventVoted     EventKind = "vote"      // of a vote to remove an absent seat
)

// TableEvent reports to a person why a table that concerned them is no longer open to them. Tables
// that became a match cause none.
type TableEvent struct {
	Seq   uint64 // counts the person's events from 1
	At    time.Time
	Kind  EventKind
	Table *Table // as it was before
	By    string // the name of who declined, withdrew or has gone
}

// MatchEvent reports an act of a seat that is no entry of the match's log.
type MatchEvent struct {
	Seq     uint64 // counts the match's events from 1
	Version int    // of the match at that time: the event comes after this entry and before the next
	At      time.Time
	Kind    EventKind
	Seat    int       // that acted
	Offer   OfferKind // of offers
	Target  int       // of votes: the seat to be removed
}

// appendBounded returns a copy of list that ends with e and has at most most elements.
func appendBounded[T any](list []T, e T, limit int) []T {
	list = list[max(len(list)+1-limit, 0):]
	return append(slices.Clip(list), e)
}

// notifyTable adds an event to the person's list and wakes their sessions.
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

// notifyTable reports to people, except by, what by has done to a table. mu must be held.
func (l *Lobby) notifyTable(t *tableState, kind EventKind, by *user, people ...*user) {
	e := TableEvent{At: time.Now(), Kind: kind, Table: t.snapshot(), By: by.Account().Name}
	for _, p := range people {
		if p != by {
			p.notifyTable(e)
		}
	}
}

// TableEvents returns the kept events since the session began and after the one with this number,
// oldest first. The slice is shared and must not be changed.
func (s *Session) TableEvents(seq uint64) []TableEvent {
	s.user.mu.Lock()
	defer s.user.mu.Unlock()
	db := s.user.events
	for len(db) > 0 && db[0].Seq <= max(seq, s.firstEvent) {
		db = db[1:]
	}
	return db
}

// addEvent adds an event of the match, which the next snapshot has. Only run calls it.
func (m *Match) addEvent(e MatchEvent) {
	m.lastEventSeq++
	e.Seq, e.Version = m.lastEventSeq, len(m.log)
	m.events = appendBounded(m.events, e, matchEventsKept)
}

// lastEvent returns the number of the newest event of a snapshot; 0 if it has none.
func (s *Snapshot) lastEvent() uint64 {
	if n := len(s.Events); n > 0 {
		return s.Events[n-1].Seq
	}
	return 0
}

// eventsBefore returns the events that came before the entry that followed a version.
func (s *Snapshot) eventsBefore(version int) []MatchEvent {
	n := slices.IndexFunc(s.Events, func(e MatchEvent) bool { return e.Version >= version })
	if n < 0 {
		return s.Events
	}
	return s.Events[:n:n]
}
