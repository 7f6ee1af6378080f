package puzzle

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

var (
	games  = engine.Games{mu.Game{}}
	themes = puzzle.Themes{"mu": Themes}
)

// found returns puzzles of a theme in random games of two players with two segments each.
func found(t *testing.T, theme puzzle.Theme, number int) []puzzle.Puzzle {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var all []puzzle.Puzzle
	for range 200 {
		var p engine.Position = mu.New(mu.Options{Players: 2, Segments: 2, Min: 2})
		for turns := 0; turns < 60; {
			if _, over := p.Result(); over {
				break
			}
			if z, ok := theme.Find(context.Background(), p, nil); ok {
				if all = append(all, z); len(all) == number {
					return all
				}
			}
			legal := p.Legal()
			next, err := p.Play(legal[rng.IntN(len(legal))])
			if err != nil {
				t.Fatal(err)
			}
			if p = next; !p.MidTurn() {
				turns++
			}
		}
	}
	t.Fatalf("%s: %d puzzles in 200 games", theme.Name(), len(all))
	return nil
}

func TestPuzzlesAreFoundAndProven(t *testing.T) {
	for _, theme := range Themes {
		for _, z := range found(t, theme, 3) {
			start, err := z.Start(games)
			if err != nil {
				t.Fatal(err)
			}
			if err := theme.Verify(&z, start); err != nil {
				t.Errorf("%s: %v: %+v", theme.Name(), err, z)
			}
			if o, err := themes.Answer(games, &z, z.Line[0].Actions); err != nil || !o.Solved {
				t.Errorf("%s: the solution is answered with %+v, %v", theme.Name(), o, err)
			}
			if z.Number--; theme.Verify(&z, start) == nil {
				t.Errorf("%s: less territory is proven", theme.Name())
			}
		}
	}
}

// TestNoTurnIsBetter compares the territory of puzzles with that of all turns, found without remembering
// positions.
func TestNoTurnIsBetter(t *testing.T) {
	for _, z := range found(t, Themes[0], 3) {
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		played := 0
		var most func(p engine.Position) int
		most = func(p engine.Position) int {
			best := -1
			for _, a := range p.Legal() {
				next, err := p.Play(a)
				if err != nil {
					t.Fatal(err)
				}
				if played++; played > 2_000_000 {
					return best
				}
				if a == "end" {
					best = max(best, next.(*mu.Position).Territory()[z.Turn])
				} else {
					best = max(best, most(next))
				}
			}
			return best
		}
		if best := most(start); best > z.Number || played <= 2_000_000 && best != z.Number {
			t.Errorf("%d cells are possible, the puzzle asks for %d: %+v", best, z.Number, z)
		}
	}
}

func TestWorseTurnsAreWrong(t *testing.T) {
	z := found(t, Themes[0], 1)[0]
	o, err := themes.Answer(games, &z, []string{"end"})
	if err != nil || !o.Wrong || !strings.Contains(o.Reason, "are possible") {
		t.Errorf("a pass: %+v, %v", o, err)
	}
	if _, err := themes.Answer(games, &z, z.Line[0].Actions[:1]); err == nil && len(z.Line[0].Actions) > 1 {
		t.Error("a turn that does not end is an answer")
	}
}

// TestRandomTurns checks that random turns solve a puzzle in the end, and none a puzzle of more territory than there is.
func TestRandomTurns(t *testing.T) {
	for _, theme := range Themes {
		z := found(t, theme, 1)[0]
		start, err := z.Start(games)
		if err != nil {
			t.Fatal(err)
		}
		randN := search.RandN(3, 4)
		try := func() bool { return theme.(puzzle.RandomTrier).TryRandom(&z, start, randN) }
		n := 1
		for !try() {
			if n++; n > 100_000 {
				t.Fatalf("%s is not solved", theme.Name())
			}
		}
		z.Number++
		for range n {
			if try() {
				t.Errorf("%s: a turn reaches %d cells", theme.Name(), z.Number)
			}
		}
	}
}
