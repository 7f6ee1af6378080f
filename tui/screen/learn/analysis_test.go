package learn_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/search"
	"ayumu/lobby/clock"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// chances are those of the first seat after each of the first turns of screentest.Opening: the third turn is a blunder.
var chances = []float64{0.5, 0.52, 0.6, 0.3, 0.35, 0.25, 0.2}

// opinion searches for all of its time, prefers d1-c1 to the third turn, and thinks that d1-e1 is nearly as good.
func opinion(t *testing.T, chances []float64) func(context.Context, engine.Position, search.Options) (search.Advice, error) {
	known := make(map[string]float64)
	var p, third engine.Position = ayu.Game{}.New(ayu.Options{Size: 11}), nil
	for n, chance := range chances {
		if known[p.String()] = chance; n == 2 {
			third = p
		}
		var err error
		if p, err = p.Play(screentest.Opening[n]); err != nil {
			t.Fatal(err)
		}
	}
	good, err := third.Play("d1-e1")
	if err != nil {
		t.Fatal(err)
	}
	known[good.String()] = 0.55
	return func(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
		select {
		case <-time.After(o.Time):
		case <-ctx.Done():
			return search.Advice{}, ctx.Err()
		}
		first, ok := known[p.String()]
		if !ok {
			first = 0.31
		}
		both, best := []float64{first, 1 - first}, p.Legal()[0]
		if p.String() == third.String() {
			best = "d1-c1"
		}
		return search.Advice{Choices: []search.Choice{{Actions: []string{best}, Chance: both[p.Turn()]}}, Chances: both}, nil
	}
}

// withAnalysis opens the analysis of a finished match of ana and bob for a user.
func withAnalysis(t *testing.T, size screentest.Setting, f func(h *screentest.Harness, d *screentest.Session)) {
	t.Helper()
	withChances(t, size, chances, f)
}

// withChances is withAnalysis with other chances.
func withChances(t *testing.T, size screentest.Setting, chances []float64, f func(h *screentest.Harness, d *screentest.Session)) {
	t.Helper()
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(opinion(t, chances))
		defer builtin.Close()
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account(size.Name)
		size.Bots = builtin
		d := h.Visit(size)
		defer d.Close()
		d.Start(d.Open(dest.Analysis{ID: m.Info.ID}))
		d.Drain()
		f(h, d)
	})
}

// TestExercise shows the progress, then the turns with the chart, and asks a player for a better turn than the own
// costly one. The engine judges the answers.
func TestExercise(t *testing.T) {
	for _, size := range screentest.Sizes {
		size.Name = "ana"
		size.Profile.ASCII = size.Width == 120
		withAnalysis(t, size, func(h *screentest.Harness, d *screentest.Session) {
			d.WantText("Waiting for the engine")
			d.Advance(600 * time.Millisecond)
			d.WantText("Analyzing: 28%.")
			early := [2]int{}
			if size.Width > 40 {
				early = chartOf(d)
			}
			d.Advance(20 * time.Second)
			d.WantText("Start of the game")
			if size.Width > 40 {
				d.WantText("(estimated)", "(-30%)", "50%")
				if place := chartOf(d); place != early {
					t.Errorf("at %d columns the chart moves when the analysis is complete: from %d to %d", size.Width, early, place)
				}
			}
			d.WantNoText("Analyzing")
			d.Press("] ] ]")
			if size.Width > 40 {
				d.WantText("Turn 3 of 6", "Blunder", "3 you d1-d2 ?? -30%", "2 bob ")
				chart := chartOf(d)
				d.Press("] ]")
				if chartOf(d) != chart {
					t.Errorf("at %d columns the chart moves from turn to turn", size.Width)
				}
				d.Press("[ [")
			} else {
				d.WantText("3/6 d1-d2 ?? -30%", "○")
			}
			d.WantNoText("d1-c1") // it is still to be found
			if size.Width > 40 {
				d.WantText("Enter: find a better move.")
				d.Press("[")
				d.WantNoText("find a better")
				d.Press("]")
			}
			d.Golden("analysis-turn" + size.Suffix())
			d.Press("enter")
			if d.WantText("Find a better move"); size.Width > 40 {
				d.WantText("Turn 3 cost about 30%", "Make your move")
			}
			d.TypeText("f3f4")
			d.Press("enter")
			d.Advance(2 * time.Second)
			d.WantText("Not better")
			d.TypeText("d1d2")
			d.Press("enter")
			d.Advance(2 * time.Second)
			d.WantText("That is the move")
			d.TypeText("d1e1")
			d.Press("enter")
			d.Advance(2 * time.Second)
			if d.WantText("d1-c1"); size.Width > 40 {
				d.WantText("Better: d1-e1", "would play")
			}
			d.Golden("analysis-solved" + size.Suffix())
			d.Press("enter")
			if size.Width > 40 {
				d.WantText("Turn 3 of 6", "d1-c1")
			}
			d.Press("h")
			if size.Width > 60 {
				d.WantText("played move")
			}
			d.Press("home")
			d.WantText("Start of the game")
			if d.Press("down"); size.Width > 40 {
				d.WantText("Turn 3 of 6")
				d.Press("tab")
				d.WantText("bob's chance")
			}
			d.Press(":continue")
			d.WantText("from a position")
		})
	}
}

// TestEnterAsksAboutTheTurnThatIsShown opens the exercise about a mistake that is not the costliest, and that one elsewhere.
func TestEnterAsksAboutTheTurnThatIsShown(t *testing.T) {
	withChances(t, screentest.Setting{Name: "ana"}, []float64{0.5, 0.5, 0.6, 0.3, 0.5, 0.35, 0.35}, func(_ *screentest.Harness, d *screentest.Session) {
		d.Advance(20 * time.Second)
		d.WantText("3 (-30%), 5")
		d.Press("right right right right right")
		d.WantText("Turn 5 of 6", "Enter: find a better move.")
		d.Press("enter")
		d.WantText("Turn 5 cost about 15%")
		d.Press("q home enter")
		d.WantText("Turn 3 cost about 30%")
	})
}

// TestSolution shows the engine's turn to a user who gives up, and all turns to spectators.
func TestSolution(t *testing.T) {
	withAnalysis(t, screentest.Setting{Name: "zoe"}, func(h *screentest.Harness, d *screentest.Session) {
		d.Advance(20 * time.Second)
		d.WantText("Costliest moves (estimated):", "3 (-30%)")
		d.Press("enter")
		d.WantText("ana played d1-d2")
		d.Press("H")
		d.WantText("The engine would play d1-c1", "all moves")
		d.Press("q")
		d.WantText("Turn 3 of 6")
		d.Press("q")
		d.WantText("online")
	})
}

// TestLeavingEndsTheComputation: nothing is computed for a user who has left.
func TestLeavingEndsTheComputation(t *testing.T) {
	withAnalysis(t, screentest.Setting{Name: "ana"}, func(h *screentest.Harness, d *screentest.Session) {
		d.Press("q")
		d.Advance(time.Minute)
		d.Start(d.Open(dest.Archive{}))
		d.Drain()
		d.Press(":analysis")
		d.WantText("Waiting for the engine") // it begins again
	})
}

// TestAnalysisOfAMatchThatHasJustEnded is opened from the screen of the match.
func TestAnalysisOfAMatchThatHasJustEnded(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(opinion(t, chances))
		defer builtin.Close()
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		d.Start(d.Open(dest.Match{ID: m.Info.ID}))
		d.WantNoText("analysis")
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			t.Fatal(err)
		}
		d.Drain()
		d.WantText("analysis")
		d.Press("enter")
		d.Advance(20 * time.Second)
		d.WantText("Your costliest moves", "(estimated): 3")
		d.Press("q")
		d.WantText("winner")
	})
}

// chartOf returns the row of the screen where the chart begins, and its first column.
func chartOf(d *screentest.Session) [2]int {
	for y, row := range strings.Split(d.Text(), "\n") {
		if before, _, found := strings.Cut(row, "100%"); found {
			return [2]int{y, len([]rune(before))}
		}
	}
	return [2]int{}
}
