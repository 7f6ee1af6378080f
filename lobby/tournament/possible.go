package tournament

// PlaceRange is the places that a player can still reach in the division.
type PlaceRange struct{ Best, Worst int }

// PossiblePlaces returns the places that each player can still reach by the points that are left, without regard to
// tie-breaks. While nobody can enter any more they only become fewer. It returns nil as long as they would say nothing: before the
// last round but one, and while one can enter.
func (s *State) PossiblePlaces() []PlaceRange {
	if !s.HasStarted() || s.Phase == PhaseCancelled || s.Phase != PhaseClosed && (len(s.Rounds) < s.Planned-1 || len(s.Rounds) <= s.LastEntryRound()) {
		return nil
	}
	ranges := make([]PlaceRange, len(s.Players))
	standings := s.Standings()
	if s.Phase == PhaseClosed {
		for _, at := range standings {
			ranges[at.Player] = PlaceRange{at.Place, at.Place}
		}
		return ranges
	}
	lowest, highest := s.pointBounds(standings)
	for i := range s.Players {
		better, notWorse := 0, 0
		for k := range s.Players {
			if k == i || s.Players[k].Division != s.Players[i].Division {
				continue
			}
			if lowest[k] > highest[i] {
				better++
			}
			if highest[k] >= lowest[i] {
				notWorse++
			}
		}
		ranges[i] = PlaceRange{better + 1, notWorse + 1}
	}
	return ranges
}

// pointBounds returns the points with which each player will end, at least and at most. Players of a round robin whose
// games do not count have less than nothing.
func (s *State) pointBounds(standings []Standing) (lowest, highest []int) {
	n := len(s.Players)
	lowest, highest = make([]int, n), make([]int, n)
	few := s.fewPlayed()
	for _, at := range standings {
		lowest[at.Player], highest[at.Player] = at.Points, at.Points
	}
	best := s.Terms.Format.maxPoints()
	for i := range s.Players {
		if s.Players[i].Annulled {
			lowest[i], highest[i] = -1, -1
			continue
		}
		// The organizer can let players in again whom they have taken out.
		if !s.Terms.Format.hasSchedule() && (s.Players[i].IsIn() || s.StatusOf(i) == StatusRemoved) {
			highest[i] += (s.Planned - len(s.Rounds)) * best
		}
	}
	for r := range s.Rounds {
		for _, g := range s.Rounds[r].Games {
			s.boundGame(g, best, few, lowest, highest)
		}
	}
	if s.Terms.Format.hasSchedule() {
		s.boundRounds(few, lowest, highest)
	}
	return lowest, highest
}

// boundGame takes a game into account that is running, or whose points one of its players can still take from the others.
func (s *State) boundGame(g *Game, best int, few []bool, lowest, highest []int) {
	if !s.counts(g) {
		return
	}
	for seat, p := range g.Seats {
		if !g.IsOver() {
			highest[p] += best
			continue
		}
		for _, o := range g.Seats {
			if o != p && few[o] {
				lowest[p] -= g.Points[seat]
			}
		}
	}
}

// boundRounds adds the games of a round robin that are not paired yet.
func (s *State) boundRounds(few []bool, lowest, highest []int) {
	paired := make([]int, len(s.Players))
	for _, r := range s.Rounds {
		for i := range r.Games {
			for _, p := range r.Games[i].Seats {
				if r.Games[i].Table > 0 {
					paired[p]++
				}
			}
		}
	}
	inDivision := make(map[int]int)
	for i := range s.Players {
		inDivision[s.Players[i].Division]++
	}
	for i := range s.Players {
		if !s.Players[i].Annulled && s.Players[i].IsIn() && s.hasSchedule(i) {
			highest[i] += ((inDivision[s.Players[i].Division]-1)*s.Terms.Legs - paired[i]) * Point
		}
		if few[i] && !s.Players[i].Annulled {
			lowest[i] = min(lowest[i], -1)
		}
	}
}
