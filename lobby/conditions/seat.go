package conditions

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// storeTimeout is the time for one operation, for which the player waits.
const storeTimeout = 5 * time.Second

// Seat is what a player can do with the conditional moves of their seat. Its methods may be called from any goroutine,
// and wait for the store.
type Seat struct {
	Store    Store
	Number   int
	Snapshot func() *match.Snapshot // the newest state, without a delay
	Changed  func()                 // wakes the player's sessions
	Spend    func() error           // charges the work of one operation; its error refuses it
}

// Armed are the armed conditions of a seat.
type Armed struct {
	match.Conditions
	Version  int   // of the match
	Revision int64 // grows with each change of the conditions; 0: there never were any
}

// Armed returns the conditions that are armed at the newest version of the match; none where there cannot be any.
func (s Seat) Armed(ctx context.Context) (Armed, error) {
	snap := s.Snapshot()
	if !snap.Info.HasConditions() || snap.IsOver() {
		return Armed{Conditions: match.Conditions{Seat: s.Number}, Version: snap.Version}, nil
	}
	if err := s.Spend(); err != nil {
		return Armed{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return s.read(ctx, snap)
}

// read returns what is armed in the state of a snapshot.
func (s Seat) read(ctx context.Context, snap *match.Snapshot) (Armed, error) {
	a := Armed{Conditions: match.Conditions{Seat: s.Number, After: match.EndOf(snap.Log)}, Version: snap.Version}
	stored, err := s.Store.Conditions(ctx, snap.Info.ID)
	if errors.Is(err, errcode.ErrNotFound) {
		return a, nil
	}
	if err != nil {
		return a, unavailable(err)
	}
	row := stored.Row(s.Number)
	a.Revision = row.Version
	a.Conditions, err = match.ReadConditions(row, snap.Log)
	if err != nil { // a row that cannot be read arms nothing, and is replaced by the next change
		return a, nil
	}
	return a, nil
}

// AnyRevision is accepted as the revision of whatever conditions there are.
const AnyRevision = -1

// Add arms a condition at a version of the match: a turn of the opponent, the answer to it, and so on. It returns what is
// armed then.
func (s Seat) Add(ctx context.Context, version int, revision int64, turns [][]string) (Armed, error) {
	return s.change(ctx, version, revision, func(c match.Conditions, snap *match.Snapshot) (match.Conditions, error) {
		return c.Add(snap, turns)
	})
}

// Remove deletes a condition, counted from 0.
func (s Seat) Remove(ctx context.Context, version int, revision int64, n int) (Armed, error) {
	return s.change(ctx, version, revision, func(c match.Conditions, snap *match.Snapshot) (match.Conditions, error) {
		return c.Remove(snap, n)
	})
}

// Clear deletes all conditions.
func (s Seat) Clear(ctx context.Context, version int, revision int64) (Armed, error) {
	return s.change(ctx, version, revision, func(c match.Conditions, snap *match.Snapshot) (match.Conditions, error) {
		return match.Conditions{Seat: c.Seat, After: match.EndOf(snap.Log)}, nil
	})
}

// change replaces the conditions by what do makes of them, unless the match or they have been changed.
func (s Seat) change(ctx context.Context, version int, revision int64, do func(match.Conditions, *match.Snapshot) (match.Conditions, error)) (Armed, error) {
	snap := s.Snapshot()
	if err := snap.CheckChange(s.Number, version); err != nil {
		return Armed{}, err
	}
	if err := s.Spend(); err != nil {
		return Armed{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	a, err := s.read(ctx, snap)
	if err != nil {
		return Armed{}, err
	}
	if revision != AnyRevision && revision != a.Revision {
		return Armed{}, errStale
	}
	next, err := do(a.Conditions, snap)
	if err != nil {
		return Armed{}, err
	}
	err = s.Store.SaveConditions(ctx, snap.Info.ID, match.EndOf(snap.Log), next.Row(a.Revision))
	switch {
	case errors.Is(err, errcode.ErrVersionConflict):
		return Armed{}, errStale
	case err != nil:
		return Armed{}, unavailable(err)
	}
	s.Changed()
	return Armed{Conditions: next, Version: snap.Version, Revision: a.Revision + 1}, nil
}

// errStale is the error of a change of what has been changed meanwhile.
var errStale = errcode.Errorf(errcode.StaleVersion, "your opponent has moved, or your conditional moves have changed; look at them again")

// unavailable returns the error for a player after the store has failed, which has reported it.
func unavailable(cause error) error {
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot read or record conditional moves now; check them before you try again", Cause: cause}
}
