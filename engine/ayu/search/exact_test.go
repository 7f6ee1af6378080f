package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/search"
)

// movesLeft returns the number of own moves within which the side to move wins.
func movesLeft(t *testing.T, b ayu.Board) int {
	t.Helper()
	var exact solve.Solver
	n, wins := exact.ShortestWin(b, 20)
	if !wins {
		t.Fatalf("the side to move does not win: %s", b)
	}
	return n
}

// TestLongestDefence checks that in lost positions the opponent needs as many moves as possible.
func TestLongestDefence(t *testing.T) {
	lost, differ := 0, 0
	for seed := uint64(0); lost < 5; seed++ {
		rng := rand.New(rand.NewPCG(seed, 2))
		b := ayu.NewBoard(7)
		for b.Span(ayu.Black)+b.Span(ayu.White) > 9 {
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			b = b.After(m)
		}
		var exact solve.Solver
		if b.IsImmobile() {
			continue
		}
		if wins, _ := exact.WinsAfter(b, 5); !wins {
			continue
		}
		lost++
		longest := make(map[ayu.Move]int)
		for _, m := range b.Moves(nil) {
			longest[m] = movesLeft(t, b.After(m))
		}
		most, least := 0, 20
		for _, n := range longest {
			most, least = max(most, n), min(least, n)
		}
		if most > least {
			differ++
		}
		var pl searcher
		a, err := pl.Search(context.Background(), ayu.FromBoard(b), search.Options{Level: search.MaxLevel, Playouts: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		m, err := ayu.ParseMove(a.Choices[0].Actions[0])
		if err != nil {
			t.Fatal(err)
		}
		if longest[m] < most || a.Choices[0].Chance != 0 {
			t.Errorf("%s: %s loses in %d moves with a chance of %v; others in up to %d", b, m, longest[m], a.Choices[0].Chance, most)
		}
	}
	if differ == 0 {
		t.Error("all moves of all positions lose as soon")
	}
}

// TestChancesDescend checks that no choice has a higher chance than those before it, also where the opponent's first
// move may be swapped.
func TestChancesDescend(t *testing.T) {
	for _, actions := range [][]string{{}, {"b1-b2"}, {"b1-b2", "a2-a3"}} {
		var p engine.Position = start(t, `{"size":7}`)
		for _, action := range actions {
			p = after(t, p, action)
		}
		for _, playouts := range []int{30, 300} {
			a, err := new(searcher).Search(t.Context(), p, search.Options{Level: search.MaxLevel, Playouts: playouts})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(a.Choices, func(x, y search.Choice) int { return cmp.Compare(y.Chance, x.Chance) }) {
				t.Errorf("after %v the choices are %+v", actions, a.Choices)
			}
		}
	}
}
