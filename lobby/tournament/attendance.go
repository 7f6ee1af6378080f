package tournament

import (
	"slices"
	"time"

	"ayumu/lobby/account"
)

// Attended is that a user has finished the tournament, or did not come to a game of it.
type Attended struct {
	User   account.ID
	At     time.Time
	NoShow bool
}

// AttendedAfter returns what entries that follow s say of the attendance of its players. A player who did not come to a game
// does not finish the tournament: the first record of each player counts.
func (s *State) AttendedAfter(entries []Entry) (all []Attended) {
	after, err := s.With(entries)
	if err != nil {
		return nil
	}
	for i := range entries {
		e := &entries[i]
		g, ok := after.Game(e.Round, e.Table)
		switch {
		case e.Kind == EntryGameEnded && ok:
			for _, seat := range e.NoShows {
				all = append(all, Attended{User: after.Players[g.Seats[seat]].User, At: e.At, NoShow: true})
			}
		case e.Kind == EntryClosed:
			for p := range after.Players {
				if after.Players[p].IsIn() && !after.hasMissed(p) {
					all = append(all, Attended{User: after.Players[p].User, At: e.At})
				}
			}
		}
	}
	return all
}

// hasMissed reports whether a player did not come to a game.
func (s *State) hasMissed(player int) bool {
	return slices.ContainsFunc(s.Rounds, func(r Round) bool {
		return slices.ContainsFunc(r.Games, func(g *Game) bool {
			seat := g.seatOf(player)
			return seat >= 0 && slices.Contains(g.NoShows, seat)
		})
	})
}
