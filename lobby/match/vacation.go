package match

import (
	"slices"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/text"
)

// Vacation is a time in which the clock of a player stands still in correspondence games.
type Vacation struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// Vacations are those of one player, in order. They do not overlap, and must not be changed.
type Vacations []Vacation

// At returns the vacation at a time; ok is false if there is none.
func (all Vacations) At(at time.Time) (v Vacation, ok bool) {
	for _, v := range all {
		if !at.Before(v.From) && at.Before(v.Until) {
			return v, true
		}
	}
	return Vacation{}, false
}

// Within returns how much of the time between two others is vacation.
func (all Vacations) Within(from, to time.Time) (sum time.Duration) {
	for _, v := range all {
		start, end := v.From, v.Until
		if start.Before(from) {
			start = from
		}
		if end.After(to) {
			end = to
		}
		sum += max(end.Sub(start), 0)
	}
	return sum
}

// ended returns those that have ended by a time.
func (all Vacations) ended(at time.Time) Vacations {
	n := 0
	for n < len(all) && !all[n].Until.After(at) {
		n++
	}
	return all[:n]
}

// deadline returns when a turn is due that began at since with an amount of time left. A vacation that begins then or
// later changes nothing.
func (all Vacations) deadline(since time.Time, left time.Duration) time.Time {
	due := since.Add(left)
	for _, v := range all {
		if !v.From.Before(due) {
			break
		}
		start := v.From
		if start.Before(since) {
			start = since
		}
		due = due.Add(max(v.Until.Sub(start), 0))
	}
	return due
}

// nextChange returns the first time after at when a vacation begins or ends; the zero time: none does.
func (all Vacations) nextChange(at time.Time) time.Time {
	for _, v := range all {
		switch {
		case v.From.After(at):
			return v.From
		case v.Until.After(at):
			return v.Until
		}
	}
	return time.Time{}
}

const (
	day = 24 * time.Hour
	// year is the time in which the days of vacations are counted.
	year = 365 * day
	// minVacation is what a vacation counts at least, so that nobody stops their clocks for moments again and again.
	minVacation = day
)

// Begin returns the vacations after their player begins one of some days, or changes the end of the current one. allowed is
// the number of days in a year; 0: the server has no vacations.
func (all Vacations) Begin(now time.Time, days, allowed int) (Vacations, error) {
	if allowed == 0 {
		return nil, errcode.Errorf(errcode.NotAllowed, "this server has no vacations")
	}
	if days < 1 || days > allowed {
		return nil, errcode.Errorf(errcode.BadRequest, "a vacation lasts 1 to %d days", allowed)
	}
	next := Vacation{From: now, Until: now.Add(time.Duration(days) * day)}
	before := all.recent(now)
	if v, ok := before.At(now); ok {
		next.From, before = v.From, before[:len(before)-1]
	}
	after := append(before, next)
	if sum := after.used(now); sum > time.Duration(allowed)*day {
		left := max(time.Duration(allowed)*day-before.used(now)-now.Sub(next.From), 0)
		return nil, errcode.Errorf(errcode.NotAllowed, "you can take %s; %d are allowed in any 365 days", text.Plural(int(left/day), "more day"), allowed)
	}
	return after, nil
}

// End returns the vacations after their player ends the current one.
func (all Vacations) End(now time.Time) (Vacations, error) {
	after := all.recent(now)
	if _, ok := after.At(now); !ok {
		return nil, errcode.Errorf(errcode.NotAllowed, "you are not on vacation")
	}
	after[len(after)-1].Until = now
	return after, nil
}

// VacationStatus is what a player can know of their own vacations.
type VacationStatus struct {
	Until   time.Time // zero: the player is not on vacation
	Left    int       // whole days that can be used
	Allowed int       // days in a year; 0: the server has no vacations
}

// Status returns the status of the player at a time, with the number of days that are allowed in a year.
func (all Vacations) Status(now time.Time, allowed int) VacationStatus {
	s := VacationStatus{Allowed: allowed, Left: int(max(time.Duration(allowed)*day-all.used(now), 0) / day)}
	if v, ok := all.At(now); ok {
		s.Until = v.Until
	}
	return s
}

// used returns how much vacation counts at a time: the whole length, and at least minVacation, of each that ended in the year
// before or has not ended.
func (all Vacations) used(at time.Time) (sum time.Duration) {
	for _, v := range all {
		if v.Until.After(at.Add(-year)) {
			sum += max(v.Until.Sub(v.From), minVacation)
		}
	}
	return sum
}

// recent returns a copy of the vacations that still count.
func (all Vacations) recent(now time.Time) Vacations {
	return slices.DeleteFunc(slices.Clone(all), func(v Vacation) bool { return v.Until.Before(now.Add(-year)) })
}

// CreditVacation is the Entry.Reason of a credit that gives back the vacation of the seat to move.
const CreditVacation = "vacation"

// vacations returns the vacations of a seat's player that count in the match.
func (s *State) vacations(now Now, seat int) Vacations {
	if !s.Info.Control.IsCorrespondence() {
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
	if _, onVacation := all.At(x.task.at); onVacation {
		return false
	}
	ended := all.ended(x.task.at.Add(-x.now.Presence[seat].Wait))
	credit := ended.Within(since, x.task.at)
	if credit <= 0 {
		return false
	}
	k := x.clock.Clone()
	k.Credit(seat, credit)
	k.Stop(x.task.at)
	x.appendCredit(k, seat, credit, CreditVacation, x.task.at)
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
		add(all.nextChange(now.Time), 0)
		add(all.nextChange(now.Time.Add(-wait)), wait)
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
