// Package clock counts the time of a match: Fischer clocks, days for each turn, or none.
//
// A Clock stores the time that each seat has left and the start of the running turn; everything else is
// computed from these and a time that the caller passes. It reads no time itself and is not safe for
// concurrent use: the match's goroutine owns it.
package clock

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Bounds of a Control.
const (
	MaxInitial   = 3 * time.Hour
	MaxIncrement = 3 * time.Minute
	MaxDays      = 30
)

// Lag compensation: the time that the network took of a turn is not charged, up to a credit. The credit is
// bounded, so that a slow connection is helped and a client that only pretends to be slow gains little: the
// server cannot distinguish late answers from distance. Both bounds shrink with the time of a short game, as on
// lichess: a game of 6 s has a credit of 0.6 s and regains 30 ms with each turn.
const (
	maxLagCredit     = 2 * time.Second        // of a seat, at the start and at most
	lagCreditPerTurn = 100 * time.Millisecond // regained with each turn
)

// lag returns the maximum lag credit of a seat under a control, and what it regains with each turn.
func (c Control) lag() (bank, refill time.Duration) {
	if c.Days > 0 {
		return maxLagCredit, lagCreditPerTurn
	}
	const turns = 40 // of an average game
	total := c.Initial + turns*c.Increment
	return min(maxLagCredit, total/10), min(lagCreditPerTurn, total/200)
}

// Control is a time control. The zero value means no clock.
type Control struct {
	Initial   time.Duration // live: time at the start
	Increment time.Duration // live: time added after each turn (Fischer)
	Days      int           // correspondence: days for each turn; excludes the other two
}

// Default is the control of a quick match that accepts any.
var Default = Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}

// IsUntimed reports whether there is no clock.
func (c Control) IsUntimed() bool { return c == Control{} }

// IsLive reports whether all players are expected to stay until the end.
func (c Control) IsLive() bool { return c.Days == 0 && !c.IsUntimed() }

// IsCorrespondence reports whether the players have days for each turn, so that they come and go. A game without a clock is
// neither live nor a correspondence game.
func (c Control) IsCorrespondence() bool { return c.Days > 0 }

// Cap returns the maximum time of a seat, above which increments do not raise it.
func (c Control) Cap() time.Duration { return max(2*c.Initial, 10*c.Increment) }

// start returns the time of a seat before its first turn.
func (c Control) start() time.Duration {
	if c.Days > 0 {
		return time.Duration(c.Days) * 24 * time.Hour
	}
	return max(c.Initial, c.Increment)
}

// Check returns an error that names the bounds if the control exceeds them.
func (c Control) Check() error {
	switch {
	case c.Days < 0 || c.Days > MaxDays:
		return fmt.Errorf("days must be 1 to %d", MaxDays)
	case c.Days > 0 && (c.Initial != 0 || c.Increment != 0):
		return fmt.Errorf("a clock has either days, or initial and increment")
	case c.Initial < 0 || c.Initial > MaxInitial:
		return fmt.Errorf("initial must be 0 to %d seconds", int(MaxInitial.Seconds()))
	case c.Increment < 0 || c.Increment > MaxIncrement:
		return fmt.Errorf("increment must be 0 to %d seconds", int(MaxIncrement.Seconds()))
	}
	return nil
}

// String returns the control in words: "10+10", "3 days", "no clock".
func (c Control) String() string {
	switch {
	case c.IsUntimed():
		return "no clock"
	case c.Days == 1:
		return "1 day"
	case c.Days > 0:
		return fmt.Sprintf("%d days", c.Days)
	case c.Initial%time.Minute == 0:
		return fmt.Sprintf("%d+%d", int(c.Initial.Minutes()), int(c.Increment.Seconds()))
	}
	return fmt.Sprintf("%d:%02d+%d", int(c.Initial.Minutes()), int(c.Initial.Seconds())%60, int(c.Increment.Seconds()))
}

// controlJSON is the JSON form of a control: seconds, or days.
type controlJSON struct {
	Initial   *int `json:"initial,omitempty"`
	Increment *int `json:"increment,omitempty"`
	Days      int  `json:"days,omitempty"`
}

// MarshalJSON returns {"initial":600,"increment":10}, {"days":3}, or null without a clock.
func (c Control) MarshalJSON() ([]byte, error) {
	switch {
	case c.IsUntimed():
		return []byte("null"), nil
	case c.Days > 0:
		return json.Marshal(controlJSON{Days: c.Days})
	}
	initial, increment := int(c.Initial.Seconds()), int(c.Increment.Seconds())
	return json.Marshal(controlJSON{Initial: &initial, Increment: &increment})
}

// UnmarshalJSON reads the form of MarshalJSON and checks its bounds.
func (c *Control) UnmarshalJSON(raw []byte) error {
	var w controlJSON
	if err := json.Unmarshal(raw, &w); err != nil {
		return fmt.Errorf("a clock must be {\"initial\":seconds,\"increment\":seconds} or {\"days\":n}")
	}
	// Bounded as plain numbers first: a huge number would overflow a duration.
	seconds := func(n *int, limit time.Duration) time.Duration {
		if n == nil {
			return 0
		}
		return time.Duration(min(max(*n, -1), int(limit.Seconds())+1)) * time.Second
	}
	parsed := Control{Initial: seconds(w.Initial, MaxInitial), Increment: seconds(w.Increment, MaxIncrement), Days: w.Days}
	if err := parsed.Check(); err != nil {
		return err
	}
	*c = parsed
	return nil
}

// Clock is the time of one match. With the zero Control it counts nothing and never expires. New is the
// constructor.
type Clock struct {
	control   Control
	remaining []time.Duration // at since
	lagCredit []time.Duration // by seat
	running   int             // the seat whose time runs; -1: none
	since     time.Time
}

// New returns a stopped clock with a seat's start time for each seat.
func New(c Control, seats int) *Clock {
	k := &Clock{control: c, remaining: make([]time.Duration, seats), lagCredit: make([]time.Duration, seats), running: -1}
	bank, _ := c.lag()
	for i := range k.remaining {
		k.remaining[i], k.lagCredit[i] = c.start(), bank
	}
	return k
}

// Clone returns an independent copy.
func (k *Clock) Clone() *Clock {
	c := *k
	c.remaining, c.lagCredit = slices.Clone(k.remaining), slices.Clone(k.lagCredit)
	return &c
}

// Restore sets the time that each seat has left, and stops the clock.
func (k *Clock) Restore(left []time.Duration) {
	copy(k.remaining, left)
	k.running = -1
}

// Start lets a seat's time run from at.
func (k *Clock) Start(seat int, at time.Time) { k.running, k.since = seat, at }

// EndTurn charges the running seat for its turn, which ended at that time, less lag as far as its credit
// covers it, adds the increment, and stops the clock. It returns the lag that was not charged: with the
// charged time it is the duration of the turn.
func (k *Clock) EndTurn(at time.Time, lag time.Duration) (credited time.Duration) {
	seat := k.running
	if seat < 0 {
		return 0
	}
	elapsed := max(at.Sub(k.since), 0)
	credit := min(max(lag, 0), elapsed, k.lagCredit[seat])
	bank, refill := k.control.lag()
	k.lagCredit[seat] = min(k.lagCredit[seat]-credit+refill, bank)
	k.remaining[seat] = max(k.remaining[seat]-(elapsed-credit), 0)
	if k.control.Days > 0 {
		k.remaining[seat] = k.control.start()
	} else if k.control.IsLive() {
		k.remaining[seat] = max(k.remaining[seat], min(k.remaining[seat]+k.control.Increment, k.control.Cap()))
	}
	k.running = -1
	return credit
}

// Stop charges the running seat up to at, without an increment, and stops the clock.
func (k *Clock) Stop(at time.Time) {
	if k.running >= 0 {
		k.remaining[k.running] = max(k.remaining[k.running]-max(at.Sub(k.since), 0), 0)
		k.running = -1
	}
}

// Credit adds d to a seat's time.
func (k *Clock) Credit(seat int, d time.Duration) { k.remaining[seat] += d }

// Running returns the seat whose time runs, and its start; -1 if none does.
func (k *Clock) Running() (seat int, since time.Time) { return k.running, k.since }

// Deadline returns the time at which the running seat's time is up; ok is false if none runs.
func (k *Clock) Deadline() (at time.Time, ok bool) {
	if k.running < 0 || k.control.IsUntimed() {
		return time.Time{}, false
	}
	return k.since.Add(k.remaining[k.running]), true
}

// Remaining returns the time that each seat has left at a time, in a new slice; nil without a clock.
func (k *Clock) Remaining(at time.Time) []time.Duration {
	if k.control.IsUntimed() {
		return nil
	}
	left := slices.Clone(k.remaining)
	if k.running >= 0 {
		left[k.running] = max(left[k.running]-max(at.Sub(k.since), 0), 0)
	}
	return left
}
