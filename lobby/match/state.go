package match

import (
	"math/bits"
	"slices"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/rating"
)

// State is the state of a match: what follows from its log, what its players have agreed on besides, and
// what it waits for. It is immutable, also what it refers to, and Step returns the next one. New is the
// constructor. States of one match share memory, so that only one goroutine at a time may call Step with
// them.
type State struct {
	Info *Info

	folded
	log         entryLog
	clock       *clock.Clock
	lastAt      time.Time // time of the last entry, or of the start
	restartedAt time.Time // when the match was resumed after a restart; zero: it was not
	agreements
	agreementsVersion int64           // of the row of the agreements; 0: there is none
	ahead             *followInput    // a newer row, written on a longer log than the match has; nil: there is none
	away              []Away          // by seat, as published
	elsewhere         uint8           // a bit for each seat whose player is elsewhere, as published
	onVacation        []time.Time     // by seat: until when, as published; nil: nobody is
	code              string          // of a private match; empty after the end
	ratings           []rating.Change // of a rated match that has ended, by seat
	unrated           UnratedReason   // why ratings is nil after a rated match
	frozen            bool
	lost, lostAfter   int // as in a Snapshot
	outage            outage
	waiting           *job // what goes on with the outcome of a request; nil: no request is outstanding
}

// New returns the state of a match after a log, which it takes over. The first input is InputBegin.
func New(info *Info, log []Entry) (State, error) {
	f, err := fold(info, log)
	if err != nil {
		return State{}, err
	}
	s := State{
		Info: info, folded: f, log: entryLog{entries: log}, clock: clock.New(info.Control, len(info.Seats)),
		lastAt: info.Started, away: make([]Away, len(info.Seats)),
	}
	if f.result == nil {
		s.code = info.Code
	}
	if f.clocks != nil {
		s.clock.Restore(f.clocks)
	}
	if len(log) > 0 {
		s.lastAt = log[len(log)-1].At
	}
	return s, nil
}

// Version returns the number of entries of the log.
func (s *State) Version() int { return len(s.log.entries) }

// IsOver reports whether the match has ended.
func (s *State) IsOver() bool { return s.result != nil }

// IsSuspended reports whether the store did not accept the last entry and has accepted none since. The
// clocks then stand still, nothing expires and commands are refused.
func (s *State) IsSuspended() bool { return !s.outage.since.IsZero() }

// IsWaiting reports whether the outcome of a request is outstanding, which has to be the next input.
func (s *State) IsWaiting() bool { return s.waiting != nil }

// isDuel reports whether the match has two seats.
func (s *State) isDuel() bool { return len(s.Info.Seats) == 2 }

// entryLog is a log that grows without being copied. If a second state appends to the same one, its entries
// are copied, so that neither state sees the other's. The zero value is empty.
type entryLog struct {
	entries []Entry
	used    *int // how many elements of the array below entries belong to any log; nil: only these
}

// append returns the log with further entries.
func (l entryLog) append(entries ...Entry) entryLog {
	if l.used == nil || *l.used != len(l.entries) {
		l = entryLog{entries: slices.Clip(l.entries), used: new(int)}
	}
	l.entries = append(l.entries, entries...)
	*l.used = len(l.entries)
	return l
}

// Snapshot returns the state as players see it.
func (s *State) Snapshot(now Now) *Snapshot {
	snap := &Snapshot{
		Info: s.Info, Version: s.Version(), Log: slices.Clip(s.log.entries), Position: s.position, Result: s.result,
		RunningSeat: -1, Offers: s.offers, Events: s.events, Away: s.away, elsewhere: s.elsewhere, Votes: make([]int, len(s.Info.Seats)),
		Rematch: s.rematch, NextCode: s.nextCode, Code: s.code, Frozen: s.frozen, Ratings: s.ratings, Unrated: s.unrated,
		LastAt: s.lastAt, Lost: s.lost, LostAfter: s.lostAfter, CanAbort: s.canAbort() && !s.frozen,
	}
	for seat, n := range s.turnsMade {
		snap.Turns += n
		snap.voters[seat] = s.votes[seat].votes
		snap.Votes[seat] = bits.OnesCount8(snap.voters[seat])
	}
	snap.ClocksAt = s.lastAt
	if running, since := s.clock.Running(); running >= 0 {
		snap.RunningSeat, snap.ClocksAt = running, since
		if at, kind := s.deadline(now); kind == expireFirst && !s.frozen && !s.IsOver() {
			snap.FirstTurnDeadline = at
		}
	}
	snap.Clocks = s.clock.Remaining(snap.ClocksAt)
	s.showVacations(now, snap)
	return snap
}
