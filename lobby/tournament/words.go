package tournament

import (
	"fmt"
	"strconv"
	"strings"

	"ayumu/lobby/account"
	"ayumu/lobby/text"
	"ayumu/lobby/tournament/pairing"
)

// Names returns the name of a user. It must not change anything.
type Names func(account.ID) string

// FormatPoints returns points in words: "2", "1½", "0.33".
func FormatPoints(points int) string {
	whole, rest := points/Point, points%Point
	switch {
	case rest == 0:
		return strconv.Itoa(whole)
	case rest == Point/2 && whole == 0:
		return "½"
	case rest == Point/2:
		return strconv.Itoa(whole) + "½"
	}
	return strconv.FormatFloat(float64(points)/Point, 'f', 2, 64)
}

// Ordinal returns a place in words: "1st", "22nd".
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// Title returns the name of a tie-break for players.
func (b TieBreak) Title() string {
	switch b {
	case TieBreakBuchholz:
		return "points of the opponents without the lowest (Buchholz)"
	case TieBreakSonnebornBerger:
		return "points of the beaten and drawn opponents (Sonneborn–Berger)"
	case TieBreakDirect:
		return "points from games against each other"
	case TieBreakWins:
		return "wins"
	case TieBreakWinsSecond:
		return "wins as the second to move"
	case TieBreakOpponents:
		return "mean points of the opponents"
	case TieBreakPerformance:
		return "performance"
	}
	return string(b)
}

// WhyPlace returns why a player has their place: what decides against the neighbours in the standings.
func (s *State) WhyPlace(player int, names Names) string {
	all := s.Standings()
	at := 0
	division := s.Players[player].Division
	in := all[:0:0]
	for _, x := range all {
		if s.Players[x.Player].Division == division {
			in = append(in, x)
		}
	}
	for in[at].Player != player {
		at++
	}
	name := func(x *Standing) string { return names(s.Players[x.Player].User) }
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s of %d with %s.", name(&in[at]), Ordinal(in[at].Place), len(in), PointsText(in[at].Points))
	if at > 0 {
		fmt.Fprintf(&b, " %s is above: %s.", name(&in[at-1]), s.difference(&in[at-1], &in[at]))
	}
	if at+1 < len(in) {
		fmt.Fprintf(&b, " %s is below: %s.", name(&in[at+1]), s.difference(&in[at+1], &in[at]))
	}
	return b.String()
}

// PointsText returns points with the word: "½ point", "1 point", "1½ points".
func PointsText(points int) string {
	if points == Point || points == Point/2 {
		return FormatPoints(points) + " point"
	}
	return FormatPoints(points) + " points"
}

// difference returns what decides between two players, first the number of one, then that of other.
func (s *State) difference(one, other *Standing) string {
	if one.Annulled != other.Annulled {
		return "the games of a player who withdraws before half of them were played do not count"
	}
	if one.Points != other.Points {
		return PointsText(one.Points)
	}
	for i, b := range s.Terms.TieBreaks() {
		x, y := one.TieBreaks[i], other.TieBreaks[i]
		if x == y {
			continue
		}
		show := strconv.Itoa
		if b.IsPoints() {
			show = FormatPoints
		}
		return fmt.Sprintf("the same points, and %s %s against %s", b.Title(), show(x), show(y))
	}
	return "all numbers are equal, and the lot decides"
}

// WhyPaired returns why a player of a swiss tournament has their opponent of a round, or none.
func (s *State) WhyPaired(round, player int, names Names) string {
	if round < 1 || round > len(s.Rounds) {
		return "the round has not been paired"
	}
	name := func(p int) string { return names(s.Players[p].User) }
	if s.Terms.Format != FormatSwiss {
		return s.whyNotSwiss(round)
	}
	able, r, table := s.pairedRound(round, player)
	switch {
	case table == notPaired:
		return fmt.Sprintf("%s was not paired in round %d.", name(player), round)
	case table == withBye:
		return fmt.Sprintf("The number of players was odd, and %s was the lowest of those with the fewest byes.", name(player))
	}
	all := s.entrants(able, round)
	higher, passed := pairing.PassedOver(all, r, table)
	pair := r.Pairs[table]
	lower := pair.First + pair.Second - higher
	place := make([]int, len(all))
	for n, i := range pairing.Order(all) {
		place[i] = n + 1
	}
	describe := func(i int) string {
		return fmt.Sprintf("%s (%s with %s)", name(able[i]), Ordinal(place[i]), PointsText(all[i].Points))
	}
	var b strings.Builder
	if round == 1 {
		fmt.Fprintf(&b, "In the first round the upper half plays the lower half, each in the order of ratings: %s plays %s.", describe(higher), describe(lower))
		return b.String()
	}
	fmt.Fprintf(&b, "By points, then rating, then lot %s was the highest without an opponent and plays %s.", describe(higher), describe(lower))
	for _, reason := range []pairing.Reason{pairing.HaveMet, pairing.IsTaken, pairing.HasBye, pairing.IsUneven, pairing.RestFails} {
		var who []string
		for _, p := range passed {
			if p.Reason == reason {
				who = append(who, name(able[p.Entrant]))
			}
		}
		if len(who) > 0 {
			fmt.Fprintf(&b, " Not %s: %s.", someOf(who), reasonInWords(reason))
		}
	}
	return b.String()
}

// whyNotSwiss returns how the rounds of other formats are paired.
func (s *State) whyNotSwiss(round int) string {
	switch {
	case s.Terms.Format == FormatRoundRobin:
		return "In a round robin everyone plays everyone, in the order of Berger's tables."
	case round == 1:
		return "In the first round the players are dealt to the tables by rating, so that all tables are about equal."
	case round == s.Planned:
		return "In the last round the first players of the standings are at the first table, and the others near their place, with as few repeated pairs as possible."
	}
	return "The players are at tables by their points, with as few repeated pairs as possible."
}

// someOf returns a list of names, of which long ones are cut.
func someOf(names []string) string {
	const limit = 5
	if len(names) > limit {
		names = append(names[:limit:limit], fmt.Sprintf("%d others", len(names)-limit))
	}
	return text.List(names)
}

func reasonInWords(r pairing.Reason) string {
	switch r {
	case pairing.HaveMet:
		return "they have met before"
	case pairing.IsTaken:
		return "a higher player's opponent"
	case pairing.HasBye:
		return "has the bye"
	case pairing.IsUneven:
		return "one of them would have moved first too often"
	}
	return "the players below could not have been paired as well"
}

const (
	notPaired = -1
	withBye   = -2
)

// pairedRound returns the players who were paired in a round of two, the round by their indices, and the table of a player by
// index, notPaired or withBye.
func (s *State) pairedRound(round, player int) (able []int, r pairing.Round, table int) {
	r.Bye, table = -1, notPaired
	for _, g := range s.Rounds[round-1].Games {
		first := len(able)
		switch {
		case g.Table > 0:
			if g.seatOf(player) >= 0 {
				table = len(r.Pairs)
			}
			able = append(able, g.Seats...)
			r.Pairs = append(r.Pairs, pairing.Pair{First: first, Second: first + 1})
		case g.Kind == GameBye && g.Points[0] == Point:
			if g.Seats[0] == player {
				table = withBye
			}
			able = append(able, g.Seats[0])
			r.Bye = first
		}
	}
	return able, r, table
}
