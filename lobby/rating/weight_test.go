package rating

import (
	"math"
	"math/rand/v2"
	"slices"
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

func TestSeatWeights(t *testing.T) {
	old, newcomer, builtIn := Seat{}, Seat{Newcomer: true}, Seat{BuiltIn: true}
	for _, test := range []struct {
		seats []Seat
		want  []float64
	}{
		{[]Seat{old, old}, []float64{1, 1}},
		{[]Seat{newcomer, newcomer}, []float64{1, 1}},
		{[]Seat{old, newcomer}, []float64{.25, 1}},
		{[]Seat{old, builtIn}, []float64{1, .25}},
		{[]Seat{newcomer, builtIn}, []float64{1, .25}},
		{[]Seat{old, old, newcomer, builtIn}, []float64{.75, .75, 1, .25}},
		{[]Seat{newcomer, old, newcomer, newcomer}, []float64{1, .25, 1, 1}},
	} {
		if got := SeatWeights(1, test.seats); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.seats, got, test.want)
		}
		for i, w := range SeatWeights(.5, test.seats) {
			near(t, "the weight of half a game", w, test.want[i]/2, 1e-12)
		}
	}
}

// TestWeightOfASeatIsItsOwn: the weight for one seat of a game changes the rating of no other seat of two, and in a
// match of any number of seats one of weight 0 stays as it was.
func TestWeightOfASeatIsItsOwn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	for range 1000 {
		before, places := field(rnd, 2+rnd.IntN(5))
		weights := ones(len(before))
		weights[0] = 0
		after := UpdateEach(before, places, weights)
		near(t, "value of weight 0", after[0].Value, before[0].Value, 1e-9)
		near(t, "deviation of weight 0", after[0].Deviation, before[0].Deviation, 1e-9)
		if full := Update(before, places); len(before) == 2 && after[1] != full[1] {
			t.Fatalf("%+v, want %+v", after[1], full[1])
		}
	}
}
