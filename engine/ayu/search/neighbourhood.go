package search

import (
	"math"
	"slices"
	"sync"

	"ayumu/engine/ayu"
)

// neighbourCounts counts the contents of adjacent points in four bits each: empty points, own stones,
// opposing stones.
var neighbourCounts = [...]uint16{kindFree: 1, kindOwn: 1 << 4, kindEnemy: 1 << 8, kindOffBoard: 0}

// around counts the contents of the points adjacent to p, as neighbourCounts has them.
func (s *boardFeatures) around(p ayu.Point) uint16 {
	return s.content[p+stepUp] + s.content[p+stepRight] + s.content[p+stepDown] + s.content[p+stepLeft]
}

// sizeCode returns the class of the size of the unit of a stone.
func (s *boardFeatures) sizeCode(p ayu.Point) int { return int(sizeCodes[s.sizes[s.units[p]&127]&127]) }

// nearness returns the class of the distance of a side to an empty point with that many of its stones
// adjacent: 0 to 2 for one, two, or more adjacent units, 3 and 4 for distances of two and three, 5 for
// more, and 6 without a path.
func (s *boardFeatures) nearness(i int, p ayu.Point, stones int) int {
	side := &s.sides[i]
	switch distance := side.distance[p]; distance {
	case 0:
		return 6
	case 1:
		if stones == 1 {
			return 0
		}
		return min(s.countTouching(kindOwn+pointKind(i), p), 3) - 1
	case 2, 3:
		return int(distance) + 1
	}
	return 5
}

// countTouching returns the number of units of a kind adjacent to a point.
func (s *boardFeatures) countTouching(kind pointKind, p ayu.Point) int {
	var seen [4]uint8
	n := 0
	for _, q := range [...]ayu.Point{p + stepUp, p + stepRight, p + stepDown, p + stepLeft} {
		if s.kinds[q] == kind && !slices.Contains(seen[:n], s.units[q]) {
			seen[n] = s.units[q]
			n++
		}
	}
	return n
}

// neighbourhoods is the number of classes of the eight points around a point.
const neighbourhoods = 8740

// neighbourhoodClasses returns the class of each neighbourhood: eight contents of two bits each, in a circle. Turned
// and mirrored ones have the same class.
var neighbourhoodClasses = sync.OnceValue(func() *[1 << 16]uint16 {
	classes := new([1 << 16]uint16)
	count := uint16(0)
	for i := range classes {
		x := uint16(i)
		least := x
		for _, y := range [2]uint16{x, mirror(x)} {
			for range 4 {
				y = y<<4 | y>>12
				least = min(least, y)
			}
		}
		if least == x {
			classes[i] = count
			count++
		} else {
			classes[i] = classes[least]
		}
	}
	return classes
})

// mirror returns a neighbourhood with the points in the opposite order, the first one unchanged.
func mirror(x uint16) uint16 {
	y := x & 3
	for i := 1; i < 8; i++ {
		y |= x >> (2 * i) & 3 << (2 * (8 - i))
	}
	return y
}

// neighbourhood returns the contents of the eight points around p.
func (s *boardFeatures) neighbourhood(p ayu.Point) uint16 {
	const upRight, downRight, downLeft, upLeft = 0x11, 0xf1, 0xef, 0x0f
	k := &s.kinds
	return uint16(k[p+stepUp]) | uint16(k[p+upRight])<<2 | uint16(k[p+stepRight])<<4 | uint16(k[p+downRight])<<6 |
		uint16(k[p+stepDown])<<8 | uint16(k[p+downLeft])<<10 | uint16(k[p+stepLeft])<<12 | uint16(k[p+upLeft])<<14
}

// wideNeighbourhood returns a hash of the contents of the eight points around p and of the four at distance two in a
// row or column. Turned and mirrored ones have the same hash.
func (s *boardFeatures) wideNeighbourhood(p ayu.Point) int {
	ring := s.neighbourhood(p)
	far := s.kindAt(p, 0, 2) | s.kindAt(p, 2, 0)<<2 | s.kindAt(p, 0, -2)<<4 | s.kindAt(p, -2, 0)<<6
	mirrored := far&0x33 | far<<4&0xc0 | far>>4&0x0c
	least := min(leastTurned(ring, uint8(far)), leastTurned(mirror(ring), uint8(mirrored)))
	const golden = 2654435761 // 2³² divided by the golden ratio
	return int(least * golden >> (32 - wideBits))
}

// leastTurned returns the least code of a neighbourhood and the four points farther away, of the four that can be
// turned into each other.
func leastTurned(ring uint16, far uint8) uint32 {
	least := uint32(math.MaxUint32)
	for range 4 {
		ring, far = ring<<4|ring>>12, far<<2|far>>6
		least = min(least, uint32(ring)<<8|uint32(far))
	}
	return least
}

// kindAt returns the content of a point so many columns and rows from p.
func (s *boardFeatures) kindAt(p ayu.Point, columns, rows int) pointKind {
	c, r := p.Column()+columns, p.Row()+rows
	if min(c, r) < 0 || max(c, r) > 14 {
		return kindOffBoard
	}
	return s.kinds[ayu.At(c, r)]
}

// sizeCodes has the class of the size of a unit, 0 to 4.
var sizeCodes = func() (codes [128]uint8) {
	for n := range codes {
		switch {
		case n <= 2:
			codes[n] = uint8(max(n, 1) - 1)
		case n <= 4:
			codes[n] = 2
		case n <= 8:
			codes[n] = 3
		default:
			codes[n] = 4
		}
	}
	return codes
}()
