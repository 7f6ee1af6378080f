package match

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/rating"
)

// Snapshot is an immutable state of a match, shared by all sessions that display it.
type Snapshot struct {
	Info     *Info
	Version  int     // the number of entries in Log
	Log      []Entry // the whole log; must not be changed
	Position engine.Position
	Result   *engine.Result // nil while the match runs
	Turns    int            // turns that were not taken back, the length of a move list

	// Clocks is the time that each seat had left at ClocksAt; nil if there is no clock. The time of
	// RunningSeat has been running since then; -1: no clock runs.
	Clocks            []time.Duration
	ClocksAt          time.Time
	RunningSeat       int
	FirstTurnDeadline time.Time // when the first turn of RunningSeat is due; zero: only its clock counts

	Offers    []Offer                // open offers
	Events    []Event                // the newest events, oldest first; must not be changed
	Away      []Away                 // by seat
	elsewhere uint8                  // a bit for each seat whose player is elsewhere
	Votes     []int                  // by seat: the number of votes to remove it
	voters    [engine.MaxSeats]uint8 // by seat: a bit for each seat that has voted to remove it
	Rematch   string                 // the id of the rematch, once it has started
	NextCode  string                 // the code of a private rematch
	// Code is the code with which spectators open a private match while it runs; empty otherwise.
	Code     string
	CanAbort bool // a player may abort the match
	Frozen   bool // stopped by an internal error: no result, no clocks

	// Ratings has the rating changes of a rated match that has ended, by seat. If it is nil, Unrated is the
	// reason.
	Ratings []rating.Change
	Unrated UnratedReason

	LastAt time.Time

	// Vacations has by seat until when its player is on vacation, in a correspondence game; zero: they are not. While the
	// seat to move is, no clock runs. It is nil if nobody is.
	Vacations []time.Time

	// Lost counts how often a database that has failed had lost entries that were shown, and LostAfter is the version
	// after which they were lost the last time.
	Lost, LostAfter int
}

// Remaining returns the time that a seat has left at now; ok is false if there is no clock.
func (s *Snapshot) Remaining(seat int, now time.Time) (left time.Duration, ok bool) {
	if s.Clocks == nil {
		return 0, false
	}
	left = s.Clocks[seat]
	if seat == s.RunningSeat {
		left -= max(now.Sub(s.ClocksAt), 0)
	}
	return max(left, 0), true
}

// FirstTurnRemaining returns the time that the seat to move has left at now for its first turn; ok is false
// if only its clock counts. When the time is up the match is aborted, or with more than two players the
// seat leaves.
func (s *Snapshot) FirstTurnRemaining(now time.Time) (left time.Duration, ok bool) {
	if s.FirstTurnDeadline.IsZero() {
		return 0, false
	}
	return max(s.FirstTurnDeadline.Sub(now), 0), true
}

// ClaimRemaining returns the time left at now until the absence of a seat's player can be claimed, or in a match
// of more than two voted on; 0 from then on. ok is false if the player is present, or the time control sets no
// limit to an absence.
func (s *Snapshot) ClaimRemaining(seat int, now time.Time) (left time.Duration, ok bool) {
	a := s.Away[seat]
	grace, claimable := Grace(s.Info.Control, a.Dropped)
	if a.Since.IsZero() || !claimable || s.IsOver() {
		return 0, false
	}
	if a.Claimable {
		return 0, true
	}
	return max(a.Since.Add(grace).Sub(now), 0), true
}

// VersionBefore returns the version of a log before its last n turns.
func VersionBefore(log []Entry, n int) int {
	version := len(log)
	for ; version > 0 && n > 0; version-- {
		if log[version-1].Kind == EntryTurn {
			n--
		}
	}
	return version
}

// Delayed returns the state before the last n turns, with the events up to it.
func (s *Snapshot) Delayed(n int) (*Snapshot, error) {
	version := VersionBefore(s.Log, n)
	old, err := FromLog(s.Info, s.Log[:version:version])
	if err != nil {
		return nil, err
	}
	// Offers, votes and who is elsewhere are left out. Absence is public.
	old.Away, old.Frozen, old.Events, old.Vacations = s.Away, s.Frozen, s.eventsBefore(version), s.Vacations
	old.Code, old.Lost, old.LostAfter = s.Code, s.Lost, min(s.LostAfter, version)
	return old, nil
}

// FromLog returns the state after a log, without running clocks. It does not copy log.
func FromLog(info *Info, log []Entry) (*Snapshot, error) {
	st, err := foldTurns(info, log)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Info: info, Version: len(log), Log: log, Position: st.position, Result: st.result,
		Clocks: st.clocks, RunningSeat: -1, ClocksAt: info.Started, LastAt: info.Started,
		Away: make([]Away, len(info.Seats)), Votes: make([]int, len(info.Seats)),
	}
	if s.Clocks == nil { // before the first entry
		s.Clocks = clock.New(info.Control, len(info.Seats)).Remaining(info.Started)
	}
	for _, made := range st.turnsMade {
		s.Turns += made
	}
	if len(log) > 0 {
		s.ClocksAt, s.LastAt = log[len(log)-1].At, log[len(log)-1].At
	}
	return s, nil
}

// Shift moves the times until which players count by d: by the clock of this machine, they are those of the clock
// of the store. It may only be called before others have the snapshot. The log stays as it is.
func (s *Snapshot) Shift(d time.Duration) {
	if d == 0 {
		return
	}
	shift := func(at *time.Time) {
		if !at.IsZero() {
			*at = at.Add(d)
		}
	}
	shift(&s.ClocksAt)
	shift(&s.FirstTurnDeadline)
	shift(&s.LastAt)
	s.Vacations = slices.Clone(s.Vacations)
	for i := range s.Vacations {
		shift(&s.Vacations[i])
	}
	s.Away = slices.Clone(s.Away)
	for i := range s.Away {
		shift(&s.Away[i].Since)
	}
}

// OnVacation returns until when the player of a seat is on vacation; ok is false if they are not.
func (s *Snapshot) OnVacation(seat int) (until time.Time, ok bool) {
	if s.Vacations == nil || s.IsOver() || s.Vacations[seat].IsZero() {
		return time.Time{}, false
	}
	return s.Vacations[seat], true
}

// IsElsewhere reports whether the player of a seat is present but looks at something else, in a running live game.
func (s *Snapshot) IsElsewhere(seat int) bool { return s.elsewhere&(1<<seat) != 0 && !s.IsOver() }

// ActingSeat returns the seat for which an account acts: its own, and in a running local match the seat to move; ok is
// false if the account has no seat.
func (s *Snapshot) ActingSeat(id account.ID) (seat int, ok bool) {
	seat, ok = s.Info.SeatOf(id)
	if ok && s.Info.Local && !s.IsOver() {
		seat = s.Position.Turn()
	}
	return seat, ok
}

// IsOver reports whether the match has ended.
func (s *Snapshot) IsOver() bool { return s.Result != nil }

// Offer returns the open offer of a kind, if there is one.
func (s *Snapshot) Offer(kind OfferKind) (Offer, bool) {
	for _, o := range s.Offers {
		if o.Kind == kind {
			return o, true
		}
	}
	return Offer{}, false
}

// OfferKind is a kind of offer.
type OfferKind string

// The kinds of offers.
const (
	OfferDraw    OfferKind = "draw"
	OfferUndo    OfferKind = "undo"
	OfferRematch OfferKind = "rematch"
)

// Offer is a proposal by a seat. It is open until all other seats accept it, also those that have left the match before
// its end, one declines it, or a turn makes it void.
type Offer struct {
	Kind   OfferKind
	Seat   int
	At     time.Time
	agreed uint8 // a bit for each seat that has agreed
}

// HasAgreed reports whether a seat has made or accepted the offer.
func (o Offer) HasAgreed(seat int) bool { return o.agreed&(1<<seat) != 0 }

// Missing returns the seats of the match that have not agreed.
func (o Offer) Missing(i *Info) (seats []int) {
	for seat := range i.Seats {
		if !o.HasAgreed(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Away describes the absence of a seat's player. The zero value means that the player is present, or has
// been absent for less than awayNoticeDelay.
type Away struct {
	Since   time.Time
	Dropped bool // the connection broke; false: the player left
	// Claimable means that the grace is over: the opponent may claim the game, or the others may vote.
	Claimable bool
}
