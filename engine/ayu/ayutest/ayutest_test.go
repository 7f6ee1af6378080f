package ayutest

import (
	"math/rand/v2"
	"testing"

	"ayumu/engine/ayu"
)

// TestAgreesWithTheRules compares what is counted here with the rules package, on boards of random games.
func TestAgreesWithTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		for b := ayu.NewBoard(5 + 2*rng.IntN(3)); ; {
			for _, c := range []ayu.Color{ayu.Black, ayu.White} {
				if got, want := Path(b, c), b.Span(c); got != want {
					t.Fatalf("%s: the way of %s is %d, the span %d", b, c.Name(), got, want)
				}
				if got, want := Units(b, c), b.CountUnits(c); got != want {
					t.Fatalf("%s: %s has %d units, not %d", b, c.Name(), got, want)
				}
			}
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			b = b.After(m)
		}
	}
}
