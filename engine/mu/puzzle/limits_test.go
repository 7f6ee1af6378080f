package puzzle

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/mu/mutest"
	"ayumu/engine/puzzle"
)

// TestPuzzlesAreWithinTheirLimits compares which positions of random games become puzzles with the limits in docs/puzzles.md,
// section 1, by a search of all turns of its own.
func TestPuzzlesAreWithinTheirLimits(t *testing.T) {
	territory, explosions := Themes[0].(territoryTheme), Themes[1].(territoryTheme)
	yes, no := make(map[string]int), make(map[string]int)
	check := func(theme territoryTheme, p *mu.Position, gain int) {
		p, ok := rebuild(p)
		if !ok {
			return
		}
		ends, ok := mutest.Ends(p, theme.moves, 400)
		if !ok {
			return
		}
		reached := make(map[string]int) // territory by the position at the end
		for end := range ends {
			reached[end.String()] = mutest.Territory(end)[p.Turn()]
		}
		best, worst, number := -1, 1000, 0
		for _, n := range reached {
			best, worst = max(best, n), min(worst, n)
		}
		for _, n := range reached {
			if n == best {
				number++
			}
		}
		if theme.moves {
			worst = mutest.Territory(p)[p.Turn()] // of a pass
		}
		want := number <= 4 && len(reached) >= 3*number && best >= worst+gain
		if want {
			yes[theme.name]++
		} else {
			no[theme.name]++
		}
		if _, got := theme.at(t.Context(), p); got != want {
			t.Errorf("%s in %s: a puzzle: %t, want %t: %d of %d ends reach %d cells, and a pass or the worst end %d", theme.name, p, got, want, number, len(reached), best, worst)
		}
	}
	shipped, err := puzzle.Read(strings.NewReader(Shipped))
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range shipped {
		at, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		if z.Theme == territory.name {
			check(territory, at.(*mu.Position), 3)
		} else {
			check(explosions, at.(*mu.Position), 2)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		var p engine.Position = mu.New(mu.Options{Players: 2, Segments: 2, Min: 2})
		for {
			at := p.(*mu.Position)
			if _, over := at.Result(); over {
				break
			}
			if at.Phase() == mu.Play && !at.MidTurn() && len(at.Critical()) == 0 {
				check(territory, at, 3)
				for _, a := range at.AppendLegal(nil) {
					if after, err := at.Do(a); err != nil {
						t.Fatal(err)
					} else if a.Kind == mu.Move && len(after.Critical()) > 0 {
						check(explosions, after, 2)
					}
				}
			}
			legal := p.Legal()
			next, err := p.Play(legal[rng.IntN(len(legal))])
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
	}
	for _, theme := range []string{"territory", "explosions"} {
		if yes[theme] < 10 || no[theme] < 10 {
			t.Errorf("%s: %d positions are within the limits and %d are not: too few to compare", theme, yes[theme], no[theme])
		}
	}
}

// TestTurnsOfTooManyPositions checks that all turns are known of 16,889 positions of one turn, and not of 20,261.
func TestTurnsOfTooManyPositions(t *testing.T) {
	for text, want := range map[string]bool{
		"2 0,0;-3,1;-5,4;-5,0 play|-6,0:c;-6,1:c;-6,4:c0.2;-6,5:c0.1;-5,-1:c1.1;-5,0:c1.4;-5,1:c1.1;-5,3:c;-5,4:c0.2;-5,5:c;-4,-1:c;-4,0:c;-4,1:v1.1;-4,2:c;-4,3:c0.1;-4,4:c0.1;-3,0:v;-3,1:v0.1;-3,2:c0.1;-2,0:v0.1;-2,1:v;-1,0:v;-1,1:v1.2;0,-1:c0.1;0,0:v1.1;0,1:c1.1;1,-1:c0.1;1,0:c|1|-5,0 -3,1 0,0||0": true,
		"2 0,0;-1,3;-3,6;-1,-2 play|-4,6:v;-4,7:v1.1;-3,5:v;-3,6:v;-3,7:v;-2,-2:c;-2,-1:c0.1;-2,3:v;-2,4:v;-2,5:v1.2;-2,6:v;-1,-3:c0.1;-1,-2:c0.3;-1,-1:c0.1;-1,0:c0.3;-1,1:c0.2;-1,2:v;-1,3:v0.1;-1,4:c0.1;0,-3:c0.2;0,-2:c;0,-1:c0.1;0,0:c0.1;0,1:c0.1;0,2:v0.1;0,3:c;1,-1:c;1,0:c0.2|0|-1,-2 -1,3 0,0||0": false,
	} {
		p, err := mu.Game{}.ParsePosition(strings.Fields(text))
		if err != nil {
			t.Fatal(err)
		}
		if all, got := Themes[0].(territoryTheme).endings(t.Context(), p.(*mu.Position)); got != want {
			t.Errorf("%s: all turns are known: %t, want %t (%d ends)", text, got, want, len(all))
		}
	}
}
