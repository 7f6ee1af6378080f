package vacation

import (
	"slices"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/text"
)

const (
	day = 24 * time.Hour
	// year is the time in which the days of vacations are counted.
	year = 365 * day
	// minCost is what a vacation counts at least, so that nobody stops their clocks for moments again and again.
	minCost = day
)

// used returns how much vacation counts at a time: the whole length, and at least minCost, of each that ended in the year
// before or has not ended.
func used(all clock.Vacations, at time.Time) (sum time.Duration) {
	for _, v := range all {
		if v.Until.After(at.Add(-year)) {
			sum += max(v.Until.Sub(v.From), minCost)
		}
	}
	return sum
}

// Begin returns the vacations after a player begins one of some days, or changes the end of the present one. allowed is
// the number of days in a year; 0: the server has no vacations.
func Begin(all clock.Vacations, now time.Time, days, allowed int) (clock.Vacations, error) {
	if allowed == 0 {
		return nil, errcode.Errorf(errcode.NotAllowed, "this server has no vacations")
	}
	if days < 1 || days > allowed {
		return nil, errcode.Errorf(errcode.BadRequest, "a vacation takes 1 to %d days", allowed)
	}
	next := clock.Vacation{From: now, Until: now.Add(time.Duration(days) * day)}
	before := recent(all, now)
	if v, ok := before.At(now); ok {
		next.From, before = v.From, before[:len(before)-1]
	}
	after := append(before, next)
	if sum := used(after, now); sum > time.Duration(allowed)*day {
		left := max(time.Duration(allowed)*day-used(before, now)-now.Sub(next.From), 0)
		return nil, errcode.Errorf(errcode.NotAllowed, "you can take %s; %d are allowed in any 365 days", text.Plural(int(left/day), "more day"), allowed)
	}
	return after, nil
}

// End returns the vacations after a player ends the present one.
func End(all clock.Vacations, now time.Time) (clock.Vacations, error) {
	after := recent(all, now)
	if _, ok := after.At(now); !ok {
		return nil, errcode.Errorf(errcode.NotAllowed, "you are not on vacation")
	}
	after[len(after)-1].Until = now
	return after, nil
}

// recent returns a copy of the vacations that still count.
func recent(all clock.Vacations, now time.Time) clock.Vacations {
	return slices.DeleteFunc(slices.Clone(all), func(v clock.Vacation) bool { return v.Until.Before(now.Add(-year)) })
}
