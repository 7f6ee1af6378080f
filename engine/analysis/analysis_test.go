package analysis_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/engine/enginetest"
)

// TestLossOfATurn: the best turn loses nothing, whatever the second search says.
func TestLossOfATurn(t *testing.T) {
	before, after := analysis.Evaluation{Best: []string{"b1-b2"}, BestChance: 0.6}, analysis.Evaluation{Chances: []float64{0.25, 0.75}}
	for _, c := range []struct {
		turn analysis.Turn
		want float64
	}{
		{analysis.Turn{Seat: 0, Actions: []string{"d1-d2"}}, 0.35},
		{analysis.Turn{Seat: 0, Actions: []string{"b1-b2"}}, 0},
		{analysis.Turn{Seat: 1, Actions: []string{"a2-a3"}}, 0},
		{analysis.Turn{Seat: 0}, 0},
	} {
		if got := c.turn.Loss(before, after); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v loses %g, want %g", c.turn, got, c.want)
		}
	}
}

// losing returns the turns of seats and evaluations by which each loses the given share.
func losing(seats []int, losses []float64) (turns []analysis.Turn, all []analysis.Evaluation) {
	for i, loss := range losses {
		turns = append(turns, analysis.Turn{Seat: seats[i], Actions: []string{"played"}})
		e := analysis.Evaluation{Best: []string{"best"}, BestChance: 0.8, Chances: []float64{0.8, 0.8}}
		if i > 0 {
			e.Chances[seats[i-1]] = 0.8 - losses[i-1]
		}
		all = append(all, e)
		if i == len(losses)-1 {
			last := analysis.Evaluation{Chances: []float64{0.8, 0.8}}
			last.Chances[seats[i]] = 0.8 - loss
			all = append(all, last)
		}
	}
	return turns, all
}

// TestMistakes lists three turns, the costliest first, and none that lose less than MistakeLoss.
func TestMistakes(t *testing.T) {
	turns, all := losing([]int{0, 1, 0, 1, 0, 0, 1}, []float64{0.2, 0.09, 0.5, 0.3, 0.15, 0.4, 0.05})
	for seat, want := range map[int][]int{0: {2, 5, 0}, 1: {3}, -1: {2, 5, 3}} {
		var got []int
		for _, m := range analysis.Mistakes(turns, all, seat, analysis.Costliest) {
			got = append(got, m.Turn)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seat %d: turns %v, want %v", seat, got, want)
		}
	}
	if got := analysis.Mistakes(turns, all[:3], -1, 3); len(got) != 1 || got[0].Turn != 0 {
		t.Errorf("of two evaluated turns %v are mistakes", got)
	}
	if got := analysis.Mistakes(turns, nil, -1, 3); len(got) != 0 {
		t.Errorf("without evaluations %v are mistakes", got)
	}
}

// TestMistakesCostATenth: a turn is a mistake from a tenth of the chance of winning on, and a blunder from a quarter on.
func TestMistakesCostATenth(t *testing.T) {
	for _, c := range []struct {
		loss                 float64
		isMistake, isBlunder bool
	}{{0.09, false, false}, {0.11, true, false}, {0.24, true, false}, {0.26, true, true}} {
		turns, all := losing([]int{0}, []float64{c.loss})
		found := analysis.Mistakes(turns, all, 0, 1)
		if isMistake := len(found) > 0; isMistake != c.isMistake {
			t.Errorf("a turn that costs %g is a mistake: %t, want %t", c.loss, isMistake, c.isMistake)
		}
		if isBlunder := c.loss >= analysis.BlunderLoss; isBlunder != c.isBlunder {
			t.Errorf("a turn that costs %g is a blunder: %t, want %t", c.loss, isBlunder, c.isBlunder)
		}
	}
}

func TestBetterByAMargin(t *testing.T) {
	before, m := analysis.Evaluation{BestChance: 0.7}, analysis.Mistake{Loss: 0.4}
	for chance, want := range map[float64]bool{0.7: true, 0.9: true, 0.51: true, 0.49: false, 0.3: false} {
		if got := analysis.IsBetter(chance, before, m); got != want {
			t.Errorf("a chance of %g is better: %t", chance, got)
		}
	}
}

// TestRun evaluates each position once, with the winner's chance at the end, and stops at an error.
func TestRun(t *testing.T) {
	g, _ := enginetest.Games.ByName("ayu")
	o, err := g.ParseOptions([]byte(`{"size":5}`))
	if err != nil {
		t.Fatal(err)
	}
	start := g.New(o)
	var turns []analysis.Turn
	p := start
	for over := false; !over; _, over = p.Result() {
		actions := p.Legal()[len(p.Legal())-1:]
		turns = append(turns, analysis.Turn{Seat: p.Turn(), Actions: actions})
		if p, err = engine.PlayTurn(p, actions); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	evaluate := func(_ context.Context, p engine.Position) (analysis.Evaluation, error) {
		seen = append(seen, p.String())
		e, _ := analysis.EndEvaluation(p)
		return e, nil
	}
	var last analysis.Evaluation
	next := 0
	err = analysis.Run(t.Context(), start, turns, evaluate, func(n int, e analysis.Evaluation) error {
		if n != next {
			t.Errorf("position %d is evaluated after %d", n, next-1)
		}
		next, last = n+1, e
		return nil
	})
	result, _ := p.Result()
	if err != nil || next != len(turns)+1 || seen[0] != start.String() || seen[len(seen)-1] != p.String() || last.Chances[result.Winners[0]] != 1 {
		t.Errorf("%d of %d positions, %v, %v, %v", next, len(turns)+1, seen, last, err)
	}
	stop := errors.New("stop")
	if err := analysis.Run(t.Context(), start, turns, evaluate, func(n int, _ analysis.Evaluation) error {
		if n == 3 {
			return stop
		}
		return nil
	}); err != stop {
		t.Errorf("after an error of found it returns %v", err)
	}
}
