package mu

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// wheel is a segment that is one closed section of the Commonwealth, next to the Wall.
const wheel = "-1,0:c%0 -1,1:c%1 0,-1:c%2 0,0:c%3 0,1:c%4 1,-1:c%5 1,0:c%6"

// fillWheel returns the cells of the wheel with men of seat 0.
func fillWheel(men string) string {
	cells := wheel
	for i, n := range men {
		what := "0." + string(n)
		if n == '0' {
			what = ""
		}
		cells = strings.Replace(cells, "%"+string(rune('0'+i)), what, 1)
	}
	return cells
}

func TestLoneWallCell(t *testing.T) {
	p := setUp(t, 2, "0,0;3,0", "w", "0,0:w0.2 0,-1:c -1,0:c -1,1:c 0,1:c 1,0:c 1,-1:c 3,0:w1.1 2,1:w0.2", "0")
	// A Wall cell without a Wall neighbour has no men after the end of a turn; within the turn it can.
	if c, _ := p.Cell(Hex{0, 0}); !c.Oscillating || c.Critical {
		t.Fatalf("%+v", c)
	}
	p, steps := run(t, p, "move 0,0 1 e")
	checkCells(t, p, "0,0:w0.1 1,0:c0.1")
	if !slices.Contains(kinds(steps), SectionStopped) {
		t.Errorf("the rest still oscillates: %+v", steps)
	}
	p, steps = run(t, p, "end")
	checkCells(t, p, "0,0:w 1,0:c0.1")
	if steps[0].Kind != Trimmed || steps[0].At != (Hex{0, 0}) || steps[0].Height != 0 {
		t.Errorf("steps %+v", steps)
	}
}

func TestTwoCellSectionHoldsNoMan(t *testing.T) {
	p := setUp(t, 2, "0,0;3,0", "w", "0,0:c 1,0:c 2,0:w0.1 3,0:w1.1 4,0:w0.1", "0")
	p, steps := run(t, p, "move 2,0 1 w")
	if !slices.Equal(kinds(steps), []StepKind{Moved, Landed, Exploded, Landed, Exploded, Landed, SectionStopped}) {
		t.Fatalf("each cell explodes once: %+v", steps)
	}
	checkCells(t, p, "1,0:c0.1 0,0:c")
	p, _ = run(t, p, "end")
	checkCells(t, p, "1,0:c 0,0:c")
}

// TestTwoWallCells checks that the limit of a Wall cell is its capacity.
func TestTwoWallCells(t *testing.T) {
	const cells = "0,0:w0.1 1,0:w0.1 3,0:w0.2 3,-1:w 4,-1:w1.1 4,0:w"
	for _, choice := range []string{"explode 0,0", "explode 1,0"} {
		p, _ := run(t, setUp(t, 2, "0,0;3,0", "c", cells, "0"), "move 3,0 2 w")
		checkCells(t, p, "1,0:w0.2 0,0:w0.2")
		p, _ = run(t, p, choice)
		for len(p.Critical()) > 0 {
			p, _ = run(t, p, p.Legal()[0])
		}
		p, _ = run(t, p, "end")
		checkCells(t, p, "1,0:w0.1 0,0:w0.1")
	}
}

// TestFullSection moves an eighteenth man into a wheel with a limit of seventeen: whichever cells explode,
// it oscillates and is trimmed to exactly its limits.
func TestFullSection(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		p := setUp(t, 2, "0,0;3,0", "w", fillWheel("2225222")+" 2,0:w0.1 2,1:w0.1 4,0:w1.1", "0")
		p, _ = run(t, p, "move 2,0 1 w")
		for n := 0; len(p.Critical()) > 0; n++ {
			if n > 100 {
				t.Fatal("it explodes for ever")
			}
			list := p.Legal()
			p, _ = run(t, p, list[rng.IntN(len(list))])
		}
		if men := p.Men(); men[0] != 19 {
			t.Fatalf("men %v before the end of the turn", men)
		}
		p, _ = run(t, p, "end")
		checkCells(t, p, fillWheel("2225222"))
	}
}

// TestSectionThatIsNotFull oscillates with twelve men; trimming removes only the men above the limits.
func TestSectionThatIsNotFull(t *testing.T) {
	// After the centre, the cells explode in the order 0,-1, 1,-1, 1,0, 0,1, -1,1, -1,0.
	start := setUp(t, 2, "0,0;3,0", "w", fillWheel("0124111")+" 2,0:w0.2 2,1:w0.1 4,0:w1.1", "0")
	p, steps := run(t, start, "move 2,0 2 w")
	explosions := 0
	for _, s := range steps {
		if s.Kind == Exploded {
			explosions++
		}
	}
	if explosions != 7 || steps[len(steps)-1].Kind != SectionStopped {
		t.Fatalf("%s\n%+v", p, steps)
	}
	checkCells(t, p, fillWheel("0126111"))
	// At the standstill the critical cells of the section explode no more; other cells do.
	if c, _ := p.Cell(Hex{0, 0}); !c.Oscillating || c.Critical {
		t.Errorf("%+v", c)
	}
	if got := p.Explain(Action{Kind: Explode, At: Hex{0, 0}}); got == "" {
		t.Error("it can explode")
	}
	ended, _ := run(t, p, "end")
	checkCells(t, ended, fillWheel("0125111"))
	// Disturbed later in the turn, its critical cells explode again.
	_, steps = run(t, p, "move -1,1 1 ne")
	if !slices.Contains(kinds(steps), Exploded) {
		t.Errorf("the section is still stopped: %+v", steps)
	}
	// Without critical cells it no longer oscillates and is not trimmed.
	calm, steps := run(t, p, "move 0,0 1 ne", "end")
	if !slices.Equal(kinds(steps), []StepKind{Moved, Merged}) {
		t.Errorf("it oscillates: %+v", steps)
	}
	checkCells(t, calm, fillWheel("0125121"))
}
