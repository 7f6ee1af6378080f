package op

import (
	"slices"
	"time"

	"ayumu/lobby"
)

// OfferGuard is how long a new offer cannot be accepted, so that a key or a line that was meant for something
// else does not accept it. It protects people; a program of the API accepts when it wants.
const OfferGuard = 400 * time.Millisecond

// receivedOffer is an open offer of another seat.
type receivedOffer struct {
	kind    lobby.OfferKind
	made    time.Time
	shownAt time.Time
}

// noteOffers records when the open offers of others were first shown.
func (m *Match) noteOffers(now time.Time) {
	m.received = slices.DeleteFunc(m.received, func(r receivedOffer) bool {
		o, open := m.Snapshot.Offer(r.kind)
		return !open || o.Seat == m.Seat || !o.At.Equal(r.made)
	})
	for _, o := range m.Snapshot.Offers {
		if o.Seat != m.Seat && !slices.ContainsFunc(m.received, func(r receivedOffer) bool { return r.kind == o.Kind }) {
			m.received = append(m.received, receivedOffer{o.Kind, o.At, now})
		}
	}
}

// OfferState is the state of one kind of offer for a player.
type OfferState int

// The states of an offer.
const (
	OfferNone     OfferState = iota // not open: it can be made
	OfferMade                       // the user's own: it can be withdrawn
	OfferNew                        // of another seat, for less than OfferGuard: it cannot be accepted yet
	OfferReceived                   // of another seat: it can be accepted or declined
)

// OfferState returns the state of a kind of offer at a time. Spectators see no offer as theirs: OfferNone.
func (m *Match) OfferState(kind lobby.OfferKind, now time.Time) OfferState {
	o, open := m.Snapshot.Offer(kind)
	switch {
	case !open || m.Player == nil:
		return OfferNone
	case o.Seat == m.Seat:
		return OfferMade
	}
	for _, r := range m.received {
		if r.kind == kind && now.Sub(r.shownAt) >= OfferGuard {
			return OfferReceived
		}
	}
	return OfferNew
}

// OfferToAnswer returns the offer that refusing declines or withdraws: the first of another seat, otherwise
// the user's own; ok is false if none is open.
func (m *Match) OfferToAnswer() (o lobby.Offer, ok bool) {
	if len(m.Snapshot.Offers) == 0 {
		return lobby.Offer{}, false
	}
	for _, o := range m.Snapshot.Offers {
		if o.Seat != m.Seat {
			return o, true
		}
	}
	return m.Snapshot.Offers[0], true
}

// NextOfferChange returns when the next new offer can be accepted; zero: there is none.
func (m *Match) NextOfferChange(now time.Time) (next time.Time) {
	for _, r := range m.received {
		if at := r.shownAt.Add(OfferGuard); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
