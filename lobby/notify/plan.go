package notify

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// Times of sending.
const (
	// FailureLimit is how long sending to a receiver fails until it is switched off.
	FailureLimit = 7 * 24 * time.Hour

	firstRetry = 15 * time.Second
	lastRetry  = 3 * time.Hour
	maxBatch   = 50 // notifications in one message
)

// plan is what to do for a receiver that is due.
type plan struct {
	drop    []string       // ids of notifications that have become pointless
	deferTo time.Time      // hold the others back until then; zero: do not
	send    []Notification // the message
	batch   string         // the id of the message; it is stored before the first attempt
}

// makePlan decides what to do for a receiver with its oldest pending notifications at a time. isPointless reports
// whether a notification that was held back is outdated.
//
// A message that may have been sent is repeated with the same id and notifications. Otherwise notifications that quiet
// hours or a digest have held back are sent together, and others one by one.
func (s *Settings) makePlan(pending []Notification, now time.Time, isPointless func(*Notification) bool) (p plan) {
	pending = slices.DeleteFunc(slices.Clone(pending), func(n Notification) bool {
		pointless := n.Deferred && n.Batch == "" && isPointless(&n)
		if pointless {
			p.drop = append(p.drop, n.ID)
		}
		return pointless
	})
	if len(pending) == 0 {
		return p
	}
	slices.SortStableFunc(pending, func(a, b Notification) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	if until := s.Quiet.end(now, s.Location()); until.After(now) {
		p.deferTo = until
		return p
	}
	if i := slices.IndexFunc(pending, func(n Notification) bool { return n.Batch != "" }); i >= 0 {
		p.batch = pending[i].Batch
		p.send = slices.DeleteFunc(pending, func(n Notification) bool { return n.Batch != p.batch })
		return p
	}
	if due := pending[0].At.Add(time.Duration(s.Digest) * time.Hour); s.Digest > 0 && due.After(now) {
		p.deferTo = due
		return p
	}
	if !pending[0].Deferred && s.Digest == 0 {
		p.send, p.batch = pending[:1], pending[0].ID
		return p
	}
	if s.Digest == 0 {
		pending = slices.DeleteFunc(pending, func(n Notification) bool { return !n.Deferred })
	}
	p.send = pending[:min(len(pending), maxBatch)]
	p.batch = p.send[0].ID
	if len(p.send) > 1 {
		p.batch = "digest/" + p.batch
	}
	return p
}

// end returns the end of the quiet hours if at is in them, and otherwise at.
func (q Quiet) end(at time.Time, zone *time.Location) time.Time {
	if q.From == q.Until {
		return at
	}
	local := at.In(zone)
	minute := local.Hour()*60 + local.Minute()
	isQuiet := minute >= q.From && minute < q.Until
	if q.From > q.Until { // over midnight
		isQuiet = minute >= q.From || minute < q.Until
	}
	if !isQuiet {
		return at
	}
	end := time.Date(local.Year(), local.Month(), local.Day(), q.Until/60, q.Until%60, 0, 0, zone)
	if !end.After(at) {
		end = time.Date(local.Year(), local.Month(), local.Day()+1, q.Until/60, q.Until%60, 0, 0, zone)
	}
	return end
}

// retryAfter returns the pause after a number of failures in a row, at least 1. It doubles up to lastRetry, and varies by
// a quarter, so that receivers that failed together are not tried together. atLeast is what the receiver has asked for.
func retryAfter(failures int, atLeast time.Duration) time.Duration {
	pause := lastRetry
	if failures < 12 {
		pause = min(firstRetry<<(failures-1), lastRetry)
	}
	pause += rand.N(pause/2+1) - pause/4
	return max(pause, min(atLeast, lastRetry))
}
