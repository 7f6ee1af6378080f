package table

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
)

const (
	// KeepClosed is the time for which the row of a table that has closed is kept, so that all nodes notify their
	// users and learn that the table is closed before it is forgotten.
	KeepClosed = time.Minute
	// StartLimit is the time after which the recording of a table's match has failed. A node that still tries to
	// record it finds that the table has changed.
	StartLimit = 20 * time.Second
)

// Set has the states of all tables as one node knows them, and those that are being opened, behind the lock of its user: a
// decision about tables, users and matches needs all of them at one moment, which rows.Shared, with a lock of its own, cannot
// give. The zero value has none. It is not safe for concurrent use. The states must not be changed.
type Set struct {
	byID   map[string]*knownState
	closed map[string]closed
}

// knownState is a state of a table that is not closed, and when it was taken over.
type knownState struct {
	State
	since time.Time
}

// closed is what a Set remembers of a table that has closed.
type closed struct {
	version int64
	since   time.Time
}

// AddOpening adds a table that is being opened: it counts, but nobody else sees it. Replace or Forget follows.
func (s *Set) AddOpening(t State) {
	s.init()
	s.byID[t.ID] = &knownState{State: t}
}

func (s *Set) init() {
	if s.byID == nil {
		s.byID, s.closed = make(map[string]*knownState), make(map[string]closed)
	}
}

// Replace replaces the state of a table by a newer one, and returns the one before; nil if the table was unknown. It
// reports whether the state was newer.
func (s *Set) Replace(t State, now time.Time) (before *State, isNewer bool) {
	s.init()
	if t.Version <= s.Version(t.ID) {
		return nil, false
	}
	before = s.Forget(t.ID)
	if t.Closed {
		s.closed[t.ID] = closed{t.Version, now}
	} else {
		s.byID[t.ID] = &knownState{t, now}
	}
	return before, true
}

// Forget removes a table whose row does not exist.
func (s *Set) Forget(id string) (before *State) {
	if k := s.byID[id]; k != nil {
		before = &k.State
	}
	delete(s.byID, id)
	delete(s.closed, id)
	return before
}

// Get returns the state of a table that is not closed; nil if there is none.
func (s *Set) Get(id string) *State {
	if k := s.byID[id]; k != nil {
		return &k.State
	}
	return nil
}

// Version returns the version of a table that is known, also of one that has closed recently; 0 for others.
func (s *Set) Version(id string) int64 {
	if k := s.byID[id]; k != nil {
		return k.Version
	}
	return s.closed[id].version
}

// Count returns the number of tables, of those that a user owns and of those from an origin.
func (s *Set) Count(owner account.ID, from netip.Prefix) (all, byOwner, byOrigin int) {
	for _, t := range s.byID {
		if t.Owner() == owner {
			byOwner++
		}
		if from.IsValid() && t.Origin == from {
			byOrigin++
		}
	}
	return len(s.byID), byOwner, byOrigin
}

// HasChallenge reports whether there is a table like the challenge t.
func (s *Set) HasChallenge(t *State) bool {
	for _, o := range s.byID {
		if SameChallenge(&o.State, t) {
			return true
		}
	}
	return false
}

// Involves reports whether any table involves the user.
func (s *Set) Involves(id account.ID) bool {
	for _, t := range s.byID {
		if t.Involves(id) {
			return true
		}
	}
	return false
}

// All returns the tables that are not closed, in any order.
func (s *Set) All() []*State {
	all := make([]*State, 0, len(s.byID))
	for _, t := range s.byID {
		all = append(all, &t.State)
	}
	return all
}

// Open returns the tables that are open, oldest first.
func (s *Set) Open() []*State {
	all := slices.DeleteFunc(s.All(), func(t *State) bool { return !t.IsOpen() })
	slices.SortFunc(all, func(a, b *State) int {
		return cmp.Or(a.Opened.Compare(b.Opened), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Stale returns the tables whose matches have been recorded for longer than StartLimit.
func (s *Set) Stale(now time.Time) (all []*State) {
	for _, t := range s.byID {
		if t.IsStarting() && now.Sub(t.since) > StartLimit {
			all = append(all, &t.State)
		}
	}
	return all
}

// Deletions returns the deletions of the rows of at most n tables that have been closed for longer than KeepClosed.
func (s *Set) Deletions(now time.Time, n int) (all []rows.Change[State]) {
	for id, c := range s.closed {
		if len(all) < n && now.Sub(c.since) > KeepClosed {
			all = append(all, rows.Change[State]{ID: id, Replaces: c.version})
		}
	}
	return all
}
