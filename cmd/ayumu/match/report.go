package match

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"ayumu/lobby/record"
)

// maxFaultsShown limits the faults listed for each side.
const maxFaultsShown = 5

// Print writes the report.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	_, seats := r.c.Options.Seats()
	fmt.Fprintf(&b, "%s %s, %s\n", r.c.Game.Title(), r.c.Options, opponentsText(r.c.Sides))
	fmt.Fprintln(&b, r.score())
	if r.c.SPRT != nil {
		fmt.Fprintln(&b, r.c.SPRT.stateText(r.Tally))
	}
	if seats > 2 {
		fmt.Fprintf(&b, "expected score among %d equal players: %.1f %%\n", seats, 100/float64(seats))
	}
	for i, u := range r.Sides {
		fmt.Fprintln(&b, u.line(r.c.Sides[i].Name))
	}
	if r.Forced > 0 {
		fmt.Fprintf(&b, "%d games were scored after %d turns\n", r.Forced, r.c.MaxTurns)
	}
	for i, faults := range r.Faults {
		if len(faults) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s lost %d by a fault\n", r.c.Sides[i].Name, len(faults))
		for _, f := range faults[:min(len(faults), maxFaultsShown)] {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func opponentsText(sides []Side) string {
	var names []string
	for _, s := range sides {
		names = append(names, s.Name)
	}
	return strings.Join(names, " against ")
}

// score returns the score of the first side with its 95 % interval.
func (r *Report) score() string {
	t, n := r.Tally, r.Tally.Games()
	share, low, high := r.interval()
	games := "games"
	if n == 1 {
		games = "game"
	}
	text := fmt.Sprintf("%d %s: %d won, %d shared, %d lost; score %.1f %% (95 %%: %.1f to %.1f)",
		n, games, t.Wins, t.Draws, t.Losses, 100*share, 100*low, 100*high)
	if _, seats := r.c.Options.Seats(); seats == 2 {
		text += fmt.Sprintf("; Elo %s (%s to %s)", elo(share), elo(low), elo(high))
	}
	return text
}

// interval returns the score of the first side, 0.5 without games, with its 95 % interval.
func (r *Report) interval() (share, low, high float64) {
	n := r.Tally.Games()
	if share = 0.5; n > 0 {
		share = r.Share / float64(n)
	}
	low, high = Wilson(r.Share, n)
	return share, low, high
}

func elo(score float64) string {
	e := Elo(score)
	switch {
	case math.IsInf(e, 1):
		return "+∞"
	case math.IsInf(e, -1):
		return "-∞"
	}
	return fmt.Sprintf("%+.0f", math.Round(e)+0)
}

// stateText returns the state of the test.
func (s SPRT) stateText(t Tally) string {
	low, high := s.Bounds()
	text := fmt.Sprintf("SPRT of Elo %g against %g: LLR %.2f (%.2f to %.2f), ", s.Elo0, s.Elo1, s.LLR(t), low, high)
	switch s.Verdict(t) {
	case "elo0":
		return text + fmt.Sprintf("not stronger by %g", s.Elo1)
	case "elo1":
		return text + fmt.Sprintf("stronger by more than %g", s.Elo0)
	}
	return text + "undecided"
}

// line returns the usage of a side.
func (u Usage) line(name string) string {
	mean := time.Duration(0)
	if u.Turns > 0 {
		mean = u.Time / time.Duration(u.Turns)
	}
	text := fmt.Sprintf("%s: %d turns, %s each, the longest %s", name, u.Turns, durationText(mean), durationText(u.Longest))
	if u.Playouts > 0 {
		text += fmt.Sprintf(", %d playouts a turn, %.0f a second", u.Playouts/max(u.Turns, 1), float64(u.Playouts)/u.PlayoutTime.Seconds())
	}
	return text
}

func durationText(d time.Duration) string {
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// Line returns a description of one game: seats, winners and reason.
func (c *Config) Line(g *Game) string {
	var seats, won []string
	for _, side := range g.Seats {
		seats = append(seats, c.Sides[side].Name)
	}
	for _, w := range g.Winners {
		won = append(won, fmt.Sprint(w))
	}
	reason := g.Reason
	if g.Fault {
		reason = fmt.Sprintf("seat %d: %s", g.Loser, g.Reason)
	}
	return fmt.Sprintf("game %d, opening %d: %s; won by seat %s (%s), %d turns", g.Number, g.Opening+1, strings.Join(seats, " – "), strings.Join(won, " and "), reason, len(g.Turns))
}

// Record returns the record of a game. It has a result only if the rules ended the game.
func (c *Config) Record(g *Game, at time.Time) *record.Record {
	r := &record.Record{Game: c.Game.Name(), Options: c.Options, Started: at.UTC().Truncate(time.Second)}
	for _, side := range g.Seats {
		r.Seats = append(r.Seats, record.Seat{Name: strings.ReplaceAll(c.Sides[side].Name, `"`, "'"), Bot: true})
	}
	p := c.Game.New(c.Options)
	for _, turn := range g.Turns {
		r.Lines = append(r.Lines, record.Line{Seat: p.Turn(), Actions: turn})
		for _, a := range turn {
			next, err := p.Play(a)
			if err != nil {
				return r // invalid, as Check reports
			}
			p = next
		}
	}
	if g.Final != nil {
		final := *g.Final
		final.Places = nil
		r.Result, r.Ended = &final, r.Started
	}
	return r
}
