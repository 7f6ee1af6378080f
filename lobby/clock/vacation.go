package clock

import "time"

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

// Ended returns those that have ended by a time.
func (all Vacations) Ended(at time.Time) Vacations {
	n := 0
	for n < len(all) && !all[n].Until.After(at) {
		n++
	}
	return all[:n]
}

// Deadline returns when a turn is due that began at since with an amount of time left. A vacation that begins then or
// later changes nothing.
func (all Vacations) Deadline(since time.Time, left time.Duration) time.Time {
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

// NextChange returns the first time after at when a vacation begins or ends; the zero time: none does.
func (all Vacations) NextChange(at time.Time) time.Time {
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
