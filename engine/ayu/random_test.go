package ayu

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRandomIsLegal checks that RandomMove returns legal moves only, each of them at times, and false
// exactly if there is none.
func TestRandomIsLegal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{5, 9, 15} {
		for b := NewBoard(size); ; {
			legal := b.Moves(nil)
			taken := make(map[Move]bool)
			for range 20 {
				m, ok := b.RandomMove(rng.IntN)
				if ok != (len(legal) > 0) || ok && !slices.Contains(legal, m) {
					t.Fatalf("%v, %v in %s", m, ok, b)
				}
				taken[m] = true
			}
			if len(legal) == 0 {
				break
			}
			b = b.After(legal[rng.IntN(len(legal))])
		}
	}
	b := NewBoard(7).After(Move{At(1, 0), At(1, 1)}).After(Move{At(0, 1), At(0, 2)})
	taken := make(map[Move]bool)
	for range 5000 {
		m, _ := b.RandomMove(rng.IntN)
		taken[m] = true
	}
	if legal := b.Moves(nil); len(taken) != len(legal) {
		t.Errorf("%d of %d moves are ever taken in %s", len(taken), len(legal), b)
	}
}

// BenchmarkRandomGame11 plays whole random games on 11×11.
func BenchmarkRandomGame11(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		board := NewBoard(11)
		for m, ok := board.RandomMove(rng.IntN); ok; m, ok = board.RandomMove(rng.IntN) {
			board = board.After(m)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
