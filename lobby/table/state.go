package table

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

// AbsenceLimit is the time without a session after which a user loses a seat at a live table, and a live
// challenge to them expires.
const AbsenceLimit = 10 * time.Second

// State is one state of a table. It is immutable, also what its slices refer to. New is the constructor.
type State struct {
	Terms
	Seating
	ID      string
	Version int64    // number of changes, with that which opened the table; 0: it is being opened
	Request Proposal // of a quick match: its nil fields accept any value
	Opened  time.Time
	Closed  bool    // nobody can join any more; the match may have started
	Events  []Event // the newest ones, oldest first

	start *pendingStart // not nil while its match is being recorded: nobody can join or leave
}

// eventsKept is the number of events in a State. A node that misses more changes of a table at once does not
// notify its users of all of them.
const eventsKept = 8

// EventKind is the kind of an event of a table.
type EventKind string

// The kinds of events, as they are stored and as programs get them.
const (
	EventDeclined  EventKind = "declined"  // the challenged user declined
	EventExpired   EventKind = "expired"   // By is absent
	EventWithdrawn EventKind = "withdrawn" // By closed the table, or removed the notified user
)

// Event is something that happened at a table, of which users are notified.
type Event struct {
	Version int64        `json:"version"` // of the state that came with it
	Kind    EventKind    `json:"kind"`
	By      account.ID   `json:"by"` // the user who caused it
	Notify  []account.ID `json:"notify,omitempty"`
}

// pendingStart is the state to return to if the match of a table cannot be started.
type pendingStart struct {
	before State
	paired *State // the quick match that was paired with the table and closed; nil: none
}

// Change is a change of a table.
type Change struct {
	Before State // the state to which the change was made
	Next   State // the new state
}

// Changed reports whether there is a new state.
func (c *Change) Changed() bool { return c.Next.Version != c.Before.Version }

// New returns a table at which only its owner is seated, or why the owner cannot open it as far as that
// depends on no other user. game is the proposal's, code the code that the table has if it is private.
func New(p Proposal, game engine.Game, owner User, code string, now time.Time) (State, error) {
	terms, err := newTerms(&p, game, owner.IsGuest())
	if err != nil {
		return State{}, err
	}
	if p.Private {
		terms.Code = code
	}
	t := State{Terms: terms, Request: p, Seating: Seating{Seated: []account.ID{owner.ID}}, Opened: now}
	if p.Quick {
		t.Ready = t.Seated
	}
	return t, nil
}

// Challenge returns the table as a challenge to a user, or why its owner cannot challenge that user.
func (t State) Challenge(owner, to User) (State, error) {
	switch {
	case to.ID == owner.ID:
		return State{}, errcode.Errorf(errcode.BadRequest, "you cannot challenge yourself")
	case owner.hasBlocked(to.ID):
		return State{}, errcode.Errorf(errcode.NotAllowed, "you have blocked %s; unblock them first", to.Name)
	case to.hasBlocked(owner.ID):
		return State{}, errcode.Errorf(errcode.NotAllowed, "%s is not accepting challenges; open a table instead", to.Name)
	case t.Rated && to.IsGuest():
		return State{}, errcode.Errorf(errcode.NotAllowed, "guests can only play casual games; offer a casual one")
	}
	t.To = to.ID
	return t, nil
}

// SameChallenge reports whether two tables have the same owner, challenged user and terms.
func SameChallenge(a, b *State) bool {
	return a.Owner() == b.Owner() && a.To == b.To && a.Game == b.Game && a.Options == b.Options && a.Control == b.Control && a.Rated == b.Rated
}

// IsStarting reports whether the table's match is being recorded.
func (t *State) IsStarting() bool { return t.start != nil }

// FirstState returns a new table as it is once it has been opened.
func (t State) FirstState() State { return t.next(t).Next }

// IsOpen reports whether the table is known to all and can be changed by its users.
func (t *State) IsOpen() bool { return t.Version > 0 && !t.Closed && !t.IsStarting() }

// next returns the change from t to a state with the next version.
func (t State) next(to State) Change {
	to.Version = t.Version + 1
	return Change{Before: t, Next: to}
}

// notified returns the change with an event.
func (c Change) notified(kind EventKind, by account.ID, notify []account.ID) Change {
	e := Event{Version: c.Next.Version, Kind: kind, By: by, Notify: notify}
	kept := c.Before.Events[max(len(c.Before.Events)+1-eventsKept, 0):]
	c.Next.Events = append(slices.Clip(kept), e)
	return c
}

// closed returns the change that closes the table, of which all at it but by are notified.
func (t State) closed(why EventKind, by account.ID) Change {
	isBy := func(id account.ID) bool { return id == by }
	return t.ended().notified(why, by, slices.DeleteFunc(slices.Clone(t.Everyone()), isBy))
}

// ended returns the change that closes the table, of which nobody is notified.
func (t State) ended() Change {
	to := t
	to.Closed, to.start = true, nil
	return t.next(to)
}

// leave returns the change by which a seated user leaves: it closes the table if the user owns it.
func (t State) leave(id account.ID, why EventKind) Change {
	if t.Owner() == id {
		return t.closed(why, id)
	}
	next := t
	next.Seating = t.without(id)
	return t.next(next)
}
