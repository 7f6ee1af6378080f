package mu

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
)

// randomPosition returns a random position with no critical cell, on a random board of up to four
// segments.
func randomPosition(t testing.TB, rng *rand.Rand) *Position {
	players := 2 + rng.IntN(2)
	laid := New(Options{Players: players, Segments: 2, Min: players})
	for range 1 + rng.IntN(4) {
		open := laid.Placements()
		laid = must(laid.Do(Action{Kind: Place, At: open[rng.IntN(len(open))]}))
	}
	b := laid.Board()
	terrains := make([]Terrain, b.Size())
	weights := [3]int{1 + rng.IntN(5), 1 + rng.IntN(5), rng.IntN(5)}
	for i := range terrains {
		if i > 0 && rng.IntN(2) == 0 {
			terrains[i] = terrains[i-1]
			continue
		}
		n := rng.IntN(weights[0] + weights[1] + weights[2])
		for n -= weights[0]; n >= 0 && terrains[i] < Wall; n -= weights[terrains[i]] {
			terrains[i]++
		}
	}
	l := newTerrainMap(b, terrains)
	var cells, centres []string
	occupied := make([]bool, b.Size())
	for i, s := range l.cells {
		limit := int(s.capacity) - 1
		if s.terrain == Wall {
			limit++
		}
		text := b.cells[i].String() + ":" + s.terrain.String()
		if limit > 0 && rng.IntN(4) > 0 {
			owner := rng.IntN(players)
			occupied[b.segment[i]] = occupied[b.segment[i]] || owner == 0
			text += strconv.Itoa(owner) + "." + strconv.Itoa(1+rng.IntN(limit))
		}
		cells = append(cells, text)
	}
	var rights []Hex
	for s, h := range b.centres {
		centres = append(centres, h.String())
		if occupied[s] {
			rights = append(rights, h)
		}
	}
	sortHexes(rights)
	line := "play|" + strings.Join(cells, ";") + "|0|" + string(appendHexes(nil, rights)) + "||0"
	p, err := ParsePosition(players, strings.Join(centres, ";"), line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return p
}

// walk plays random actions and calls visit for each.
func walk(t testing.TB, p *Position, rng *rand.Rand, limit int, visit func(p *Position, a Action, next *Position, steps []Step)) {
	var actions []Action
	for range limit {
		actions = p.AppendLegal(actions[:0])
		if len(actions) == 0 {
			return
		}
		a := actions[rng.IntN(len(actions))]
		next, steps, err := p.PlaySteps(a)
		if err != nil {
			t.Fatalf("%s\n%s is in the list of legal actions: %v", p, a, err)
		}
		visit(p, a, next, steps)
		p = next
	}
}

// eachWalk walks through random games from the start and from random positions.
func eachWalk(t *testing.T, visit func(t *testing.T, p *Position, a Action, next *Position, steps []Step)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		walk(t, randomPosition(t, rng), rng, 60, func(p *Position, a Action, next *Position, steps []Step) {
			visit(t, p, a, next, steps)
		})
	}
	for players := minPlayers; players <= maxPlayers; players++ {
		for segments := 1; segments <= maxSegments; segments += 3 {
			p := New(Options{Players: players, Segments: segments, Min: players})
			walk(t, p, rng, 300, func(p *Position, a Action, next *Position, steps []Step) {
				visit(t, p, a, next, steps)
			})
		}
	}
}

// TestStepsAreComplete applies the steps to a copy of the board: they must lead to the position after the
// action, add men only by explosions of virgin cells and in the layout, and remove men only by capture,
// trimming and clearing.
func TestStepsAreComplete(t *testing.T) {
	eachWalk(t, func(t *testing.T, p *Position, a Action, next *Position, steps []Step) {
		picture := make(map[Hex]Cell)
		for _, c := range p.Cells() {
			picture[c.At] = c
		}
		inAir, total, trimmed := 0, 0, 0
		for _, n := range p.Men() {
			total += n
		}
		for _, s := range steps {
			c := picture[s.At]
			switch s.Kind {
			case PassedOver:
				continue
			case Laid:
				for _, d := range Dirs {
					picture[s.At.Step(d, 1)] = Cell{Owner: -1}
				}
				total++
			case Filled:
				total++
			case Cleared:
				total--
			case Moved, Exploded:
				inAir += int(s.Men)
			case Landed, Merged:
				inAir -= int(s.Men)
			case Captured:
				inAir -= int(s.Men)
				total -= int(s.Taken)
				if int(s.Other) != c.Owner || int(s.Taken) != c.Men || s.Other == s.Seat {
					t.Fatalf("%s\n%s: captured %+v, there was %+v", p, a, s, c)
				}
			case BecameCommon:
				c.Terrain = Commonwealth
			case BecameWall:
				c.Terrain = Wall
			case ManAdded:
				total++
				if picture[s.At].Terrain != Commonwealth {
					t.Fatalf("%s\n%s: man added on terrain %s", p, a, c.Terrain)
				}
			case Trimmed:
				trimmed += c.Men - int(s.Height)
			case SectionStopped:
			default:
				t.Fatalf("%s\n%s: unexpected step %+v", p, a, s)
			}
			c.Men, c.Owner = int(s.Height), int(s.Seat)
			if c.Men == 0 {
				c.Owner = -1
			}
			picture[s.At] = c
		}
		if inAir != 0 {
			t.Fatalf("%s\n%s: %d men did not land", p, a, inAir)
		}
		count := 0
		for _, c := range next.Cells() {
			if got := picture[c.At]; got.Men != c.Men || got.Owner != c.Owner || got.Terrain != c.Terrain {
				t.Fatalf("%s\n%s\n%s\nthe steps leave %+v, not %+v", p, a, next, got, c)
			}
			count += c.Men
		}
		if count != total-trimmed || trimmed < 0 {
			t.Fatalf("%s\n%s\n%d men, the steps account for %d less %d trimmed", p, a, count, total, trimmed)
		}
	})
}

// TestSectionsNeverMerge compares every pair of sections of the Commonwealth, found by flooding and not by
// the incremental terrain.
func TestSectionsNeverMerge(t *testing.T) {
	eachWalk(t, func(t *testing.T, p *Position, a Action, next *Position, _ []Step) {
		if p.terrain == next.terrain || p.board != next.board {
			return
		}
		before, after := flood(p, Commonwealth), flood(next, Commonwealth)
		became := make(map[int]int)
		came := make(map[int]int)
		for i, s := range before {
			if s == 0 {
				continue
			}
			if after[i] == 0 {
				t.Fatalf("%s\n%s: a cell of the Commonwealth ceased to be one", p, a)
			}
			if was, ok := became[s]; ok && was != after[i] {
				t.Fatalf("%s\n%s\n%s: a section fell apart", p, a, next)
			}
			if from, ok := came[after[i]]; ok && from != s {
				t.Fatalf("%s\n%s\n%s: two sections merged", p, a, next)
			}
			became[s], came[after[i]] = after[i], s
		}
	})
}

// flood numbers the sections of a terrain from 1 and returns the section of each cell.
func flood(p *Position, t Terrain) []int {
	section := make([]int, p.board.Size())
	var fill func(i int16, n int)
	fill = func(i int16, n int) {
		if i == none || section[i] != 0 || p.terrain.cells[i].terrain != t {
			return
		}
		section[i] = n
		for _, d := range Dirs {
			fill(p.board.find(p.board.cells[i].Step(d, 1)), n)
		}
	}
	n := 0
	for i := range section {
		if section[i] == 0 && p.terrain.cells[i].terrain == t {
			n++
			fill(int16(i), n)
		}
	}
	return section
}

// TestTerrainIsIncremental compares incremental capacities and sections with those of a new terrain map,
// and the men of each seat with those on the board.
func TestTerrainIsIncremental(t *testing.T) {
	eachWalk(t, func(t *testing.T, p *Position, a Action, next *Position, _ []Step) {
		terrains := make([]Terrain, next.board.Size())
		men := make([]int, next.Seats())
		for i, c := range next.Cells() {
			terrains[i] = c.Terrain
			if c.Men > 0 {
				men[c.Owner] += c.Men
			}
		}
		for seat, n := range next.Men() {
			if n != men[seat] {
				t.Fatalf("%s\n%s: seat %d has %d men, not %d", p, a, seat, men[seat], n)
			}
		}
		if p.terrain == next.terrain {
			return
		}
		rebuilt := newTerrainMap(next.board, terrains)
		if rebuilt.virgins != next.terrain.virgins {
			t.Fatalf("%s\n%s: %d virgin cells, not %d", p, a, rebuilt.virgins, next.terrain.virgins)
		}
		pair := make(map[uint16]uint16)
		for i, s := range next.terrain.cells {
			f := rebuilt.cells[i]
			if s.terrain != f.terrain || s.capacity != f.capacity {
				t.Fatalf("%s\n%s: %s is %+v, not %+v", p, a, next.board.cells[i], f, s)
			}
			if s.terrain == Virgin {
				continue
			}
			if was, ok := pair[s.section]; ok && was != f.section {
				t.Fatalf("%s\n%s: %s is in another section", p, a, next.board.cells[i])
			}
			pair[s.section] = f.section
			if next.terrain.sections[s.section] != rebuilt.sections[f.section] {
				t.Fatalf("%s\n%s: section of %s is %+v, not %+v", p, a, next.board.cells[i],
					rebuilt.sections[f.section], next.terrain.sections[s.section])
			}
		}
	})
}

// TestTargetsAreLegal compares the list of legal moves with Targets and Explain.
func TestTargetsAreLegal(t *testing.T) {
	eachWalk(t, func(t *testing.T, p *Position, _ Action, _ *Position, _ []Step) {
		legal := make(map[Action]bool)
		list := p.AppendLegal(nil)
		for i, text := range p.Legal() {
			if i > 0 && text <= list[i-1].String() || text != list[i].String() {
				t.Fatalf("%s\n%s: the lists are not in the order of their texts", p, text)
			}
			legal[list[i]] = true
		}
		if p.phase != Play || !p.critical.empty() {
			return
		}
		moves := 0
		for _, c := range p.Cells() {
			for _, target := range p.Targets(c.At) {
				can := target.Reason == "" && c.Owner == p.Turn() && p.hasRight(p.board.segment[p.board.find(c.At)])
				if can != legal[target.Action] || can != (p.Explain(target.Action) == "") {
					t.Fatalf("%s\n%s: %q, %q, in the list: %v", p, target.Action, target.Reason, p.Explain(target.Action), legal[target.Action])
				}
				if can {
					moves++
				}
			}
		}
		if moves != len(list)-1 {
			t.Fatalf("%s\n%d moves in reach, %d in the list", p, moves, len(list)-1)
		}
	})
}

// TestPositionsAreImmutable plays on from every position and checks that it has not changed.
func TestPositionsAreImmutable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		var positions []*Position
		var lines []string
		walk(t, randomPosition(t, rng), rng, 40, func(p *Position, _ Action, next *Position, _ []Step) {
			positions, lines = append(positions, p), append(lines, p.String())
		})
		for i, p := range positions {
			if p.String() != lines[i] {
				t.Fatalf("%s\nhas become\n%s", lines[i], p)
			}
		}
	}
}

// TestEveryChainEnds overfills boards of one terrain or a mixture, with different choices of explosions,
// and counts the explosions.
func TestEveryChainEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p := randomPosition(t, rng)
		c := p.newBuilder(new([]Step))
		for i := range c.pieces {
			if rng.IntN(3) == 0 {
				continue
			}
			pc := &c.pieces[i]
			if pc.men == 0 {
				pc.owner = uint8(rng.IntN(p.Seats()))
			}
			n := uint16(rng.IntN(12))
			pc.men += n
			c.men[pc.owner] += n
		}
		for i := range c.pieces {
			c.cells.updateCritical(int16(i))
		}
		for n := 0; !c.critical.empty(); n++ {
			if n > 100_000 {
				t.Fatalf("%s\nthe chain goes on after %d explosions", p, n)
			}
			choice := rng.IntN(c.critical.count())
			c.critical.each(func(i int16) {
				if choice--; choice == -1 {
					c.cells.explode(i)
				}
			})
		}
		c.cells.trimSections()
		for i := range c.pieces {
			if c.isCritical(int16(i)) {
				t.Fatalf("%s\n%s is critical at the end of the turn", c, c.board.cells[i])
			}
		}
	}
}

// TestPerft compares the counts with those of the text interface.
func TestPerft(t *testing.T) {
	var count func(p engine.Position, depth int) uint64
	count = func(p engine.Position, depth int) uint64 {
		if depth == 0 {
			return 1
		}
		n := uint64(0)
		for _, action := range p.Legal() {
			next, err := p.Play(action)
			if err != nil {
				t.Fatal(err)
			}
			n += count(next, depth-1)
		}
		return n
	}
	rng := rand.New(rand.NewPCG(13, 14))
	for range 10 {
		p := randomPosition(t, rng)
		for depth := range 4 {
			if got, want := p.Perft(depth), count(p, depth); got != want {
				t.Errorf("%s\nperft %d is %d, want %d", p, depth, got, want)
			}
		}
	}
	over, _ := run(t, setUp(t, 2, "0,0", "v", "0,0:v0.1 1,0:v1.1", "0"), "end", "end")
	if over.Perft(0) != 1 || over.Perft(1) != 0 || over.Perft(2) != 0 {
		t.Error("actions after the end are counted")
	}
}
