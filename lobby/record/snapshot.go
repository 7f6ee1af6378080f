package record

import (
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
)

// Snapshot returns the last state of the match of a record that Check has accepted, as a replay shows it. No seat has an
// account, and the match has no id. The match of a record of a running game is ended by match.AbortUnfinished.
func (r *Record) Snapshot() (*match.Snapshot, error) {
	info := &match.Info{Game: r.Game, Options: r.Options, Control: r.Control, Rated: r.Rated, Started: r.Started}
	for _, s := range r.Seats {
		info.Seats = append(info.Seats, match.Seat{Name: s.Name, Bot: s.Bot})
	}
	left := clock.New(r.Control, len(r.Seats)).Remaining(r.Started)
	var log []match.Entry
	for _, l := range r.Lines {
		e := match.Entry{Kind: match.EntryTurn, Seat: l.Seat, Actions: l.Actions, At: r.Started}
		if len(l.Actions) == 0 {
			e.Kind, e.Reason = match.EntryLeave, l.Reason
		}
		if l.Remaining != nil && left != nil { // of the other seats the last that is known
			left = append([]time.Duration(nil), left...)
			left[l.Seat] = *l.Remaining
		}
		e.Clocks = left
		log = append(log, e)
	}
	end := match.Entry{Kind: match.EntryEnd, Seat: -1, Result: r.Result, At: r.Ended, Clocks: left}
	if r.Result == nil {
		end.Result, end.Reason, end.At = &engine.Result{Reason: engine.ReasonAbort}, string(match.AbortUnfinished), r.Started
	}
	return match.FromLog(info, append(log, end))
}
