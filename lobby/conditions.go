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

// ArmedConditions are the armed conditions of a seat.
//
// A change of them is conditional on the end of the log and on the earlier conditions, and an append of a turn on the
// conditions of the match. So each turn is answered by the conditions that its opponent's player has last stored, on
// whatever node, and by none that was withdrawn before, except for changes that the database has lost.
type ArmedConditions struct {
	match.Conditions
	Version  int   // of the match
	Revision int64 // grows with each change of the conditions; 0: there never were any
}

// ArmedConditions returns the conditions that are armed at the newest version of the match; none where there cannot be
// any. It waits for the store, like the changes that follow.
func (p *Player) ArmedConditions(ctx context.Context) (ArmedConditions, error) {
	s := p.Snapshot()
	if !s.Info.HasConditions() || s.IsOver() {
		return ArmedConditions{Conditions: match.Conditions{Seat: p.seat}, Version: s.Version}, nil
	}
	if err := p.s.Spend(limit.WorkCondition); err != nil {
		return ArmedConditions{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, conditionsTimeout)
	defer cancel()
	a, _, err := p.readConditions(ctx, s)
	return a, err
}

// readConditions returns what is armed in the state of a snapshot, and the version of the conditions of the match.
func (p *Player) readConditions(ctx context.Context, s *match.Snapshot) (a ArmedConditions, version int64, err error) {
	a = ArmedConditions{Conditions: match.Conditions{Seat: p.seat, After: match.NewLogEnd(s.Log)}, Version: s.Version}
	stored, err := p.m.l.store.Conditions(ctx, s.Info.ID)
	if errors.Is(err, errcode.ErrNotFound) {
		return a, 0, nil
	}
	if err != nil {
		return a, 0, conditionsUnavailable(err)
	}
	row := stored.Row(p.seat)
	a.Revision = row.Version
	a.Conditions, _ = match.ReadConditions(row, s.Log) // a row that cannot be read arms nothing, and is replaced by the next change
	return a, stored.Version, nil
}

// AnyRevision is accepted as the revision of whatever conditions there are.
const AnyRevision = -1

// AddCondition arms a condition at a version of the match: a turn of the opponent, the answer to it, and so on. It
// returns what is armed then.
func (p *Player) AddCondition(ctx context.Context, version int, revision int64, turns [][]string) (ArmedConditions, error) {
	return p.changeConditions(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return c.Add(s, turns)
	})
}

// RemoveCondition deletes a condition, counted from 0.
func (p *Player) RemoveCondition(ctx context.Context, version int, revision int64, n int) (ArmedConditions, error) {
	return p.changeConditions(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return c.Remove(s, n)
	})
}

// ClearConditions deletes all conditions.
func (p *Player) ClearConditions(ctx context.Context, version int, revision int64) (ArmedConditions, error) {
	return p.changeConditions(ctx, version, revision, func(c match.Conditions, s *match.Snapshot) (match.Conditions, error) {
		return match.Conditions{Seat: c.Seat, After: match.NewLogEnd(s.Log)}, nil
	})
}

// changeConditions replaces the conditions by what do makes of them, unless the match or they have been changed.
func (p *Player) changeConditions(ctx context.Context, version int, revision int64, do func(match.Conditions, *match.Snapshot) (match.Conditions, error)) (ArmedConditions, error) {
	s := p.Snapshot()
	if err := s.CheckChange(p.seat, version); err != nil {
		return ArmedConditions{}, err
	}
	if err := p.s.Spend(limit.WorkCondition); err != nil {
		return ArmedConditions{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, conditionsTimeout)
	defer cancel()
	a, replaces, err := p.readConditions(ctx, s)
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
	row := next.Row(a.Revision)
	err = p.m.l.store.SaveConditions(ctx, s.Info.ID, match.NewLogEnd(s.Log), replaces, row)
	switch {
	case errors.Is(err, errcode.ErrVersionConflict):
		return ArmedConditions{}, errStaleConditions
	case err != nil:
		return ArmedConditions{}, conditionsUnavailable(err)
	}
	p.m.seats[p.seat].wake()
	return ArmedConditions{Conditions: next, Version: s.Version, Revision: row.Version}, nil
}

// errStaleConditions is the error of a change of what has been changed meanwhile.
var errStaleConditions = errcode.Errorf(errcode.StaleVersion, "your opponent has moved, or your conditional moves have changed; look at them again")

// conditionsUnavailable returns the error for a player after the store has failed, which has reported it.
func conditionsUnavailable(cause error) error {
	return &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot read or record conditional moves now; check them before you try again", Cause: cause}
}
