package mu

import (
	"slices"
	"strings"
	"testing"
)

func kinds(steps []Step) []StepKind {
	var list []StepKind
	for _, s := range steps {
		list = append(list, s.Kind)
	}
	return list
}

func TestVirginCellBecomesCommonwealth(t *testing.T) {
	p := setUp(t, 2, "0,0", "v", "0,0:v0.1 1,0:v0.2 0,1:v1.1", "0")
	p, steps := run(t, p, "move 0,0 1 e")
	// 1,0 sends a man each to 0,0, 1,-1 and 0,1, becomes Commonwealth, and a man is added on it.
	checkCells(t, p, "0,0:v0.1 1,-1:v0.1 0,1:v0.1 1,0:c0.1 -1,0:v")
	if want := []StepKind{Moved, Merged, Exploded, Landed, Landed, Captured, BecameCommon, ManAdded}; !slices.Equal(kinds(steps), want) {
		t.Errorf("steps %+v", steps)
	}
	if c, _ := p.Cell(Hex{0, 0}); c.Capacity != 5 {
		t.Errorf("the adjacent virgin cell is %+v", c)
	}
	if c, _ := p.Cell(Hex{1, 0}); c.Capacity != 3 || c.Headroom() != 1 {
		t.Errorf("the cell of the Commonwealth is %+v", c)
	}
}

func TestVirginCellOfCapacityZero(t *testing.T) {
	p, _ := run(t, setUp(t, 2, "0,0;3,0", "w", "0,0:v 1,0:w0.2 2,0:w0.2 3,0:w1.1", "0"), "move 1,0 1 w")
	checkCells(t, p, "0,0:c0.2 1,0:w0.1")
	// Between two sections of the Commonwealth it becomes Wall, and no man is added.
	p, _ = run(t, setUp(t, 2, "0,0;3,0", "w", "0,0:v -1,0:c 1,-1:c 1,0:w0.2 3,0:w1.1", "0"), "move 1,0 1 w")
	checkCells(t, p, "0,0:w0.1 1,0:w0.1 -1,0:c 1,-1:c")
}

// TestWallBetweenSections explodes a virgin cell between two sections: it becomes Wall, the capacity of
// the adjacent Commonwealth cells falls, and another player's piece there explodes, capturing the men that
// have just landed.
func TestWallBetweenSections(t *testing.T) {
	p := setUp(t, 2, "0,0;3,0", "v", "0,0:v0.3 -1,0:c0.1 1,0:c1.3 -1,1:v0.1 3,0:w 3,-1:w", "0")
	p, steps := run(t, p, "move -1,1 1 ne")
	checkCells(t, p, "0,0:w -1,0:c0.1 0,-1:v0.1 -1,1:v0.1 1,-1:v0.1 0,1:v0.1")
	// Now 1,0 has 3 men and 3 neighbours, two of which have just been captured.
	p, _ = run(t, p, "explode 1,0")
	checkCells(t, p, "1,0:c 1,-1:v1.1 0,1:v1.1 2,0:v1.1")
	if !slices.Contains(kinds(steps), BecameWall) || slices.Contains(kinds(steps), ManAdded) {
		t.Errorf("steps %+v", steps)
	}
}

func TestPlayerChoosesExplosion(t *testing.T) {
	p := setUp(t, 2, "0,0;3,0", "v", "0,0:v0.3 -1,0:c1.2 1,0:c1.3 -1,1:v0.1", "0")
	p, _ = run(t, p, "move -1,1 1 ne")
	want := []string{"explode -1,0", "explode -1,1", "explode 0,-1", "explode 0,1", "explode 1,-1", "explode 1,0"}
	if list := p.Legal(); !slices.Equal(list, want) {
		t.Fatalf("%s\n%v", p, list)
	}
	if !p.MidTurn() {
		t.Error("MidTurn is false during a chain reaction")
	}
	for _, text := range []string{"end", "move -1,1 1 e", "explode 0,0", "explode 9,9"} {
		if _, err := p.Play(text); err == nil {
			t.Errorf("%s is allowed during a chain reaction", text)
		}
	}
	for len(p.Critical()) > 0 {
		p, _ = run(t, p, p.Legal()[0])
	}
	if _, err := p.Play("end"); err != nil {
		t.Errorf("after the chain reaction: %v", err)
	}
}

// fullBoard returns a board of 48 segments, all Commonwealth and with as many men as possible except for
// one virgin cell far away, and the action that starts the explosions.
func fullBoard(t testing.TB) (*Position, Action) {
	p := New(Options{Players: 6, Segments: 8, Min: 6})
	for p.Phase() == Layout {
		list := p.Placements()
		slices.SortStableFunc(list, func(a, b Hex) int { return a.Distance(Hex{}) - b.Distance(Hex{}) })
		p = must(p.Do(Action{Kind: Place, At: list[0]}))
	}
	b := p.board.completed()
	terrains := make([]Terrain, b.Size())
	for i := range terrains[1:] {
		terrains[i+1] = Commonwealth
	}
	l := newTerrainMap(b, terrains)
	var cells, centres []string
	for i, s := range l.cells {
		text := b.names[i] + ":" + s.terrain.String()
		if s.capacity > 1 && i > 0 {
			text += "0." + string(rune('0'+s.capacity-1))
		}
		cells = append(cells, text)
	}
	for _, h := range b.centres {
		centres = append(centres, h.String())
	}
	sorted := slices.Clone(b.centres)
	sortHexes(sorted)
	line := "play|" + strings.Join(cells, ";") + "|0|" + string(appendHexes(nil, sorted)) + "||0"
	q, err := ParsePosition(6, strings.Join(centres, ";"), line)
	if err != nil {
		t.Fatal(err)
	}
	return q, Action{Kind: Move, At: Hex{0, 0}, Men: 1, Dir: E}
}

// TestAvalanche plays the longest known chain reaction, always choosing the first explosion of the list.
func TestAvalanche(t *testing.T) {
	p, a := fullBoard(t)
	explosions := 0
	for {
		next, steps, err := p.PlaySteps(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if s.Kind == Exploded {
				explosions++
			}
		}
		if p = next; len(p.Critical()) == 0 {
			break
		}
		if explosions > 100_000 {
			t.Fatal("it does not end")
		}
		a = Action{Kind: Explode, At: p.Critical()[0]}
	}
	if explosions < 300 {
		t.Errorf("only %d explosions", explosions)
	}
	t.Logf("%d explosions", explosions)
}

func BenchmarkAvalanche(b *testing.B) {
	first, move := fullBoard(b)
	for b.Loop() {
		p := must(first.Do(move))
		for !p.critical.empty() {
			p = must(p.Do(Action{Kind: Explode, At: p.board.cells[p.critical.first()]}))
		}
	}
}
