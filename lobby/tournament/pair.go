package tournament

import (
	"slices"

	"ayumu/lobby/account"
	"ayumu/lobby/tournament/pairing"
)

// divide returns the divisions of a round robin: the players by rating, in parts of equal size or one more, the highest first.
func (s *State) divide(players []int) [][]account.ID {
	order := s.byRating(players)
	n := max(min(s.Terms.Divisions, len(players)/2), 1) // a division of one has no games
	divisions := make([][]account.ID, n)
	from := 0
	for d := range divisions {
		size := len(order) / n
		if d < len(order)%n {
			size++
		}
		for _, i := range order[from : from+size] {
			divisions[d] = append(divisions[d], s.Players[i].User)
		}
		from += size
	}
	return divisions
}

// pairNext pairs the next round, or all rounds of a round robin without live games, and reports whether it has. It has not
// if too few players can play now.
func (x *step) pairNext() bool {
	round := len(x.Rounds) + 1
	if x.Terms.Format.hasSchedule() {
		last := round
		if x.Terms.IsAllAtOnce() {
			last = x.Planned
		}
		for ; round <= last && x.fault == nil; round++ {
			x.recordRound(round, x.roundRobin(round))
		}
		return true
	}
	able, others := x.candidates(round)
	if len(able) < 2 {
		return false
	}
	x.recordRound(round, append(x.pair(able, round), others...))
	return true
}

// pair returns the games of a round of the players who can be paired, at least two, and the bye of one without an opponent.
func (x *step) pair(able []int, round int) (games []PairedGame) {
	all := x.entrants(able, round)
	if x.Terms.Format == FormatTables {
		for t, seats := range pairing.Tables(all, x.Terms.TableMax, round == x.Planned) {
			g := PairedGame{Table: t + 1}
			for _, i := range seats {
				g.Seats = append(g.Seats, x.Players[able[i]].User)
			}
			games = append(games, g)
		}
		return games
	}
	paired := pairing.Swiss(all)
	for t, p := range paired.Pairs {
		games = append(games, PairedGame{Table: t + 1, Seats: []account.ID{x.Players[able[p.First]].User, x.Players[able[p.Second]].User}})
	}
	if paired.Bye >= 0 {
		games = append(games, PairedGame{Seats: []account.ID{x.Players[able[paired.Bye]].User}, Kind: GameBye, Points: Point})
	}
	return games
}

func (x *step) recordRound(round int, games []PairedGame) {
	x.record(Entry{Kind: EntryPaired, Round: round, Games: games, Deadline: x.now.Time.Add(x.Terms.Cap)})
}

// candidates returns the players who can be paired in a round, and the entries of those who are in and cannot.
func (x *step) candidates(round int) (able []int, others []PairedGame) {
	for i := range x.Players {
		p := &x.Players[i]
		switch {
		case !p.IsIn():
		case slices.Contains(p.Byes, round):
			others = append(others, PairedGame{Seats: []account.ID{p.User}, Kind: GameBye, Points: Point / 2})
		case p.Status == StatusIn && x.isPresent(p):
			able = append(able, i)
		default:
			others = append(others, PairedGame{Seats: []account.ID{p.User}, Kind: GameAbsent})
		}
	}
	return able, others
}

// isPresent reports whether a player can begin a game now. In games with days for a turn everyone can.
func (x *step) isPresent(p *Player) bool {
	if !x.Terms.Control.IsLive() || x.now.Presence == nil {
		return true
	}
	at := x.now.Presence(p.User)
	if at.IsElsewhere && x.Terms.Elsewhere == ElsewhereAbsent {
		return false
	}
	return at.AbsentSince.IsZero() || x.now.Time.Sub(at.AbsentSince) <= absenceLimit
}

// entrants returns what the rounds before one have brought to players.
func (s *State) entrants(players []int, round int) []pairing.Entrant {
	t := newTally(s, round-1)
	index := make(map[int]int, len(players))
	all := make([]pairing.Entrant, len(players))
	for i, p := range players {
		index[p] = i
		all[i] = pairing.Entrant{Points: t.points[p], Rating: s.Players[p].Rating, Lot: s.Players[p].Lot}
	}
	for r := range t.rounds {
		for _, g := range t.rounds[r].Games {
			for seat, p := range g.Seats {
				if i, ok := index[p]; ok {
					addGame(&all[i], g, seat, index)
				}
			}
		}
	}
	return all
}

// addGame adds a game to what an entrant has had. One to which a player did not come counts as a meeting, so that it is not
// repeated, and not for the order of turns.
func addGame(e *pairing.Entrant, g *Game, seat int, index map[int]int) {
	switch {
	case g.Kind == GameBye && g.Points[0] == Point:
		e.Byes++
	case g.Table > 0:
		for _, o := range g.Seats {
			if i, ok := index[o]; ok && o != g.Seats[seat] {
				e.Opponents = append(e.Opponents, i)
			}
		}
		if g.Kind != GameNoShow {
			e.LastEarly = Point - 2*Point*seat/(len(g.Seats)-1)
			e.Early += e.LastEarly
		}
	}
}

// roundRobin returns the games of a round of a round robin in all divisions. A player who is in wins at once against one who
// is not.
func (x *step) roundRobin(round int) (games []PairedGame) {
	var byes []PairedGame
	divisions := make(map[int][]int)
	last := 0
	for i := range x.Players {
		d := x.Players[i].Division
		divisions[d] = append(divisions[d], i)
		last = max(last, d)
	}
	for d := 1; d <= last; d++ {
		players := x.byRating(divisions[d])
		rounds := pairing.RoundRobin(len(players), x.Terms.Legs)
		if round > len(rounds) { // of a smaller division
			continue
		}
		for _, p := range rounds[round-1].Pairs {
			seats := [2]*Player{&x.Players[players[p.First]], &x.Players[players[p.Second]]}
			g := PairedGame{Table: len(games) + 1, Seats: []account.ID{seats[0].User, seats[1].User}}
			plays := func(seat int) bool { return seats[seat].Status == StatusIn }
			switch first, second := plays(0), plays(1); {
			case !first && !second:
				g.Kind = GameNoShow
			case !first || !second:
				g.Kind, g.Places = GameNoShow, winnersPlaces(2, plays)
			}
			games = append(games, g)
		}
		if bye := rounds[round-1].Bye; bye >= 0 && x.Players[players[bye]].IsIn() {
			byes = append(byes, PairedGame{Seats: []account.ID{x.Players[players[bye]].User}, Kind: GameBye})
		}
	}
	return append(games, byes...)
}

// byRating returns players from the highest to the lowest when they entered.
func (s *State) byRating(players []int) []int {
	all := make([]pairing.Entrant, len(players))
	for i, p := range players {
		all[i] = pairing.Entrant{Rating: s.Players[p].Rating, Lot: s.Players[p].Lot}
	}
	sorted := make([]int, len(players))
	for k, i := range pairing.Order(all) {
		sorted[k] = players[i]
	}
	return sorted
}
