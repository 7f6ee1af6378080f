package lobby

import (
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// Snapshot is one state of a match: immutable, shared by everybody who looks at it.
type Snapshot struct {
	Info     *MatchInfo
	Version  int     // the number of entries in Log
	Log      []Entry // the whole log; shared, must not be changed
	Position engine.Position
	Result   *engine.Result // nil while the match goes on
	Turns    int            // that stand; the number of turns that a move list shows

	// Clocks is what each seat had left at Stamp; nil where time is not counted. The time of
	// seat Running (none: -1) runs since then.
	Clocks            []time.Duration
	ClocksAt          time.Time
	RunningSeat       int
	FirstTurnDeadline time.Time // when the first turn of seat Running is due; zero: its clock alone counts

	Offers   []Offer      // open ones
	Events   []MatchEvent // the newest, oldest first; shared, must not be changed
	Away     []Away       // for each seat
	Votes    []int        // for each seat: how many want it removed
	Rematch  string       // the rematch, once it has begun
	NextCode string       // its code, if it is private
	// Code opens a private match to spectators while it goes on; empty in a public one and after the end.
	Code   string
	Frozen bool // stopped by an internal failure: no result, no clocks

	// Ratings has each seat's rating before and after a rated match. Where it is nil once a rated
	// match is over, Unrated says why.
	Ratings []RatingChange
	Unrated UnratedReason

	LastAt time.Time
}

// Remaining returns what a seat has left at that moment; ok is false where time is not counted.
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

// versionBefore returns the version of a log before its last n turns.
func versionBefore(log []Entry, n int) int {
	version := len(log)
	for ; version > 0 && n > 0; version-- {
		if log[version-1].Kind == EntryTurn {
			n--
		}
	}
	return version
}

// delayed returns the state before the last n turns, as it looked then, with the events before it.
func (s *Snapshot) delayed(n int) (*Snapshot, error) {
	version := versionBefore(s.Log, n)
	old, err := snapshotFromLog(s.Info, s.Log[:version:version])
	if err != nil {
		return nil, err
	}
	// Offers and votes stay out. Who is away is no secret of the match.
	old.Away, old.Frozen, old.Events = s.Away, s.Frozen, s.eventsBefore(version)
	old.Code = s.Code
	return old, nil
}

// snapshotFromLog returns the state after a log of a match that nobody is at: no clock runs.
func snapshotFromLog(info *MatchInfo, log []Entry) (*Snapshot, error) {
	st, err := foldTurns(info, log)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		Info: info, Version: len(log), Log: log, Position: st.pos, Result: st.result,
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

// IsOver reports whether the match has ended.
func (s *Snapshot) IsOver() bool { return s.Result != nil }

// Offer finds an open offer of a kind.
func (s *Snapshot) Offer(kind OfferKind) (Offer, bool) {
	for _, o := range s.Offers {
		if o.Kind == kind {
			return o, true
		}
	}
	return Offer{}, false
}

// OfferKind is what a player can offer the others.
type OfferKind string

// The kinds of offers.
const (
	OfferDraw    OfferKind = "draw"
	OfferUndo    OfferKind = "undo"
	OfferRematch OfferKind = "rematch"
)

// Offer is open until it is accepted by all others, refused by one, or overtaken by a turn.
type Offer struct {
	Kind   OfferKind
	Seat   int
	At     time.Time
	agreed uint8 // a bit for each seat
}

// Away says since when a seat's player is absent; the zero value: he is here, or only just went.
type Away struct {
	Since   time.Time
	Dropped bool // his connection broke; otherwise he left on purpose
	// Claimable: the grace is over, so the opponent may claim the game, or the others vote.
	Claimable bool
}
