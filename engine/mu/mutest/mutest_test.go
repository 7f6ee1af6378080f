package mutest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// TestAgreesWithTheRules compares the territories with those of the rules package, in random games.
func TestAgreesWithTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	scored := 0
	for range 30 {
		var p engine.Position = mu.New(mu.Options{Players: 2 + rng.IntN(2), Segments: 2, Min: 2})
		for actions := 0; actions < 150; actions++ {
			if _, over := p.Result(); over {
				break
			}
			legal := p.Legal()
			next, err := p.Play(legal[rng.IntN(len(legal))])
			if err != nil {
				t.Fatal(err)
			}
			if p = next; p.(*mu.Position).Phase() >= mu.Play {
				got, want := Territory(p.(*mu.Position)), p.(*mu.Position).Territory()
				if !slices.Equal(got, want) {
					t.Fatalf("%s: the territories are %v, not %v", p, got, want)
				}
				if slices.Max(got) > 0 {
					scored++
				}
			}
		}
	}
	if scored < 500 {
		t.Errorf("%d positions with territory", scored)
	}
}
