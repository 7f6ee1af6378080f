package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWeightOfRepeatedGames(t *testing.T) {
	sum := 0.0
	for earlier, want := range []float64{1, 1, 1, .5, .25, .125, 0, 0} {
		if got := Weight(earlier); got != want {
			t.Errorf("after %d games: %v, want %v", earlier, got, want)
		}
		sum += Weight(earlier)
	}
	if Weight(100) != 0 || sum >= 4 {
		t.Errorf("a day's games count %v", sum)
	}
}

// TestLessWeightMovesLess: a game of weight 0 changes neither value nor deviation, and a smaller weight
// changes a value less, for any number of seats.
func TestLessWeightMovesLess(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	for range 1000 {
		before, places := field(rnd, 2+rnd.IntN(5))
		for i, r := range UpdateWeighted(before, places, 0) {
			near(t, "value of weight 0", r.Value, before[i].Value, 1e-9)
			near(t, "deviation of weight 0", r.Deviation, before[i].Deviation, 1e-9)
		}
		full, half, minimum := Update(before, places), UpdateWeighted(before, places, .5), UpdateWeighted(before, places, .125)
		for i := range before {
			move := func(after []Rating) float64 { return math.Abs(after[i].Value - before[i].Value) }
			if move(half) > move(full)+1e-9 || move(minimum) > move(half)+1e-9 {
				t.Fatalf("%+v moves by %v, %v and %v", before[i], move(full), move(half), move(minimum))
			}
		}
	}
}
