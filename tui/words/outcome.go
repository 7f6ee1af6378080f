package words

import (
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// endingTexts describes the reasons for which a match ended, where the list names them.
var endingTexts = map[string]string{
	engine.ReasonResign: " by resignation", engine.ReasonTime: " on time", engine.ReasonLeft: ", the opponent left",
	engine.ReasonRepetition: " by repetition", engine.ReasonDraw: " by agreement",
}

// DescribeOutcome describes the outcome of a finished match for a list: "ana won on time", "ana won, 2nd bob,
// 3rd eve".
func DescribeOutcome(f *lobby.FinishedMatch) string { return describeOutcome(f, -1) }

// DescribeOutcomeTo describes the outcome of a finished match to an account that played it: "you lost on time", "ana won, 2nd
// you, 3rd eve".
func DescribeOutcomeTo(f *lobby.FinishedMatch, me account.ID) string {
	seat, _ := f.Info.SeatOf(me)
	return describeOutcome(f, seat)
}

// describeOutcome describes the outcome of a finished match to a seat (-1: to anyone).
func describeOutcome(f *lobby.FinishedMatch, reader int) string {
	left := ""
	if text := departed(f.Info, f.Departures, reader); text != "" {
		left = " (" + text + ")"
	}
	switch winners := f.Result.Winners; len(winners) {
	case 0:
		return "aborted"
	case 1:
		text := nameTo(f.Info, winners[0], reader) + " won"
		isLost := len(f.Info.Seats) == 2 && reader == 1-winners[0]
		switch {
		case isLost && f.Result.Reason == engine.ReasonLeft:
			return "you lost, you left" + left
		case isLost:
			text = "you lost"
		case f.Result.Reason == engine.ReasonLeft && len(f.Info.Seats) > 2:
			return text + ", everyone else left" + left
		}
		return text + endingTexts[f.Result.Reason] + otherPlaces(f, reader) + left
	}
	return "draw" + endingTexts[f.Result.Reason] + otherPlaces(f, reader) + left
}

// nameTo returns the name of a seat for a reader: "you" for the reader's own.
func nameTo(info *match.Info, seat, reader int) string {
	if seat == reader {
		return "you"
	}
	return info.Seats[seat].Name
}

// otherPlaces lists the places of a finished match of three or more players: of a draw all, otherwise those after
// the first.
func otherPlaces(f *lobby.FinishedMatch, reader int) string {
	first := 0
	if len(f.Result.Winners) == 1 {
		first = 1
	}
	text := ""
	for _, p := range seatPlaces(f.Info, &f.Result) {
		if p.place >= first {
			text += ", " + Ordinal(p.place+1) + " " + nameTo(f.Info, p.seat, reader)
		}
	}
	return text
}

// Ordinal returns a place from 1 on: "1st", "2nd".
func Ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
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

type seatPlace struct{ place, seat int } // place 0 is the best

// seatPlaces returns the places of a match of three or more players, the best first; nil if it has none.
func seatPlaces(info *match.Info, r *engine.Result) (places []seatPlace) {
	if len(info.Seats) < 3 || len(r.Places) != len(info.Seats) {
		return nil
	}
	for place := range info.Seats {
		for seat, n := range r.Places {
			if n == place {
				places = append(places, seatPlace{place, seat})
			}
		}
	}
	return places
}

// Place returns the place of a seat in a finished match of three or more players, with its score if the match was
// counted and the seat is not out: "2nd · 14"; "" if it has none.
func Place(s *match.Snapshot, seat int) string {
	if s.Result == nil || len(seatPlaces(s.Info, s.Result)) == 0 {
		return ""
	}
	text := Ordinal(s.Result.Places[seat] + 1)
	e, ok := s.Position.(engine.Eliminator)
	out := s.Position.HasLeft(seat) || ok && e.Eliminated(seat)
	if isCounted(s.Result) && !out {
		text += " · " + strconv.Itoa(s.Result.Scores[seat])
	}
	return text
}

// isCounted reports whether the scores decided a match.
func isCounted(r *engine.Result) bool { return len(r.Scores) > 0 && r.Reason != engine.ReasonLeft }

// Places lists the places of all seats of a finished match of three or more players as a sentence: "Places: 1st ana
// (25), 2nd bob (6), 2nd eve (6), 4th dan (resigned)."; "" if it has none, or if all but the winner have left.
func Places(s *match.Snapshot) string {
	if s.Result == nil || s.Result.Reason == engine.ReasonLeft {
		return ""
	}
	left := match.Departures(len(s.Info.Seats), s.Log)
	var all []string
	for _, p := range seatPlaces(s.Info, s.Result) {
		text := Ordinal(p.place+1) + " " + s.Info.Seats[p.seat].Name
		switch {
		case p.seat < len(left) && left[p.seat] != "":
			text += " (" + departures[left[p.seat]] + ")"
		case isCounted(s.Result):
			text += fmt.Sprintf(" (%d)", s.Result.Scores[p.seat])
		}
		all = append(all, text)
	}
	if all == nil {
		return ""
	}
	return "Places: " + strings.Join(all, ", ") + "."
}

// ResultAndPlaces is Result with Places, for where the places are not shown beside the names.
func ResultAndPlaces(s *match.Snapshot, game game.Game, seat int) string {
	return strings.TrimSpace(Result(s, game, seat) + " " + Places(s))
}

// Ending describes as a clause why a game would end in a position, with the scores by side.
func Ending(g game.Game, p engine.Position, r engine.Result) string {
	text := g.DescribeEnding(p, r)
	for seat, n := range r.Scores {
		separator := ", "
		if seat == 0 {
			separator = "; "
		}
		text += fmt.Sprintf("%s%s %d", separator, g.Side(p, seat), n)
	}
	return text
}

// scoreOfTwo returns the scores of a match of two players, those of seat first: " 25 to 6"; "" if it has none.
func scoreOfTwo(r *engine.Result, seat int) string {
	if len(r.Scores) != 2 {
		return ""
	}
	return fmt.Sprintf(" %d to %d", r.Scores[seat], r.Scores[1-seat])
}
