// Package clock keeps the time of a match: Fischer clocks, days for each turn, or none.
//
// A clock is stored as the time each seat has left plus one stamp, the moment the running turn
// began; everything else is computed from these and a time that the caller gives. A Clock reads no
// time itself and is not safe for concurrent use: the match that owns it is its only caller. What
// prompts matches and screens when their time has come are Alarms.
//
// The package imports nothing of this module.
package clock

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Bounds of what a table may ask for.
const (
	MaxInitial   = 3 * time.Hour
	MaxIncrement = 3 * time.Minute
	MaxDays      = 30
)

// The lag credit: what the network took of a turn is given back, from a bank that is bounded so
// that a slow line is helped and a feigned one gains little. Lag is what a client makes it: one that
// answers late has the same credit as one that is far away. So both bounds shrink with the time of a
// short game, as lichess's do: a game of 6 s gives 0.6 s at first and 30 ms for each turn.
const (
	maxLagCredit     = 2 * time.Second        // what a seat starts with, and the most it can hold
	lagCreditPerTurn = 100 * time.Millisecond // added for each turn
)

// lag returns the bounds of the lag credit under a control.
func (c Control) lag() (bank, refill time.Duration) {
	if c.Days > 0 {
		return maxLagCredit, lagCreditPerTurn
	}
	const turns = 40 // of a usual game
	total := c.Initial + turns*c.Increment
	return min(maxLagCredit, total/10), min(lagCreditPerTurn, total/200)
}

// Control is a time control. The zero value means that nobody's time is counted.
type Control struct {
	Initial   time.Duration // live: at the start of the game
	Increment time.Duration // live: added after each turn (Fischer)
	Days      int           // correspondence: for each turn; excludes the other two
}

// Default is the control of a quick match that asked for none.
var Default = Control{Initial: 10 * time.Minute, Increment: 10 * time.Second}

// IsUntimed reports whether time is not counted at all.
func (c Control) IsUntimed() bool { return c == Control{} }

// IsLive reports whether all players are expected to stay until the end.
func (c Control) IsLive() bool { return c.Days == 0 && !c.IsUntimed() }

// Cap is the most that a seat's clock can hold: the increment fills it up no further.
func (c Control) Cap() time.Duration { return max(2*c.Initial, 10*c.Increment) }

// start is what a seat's clock shows before its first turn.
func (c Control) start() time.Duration {
	if c.Days > 0 {
		return time.Duration(c.Days) * 24 * time.Hour
	}
	return max(c.Initial, c.Increment)
}

// Check returns an error that says what is allowed if the control is out of bounds.
func (c Control) Check() error {
	switch {
	case c.Days < 0 || c.Days > MaxDays:
		return fmt.Errorf("days are 1 to %d", MaxDays)
	case c.Days > 0 && (c.Initial != 0 || c.Increment != 0):
		return fmt.Errorf("a clock has days, or initial and increment, not both")
	case c.Initial < 0 || c.Initial > MaxInitial:
		return fmt.Errorf("initial is 0 to %d seconds", int(MaxInitial.Seconds()))
	case c.Increment < 0 || c.Increment > MaxIncrement:
		return fmt.Errorf("increment is 0 to %d seconds", int(MaxIncrement.Seconds()))
	}
	return nil
}

// String describes the control for people: "10+10", "3 days", "no clock".
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

// controlJSON is a control's JSON form: seconds, or days.
type controlJSON struct {
	Initial   *int `json:"initial,omitempty"`
	Increment *int `json:"increment,omitempty"`
	Days      int  `json:"days,omitempty"`
}

// MarshalJSON writes {"initial":600,"increment":10}, {"days":3}, or null where there is no clock.
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

// UnmarshalJSON reads what MarshalJSON writes and checks its bounds.
func (c *Control) UnmarshalJSON(raw []byte) error {
	var w controlJSON
	if err := json.Unmarshal(raw, &w); err != nil {
		return fmt.Errorf("a clock is {\"initial\":seconds,\"increment\":seconds} or {\"days\":n}")
	}
	// Checked as plain numbers: a huge one would wrap round as a duration.
	seconds := func(n *int, limit time.Duration) time.Duration {
		if n == nil {
			return 0
		}
		return time.Duration(min(max(*n, -1), int(limit.Seconds())+1)) * time.Second
	}
	got := Control{Initial: seconds(w.Initial, MaxInitial), Increment: seconds(w.Increment, MaxIncrement), Days: w.Days}
	if err := got.Check(); err != nil {
		return err
	}
	*c = got
	return nil
}

// Clock is the time of one match. With a Control of none it counts nothing and never expires.
type Clock struct {
	control   Control
	remaining []time.Duration // as of the start stamp
	lagCredit []time.Duration // lag credit
	running   int             // the seat whose time runs; -1 none
	since     time.Time
}

// New returns a stopped clock for so many seats.
func New(c Control, seats int) *Clock {
	k := &Clock{control: c, remaining: make([]time.Duration, seats), lagCredit: make([]time.Duration, seats), running: -1}
	bank, _ := c.lag()
	for i := range k.remaining {
		k.remaining[i], k.lagCredit[i] = c.start(), bank
	}
	return k
}

// Clone returns an independent copy, on which a turn can be tried before it is recorded.
func (k *Clock) Clone() *Clock {
	c := *k
	c.remaining, c.lagCredit = slices.Clone(k.remaining), slices.Clone(k.lagCredit)
	return &c
}

// Restore sets what each seat had left when the log's last entry was written, and stops.
func (k *Clock) Restore(left []time.Duration) {
	copy(k.remaining, left)
	k.running = -1
}

// Start lets a seat's time run from that moment.
func (k *Clock) Start(seat int, at time.Time) { k.running, k.since = seat, at }

// EndTurn charges the running seat for the turn it made at that moment, less lag as far as its bank
// covers it, adds the increment, and stops. It returns what was credited for lag: what was charged
// and this are the time that the turn took.
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

// Stop charges the running seat up to that moment, without an increment, and stops.
func (k *Clock) Stop(at time.Time) {
	if k.running >= 0 {
		k.remaining[k.running] = max(k.remaining[k.running]-max(at.Sub(k.since), 0), 0)
		k.running = -1
	}
}

// Credit gives a seat time.
func (k *Clock) Credit(seat int, d time.Duration) { k.remaining[seat] += d }

// Running returns the seat whose time runs, and since when; -1 if none.
func (k *Clock) Running() (seat int, since time.Time) { return k.running, k.since }

// Deadline returns when the running seat's time is up; false if nobody's runs or none is counted.
func (k *Clock) Deadline() (time.Time, bool) {
	if k.running < 0 || k.control.IsUntimed() {
		return time.Time{}, false
	}
	return k.since.Add(k.remaining[k.running]), true
}

// Remaining returns a copy of what each seat has left at that moment; nil where none is counted.
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
