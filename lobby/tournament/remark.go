package tournament

import "ayumu/lobby/account"

// minUpset is the difference of ratings from which on a win against it is in a Remark: about one game in seven.
const minUpset = 300

// Remark is a game at which the organizer may want to look. Nothing follows from it by itself: families and clubs share an
// address, and upsets belong to tournaments.
type Remark struct {
	Game         *Game
	IsOneAddress bool // two of its players are connected from one address
	Upset        int  // of two: by how much the loser was rated higher when they entered; 0: no upset
}

// Remarks returns the games at which the organizer may want to look, in the order in which they were paired. shareAddress
// reports whether two of the users are connected from one address now; it must not change anything.
func (s *State) Remarks(shareAddress func(...account.ID) bool) (all []Remark) {
	for i := range s.Rounds {
		for _, g := range s.Rounds[i].Games {
			r := Remark{Game: g, Upset: s.upset(g)}
			var users []account.ID
			for _, p := range g.Seats {
				users = append(users, s.Players[p].User)
			}
			r.IsOneAddress = shareAddress(users...)
			if r.IsOneAddress || r.Upset > 0 {
				all = append(all, r)
			}
		}
	}
	return all
}

// upset returns by how much the loser of a game of two that was played was rated higher, at least minUpset, or 0.
func (s *State) upset(g *Game) int {
	if g.Kind != GamePlayed || len(g.Seats) != 2 {
		return 0
	}
	for seat := range g.Seats {
		winner, loser := &s.Players[g.Seats[seat]], &s.Players[g.Seats[1-seat]]
		if by := loser.Rating - winner.Rating; g.won(seat) && by >= minUpset {
			return by
		}
	}
	return 0
}
