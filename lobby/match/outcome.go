package match

import "ayumu/engine"

// AbortReason is the reason for which a match was aborted, the Entry.Reason of its EntryEnd.
type AbortReason string

// The reasons for an abort. Matches that earlier versions aborted have none.
const (
	AbortFirstTurn AbortReason = "first_turn" // the seat to move did not make its first turn in time
	AbortIdle      AbortReason = "idle"       // no turn for untimedLimit in a match without a clock
	AbortPlayer    AbortReason = "player"     // a player aborted it before the second seat's first turn
	AbortEvicted   AbortReason = "room"       // all players were absent and the server needed room for other matches
	AbortNobody    AbortReason = "nobody"     // AbortFirstTurn in a game of a tournament whose other player was away too
	AbortRuled     AbortReason = "ruled"      // the tournament of the game has decided it otherwise

	// AbortUnfinished ends the match of a record of a running game, which no lobby has.
	AbortUnfinished AbortReason = "unfinished"
)

// The reasons for which a seat leaves a match of three or more players, the Entry.Reason of an EntryLeave.
const (
	LeftResigned = engine.ReasonResign
	LeftTime     = engine.ReasonTime
	LeftAbsent   = "absent" // voted out
)

// Aborted returns why a match was aborted, and which seat has done that (AbortPlayer), wins in the tournament (AbortRuled; -1: none
// alone) or was to move; ok is false if it is running or has another result.
func (s *Snapshot) Aborted() (reason AbortReason, seat int, ok bool) {
	if s.Result == nil || s.Result.Reason != engine.ReasonAbort {
		return "", -1, false
	}
	end := &s.Log[len(s.Log)-1]
	seat = s.Position.Turn()
	switch reason = AbortReason(end.Reason); {
	case reason == AbortPlayer, reason == AbortRuled:
		seat = end.Seat
	case reason == "" && s.Info.Control.IsLive():
		reason = AbortFirstTurn // the only reason for which earlier versions aborted a live match
	}
	return reason, seat, true
}

// Departures returns for each seat why it left a match of three or more players, or "". It is nil if no
// seat left.
func Departures(seats int, log []Entry) []string {
	var reasons []string
	for _, e := range log {
		if e.Kind == EntryLeave && e.Seat < seats {
			if reasons == nil {
				reasons = make([]string, seats)
			}
			reasons[e.Seat] = e.Reason
		}
	}
	return reasons
}
