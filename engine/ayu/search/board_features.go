package search

import (
	"encoding/binary"
	"math/bits"

	"ayumu/engine/ayu"
)

// pointKind is the content of a point for the side to move.
type pointKind uint8

const (
	kindFree pointKind = iota
	kindOwn
	kindEnemy
	kindOffBoard
)

// Steps to the four adjacent points. They wrap around off the board.
const (
	stepUp    ayu.Point = 16
	stepDown  ayu.Point = 0xf0
	stepLeft  ayu.Point = 0xff
	stepRight ayu.Point = 1
)

// maxGap limits the lengths of gaps: longer ones count as maxGap-1.
const maxGap = 24

// boardFeatures has what the networks need to know of a board: the units, the distances to them, the minimum spanning
// forests of both sides, and the points that their gaps pass. It reuses its memory.
type boardFeatures struct {
	size         int            // of the board
	points       []ayu.Point    // all points of a board of that size
	blank        [256]pointKind // kinds, free and content of the empty board of that size
	blankFree    [256]bool
	blankContent [256]uint16

	kinds   [256]pointKind
	units   [256]uint8  // unit of each stone, from 1; 0 elsewhere
	count   uint8       // number of units
	sizes   [128]uint8  // size of each unit
	nearest [128]uint8  // length of the shortest gap of each unit; 0 for none
	second  [128]uint8  // length of its second gap; 0 for none
	degree  [128]uint8  // number of its gaps
	sides   [2]sideMap  // side to move, opponent
	content [256]uint16 // of the points, as neighbourCounts has it

	parent    [128]uint8       // union-find parent of each unit
	free      [256]bool        // empty points
	unreached [256]bool        // those that findDistances has not reached
	queue     [256]ayu.Point   // queue of reached points
	borders   [maxGap][]border // by the length of the gap across them
	gaps      []gap            // of one length
	pairs     [1024]pair       // by a hash of the two units
}

// sideMap has a side's stones and the distance of the empty points to them.
type sideMap struct {
	stones   []ayu.Point
	unit     [256]uint8 // closest unit of each point; 0 without a path
	distance [256]uint8 // empty points on the path there, including the point; 0 for a stone
	span     int        // sum of the gaps
	units    int
	largest  uint8
	joined   []joint    // the forest, the shortest gaps first
	gapCode  [256]uint8 // code of the gap of the forest that passes a point (markGaps); 0 for none
	gapAt    [256]uint8 // its index in joined, from 1
}

// border is a pair of adjacent points with different closest units.
type border struct{ p, q ayu.Point }

// gap is a shortest path between two units.
type gap struct {
	a, b uint8
	open bool      // no opposing stone is adjacent to the middle of the path
	p, q ayu.Point // adjacent points in the middle of the path, closest to different units
}

// joint is a gap of the minimum spanning forest.
type joint struct {
	gap
	length uint8
	paths  uint8 // number of shortest paths, at most 3
}

// pair has the number of shortest paths between two units, and whether one of them is open.
type pair struct {
	paths uint8
	open  uint8
}

// compute computes the features of a board.
func (s *boardFeatures) compute(b ayu.Board) {
	s.placeStones(b)
	for i := range s.sides {
		s.findDistances(&s.sides[i])
	}
	clear(s.nearest[:])
	clear(s.second[:])
	clear(s.degree[:])
	for i := range s.sides {
		s.joinUnits(i)
		s.markGaps(&s.sides[i])
	}
}

// stage returns the sum of both spans, scaled to 11×11.
func (s *boardFeatures) stage() float64 {
	return scaledSpan(s.sides[0].span+s.sides[1].span, len(s.points))
}

// spans returns the sum of both spans of a board, and the number of its points.
func spans(b ayu.Board) (sum, points int) {
	return b.Span(ayu.Black) + b.Span(ayu.White), b.Size() * b.Size()
}

// scaledSpan scales the sum of both spans on a board with that many points to 11×11.
func scaledSpan(spans, points int) float64 { return float64(spans) * 120 / float64(points-1) }

// placeStones sets the content of the points and finds the units.
func (s *boardFeatures) placeStones(b ayu.Board) {
	if n := b.Size(); s.size != n {
		s.reset(n)
	}
	s.kinds, s.free, s.content = s.blank, s.blankFree, s.blankContent
	clear(s.units[:])
	s.count = 0
	for i, c := range [2]ayu.Color{b.Turn(), b.Turn().Other()} {
		side := &s.sides[i]
		side.stones = b.Stones(c).AppendTo(side.stones[:0])
		for _, p := range side.stones {
			s.kinds[p] = kindOwn + pointKind(i)
			s.free[p] = false
			s.content[p] = neighbourCounts[kindOwn+pointKind(i)]
		}
	}
	for i := range s.sides {
		side := &s.sides[i]
		side.units, side.largest = 0, 0
		for _, p := range side.stones {
			if s.units[p] == 0 {
				side.units++
				side.largest = max(side.largest, s.floodUnit(p))
			}
		}
	}
}

// reset prepares for boards of a size.
func (s *boardFeatures) reset(size int) {
	s.size, s.points = size, s.points[:0]
	s.blankFree, s.blankContent = [256]bool{}, [256]uint16{}
	for i := range s.blank {
		s.blank[i] = kindOffBoard
	}
	for row := range size {
		for column := range size {
			p := ayu.At(column, row)
			s.points = append(s.points, p)
			s.blank[p], s.blankFree[p], s.blankContent[p] = kindFree, true, neighbourCounts[kindFree]
		}
	}
}

// floodUnit numbers the unit of a stone and returns its size.
func (s *boardFeatures) floodUnit(p ayu.Point) uint8 {
	s.count++
	kinds, units, queue := &s.kinds, &s.units, &s.queue
	kind, unit := kinds[p], s.count
	units[p], queue[0] = unit, p
	n := 1
	for i := 0; i < n; i++ {
		p := queue[i&255]
		if q := p + stepUp; kinds[q] == kind && units[q] == 0 {
			units[q], queue[n&255] = unit, q
			n++
		}
		if q := p + stepRight; kinds[q] == kind && units[q] == 0 {
			units[q], queue[n&255] = unit, q
			n++
		}
		if q := p + stepDown; kinds[q] == kind && units[q] == 0 {
			units[q], queue[n&255] = unit, q
			n++
		}
		if q := p + stepLeft; kinds[q] == kind && units[q] == 0 {
			units[q], queue[n&255] = unit, q
			n++
		}
	}
	s.sizes[unit&127], s.parent[unit&127] = uint8(n), unit
	return uint8(n)
}

// findDistances finds the closest unit of a side for each empty point: a Voronoi diagram. Its loops are unrolled, with
// the length of the queue in a variable of its own, which takes half the time.
func (s *boardFeatures) findDistances(side *sideMap) {
	clear(side.unit[:])
	clear(side.distance[:])
	s.unreached = s.free
	unreached, queue, distance, unit := &s.unreached, &s.queue, &side.distance, &side.unit
	n := 0
	for _, p := range side.stones {
		unit[p], queue[n&255] = s.units[p], p
		n++
	}
	for i := 0; i < n; i++ {
		p := queue[i&255]
		d, u := distance[p]+1, unit[p]
		if q := p + stepUp; unreached[q] {
			unreached[q], distance[q], unit[q], queue[n&255] = false, d, u, q
			n++
		}
		if q := p + stepRight; unreached[q] {
			unreached[q], distance[q], unit[q], queue[n&255] = false, d, u, q
			n++
		}
		if q := p + stepDown; unreached[q] {
			unreached[q], distance[q], unit[q], queue[n&255] = false, d, u, q
			n++
		}
		if q := p + stepLeft; unreached[q] {
			unreached[q], distance[q], unit[q], queue[n&255] = false, d, u, q
			n++
		}
	}
}

// joinUnits joins the units of a side by the shortest gaps: a minimum spanning forest. A shortest path
// between two units of the forest passes the border between their cells of the diagram.
func (s *boardFeatures) joinUnits(i int) {
	side := &s.sides[i]
	for n := range s.borders {
		s.borders[n] = s.borders[n][:0]
	}
	// Eight points at a time: a row has 16 bytes, of which the last one is off the board.
	last := int(s.points[len(s.points)-1])
	for at := 0; at <= last; at += 8 {
		here := binary.LittleEndian.Uint64(side.unit[at:])
		if here == 0 {
			continue
		}
		right := differing(here, binary.LittleEndian.Uint64(side.unit[at+1:]))
		up := differing(here, binary.LittleEndian.Uint64(side.unit[at+16:]))
		for either := right | up; either != 0; either &= either - 1 {
			p, bit := ayu.Point(at+bits.TrailingZeros64(either)/8), either&-either
			if right&bit != 0 {
				s.addBorder(side, p, p+stepRight)
			}
			if up&bit != 0 {
				s.addBorder(side, p, p+stepUp)
			}
		}
	}
	side.span, side.joined = 0, side.joined[:0]
	for length, borders := range s.borders {
		if len(side.joined) == side.units-1 {
			break
		}
		s.gaps = s.gaps[:0]
		for _, e := range borders {
			g := s.gapAt(i, e)
			if s.root(g.a) == s.root(g.b) {
				continue
			}
			s.gaps = append(s.gaps, g)
			s.pairs[g.pair()].add(g)
		}
		for _, g := range s.gaps {
			a, b := s.root(g.a), s.root(g.b)
			if a == b {
				continue
			}
			s.parent[a&127] = b
			side.span += length
			p := s.pairs[g.pair()]
			side.joined = append(side.joined, joint{gap{g.a, g.b, p.open > 0, g.p, g.q}, uint8(length), p.paths})
		}
		for _, g := range s.gaps {
			s.pairs[g.pair()] = pair{}
		}
	}
}

// differing returns a set bit, the highest of the byte, for each byte of x that is neither 0 nor that of y, where that of
// y is not 0 either.
func differing(x, y uint64) uint64 { return nonzero(x) & nonzero(y) & nonzero(x^y) }

// nonzero returns the highest bit of each byte of x that is not 0.
func nonzero(x uint64) uint64 {
	const low = 0x7f7f_7f7f_7f7f_7f7f
	return (x&low + low | x) &^ low
}

// addBorder records two adjacent points with different closest units.
func (s *boardFeatures) addBorder(side *sideMap, p, q ayu.Point) {
	length := min(int(side.distance[p])+int(side.distance[q]), maxGap-1)
	s.borders[length] = append(s.borders[length], border{p, q})
}

// gapAt returns the gap of a side whose path crosses a border.
func (s *boardFeatures) gapAt(i int, e border) gap {
	side, enemy := &s.sides[i], &s.sides[1-i]
	a, b := side.unit[e.p], side.unit[e.q]
	return gap{min(a, b), max(a, b), enemy.distance[e.p] != 1 && enemy.distance[e.q] != 1, e.p, e.q}
}

// pair returns a hash of the two units.
func (g gap) pair() int { return (int(g.a)*31 + int(g.b)) & 1023 }

func (p *pair) add(g gap) {
	p.paths = min(p.paths+1, 3)
	if g.open {
		p.open = 1
	}
}

// root returns the representative of the units joined with u.
func (s *boardFeatures) root(u uint8) uint8 {
	for s.parent[u&127] != u {
		above := s.parent[s.parent[u&127]&127]
		s.parent[u&127] = above
		u = above
	}
	return u
}

// markGaps computes the gaps of each unit of a side, and the code and the gap of each point that a gap passes. Where two do,
// it is the shorter one.
func (s *boardFeatures) markGaps(side *sideMap) {
	clear(side.gapCode[:])
	clear(side.gapAt[:])
	for at, e := range side.joined {
		for _, u := range [2]uint8{e.a, e.b} {
			u &= 127
			switch s.degree[u]++; s.degree[u] {
			case 1:
				s.nearest[u] = e.length
			case 2:
				s.second[u] = e.length
			}
		}
		paths, open := 0, 0
		if e.paths > 1 {
			paths = 1
		}
		if e.open {
			open = 1
		}
		code := uint8(1 + (min(int(e.length), 3)-1)*4 + paths*2 + open)
		s.markPath(side, e.p, code, uint8(at+1))
		s.markPath(side, e.q, code, uint8(at+1))
	}
}

// markPath sets the code of the points of a path from p to its closest unit, unless a shorter gap passes them.
func (s *boardFeatures) markPath(side *sideMap, p ayu.Point, code, gap uint8) {
	for d := side.distance[p]; d > 0; d-- {
		if side.gapCode[p] == 0 {
			side.gapCode[p], side.gapAt[p] = code, gap
		}
		if d == 1 {
			return
		}
		for _, q := range adjacent(p) {
			if s.kinds[q] == kindFree && side.distance[q] == d-1 && side.unit[q] == side.unit[p] {
				p = q
				break
			}
		}
	}
}

// ends returns the units of a gap of the forest, the smaller one first; of equally large ones that with fewer gaps.
func (s *boardFeatures) ends(e *joint) (a, b uint8) {
	a, b = e.a&127, e.b&127
	if s.sizes[a] > s.sizes[b] || s.sizes[a] == s.sizes[b] && s.degree[a] > s.degree[b] {
		return b, a
	}
	return a, b
}

// gapClass returns the class of the length of the shortest gap of a unit, 0 to 3.
func gapClass(n uint8) int {
	switch {
	case n <= 2:
		return max(int(n), 1) - 1
	case n <= 4:
		return 2
	}
	return 3
}

// adjacent returns the four points adjacent to p, which may be off the board.
func adjacent(p ayu.Point) [4]ayu.Point {
	return [4]ayu.Point{p + stepUp, p + stepRight, p + stepDown, p + stepLeft}
}
