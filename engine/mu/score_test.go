package mu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
)

// TestTerritory scores boards of three segments in a row by the clauses of docs/rules/mu.md, section 8.
// All cells that are not listed are Wall.
func TestTerritory(t *testing.T) {
	for _, c := range []struct {
		name, cells string
		want        []int
	}{
		{"one colour", "0,0:c0.1 1,0:c 1,-1:c", []int{3, 0, 0}},
		{"several colours", "0,0:c0.1 1,0:c1.1 1,-1:c", []int{0, 0, 0}},
		{"the Wall belongs to nobody", "0,0:w0.1 3,0:w1.1", []int{0, 0, 0}},
		{"virgin cells beside one section are part of it", "0,0:c0.1 1,0:c 1,-1:c 0,-1:v -1,0:v -1,1:v", []int{6, 0, 0}},
		{"pieces on them too", "0,0:c0.1 1,0:c 1,-1:c 0,-1:v -1,0:v1.1 -1,1:v", []int{0, 0, 0}},
		{"only they hold pieces", "0,0:c 1,0:c 1,-1:c 0,-1:v -1,0:v1.1 -1,1:v", []int{0, 6, 0}},
		{"virgin cells beside no section count by themselves", "0,0:c0.1 1,0:c 1,-1:c 4,-1:v 4,0:v1.1 5,0:v", []int{3, 3, 0}},
		{"virgin cells between two sections too", "0,0:c0.1 0,1:c 1,-1:c 1,0:v 2,0:v 2,1:v 3,0:c1.1 3,-1:c 4,-1:c", []int{3, 3, 0}},
		{"and belong to who is on them", "0,0:c0.1 0,1:c 1,-1:c 1,0:v 2,0:v2.1 2,1:v 3,0:c1.1 3,-1:c 4,-1:c", []int{3, 3, 3}},
		{"an empty section that nobody reaches", "0,0:c 1,0:c 4,0:w0.1 7,0:w1.1", []int{0, 0, 0}},
		{"an empty section that one reaches", "0,0:c 1,0:c 2,0:w0.1 7,0:w1.1", []int{2, 0, 0}},
		{"reached with fewer men than the piece has", "0,0:c 1,0:c 3,0:w0.3 7,0:w1.1", []int{2, 0, 0}},
		{"reached by two", "0,0:c 1,0:c 2,0:w0.1 -1,0:w1.1", []int{0, 0, 0}},
		{"reached twice by one", "0,0:c 1,0:c 2,0:w0.1 -1,0:w0.1 7,0:w1.1", []int{2, 0, 0}},
		{"its virgin cells are reached", "0,0:c 1,0:c -1,0:v -1,1:v 0,1:w1.1", []int{0, 4, 0}},
	} {
		p := setUp(t, 3, three, "w", c.cells, "0")
		if got := p.Territory(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v\n%s", c.name, got, c.want, p)
		}
	}
}

// TestAreasCoverTheBoard checks that every cell except Wall is in exactly one area, and that the areas of
// a seat add up to its territory.
func TestAreasCoverTheBoard(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		walk(t, randomPosition(t, rng), rng, 10, func(p *Position, _ Action, _ *Position, _ []Step) {
			seen := make(map[Hex]bool)
			sums := make([]int, p.Seats())
			for _, a := range p.Areas() {
				for _, h := range a.Cells {
					if c, _ := p.Cell(h); seen[h] || c.Terrain == Wall {
						t.Fatalf("%s\n%s is on the Wall, or counted twice", p, h)
					}
					seen[h] = true
				}
				if a.Owner >= 0 {
					sums[a.Owner] += len(a.Cells)
				}
			}
			for _, c := range p.Cells() {
				if c.Terrain != Wall && !seen[c.At] {
					t.Fatalf("%s\n%s is counted nowhere", p, c.At)
				}
			}
			if got := p.Territory(); !slices.Equal(got, sums) {
				t.Fatalf("%s\nterritory %v, areas %v", p, got, sums)
			}
		})
	}
}

// TestZoneMapIsReusable checks that a ZoneMap used for other positions gives the same result as a new one:
// forward, back to where the terrain differed, and on another board.
func TestZoneMapIsReusable(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var used ZoneMap
	same := func(p *Position) {
		var newMap ZoneMap
		p.FindZones(&newMap)
		if p.FindZones(&used); !slices.Equal(used.Zones, newMap.Zones) || !slices.Equal(used.ZoneOf, newMap.ZoneOf) {
			t.Fatalf("%s\nzones %v of %v, anew %v of %v", p, used.Zones, used.ZoneOf, newMap.Zones, newMap.ZoneOf)
		}
	}
	for range 300 {
		walk(t, randomPosition(t, rng), rng, 30, func(p *Position, _ Action, next *Position, _ []Step) {
			same(p)
			same(next)
			same(p)
		})
	}
}

func TestPlaces(t *testing.T) {
	// Territories 3, 0 and 3; then a seat without territory is last.
	p, _ := run(t, setUp(t, 3, three, "w", "0,0:c0.1 1,0:c 1,-1:c 3,0:w1.1 6,0:c2.1 7,0:c 7,-1:c", "1"), "end", "end", "end")
	checkOutcome(t, p, engine.ReasonScore, []int{0, 2}, []int{3, 0, 3}, []int{0, 2, 0})
	p, _ = run(t, setUp(t, 3, three, "w", "0,0:c0.1 1,0:c 1,-1:c 0,-1:c 3,0:c1.1 3,1:c 4,0:c 6,0:w2.1", "2"), "end", "end", "end")
	checkOutcome(t, p, engine.ReasonScore, []int{0}, []int{4, 3, 0}, []int{0, 1, 2})
	// The only seat with men wins whatever the score.
	p, _ = run(t, setUp(t, 3, three, "w", "0,0:w0.1 1,0:w1.1 2,1:w0.1", "0"), "move 0,0 1 e", "end")
	checkOutcome(t, p, engine.ReasonScore, []int{0}, []int{0, 0, 0}, []int{0, 1, 1})
	if p.Turn() != 0 || p.Passes() != 0 {
		t.Errorf("the game ends with that turn: %s", p)
	}
}

func TestPassedOver(t *testing.T) {
	// Seats 1 and 3 have no men.
	p, steps := run(t, setUp(t, 4, three, "v", "0,0:v0.1 6,0:v2.1", "0"), "end")
	if lastFields(p) != "play|2|6,0||2" || !slices.Equal(kinds(steps), []StepKind{PassedOver}) || steps[0].Seat != 1 {
		t.Errorf("%s, %+v", p, steps)
	}
	p, _ = run(t, p, "move 6,0 1 e", "end")
	if lastFields(p) != "play|0|0,0||1" {
		t.Errorf("a move ends the row of passes: %s", p)
	}
	p, _ = run(t, p, "end", "end")
	if lastFields(p) != "over|2|||4" {
		t.Errorf("the fourth pass: %s", p)
	}
	// The last missing pass is that of a player who is passed over.
	p, _ = run(t, setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1", "0"), "end", "end")
	if lastFields(p) != "over|1|||3" {
		t.Errorf("ended by a player who is passed over: %s", p)
	}
}

func TestRepetition(t *testing.T) {
	p := setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1 3,1:v1.1", "0")
	circle := []string{"move 0,0 1 e", "end", "move 3,0 1 e", "end", "move 1,0 1 w", "end", "move 4,0 1 w", "end"}
	p, _ = run(t, p, circle...)
	if p.Phase() != Play {
		t.Fatalf("the second time: %s", p)
	}
	p, _ = run(t, p, circle...)
	checkOutcome(t, p, engine.ReasonRepetition, []int{0, 1, 2}, []int{0, 0, 0}, []int{0, 0, 0})
	// It ends with seat 1's turn, after which seat 2 was passed over.
	if lastFields(p) != "over|1|||1" {
		t.Errorf("over: %s", p)
	}

	// The same cells and men with another seat to move are another position; leaving makes no new one.
	q := setUp(t, 3, three, "v", "0,0:v0.1 3,0:v1.1 6,0:v2.1", "0")
	q, _ = run(t, q, "move 0,0 1 e", "end", "move 3,0 1 e", "end", "leave 2", "move 1,0 1 w", "end", "move 4,0 1 w", "end")
	if lastFields(q) != "play|0|0,0||1" {
		t.Fatalf("the second time: %s", q)
	}
	q, _ = run(t, q, circle...)
	if r, _ := q.Result(); r.Reason != engine.ReasonRepetition {
		t.Errorf("the third time: %s", q)
	}
}

// TestRepetitionWithInterveningTurns repeats a position with other turns in between, and after a capture,
// which makes a repetition impossible.
func TestRepetitionWithInterveningTurns(t *testing.T) {
	p := setUp(t, 2, three, "v", "0,0:v0.1 3,0:v1.1 5,0:v1.1 6,0:v0.1", "0")
	around := []string{"move 0,0 1 e", "end", "end", "move 1,0 1 nw", "end", "end", "move 1,-1 1 sw", "end", "end"}
	p, _ = run(t, p, around...)
	if p.history.prev == nil || p.QuietTurns() != 6 {
		t.Fatalf("%d quiet turns", p.QuietTurns())
	}
	p, _ = run(t, p, "move 0,0 1 e", "end", "move 5,0 1 e", "end")
	if p.history.prev != nil || p.QuietTurns() != 0 {
		t.Error("a capture does not clear the history")
	}
	around = []string{"move 1,0 1 nw", "end", "end", "move 1,-1 1 sw", "end", "end", "move 0,0 1 e", "end", "end"}
	p, _ = run(t, p, around...)
	if p.Phase() != Play {
		t.Fatalf("the second time since the capture: %s", p)
	}
	p, _ = run(t, p, around...)
	if r, _ := p.Result(); r.Reason != engine.ReasonRepetition {
		t.Errorf("the third time since the capture: %s", p)
	}
}

// TestRegions checks that neighbours are in one region, or one section of the Wall, exactly if both or neither of them are
// Wall, and that cells with one number are connected.
func TestRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	several := 0
	for range 100 {
		walk(t, randomPosition(t, rng), rng, 10, func(p *Position, _ Action, _ *Position, _ []Step) {
			var z ZoneMap
			p.FindZones(&z)
			if z.WallCount > 1 && len(z.RegionCells) > 1 {
				several++
			}
			regions, walls := make([]int, len(z.RegionCells)), make([]int, z.WallCount)
			seen := make([]bool, p.Board().Size())
			for i := range seen {
				wall := p.terrain.cells[i].terrain == Wall
				if wall != (z.WallOf[i] >= 0) || wall == (z.RegionOf[i] >= 0) {
					t.Fatalf("%s: cell %d has region %d and Wall section %d", p, i, z.RegionOf[i], z.WallOf[i])
				}
				if seen[i] {
					continue
				}
				// The cells that are connected with cell i are the whole of its region or section.
				queue := []int16{int16(i)}
				seen[i] = true
				for k := 0; k < len(queue); k++ {
					for _, j := range p.Board().Neighbours(int(queue[k])) {
						if j < 0 || (p.terrain.cells[j].terrain == Wall) != wall {
							continue
						}
						if z.RegionOf[j] != z.RegionOf[i] || z.WallOf[j] != z.WallOf[i] {
							t.Fatalf("%s: the neighbours %d and %d are divided", p, queue[k], j)
						}
						if !seen[j] {
							seen[j] = true
							queue = append(queue, j)
						}
					}
				}
				if wall {
					walls[z.WallOf[i]]++
				} else if regions[z.RegionOf[i]]++; len(queue) != int(z.RegionCells[z.RegionOf[i]]) {
					t.Fatalf("%s: a region of %d cells counts %d", p, len(queue), z.RegionCells[z.RegionOf[i]])
				}
			}
			for _, n := range append(regions, walls...) {
				if n != 1 {
					t.Fatalf("%s: a number has %d connected sets", p, n)
				}
			}
		})
	}
	if several == 0 {
		t.Error("no position had several regions and sections of the Wall")
	}
}

// TestGainIsKeptAtTheEnd: a pass that ends the game loses no territory.
func TestGainIsKeptAtTheEnd(t *testing.T) {
	p := engine.Position(setUp(t, 3, three, "w", "0,0:c0.1 1,0:c 1,-1:c 4,0:w1.1 6,0:w2.1", "0"))
	before := p.(*Position).Gain(0)
	for range 3 {
		next, err := p.Play("end")
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	if r, over := p.Result(); !over || before == 0 || p.(*Position).Gain(0) != before || r.Scores[0] != before {
		t.Errorf("territory %d, then %d at the end, %v %v", before, p.(*Position).Gain(0), r, over)
	}
}
