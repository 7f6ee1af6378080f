package tournaments

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/tournament"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// runningGames returns the number of running games of a player.
func (s *sheet) runningGames(player int) (n int) {
	for r := range s.Rounds {
		if g, _ := s.gameOf(player, r+1); g != nil && !g.IsOver() {
			n++
		}
	}
	return n
}

// whyText explains the place of a player, and the opponent of the latest round.
func (s *sheet) whyText(player int) string {
	text := s.WhyPlace(player, s.Names)
	if s.possible != nil && !s.IsOver() {
		if r := s.possible[player]; r.Best != r.Worst {
			text += fmt.Sprintf("\n\nBy the points that are left, %s can become %s to %s.", s.name(player), tournament.Ordinal(r.Best), tournament.Ordinal(r.Worst))
		}
	}
	if n := len(s.Rounds); n > 0 {
		text += "\n\nRound " + strconv.Itoa(n) + ": " + s.WhyPaired(n, player, s.Names)
	}
	return text + "\n\n" + s.tieBreakText()
}

// tieBreakText lists what decides between equal points.
func (s *sheet) tieBreakText() string {
	var all []string
	for _, b := range s.Terms.TieBreaks() {
		all = append(all, b.Title())
	}
	return "Between equal points decide, in this order: " + strings.Join(all, "; ") + "; and at last the lot."
}

// rules returns the terms in paragraphs.
func (s *sheet) rules() []string {
	t := &s.Terms
	add := func(all []string, text string, is bool) []string {
		if is {
			all = append(all, text)
		}
		return all
	}
	all := []string{"Games: " + s.games() + ".", "Organized by " + s.Names(s.Organizer) + ". Id: " + s.ID + "."}
	for _, o := range s.view.Removed {
		all = append(all, op.RemovedSentence(o))
	}
	all = append(all, "")
	switch t.Format {
	case tournament.FormatRoundRobin:
		text := "Round robin: everyone plays everyone"
		if t.Legs > 1 {
			text += " twice, once with each side"
		}
		if t.Divisions > 1 {
			text += fmt.Sprintf(" of their division. There are %d divisions by rating", t.Divisions)
		}
		if t.IsAllAtOnce() {
			text += ". All games begin at the start"
		}
		all = append(all, text+".")
	case tournament.FormatTables:
		all = append(all, fmt.Sprintf("In each round all sit at tables of three to %d. At a table of k the place brings (k − place)/(k − 1) points, and the win one more. Nobody sits out.", t.TableMax))
	default:
		all = append(all, "Swiss: each round you play someone with about as many points as you, whom you have not met.")
	}
	all = append(all, "Rounds: "+lengthOf(s.State)+", with "+words.Seconds(t.Pause)+" of pause between them. A round takes at most "+words.Plural(int(t.Cap/time.Hour), "hour")+"; games that still run then are drawn.")
	if t.Control.IsLive() {
		all = append(all, "Be here when a round begins. Whoever does not make their first turn within "+words.Clock(t.FirstTurn)+" loses the game unrated and is paused.")
	}
	players := fmt.Sprintf("Players: at least %d, at most %d.", t.Min, t.Max)
	if t.MinRating > 0 {
		players += fmt.Sprintf(" Ratings from %d.", t.MinRating)
	}
	if t.MaxRating > 0 {
		players += fmt.Sprintf(" Ratings up to %d.", t.MaxRating)
	}
	if t.MinGames > 0 {
		players += " At least " + words.Plural(t.MinGames, "rated game") + "."
	}
	if t.Members {
		players += " Members of the club only."
	}
	if t.Bots {
		players += " Bots may enter."
	}
	all = append(all, players)
	switch {
	case t.Format == tournament.FormatRoundRobin:
		all = append(all, "Nobody can enter after the start.")
	case t.Late == 0:
		all = append(all, "Nobody can enter after the start.")
	case t.Late > 0:
		all = append(all, fmt.Sprintf("Late entry until round %d, with half a point for each missed round, at most for two.", t.Late))
	default:
		all = append(all, "Late entry until half of the rounds, with half a point for each missed round, at most for two.")
	}
	all = add(all, "Whoever is in another live game when a round is paired does not play in it.", t.Elsewhere == tournament.ElsewhereAbsent && t.Control.IsLive())
	all = add(all, "Vacations stop the clocks, but not beyond the end of a round.", t.Vacation && !t.Control.IsLive())
	all = add(all, "Vacations do not stop the clocks.", !t.Vacation && !t.Control.IsLive())
	all = add(all, "Spectators see the games "+words.Plural(t.Delay, "turn")+" late.", t.Delay > 0)
	return append(all, "", s.tieBreakText(), "Games of a tournament cannot be aborted or taken back, and give no hints. Blocks do not change who plays whom.")
}
