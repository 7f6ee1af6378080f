package puzzlestats

import (
	"math"
	"testing"
)

func TestRankCorrelation(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 20, 40, 80}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 2, 3}, 1},
		{[]float64{1, 2, 3}, []float64{1, 3, 2}, 0.5},
		{[]float64{1, 2, 3}, []float64{5, 5, 5}, 0},
	} {
		if got := rankCorrelation(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, %v: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
