package lobby

import (
	"context"

	"ayumu/engine"
)

// AbortReason is why a match was aborted: Entry.Reason of its End.
type AbortReason string

// The reasons for an abort. Matches of earlier versions have none.
const (
	AbortFirstTurn AbortReason = "first_turn" // the seat to move made no first turn in time
	AbortIdle      AbortReason = "idle"       // no turn for a very long time in a match without a clock
	AbortEvicted   AbortReason = "room"       // all players had gone and the server needed the room
)

// The reasons for which a seat leaves a match of three or more: Entry.Reason of a Leave.
const (
	LeftResigned = engine.ReasonResign
	LeftTime     = engine.ReasonTime
	LeftAbsent   = "absent" // voted out
)

// Aborted returns why a match was aborted and the seat that was to move; ok is false for one that
// goes on or has a result.
func (s *Snapshot) Aborted() (why AbortReason, seat int, ok bool) {
	if s.Result == nil || s.Result.Reason != engine.ReasonAbort {
		return "", -1, false
	}
	seat = s.Position.Turn()
	if why = AbortReason(s.Log[len(s.Log)-1].Reason); why == "" && s.Info.Control.IsLive() {
		why = AbortFirstTurn // earlier versions aborted a match with such a clock for nothing else
	}
	return why, seat, true
}

// Departures returns why each seat left a match of three or more; "" for one that did not. It is nil
// if nobody left.
func Departures(seats int, log []Entry) []string {
	var why []string
	for _, e := range log {
		if e.Kind == EntryLeave && e.Seat < seats {
			if why == nil {
				why = make([]string, seats)
			}
			why[e.Seat] = e.Reason
		}
	}
	return why
}

// RatingChange is what a rated match did to the rating of a seat.
type RatingChange struct{ Before, After Rating }

// rated returns what a match that is over did to the ratings of its seats, or why nothing. Both are
// empty for a casual match. The store reports its failures itself.
func (l *Lobby) rated(ctx context.Context, info *MatchInfo) ([]RatingChange, UnratedReason) {
	if !info.Rated {
		return nil, ""
	}
	changes, unrated, err := l.store.MatchRatings(ctx, info.ID)
	if err != nil {
		return nil, UnratedUnknown
	}
	return changes, unrated
}
