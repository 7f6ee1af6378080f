package tournament

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// TRF returns the tournament as a file in FIDE's format TRF16, for programs that check pairings or show standings. The first
// to move stands for White. Only games of two can be written.
func (s *State) TRF(names Names) ([]byte, error) {
	if s.Terms.Format.isAtTables() {
		return nil, errors.New("TRF16 has only games of two; use the JSON form")
	}
	var b strings.Builder
	date := func(at time.Time) string { return at.UTC().Format("2006/01/02") }
	fmt.Fprintf(&b, "012 %s\n", s.Terms.Name)
	fmt.Fprintf(&b, "042 %s\n052 %s\n062 %d\n", date(s.Created), date(s.LastAt), len(s.Players))
	kind := "Individual: Swiss-System"
	if s.Terms.Format == FormatRoundRobin {
		kind = "Individual: Round-Robin"
	}
	fmt.Fprintf(&b, "092 %s\n102 %s\n122 %s\nXXR %d\n", kind, names(s.Organizer), s.Terms.Control, s.Planned)
	standings := s.Standings()
	number := make([]int, len(s.Players)) // by player: the starting number
	for n, p := range s.byRating(allSeats(len(s.Players))) {
		number[p] = n + 1
	}
	slices.SortFunc(standings, func(a, b Standing) int { return number[a.Player] - number[b.Player] })
	for _, at := range standings {
		p := &s.Players[at.Player]
		fmt.Fprintf(&b, "001 %4d %1s%3s %-33s %4d %3s %11s %10s %4.1f %4d", number[at.Player], "", "", names(p.User), p.Rating, "", "", "", float64(at.Points)/Point, at.Place)
		for r := range s.Rounds {
			b.WriteString("  " + s.trfGame(&s.Rounds[r], at.Player, number))
		}
		b.WriteByte('\n')
	}
	return []byte(b.String()), nil
}

// trfGame returns the eight columns of a player in a round: opponent, colour and result.
func (s *State) trfGame(r *Round, player int, number []int) string {
	for _, g := range r.Games {
		seat := g.seatOf(player)
		switch {
		case seat < 0:
		case g.Table > 0:
			colour := "wb"[seat : seat+1]
			return fmt.Sprintf("%4d %s %s", number[g.Seats[1-seat]], colour, trfResult(g, seat))
		case g.Kind == GameBye && g.Points[0] == Point:
			return "0000 - U"
		case g.Kind == GameBye && g.Points[0] > 0:
			return "0000 - H"
		}
	}
	return "0000 - Z"
}

func trfResult(g *Game, seat int) string {
	switch {
	case !g.IsOver():
		return " "
	case g.Kind == GameNoShow && g.Points[seat] > 0:
		return "+"
	case g.Kind == GameNoShow:
		return "-"
	case g.Points[seat] == Point:
		return "1"
	case g.Points[seat] > 0:
		return "="
	}
	return "0"
}
