package bot

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// mostActions is far more than any of these games has; it only ends a test that found a fault.
const mostActions = 20_000

func TestWholeGamesOfMu(t *testing.T) {
	for _, o := range []mu.Options{
		{Players: 2, Segments: 1, Min: 2},
		{Players: 2, Segments: 7, Min: 2},
		{Players: 3, Segments: 3, Min: 3},
		{Players: 6, Segments: 2, Min: 6},
	} {
		for level := MinLevel; level <= MaxLevel; level += 2 {
			var p engine.Position = mu.New(o)
			for n := 0; ; n++ {
				action, ok := Choose(p, level)
				if !ok {
					break
				}
				if n > mostActions {
					t.Fatalf("%s, level %d: the game does not end", o, level)
				}
				p = play(p, action)
			}
			if _, over := p.Result(); !over {
				t.Errorf("%s, level %d: no action is chosen in %s", o, level, p)
			}
		}
	}
}

// The highest level wins nearly every game against somebody who plays at random, on boards that
// were laid at random.
func TestMuBeatsChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wins := 0
	const games = 10
	for g := range games {
		seat := g % 2
		var p engine.Position = mu.New(mu.Options{Players: 2, Segments: 3, Min: 2})
		for range mostActions {
			list := p.Legal()
			if len(list) == 0 {
				break
			}
			action := list[rng.IntN(len(list))]
			if p.Turn() == seat && p.(*mu.Position).Phase() == mu.Play {
				action, _ = Choose(p, MaxLevel)
			}
			p = play(p, action)
		}
		if r, over := p.Result(); over && slices.Equal(r.Winners, []int{seat}) {
			wins++
		}
	}
	if wins < games-1 {
		t.Errorf("level %d wins %d of %d games against chance", MaxLevel, wins, games)
	}
}
