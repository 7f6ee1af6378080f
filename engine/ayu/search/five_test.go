package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/search"
)

// longestWin is the number of own moves within which whoever wins on 5×5 wins from the first position, and more.
const longestWin = 12

// TestFiveByFive plays games of level 5 against itself on 5×5, where the first player wins with four symmetric moves:
// from the first position, and from random openings that the side to move wins. It never loses them.
func TestFiveByFive(t *testing.T) {
	const playouts = 3000
	games := 200
	if testing.Short() {
		games = 10
	}
	var exact solve.Solver
	for g := range uint64(games) {
		rng := rand.New(rand.NewPCG(5, g))
		b := ayu.NewBoard(5)
		for opened := g%2 == 0; !opened; {
			b = opening(5, 1+rng.IntN(8), rng.Uint64())
			opened, _ = exact.Wins(b, longestWin)
			opened = opened && !b.IsImmobile()
		}
		from, first := b, b.Turn()
		var players [2]searcher
		for !b.IsImmobile() {
			o := search.Options{Level: search.MaxLevel, Playouts: playouts, Seed: rng.Uint64()}
			a, err := players[b.Turn()].Search(context.Background(), ayu.FromBoard(b), o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := ayu.ParseMove(a.Choices[0].Actions[0])
			if err != nil {
				t.Fatal(err)
			}
			b = b.After(m)
		}
		if b.Turn() != first {
			t.Errorf("game %d: the side to move loses %s", g, from)
		}
	}
}

// TestWinningFirstMoves proves which first moves win on 5×5.
func TestWinningFirstMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 4 s; left out with -short")
	}
	var exact solve.Solver
	b := ayu.NewBoard(5)
	for _, m := range b.Moves(nil) {
		if wins, _ := exact.WinsAfter(b.After(m), longestWin); wins != slices.Contains(winningFirst[:], m.String()) {
			t.Errorf("%s wins: %t", m, wins)
		}
	}
}
