// Package ayutest proves statements about boards of Ayu for tests. It uses the rules for legal moves only, and none of
// the code that makes such statements for players. Only tests import it.
package ayutest

import (
	"cmp"
	"slices"

	"ayumu/engine/ayu"
)

// points is the number of values of ayu.Point.
const points = 256

// around returns the neighbours of a point that are on the board.
func around(b ayu.Board, p ayu.Point) []ayu.Point {
	var all []ayu.Point
	for _, step := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		column, row := p.Column()+step[0], p.Row()+step[1]
		if column >= 0 && row >= 0 && column < b.Size() && row < b.Size() {
			all = append(all, ayu.At(column, row))
		}
	}
	return all
}

// aroundOf has the neighbours of all points of a board of each size.
var aroundOf = func() (all [ayu.MaxSize + 1][points][]ayu.Point) {
	for size := ayu.MinSize; size <= ayu.MaxSize; size += 2 {
		b := ayu.NewBoard(size)
		for column := range size {
			for row := range size {
				p := ayu.At(column, row)
				all[size][p] = around(b, p)
			}
		}
	}
	return all
}()

// distances has, for each point that paths from the units of one colour reach, the unit that is nearest to it and the
// number of empty points from it.
type distances struct {
	nearest [points]uint8 // number of the unit, from 1; 0: none
	steps   [points]uint8
	reached []ayu.Point
	units   uint8
}

func measure(b ayu.Board, c ayu.Color) *distances {
	s, near, own := &distances{reached: make([]ayu.Point, 0, b.Size()*b.Size())}, &aroundOf[b.Size()], b.Stones(c)
	for p := range own.All() {
		if s.nearest[p] > 0 {
			continue
		}
		s.units++
		first := len(s.reached)
		s.nearest[p], s.reached = s.units, append(s.reached, p)
		for i := first; i < len(s.reached); i++ {
			for _, q := range near[s.reached[i]] {
				if own.Has(q) && s.nearest[q] == 0 {
					s.nearest[q], s.reached = s.units, append(s.reached, q)
				}
			}
		}
	}
	empty := b.Empty()
	for i := 0; i < len(s.reached); i++ {
		p := s.reached[i]
		for _, q := range near[p] {
			if empty.Has(q) && s.nearest[q] == 0 {
				s.nearest[q], s.steps[q], s.reached = s.nearest[p], s.steps[p]+1, append(s.reached, q)
			}
		}
	}
	return s
}

// Units returns the number of units of a colour.
func Units(b ayu.Board, c ayu.Color) int { return int(measure(b, c).units) }

// Path returns the lengths of the shortest paths that join all units of a colour that paths can join, added up: the weight
// of a minimum spanning forest, by Kruskal's algorithm. Paths that cross where the areas nearest to two units meet are
// enough for it.
func Path(b ayu.Board, c ayu.Color) (length int) {
	s, near := measure(b, c), &aroundOf[b.Size()]
	type path struct{ length, a, b uint8 }
	paths := make([]path, 0, points)
	for _, p := range s.reached {
		for _, q := range near[p] {
			if x, y := s.nearest[p], s.nearest[q]; x < y && x > 0 {
				paths = append(paths, path{s.steps[p] + s.steps[q], x, y})
			}
		}
	}
	slices.SortFunc(paths, func(x, y path) int { return cmp.Compare(x.length, y.length) })
	tree := make([]uint8, s.units+1)
	for i := range tree {
		tree[i] = uint8(i)
	}
	for _, p := range paths {
		if x, y := tree[p.a], tree[p.b]; x != y {
			length += int(p.length)
			for i := range tree {
				if tree[i] == x {
					tree[i] = y
				}
			}
		}
	}
	return length
}

// Regions returns in how many sets, between which no path leads, the stones of a colour are.
func Regions(b ayu.Board, c ayu.Color) (n int) {
	seen := make(map[ayu.Point]bool)
	for p := range b.Stones(c).All() {
		if !seen[p] {
			n++
			reach(b, c, p, seen)
		}
	}
	return n
}

// HasPath reports whether a path leads from the unit of a stone of a colour to another unit of it.
func HasPath(b ayu.Board, c ayu.Color, stone ayu.Point) bool {
	seen := make(map[ayu.Point]bool)
	reach(b, c, stone, seen)
	reached := 0
	for p := range b.Stones(c).All() {
		if seen[p] {
			reached++
		}
	}
	return reached > unitSize(b, c, stone)
}

// reach adds to seen the points to which own stones and empty points lead from p.
func reach(b ayu.Board, c ayu.Color, p ayu.Point, seen map[ayu.Point]bool) {
	seen[p] = true
	for _, q := range around(b, p) {
		if !seen[q] && !b.Stones(c.Other()).Has(q) {
			reach(b, c, q, seen)
		}
	}
}

// unitSize returns the number of stones of the unit of a stone.
func unitSize(b ayu.Board, c ayu.Color, stone ayu.Point) int {
	unit := []ayu.Point{stone}
	for i := 0; i < len(unit); i++ {
		for _, q := range around(b, unit[i]) {
			if b.Stones(c).Has(q) && !slices.Contains(unit, q) {
				unit = append(unit, q)
			}
		}
	}
	return len(unit)
}

// Prover proves by exhaustive search within how many own moves a side wins: it has no move left on its own turn, after at
// most so many. The zero value is ready to use. Only one goroutine may use it at a time.
type Prover struct {
	Boards int // that were visited

	known map[ayu.Board]proof
}

// proof is what is known of a board: its side to move wins within win moves (0: not known), and not within loss.
type proof struct {
	win, loss int8
	best      ayu.Move // the first move of the win
}

// option is a move with the order in which it is tried.
type option struct {
	move  ayu.Move
	after ayu.Board
	order int
}

// Wins reports whether the side to move wins within n own moves.
func (p *Prover) Wins(b ayu.Board, n int) bool {
	k := p.known[b]
	switch {
	case k.win > 0 && int(k.win) <= n:
		return true
	case k.loss > 0 && int(k.loss) >= n:
		return false
	}
	p.Boards++
	if b.CountMoves() == 0 {
		return true
	}
	if n == 0 {
		return false
	}
	for _, o := range p.options(b, k.best) {
		if p.WinsAfter(o.after, n-1) {
			k.win, k.best = int8(n), o.move
			p.keep(b, k)
			return true
		}
	}
	k.loss = int8(n)
	p.keep(b, k)
	return false
}

func (p *Prover) keep(b ayu.Board, k proof) {
	if p.known == nil {
		p.known = make(map[ayu.Board]proof)
	}
	p.known[b] = k
}

// WinsAfter reports whether the side that is not to move wins within n own moves, whatever the side to move does.
func (p *Prover) WinsAfter(b ayu.Board, n int) bool {
	if b.CountMoves() == 0 {
		return false // the side to move has won
	}
	if n == 0 {
		return !slices.ContainsFunc(b.Moves(nil), func(m ayu.Move) bool { return b.After(m).CountMoves() > 0 })
	}
	k := p.known[b]
	for _, o := range p.options(b, k.best) {
		if !p.Wins(o.after, n) {
			k.best = o.move
			p.keep(b, k)
			return false
		}
	}
	return true
}

// Shortest returns the smallest number of own moves, at most most, within which the side to move wins, or false.
func (p *Prover) Shortest(b ayu.Board, most int) (int, bool) {
	for n := range most + 1 {
		if p.Wins(b, n) {
			return n, true
		}
	}
	return 0, false
}

// options returns the moves of a board, first the one that was best before, then those that bring the units together.
func (p *Prover) options(b ayu.Board, best ayu.Move) []option {
	var all []option
	own := b.Turn()
	for _, m := range b.Moves(nil) {
		after := b.After(m)
		o := option{m, after, 2*Path(after, own) - 2*Path(after, own.Other()) + after.CountUnits(own)}
		if m == best {
			o.order = -1000
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(x, y option) int { return cmp.Compare(x.order, y.order) })
	return all
}
