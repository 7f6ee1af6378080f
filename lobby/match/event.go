package match

import (
	"slices"
	"time"
)

// eventsKept is the number of events that are kept. A session that reads too late misses the oldest.
const eventsKept = 32

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	EventOffered   EventKind = "offer"     // of an offer
	EventAgreed    EventKind = "agreed"    // to an offer, while it waits for further seats
	EventRefused   EventKind = "refused"   // of an offer, by another seat than the one that made it
	EventWithdrawn EventKind = "withdrawn" // of an offer, by the seat that made it
	EventVoted     EventKind = "vote"      // of a vote to remove an absent seat
)

// Event is an action of a seat that is not an entry of the match's log.
type Event struct {
	Seq     uint64 // number among the match's events, from 1
	Version int    // the version of the match: the event comes after this entry and before the next
	At      time.Time
	Kind    EventKind
	Seat    int       // the seat that acted
	Offer   OfferKind // of offers
	Target  int       // of votes: the seat to be removed
}

// lastEvent returns the Seq of the newest event of the snapshot; 0 if there is none.
func (s *Snapshot) lastEvent() uint64 {
	if n := len(s.Events); n > 0 {
		return s.Events[n-1].Seq
	}
	return 0
}

// eventsBefore returns the events of versions below version.
func (s *Snapshot) eventsBefore(version int) []Event {
	n := slices.IndexFunc(s.Events, func(e Event) bool { return e.Version >= version })
	if n < 0 {
		return s.Events
	}
	return s.Events[:n:n]
}
