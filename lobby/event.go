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
func appendBounded[T any](list []T, e T, most int) []T {
	list = list[max(len(list)+1-most, 0):]
	return append(slices.Clip(list), e)
}

// notifyTable adds an event to the person's list and wakes their sessions.
func (p *person) notifyTable(e TableEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastEvent++
	e.Seq = p.lastEvent
	p.events = appendBounded(p.events, e, tableEventsKept)
	for s := range p.sessions {
		s.poke()
	}
}

// notifyTable reports to people, except by, what by has done to a table. mu must be held.
func (l *Lobby) notifyTable(t *table, kind EventKind, by *person, people ...*person) {
	e := TableEvent{At: time.Now(), Kind: kind, Table: t.show(), By: by.Account().Name}
	for _, p := range people {
		if p != by {
			p.notifyTable(e)
		}
	}
}

// TableEvents returns the kept events since the session began and after the one with this number,
// oldest first. The slice is shared and must not be changed.
func (s *Session) TableEvents(seq uint64) []TableEvent {
	s.person.mu.Lock()
	defer s.person.mu.Unlock()
	kept := s.person.events
	for len(kept) > 0 && kept[0].Seq <= max(seq, s.firstEvent) {
		kept = kept[1:]
	}
	return kept
}

// note adds an event of the match, which the next snapshot has. Only run calls it.
func (m *Match) note(e MatchEvent) {
	m.noted++
	e.Seq, e.Version = m.noted, len(m.log)
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
