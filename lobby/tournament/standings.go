package tournament

import (
	"cmp"
	"math"
	"slices"

	"ayumu/lobby/rating"
)

// TieBreak is a number that decides between players with equal points, by its name for programs.
type TieBreak string

// The tie-breaks. Where a number is of points, it is in 1/120.
const (
	TieBreakBuchholz        TieBreak = "buchholz"         // points of the opponents, without the lowest
	TieBreakSonnebornBerger TieBreak = "sonneborn_berger" // points of the opponents, times what was won against them
	TieBreakDirect          TieBreak = "direct"           // points from games between those who are equal, if all have met
	TieBreakWins            TieBreak = "wins"             // that were played
	TieBreakWinsSecond      TieBreak = "wins_second"      // as the second to move
	TieBreakOpponents       TieBreak = "opponents"        // mean points of the opponents
	TieBreakPerformance     TieBreak = "performance"      // the rating that the results of the tournament alone lead to
)

// IsPoints reports whether the numbers of the tie-break are points, in 1/120.
func (b TieBreak) IsPoints() bool {
	return b != TieBreakWins && b != TieBreakWinsSecond && b != TieBreakPerformance
}

// TieBreaks returns the tie-breaks of the format, in the order in which they decide. The lot decides after them.
func (t *Terms) TieBreaks() []TieBreak {
	switch t.Format {
	case FormatRoundRobin:
		return []TieBreak{TieBreakDirect, TieBreakSonnebornBerger, TieBreakWins}
	case FormatTables:
		return []TieBreak{TieBreakWins, TieBreakOpponents, TieBreakPerformance}
	}
	return []TieBreak{TieBreakBuchholz, TieBreakSonnebornBerger, TieBreakDirect, TieBreakWins, TieBreakWinsSecond}
}

// Standing is the place of a player.
type Standing struct {
	Player    int   // by index
	Place     int   // in the division, from 1; no two are equal
	Points    int   // in 1/120
	TieBreaks []int // in the order of Terms.TieBreaks
	Annulled  bool  // see Player.Annulled
}

// Standings returns the places of all players, by division and place. Games that are running count for nothing.
func (s *State) Standings() []Standing { return newTally(s, len(s.Rounds)).standings() }

// counts reports whether a game counts.
func (s *State) counts(g *Game) bool {
	return !slices.ContainsFunc(g.Seats, func(p int) bool { return s.Players[p].Annulled })
}

// fewPlayed reports for each player of a round robin whether less than half of their games were played.
func (s *State) fewPlayed() []bool {
	few := make([]bool, len(s.Players))
	if !s.Terms.Format.hasSchedule() {
		return few
	}
	played := make([]int, len(s.Players))
	for _, r := range s.Rounds {
		for i := range r.Games {
			for _, p := range r.Games[i].Seats {
				if r.Games[i].wasPlayed() {
					played[p]++
				}
			}
		}
	}
	inDivision := make(map[int]int)
	for i := range s.Players {
		if s.hasSchedule(i) {
			inDivision[s.Players[i].Division]++
		}
	}
	for i := range few {
		few[i] = 2*played[i] < (inDivision[s.Players[i].Division]-1)*s.Terms.Legs
	}
	return few
}

// hasSchedule reports whether a player of a round robin was there when it started.
func (s *State) hasSchedule(player int) bool { return s.Players[player].Division > 0 }

// score is what a player got in a round that counts.
type score struct {
	points   int
	opponent int // -1: none, or the game was not played
}

// tally has what the standings are computed from.
type tally struct {
	s       *State
	rounds  []Round
	points  []int     // by player
	scores  [][]score // by player; of a table, one for each opponent
	wins    []int     // by player: games that were played and won
	seconds []int     // by player: wins as the second of two to move
}

// newTally counts the games of the first rounds.
func newTally(s *State, rounds int) *tally {
	n := len(s.Players)
	t := &tally{
		s: s, rounds: s.Rounds[:rounds],
		points: make([]int, n), scores: make([][]score, n), wins: make([]int, n), seconds: make([]int, n),
	}
	for r := range t.rounds {
		for _, g := range t.rounds[r].Games {
			if g.IsOver() {
				t.add(g)
			}
		}
	}
	return t
}

func (t *tally) add(g *Game) {
	if !t.s.counts(g) {
		return
	}
	for seat, p := range g.Seats {
		t.points[p] += g.Points[seat]
		if !g.wasPlayed() {
			t.scores[p] = append(t.scores[p], score{points: g.Points[seat], opponent: -1})
			continue
		}
		for _, o := range g.Seats {
			if o != p {
				t.scores[p] = append(t.scores[p], score{g.Points[seat], o})
			}
		}
		if g.won(seat) {
			if t.wins[p]++; seat == 1 {
				t.seconds[p]++
			}
		}
	}
}

// standings ranks all players by division.
func (t *tally) standings() []Standing {
	all := make([]Standing, 0, len(t.points))
	for p := range t.points {
		all = append(all, Standing{Player: p, Points: t.points[p], Annulled: t.s.Players[p].Annulled})
	}
	if t.s.Final != nil { // so that later versions of the server change no event that has ended
		for i := range all {
			all[i].Place = t.s.Final[all[i].Player]
		}
	}
	division := func(x *Standing) int {
		if n := t.s.Players[x.Player].Division; n > 0 {
			return n
		}
		return MaxDivs + 1 // did not begin
	}
	slices.SortStableFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(division(&a), division(&b)), compareBools(a.Annulled, b.Annulled), cmp.Compare(b.Points, a.Points))
	})
	breaks := t.s.Terms.TieBreaks()
	performance := t.performances(breaks)
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && division(&all[to]) == division(&all[from]) {
			to++
		}
		t.rankEqual(all[from:to], -1, breaks, performance)
		for i := from; i < to && t.s.Final == nil; i++ {
			all[i].Place = i - from + 1
		}
		if t.s.Final != nil {
			slices.SortStableFunc(all[from:to], func(a, b Standing) int { return cmp.Compare(a.Place, b.Place) })
		}
		from = to
	}
	return all
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// rankEqual sorts players who are equal up to a tie-break, -1 for the points, by those after it.
func (t *tally) rankEqual(all []Standing, by int, breaks []TieBreak, performance []int) {
	value := func(x *Standing) int {
		if by >= 0 {
			return x.TieBreaks[by]
		}
		return x.Points
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && value(&all[to]) == value(&all[from]) && all[to].Annulled == all[from].Annulled {
			to++
		}
		group := all[from:to]
		from = to
		if by+1 == len(breaks) {
			slices.SortFunc(group, func(a, b Standing) int {
				x, y := &t.s.Players[a.Player], &t.s.Players[b.Player]
				return cmp.Or(cmp.Compare(x.Lot, y.Lot), cmp.Compare(a.Player, b.Player))
			})
			continue
		}
		t.breakTies(group, breaks[by+1], performance)
		slices.SortStableFunc(group, func(a, b Standing) int { return cmp.Compare(b.TieBreaks[by+1], a.TieBreaks[by+1]) })
		t.rankEqual(group, by+1, breaks, performance)
	}
}

// breakTies computes a tie-break for players who are equal up to it.
func (t *tally) breakTies(group []Standing, b TieBreak, performance []int) {
	direct := make(map[int]int)
	if b == TieBreakDirect && len(group) > 1 {
		direct = t.direct(group)
	}
	for i := range group {
		p, n := group[i].Player, 0
		switch b {
		case TieBreakBuchholz:
			n = t.buchholz(p)
		case TieBreakSonnebornBerger:
			n = t.sonnebornBerger(p)
		case TieBreakDirect:
			n = direct[p]
		case TieBreakWins:
			n = t.wins[p]
		case TieBreakWinsSecond:
			n = t.seconds[p]
		case TieBreakOpponents:
			n = t.opponents(p)
		case TieBreakPerformance:
			n = performance[p]
		}
		group[i].TieBreaks = append(group[i].TieBreaks, n)
	}
}

// buchholz returns the points of the opponents without the lowest. A round that was not played counts like one against
// oneself.
func (t *tally) buchholz(player int) (sum int) {
	lowest := math.MaxInt
	for _, x := range t.scores[player] {
		n := t.points[player]
		if x.opponent >= 0 {
			n = t.points[x.opponent]
		}
		sum, lowest = sum+n, min(lowest, n)
	}
	if len(t.scores[player]) == 0 {
		return 0
	}
	return sum - lowest
}

// sonnebornBerger returns the points of the opponents times what was won against them. A round that was not played counts
// like a draw against oneself at most.
func (t *tally) sonnebornBerger(player int) (sum int) {
	for _, x := range t.scores[player] {
		if x.opponent >= 0 {
			sum += t.points[x.opponent] * x.points / Point
		} else {
			sum += t.points[player] * min(x.points, Point/2) / Point
		}
	}
	return sum
}

// direct returns the points of each player of a group against the others, or nothing if two of them have not met.
func (t *tally) direct(group []Standing) map[int]int {
	points := make(map[int]int, len(group))
	for i := range group {
		met := make(map[int]bool, len(group))
		for _, x := range t.scores[group[i].Player] {
			if slices.ContainsFunc(group, func(o Standing) bool { return o.Player == x.opponent }) {
				met[x.opponent] = true
				points[group[i].Player] += x.points
			}
		}
		if len(met) < len(group)-1 {
			return nil
		}
	}
	return points
}

// opponents returns the mean of the points of the opponents.
func (t *tally) opponents(player int) int {
	sum, n := 0, 0
	for _, x := range t.scores[player] {
		if x.opponent >= 0 {
			sum, n = sum+t.points[x.opponent], n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// performances returns for each player the rating to which the games of the tournament lead from a new one, if a tie-break
// needs it.
func (t *tally) performances(breaks []TieBreak) []int {
	if !slices.Contains(breaks, TieBreakPerformance) {
		return nil
	}
	all := make([]rating.Rating, len(t.points))
	for i := range all {
		all[i] = rating.New
	}
	for r := range t.rounds {
		for _, g := range t.rounds[r].Games {
			if !g.IsOver() || !g.wasPlayed() {
				continue
			}
			before := make([]rating.Rating, len(g.Seats))
			for seat, p := range g.Seats {
				before[seat] = all[p]
			}
			for seat, after := range rating.Update(before, g.Places) {
				all[g.Seats[seat]] = after
			}
		}
	}
	values := make([]int, len(all))
	for i, r := range all {
		values[i] = int(math.Round(r.Value))
	}
	return values
}
