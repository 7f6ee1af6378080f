package search

import (
	"encoding/binary"
	"math/bits"

	"ayumu/engine/ayu"
)

// survey finds the units of a board, the distances to them and their forests. The features are those of the gaps.
func (s *evaluator) survey(b ayu.Board) {
	s.placeStones(b)
	s.features = s.features[:0]
	for i := range s.sides {
		s.findDistances(&s.sides[i])
	}
	for i := range s.sides {
		s.joinUnits(i)
	}
}

// placeStones sets the content of the points and finds the units.
func (s *evaluator) placeStones(b ayu.Board) {
	if n := b.Size(); len(s.points) != n*n {
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

// reset prepares the evaluator for boards of a size.
func (s *evaluator) reset(size int) {
	s.points = s.points[:0]
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
func (s *evaluator) floodUnit(p ayu.Point) uint8 {
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
func (s *evaluator) findDistances(side *sideMap) {
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
func (s *evaluator) joinUnits(i int) {
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
			s.addFeature(gapFeatures, ((i*6+lengthCode(length))*3+int(p.paths)-1)*2+int(p.open))
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
func (s *evaluator) addBorder(side *sideMap, p, q ayu.Point) {
	length := min(int(side.distance[p])+int(side.distance[q]), maxGap-1)
	s.borders[length] = append(s.borders[length], border{p, q})
}

// gapAt returns the gap of a side whose path crosses a border.
func (s *evaluator) gapAt(i int, e border) gap {
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
func (s *evaluator) root(u uint8) uint8 {
	for s.parent[u&127] != u {
		above := s.parent[s.parent[u&127]&127]
		s.parent[u&127] = above
		u = above
	}
	return u
}
