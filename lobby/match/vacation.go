package match

import (
	"slices"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/vacation"
)

// CreditVacation is the Entry.Reason of a credit that gives back the vacation of the seat to move.
const CreditVacation = "vacation"

// vacations returns the vacations of a seat's player that count in the match.
func (s *State) vacations(now Now, seat int) vacation.List {
	if !s.Info.Control.IsCorrespondence() || s.Info.Tournament.NoVacation {
		return nil
	}
	return now.Presence[seat].Vacations
}

// stoppedAt returns the clock as it is when it stops at a time. The vacation of the seat to move is not charged.
func (s *State) stoppedAt(now Now, at time.Time) *clock.Clock {
	k := s.clock.Clone()
	if seat, since := k.Running(); seat >= 0 {
		k.Credit(seat, s.vacations(now, seat).Within(since, at))
	}
	k.Stop(at)
	return k
}

// checkVacations publishes until when the players are on vacation at that time, if it has changed.
func (x *step) checkVacations(at time.Time) {
	if !x.Info.Control.IsCorrespondence() {
		return
	}
	until := make([]time.Time, len(x.Info.Seats))
	for seat := range until {
		if v, ok := x.vacations(x.now, seat).At(at); ok && !x.position.HasLeft(seat) {
			until[seat] = v.Until
		}
	}
	if x.onVacation == nil {
		x.onVacation = make([]time.Time, len(until))
	}
	if !slices.EqualFunc(until, x.onVacation, time.Time.Equal) {
		x.onVacation, x.changed = until, true
	}
}

// creditVacation asks for the recording of the vacations of the seat to move that have ended in this turn, and reports
// whether it has. A turn that is made earlier needs no credit: the next one has all days again.
func (x *step) creditVacation() bool {
	seat, since := x.clock.Running()
	if seat < 0 || x.now.Degraded || !x.now.StoreFailingSince.IsZero() {
		return false
	}
	all := x.vacations(x.now, seat)
	if _, onVacation := all.At(x.job.at); onVacation {
		return false
	}
	ended := all.Ended(x.job.at.Add(-x.now.Presence[seat].Wait))
	credit := ended.Within(since, x.job.at)
	if credit <= 0 {
		return false
	}
	k := x.clock.Clone()
	k.Credit(seat, credit)
	k.Stop(x.job.at)
	x.appendCredit(k, seat, credit, CreditVacation, x.job.at)
	return true
}

// nextVacationChange returns when a vacation next begins or ends, or this node may credit one; the zero time: none does.
func (s *State) nextVacationChange(now Now) (next time.Time) {
	add := func(at time.Time, wait time.Duration) {
		if at = at.Add(wait); at.After(now.Time) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	for seat := range s.Info.Seats {
		all, wait := s.vacations(now, seat), now.Presence[seat].Wait
		add(all.NextChange(now.Time), 0)
		add(all.NextChange(now.Time.Add(-wait)), wait)
	}
	return next
}

// showVacations adds the vacations to a snapshot: until when the players are on vacation, and the clock of the seat to
// move as it stands still.
func (s *State) showVacations(now Now, snap *Snapshot) {
	if !s.Info.Control.IsCorrespondence() || s.IsOver() {
		return
	}
	snap.Vacations = s.onVacation
	seat, since := s.clock.Running()
	if seat < 0 {
		return
	}
	all := s.vacations(now, seat)
	if _, onVacation := all.At(now.Time); onVacation {
		snap.Clocks, snap.ClocksAt, snap.RunningSeat = s.stoppedAt(now, now.Time).Remaining(now.Time), now.Time, -1
	} else {
		snap.Clocks[seat] += all.Within(since, now.Time) // not credited yet
	}
}
