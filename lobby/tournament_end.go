package lobby

import (
	"slices"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/lobby/tournament"
)

// endOfGame returns the end of a game of a tournament by the log of its match; ok is false if that goes on.
func endOfGame(info *match.Info, log []match.Entry) (end tournament.MatchEnd, ok bool) {
	if len(log) == 0 || log[len(log)-1].Kind != match.EntryEnd {
		return tournament.MatchEnd{}, false
	}
	last := &log[len(log)-1]
	end.Version = len(log)
	switch r := last.Result; {
	case r.Reason == engine.ReasonAbort:
		end.NoShows = noShowsOfAbort(last)
	case r.Places != nil:
		end.Places = make([]int, len(r.Places))
		for seat, place := range r.Places {
			end.Places[seat] = place + 1
		}
		if r.Reason != engine.ReasonLeft {
			end.Scores = r.Scores
		}
	case len(r.Winners) > 0:
		end.Places = make([]int, len(info.Seats))
		for seat := range end.Places {
			if end.Places[seat] = 1; !slices.Contains(r.Winners, seat) {
				end.Places[seat] = len(r.Winners) + 1
			}
		}
	}
	for i := range log {
		// Of three and more, the game goes on without a seat that made no first turn.
		if e := &log[i]; e.Kind == match.EntryLeave && e.Reason == match.LeftTime && e.Fault && last.TurnsMade[e.Seat] == 0 {
			end.NoShows = append(end.NoShows, e.Seat)
		}
	}
	return end, true
}

// noShowsOfAbort returns the seats that did not come to a game of two, by its end. Without a fault nobody is blamed.
func noShowsOfAbort(end *match.Entry) []int {
	switch reason := match.AbortReason(end.Reason); {
	case !end.Fault || end.Seat < 0:
	case reason == match.AbortFirstTurn:
		return []int{end.Seat}
	case reason == match.AbortNobody:
		return []int{0, 1}
	}
	return nil
}
