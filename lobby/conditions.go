package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
)

// conditionsTimeout is the time for one operation, for which the player waits.
const conditionsTimeout = 5 * time.Second

// OwnConditions is what a player can do with the conditional moves of their seat. Its methods may be called from any goroutine,
// and wait for the store.
//
// A change is conditional on the end of the log and on the earlier conditions, and an append of a turn on the conditions
// of the match. So each turn is answered by the conditions that its opponent's player has last stored, on whatever node,
// and by none that was withdrawn before.
type OwnConditions struct{ p *Player }

// Conditions returns what the player can do with conditional moves.
func (p *Player) Conditions() OwnConditions { return OwnConditions{p} }

// ArmedConditions are the armed conditions of a seat.
type ArmedConditions struct {
	match.Conditions
	Version  int   // of the match
	Revision int64 // grows with each change of the conditions; 0: there never were any
}

// Armed returns the conditions that are armed at the newest version of the match; none where there cannot be any.
func (o OwnConditions) Armed(ctx context.Context) (ArmedConditions, error) {
	s := o.p.Snapshot()
	if !s.Info.HasConditions() || s.IsOver() {
		return ArmedConditions{Conditions: match.Conditions{Seat: o.p.seat}, Version: s.Version}, nil
	}
	if err := o.spend(); err != nil {
		return ArmedConditions{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, conditionsTimeout)
	defer cancel()
	return o.read(ctx, s)
}

func (o OwnConditions) spend() error { return o.p.s.Spend(limit.WorkCondition) }

// read returns what is armed in the state of a snapshot.
func (o OwnConditions) read(ctx context.Context, s *match.Snapshot) (ArmedConditions, error) {
	a := ArmedConditions{Conditions: match.Conditions{Seat: o.p.seat, After: match.EndOf(s.Log)}, Version: s.Version}
	stored, err := o.p.m.l.store.Conditions(ctx, s.Info.ID)
	if errors.Is(err, ErrNotFound) {
		return a, nil
	}
	if err != nil {
		return a, conditionsUnavailable(err)
	}
	row := stored.Row(o.p.seat)
	a.Revision = row.Version
	a.Conditions, err = match.ReadConditions(row, s.Log)
	if err != nil { // a row that cannot be read arms nothing, and is replaced by the next change
		return a, nil
	}
	return a, nil
}

// AnyRevision is accepted as the revision of whatever conditions there are.
const AnyRevision = -1

// Add arms a condition at a version of the match: a turn of the opponent, the answer to it, and so on. It returns what is
// armed then.
func (o OwnConditions) Add(ctx context.Context, version int, revision int64, turns [][]string) (ArmedConditions, error) {
	return o.change(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return c.Add(s, turns)
	})
}

// Remove deletes a condition, counted from 0.
func (o OwnConditions) Remove(ctx context.Context, version int, revision int64, n int) (ArmedConditions, error) {
	return o.change(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return c.Remove(s, n)
	})
}

// Clear deletes all conditions.
func (o OwnConditions) Clear(ctx context.Context, version int, revision int64) (ArmedConditions, error) {
	return o.change(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return match.Conditions{Seat: c.Seat, After: match.EndOf(s.Log)}, nil
	})
}

// change replaces the conditions by what do makes of them, unless the match or they have been changed.
func (o OwnConditions) change(ctx context.Context, version int, revision int64, do func(match.Conditions, *match.Snapshot) (match.Conditions, error)) (ArmedConditions, error) {
	s := o.p.Snapshot()
	if err := s.CheckChange(o.p.seat, version); err != nil {
		return ArmedConditions{}, err
	}
	if err := o.spend(); err != nil {
		return ArmedConditions{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, conditionsTimeout)
	defer cancel()
	a, err := o.read(ctx, s)
	if err != nil {
		return ArmedConditions{}, err
	}
	if revision != AnyRevision && revision != a.Revision {
		return ArmedConditions{}, errStaleConditions
	}
	next, err := do(a.Conditions, s)
	if err != nil {
		return ArmedConditions{}, err
	}
	err = o.p.m.l.store.SaveConditions(ctx, s.Info.ID, match.EndOf(s.Log), next.Row(a.Revision))
	switch {
	case errors.Is(err, ErrVersionConflict):
		return ArmedConditions{}, errStaleConditions
	case err != nil:
		return ArmedConditions{}, conditionsUnavailable(err)
	}
	o.p.m.seats[o.p.seat].wake()
	return ArmedConditions{Conditions: next, Version: s.Version, Revision: a.Revision + 1}, nil
}

// errStaleConditions is the error of a change of what has been changed meanwhile.
var errStaleConditions = errcode.Errorf(errcode.StaleVersion, "your opponent has moved, or your conditional moves have changed; look at them again")

// conditionsUnavailable returns the error for a player after the store has failed, which has reported it.
func conditionsUnavailable(cause error) error {
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot read or record conditional moves now; check them before you try again", Cause: cause}
}
