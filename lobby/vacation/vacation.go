// Package vacation is the functional core of vacations: when a player has been, is and will be on vacation, how far that
// moves the deadlines of their correspondence games, and how many days of a year they may take. Where the lists are kept is
// the business of package lobby, and what a vacation does in a match that of package match.
//
// It reads no time, takes no lock and does no I/O.
package vacation

import "time"

// Period is a time in which the clocks of a player stand still in correspondence games.
type Period struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// List has the vacations of one player, in order. They do not overlap, and must not be changed. Its JSON is the stored form.
type List []Period

// At returns the vacation at a time; ok is false if there is none.
func (l List) At(at time.Time) (p Period, ok bool) {
	for _, p := range l {
		if !at.Before(p.From) && at.Before(p.Until) {
			return p, true
		}
	}
	return Period{}, false
}

// Within returns how much of the time between two others is vacation.
func (l List) Within(from, to time.Time) (sum time.Duration) {
	for _, p := range l {
		start, end := p.From, p.Until
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
func (l List) Ended(at time.Time) List {
	n := 0
	for n < len(l) && !l[n].Until.After(at) {
		n++
	}
	return l[:n]
}

// Deadline returns when a turn is due that began at since with an amount of time left. A vacation that begins then or
// later changes nothing.
func (l List) Deadline(since time.Time, left time.Duration) time.Time {
	due := since.Add(left)
	for _, p := range l {
		if !p.From.Before(due) {
			break
		}
		start := p.From
		if start.Before(since) {
			start = since
		}
		due = due.Add(max(p.Until.Sub(start), 0))
	}
	return due
}

// NextChange returns the first time after at when a vacation begins or ends; the zero time: none does.
func (l List) NextChange(at time.Time) time.Time {
	for _, p := range l {
		switch {
		case p.From.After(at):
			return p.From
		case p.Until.After(at):
			return p.Until
		}
	}
	return time.Time{}
}
