package ayu

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// reference implements the rules as written, on maps of points. It shares nothing with move generation and
// measures distances before and after each move.
type reference struct {
	size int
	own  map[[2]int]bool // by column and row
	free map[[2]int]bool
}

func newReference(b Board) reference {
	r := reference{b.Size(), map[[2]int]bool{}, map[[2]int]bool{}}
	for column := range r.size {
		for row := range r.size {
			switch p := At(column, row); {
			case b.Stones(b.Turn()).Has(p):
				r.own[[2]int{column, row}] = true
			case !b.Stones(b.Turn().Other()).Has(p):
				r.free[[2]int{column, row}] = true
			}
		}
	}
	return r
}

func around(p [2]int) [4][2]int {
	return [4][2]int{{p[0], p[1] + 1}, {p[0], p[1] - 1}, {p[0] + 1, p[1]}, {p[0] - 1, p[1]}}
}

func (r reference) unit(p [2]int) map[[2]int]bool {
	unit := map[[2]int]bool{p: true}
	for todo := [][2]int{p}; len(todo) > 0; todo = todo[1:] {
		for _, q := range around(todo[0]) {
			if r.own[q] && !unit[q] {
				unit[q] = true
				todo = append(todo, q)
			}
		}
	}
	return unit
}

// infinite stands for no path; no board has that many points.
const infinite = 1000

// steps returns the length of the shortest path of empty points from a set to each empty point that it
// reaches, including that point.
func (r reference) steps(from map[[2]int]bool) map[[2]int]int {
	steps := map[[2]int]int{}
	var now [][2]int
	for p := range from {
		now = append(now, p)
	}
	for length := 1; len(now) > 0; length++ {
		var next [][2]int
		for _, p := range now {
			for _, q := range around(p) {
				if r.free[q] && steps[q] == 0 {
					steps[q] = length
					next = append(next, q)
				}
			}
		}
		now = next
	}
	return steps
}

// others returns the stones outside a unit.
func (r reference) others(unit map[[2]int]bool) map[[2]int]bool {
	others := map[[2]int]bool{}
	for p := range r.own {
		if !unit[p] {
			others[p] = true
		}
	}
	return others
}

// between returns the distance between two sets of stones.
func (r reference) between(a, b map[[2]int]bool) int {
	distance := infinite
	steps := r.steps(a)
	for p := range b {
		for _, q := range around(p) {
			if steps[q] > 0 {
				distance = min(distance, steps[q])
			}
		}
	}
	return distance
}

func (r reference) distance(unit map[[2]int]bool) int { return r.between(unit, r.others(unit)) }

func (r reference) units() []map[[2]int]bool {
	var units []map[[2]int]bool
	for rest := maps.Clone(r.own); len(rest) > 0; {
		for p := range rest {
			unit := r.unit(p)
			units = append(units, unit)
			maps.DeleteFunc(rest, func(p [2]int, _ bool) bool { return unit[p] })
			break
		}
	}
	return units
}

// span returns the weight of the minimum spanning forest, by Kruskal's algorithm.
func (r reference) span() int {
	units := r.units()
	type edge struct{ length, a, b int }
	var edges []edge
	tree := make([]int, len(units))
	for i, a := range units {
		tree[i] = i
		for j, b := range units[:i] {
			if d := r.between(a, b); d < infinite {
				edges = append(edges, edge{d, i, j})
			}
		}
	}
	slices.SortFunc(edges, func(x, y edge) int { return x.length - y.length })
	n := 0
	for _, e := range edges {
		if from, to := tree[e.a], tree[e.b]; from != to {
			n += e.length
			for i := range tree {
				if tree[i] == from {
					tree[i] = to
				}
			}
		}
	}
	return n
}

func set(points map[[2]int]bool) Points {
	var s Points
	for p := range points {
		s = s.or(single[At(p[0], p[1])])
	}
	return s
}

// unitOf returns the unit of the stone on p.
func (r reference) unitOf(p [2]int) Unit {
	unit := r.unit(p)
	u := Unit{Stones: set(unit)}
	d := r.distance(unit)
	if d == infinite {
		return u
	}
	u.Distance = d
	there, back := r.steps(unit), r.steps(r.others(unit))
	for q := range r.free {
		if there[q] > 0 && back[q] > 0 && there[q]+back[q] == d+1 {
			u.Paths = u.Paths.or(single[At(q[0], q[1])])
		}
	}
	for _, other := range r.units() {
		if !other[p] && r.between(unit, other) == d {
			u.Closest = u.Closest.or(set(other))
			for q := range other {
				for _, n := range around(q) {
					if r.free[n] && there[n] == d {
						u.Ends = u.Ends.or(single[At(q[0], q[1])])
					}
				}
			}
		}
	}
	return u
}

func (r reference) legal(p, q [2]int) bool {
	unit := r.unit(p)
	before := r.distance(unit)
	if before == infinite {
		return false
	}
	next := false
	for _, n := range around(q) {
		next = next || unit[n]
	}
	if !next {
		return false
	}
	delete(r.own, p)
	r.free[p] = true
	r.own[q] = true
	delete(r.free, q)
	defer func() {
		delete(r.own, q)
		r.free[q] = true
		r.own[p] = true
		delete(r.free, p)
	}()
	moved := r.unit(q)
	for s := range unit {
		if s != p && !moved[s] {
			return false
		}
	}
	if len(moved) > len(unit) {
		return true // joined
	}
	return r.distance(moved) < before
}

func (r reference) moves() []string {
	var texts []string
	var own, free [][2]int
	for p := range r.own {
		own = append(own, p)
	}
	for q := range r.free {
		free = append(free, q)
	}
	for _, p := range own {
		for _, q := range free {
			if r.legal(p, q) {
				texts = append(texts, Move{At(p[0], p[1]), At(q[0], q[1])}.String())
			}
		}
	}
	slices.Sort(texts)
	return texts
}

// checkBoard compares every method of a board with the reference and with the other methods.
func checkBoard(t *testing.T, b Board) {
	t.Helper()
	r := newReference(b)
	want := r.moves()
	moves := b.Moves(nil)
	if got := moveTexts(moves); !slices.Equal(got, want) {
		t.Fatalf("%s: moves\n%v, want\n%v", b, got, want)
	}
	if got := b.CountMoves(); got != len(want) {
		t.Fatalf("%s: counted %d moves, want %d", b, got, len(want))
	}
	if got := b.IsImmobile(); got != (len(want) == 0) {
		t.Fatalf("%s: immobile is %t with %d moves", b, got, len(want))
	}
	for _, got := range b.Units(b.Turn()) {
		first := got.Stones.first()
		if want := r.unitOf([2]int{first.Column(), first.Row()}); got != want {
			t.Fatalf("%s: the unit of %s is\n%v, want\n%v", b, first, got, want)
		}
	}
	if got, want := b.Span(b.Turn()), r.span(); got != want {
		t.Fatalf("%s: the span is %d, want %d", b, got, want)
	}
	legal := map[Move]bool{}
	for _, m := range moves {
		legal[m] = true
	}
	for from := range boardPoints[b.size].All() {
		for to := range boardPoints[b.size].All() {
			if why := b.Explain(Move{from, to}); (why == "") != legal[Move{from, to}] {
				t.Fatalf("%s: %s is explained by %q", b, Move{from, to}, why)
			}
		}
	}
}

// randomBoard returns a board with stones anywhere, sparse or dense, so that its units have every shape.
func randomBoard(rng *rand.Rand, n int) Board {
	b := Board{size: uint8(n), turn: Color(rng.IntN(2))}
	own, other := rng.Float64(), rng.Float64()/2
	for p := range boardPoints[n].All() {
		switch x := rng.Float64() * (own + other + rng.Float64()); {
		case x < own:
			b.stones[b.turn] = b.stones[b.turn].or(single[p])
		case x < own+other:
			b.stones[b.turn.Other()] = b.stones[b.turn.Other()].or(single[p])
		}
	}
	return b
}

func TestAgainstReference(t *testing.T) {
	boards := map[int]int{3: 400, 5: 400, 7: 120, 9: 40, 11: 15, 13: 6, 15: 4}
	for n, count := range boards {
		if testing.Short() {
			count = (count + 9) / 10
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			for range count {
				checkBoard(t, randomBoard(rng, n))
			}
		})
	}
}
