package archive

import (
	"testing"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

func TestOutcomes(t *testing.T) {
	two := &match.Info{Seats: []match.Seat{{Account: 1, Name: "ana"}, {Account: 2, Name: "bob"}}}
	three := &match.Info{Seats: append(two.Seats[:2:2], match.Seat{Account: 3, Name: "eve"})}
	for _, c := range []struct {
		info    *match.Info
		winners []int
		reason  string
		who     account.ID
		want    string
		why     string
		good    bool
	}{
		{two, []int{0}, engine.ReasonResign, 1, "won", "resignation", true},
		{two, []int{0}, engine.ReasonTime, 2, "lost", "time", false},
		{two, []int{1}, engine.ReasonImmobile, 0, "0–1", "", false},
		{two, []int{0, 1}, engine.ReasonDraw, 0, "draw", "agreement", false},
		{two, []int{0, 1}, engine.ReasonRepetition, 2, "draw", "repetition", false},
		{two, []int{}, engine.ReasonAbort, 2, "aborted", "", false},
		{three, []int{2}, engine.ReasonScore, 0, "eve won", "", false},
		{three, []int{0, 2}, engine.ReasonScore, 2, "3rd", "", false},
		{three, []int{0}, engine.ReasonScore, 2, "2nd", "", false},
	} {
		f := Match{lobby.FinishedMatch{Info: c.info, Result: engine.Result{Winners: c.winners, Reason: c.reason}}, c.who}
		if len(c.info.Seats) == 3 {
			f.Result.Places = []int{len(c.winners), len(c.winners), len(c.winners)}
			for _, w := range c.winners {
				f.Result.Places[w] = 0
			}
		}
		if text, why, good := outcome(f); text != c.want || why != c.why || good != c.good {
			t.Errorf("%v by %s for %d: %q, %q, %v", c.winners, c.reason, c.who, text, why, good)
		}
	}
}
