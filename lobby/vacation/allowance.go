package vacation

import (
	"slices"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/text"
)

const (
	day = 24 * time.Hour
	// year is the time in which the days of vacations are counted.
	year = 365 * day
	// minPeriod is what a vacation counts at least, so that nobody stops their clocks for moments again and again.
	minPeriod = day
)

// Begin returns the vacations after their player begins one of some days, or changes the end of the current one. allowed is
// the number of days in a year; 0: the server has no vacations. A refusal is an *errcode.Error.
func (l List) Begin(now time.Time, days, allowed int) (List, error) {
	if allowed == 0 {
		return nil, errcode.Errorf(errcode.NotAllowed, "this server has no vacations")
	}
	if days < 1 || days > allowed {
		return nil, errcode.Errorf(errcode.BadRequest, "a vacation lasts 1 to %d days", allowed)
	}
	next := Period{From: now, Until: now.Add(time.Duration(days) * day)}
	before := l.recent(now)
	if p, ok := before.At(now); ok {
		next.From, before = p.From, before[:len(before)-1]
	}
	after := append(before, next)
	if sum := after.used(now); sum > time.Duration(allowed)*day {
		left := max(time.Duration(allowed)*day-before.used(now)-now.Sub(next.From), 0)
		return nil, errcode.Errorf(errcode.NotAllowed, "you can take %s; %d are allowed in any 365 days", text.Plural(int(left/day), "more day"), allowed)
	}
	return after, nil
}

// End returns the vacations after their player ends the current one. A refusal is an *errcode.Error.
func (l List) End(now time.Time) (List, error) {
	after := l.recent(now)
	if _, ok := after.At(now); !ok {
		return nil, errcode.Errorf(errcode.NotAllowed, "you are not on vacation")
	}
	after[len(after)-1].Until = now
	return after, nil
}

// Status is what a player can know of their own vacations.
type Status struct {
	Until   time.Time // zero: the player is not on vacation
	Left    int       // whole days that can be used
	Allowed int       // days in a year; 0: the server has no vacations
}

// Status returns the status of the player at a time, with the number of days that are allowed in a year.
func (l List) Status(now time.Time, allowed int) Status {
	s := Status{Allowed: allowed, Left: int(max(time.Duration(allowed)*day-l.used(now), 0) / day)}
	if p, ok := l.At(now); ok {
		s.Until = p.Until
	}
	return s
}

// used returns how much vacation counts at a time: the whole length, and at least minPeriod, of each that ended in the year
// before or has not ended.
func (l List) used(at time.Time) (sum time.Duration) {
	for _, p := range l {
		if p.Until.After(at.Add(-year)) {
			sum += max(p.Until.Sub(p.From), minPeriod)
		}
	}
	return sum
}

// recent returns a copy of the vacations that still count.
func (l List) recent(now time.Time) List {
	return slices.DeleteFunc(slices.Clone(l), func(p Period) bool { return p.Until.Before(now.Add(-year)) })
}
