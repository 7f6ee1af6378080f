package ayu

import (
	"iter"
	"math/bits"
)

// Point is a point of the board: 16 times its row plus its column, both counted from 0 at the lower left.
// Row 15 and column 15 are on no board.
type Point uint8

// At returns the point in a column and a row, both from 0 to 14.
func At(column, row int) Point { return Point(row<<4 | column) }

// Column returns the column, 0 at the left.
func (p Point) Column() int { return int(p & 15) }

// Row returns the row, 0 at the bottom.
func (p Point) Row() int { return int(p >> 4) }

// Points is a set of points. It is comparable; the zero value is the empty set.
//
// A row takes 16 bits and a word four rows. Since column 15 is on no board, a shift by one never carries a
// point of a board into the next row.
type Points struct{ a, b, c, d uint64 }

// Has reports whether the set contains p.
func (s Points) Has(p Point) bool { return !s.and(single[p]).Empty() }

// Empty reports whether the set is empty.
func (s Points) Empty() bool { return s.a|s.b|s.c|s.d == 0 }

// Count returns the number of points in the set.
func (s Points) Count() int {
	return bits.OnesCount64(s.a) + bits.OnesCount64(s.b) + bits.OnesCount64(s.c) + bits.OnesCount64(s.d)
}

// All yields the points row by row from the bottom, each row from the left.
func (s Points) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for !s.Empty() {
			if !yield(s.pop()) {
				return
			}
		}
	}
}

// AppendTo appends the points to buf in the order of All and returns it. It takes less time than All.
func (s Points) AppendTo(buf []Point) []Point {
	for i, w := range [...]uint64{s.a, s.b, s.c, s.d} {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, Point(i<<6|bits.TrailingZeros64(w)))
		}
	}
	return buf
}

// single has the set of each single point, neighbours the set of the points next to it, which may include
// points off the board. A lookup is faster than computing them.
var single, neighbours = func() (one, next [256]Points) {
	for i := range one {
		w := [4]uint64{}
		w[i>>6] = 1 << (i & 63)
		one[i] = Points{w[0], w[1], w[2], w[3]}
		next[i] = one[i].adjacent()
	}
	return one, next
}()

func (s Points) and(t Points) Points { return Points{s.a & t.a, s.b & t.b, s.c & t.c, s.d & t.d} }

func (s Points) or(t Points) Points { return Points{s.a | t.a, s.b | t.b, s.c | t.c, s.d | t.d} }

func (s Points) without(t Points) Points {
	return Points{s.a &^ t.a, s.b &^ t.b, s.c &^ t.c, s.d &^ t.d}
}

// first returns the first point of a non-empty set.
func (s Points) first() Point {
	switch {
	case s.a != 0:
		return Point(bits.TrailingZeros64(s.a))
	case s.b != 0:
		return Point(64 + bits.TrailingZeros64(s.b))
	case s.c != 0:
		return Point(128 + bits.TrailingZeros64(s.c))
	}
	return Point(192 + bits.TrailingZeros64(s.d))
}

// nth returns the point with n points before it. It panics unless n < Count.
func (s Points) nth(n int) Point {
	for i, w := range [...]uint64{s.a, s.b, s.c, s.d} {
		if k := bits.OnesCount64(w); n >= k {
			n -= k
			continue
		}
		for range n {
			w &= w - 1
		}
		return Point(i<<6 | bits.TrailingZeros64(w))
	}
	panic("ayu: the set has fewer points")
}

// pop removes and returns the first point of a non-empty set.
func (s *Points) pop() Point {
	switch {
	case s.a != 0:
		p := bits.TrailingZeros64(s.a)
		s.a &= s.a - 1
		return Point(p)
	case s.b != 0:
		p := bits.TrailingZeros64(s.b)
		s.b &= s.b - 1
		return Point(64 + p)
	case s.c != 0:
		p := bits.TrailingZeros64(s.c)
		s.c &= s.c - 1
		return Point(128 + p)
	}
	p := bits.TrailingZeros64(s.d)
	s.d &= s.d - 1
	return Point(192 + p)
}

// up, down, left and right return the set shifted by one row or column. Points at the edge end up off the
// board.

func (s Points) up() Points {
	return Points{s.a << 16, s.b<<16 | s.a>>48, s.c<<16 | s.b>>48, s.d<<16 | s.c>>48}
}

func (s Points) down() Points {
	return Points{s.a>>16 | s.b<<48, s.b>>16 | s.c<<48, s.c>>16 | s.d<<48, s.d >> 16}
}

func (s Points) left() Points { return Points{s.a >> 1, s.b >> 1, s.c >> 1, s.d >> 1} }

func (s Points) right() Points { return Points{s.a << 1, s.b << 1, s.c << 1, s.d << 1} }

// adjacent returns the points next to at least one point of s, including some off the board.
func (s Points) adjacent() Points { return s.up().or(s.down()).or(s.left().or(s.right())) }

// adjacentTwice returns the points next to at least two points of s, including some off the board.
func (s Points) adjacentTwice() Points { return inTwo(s.up(), s.down(), s.left(), s.right()) }

// inTwo returns the points that are in at least two of the four sets.
func inTwo(w, x, y, z Points) Points {
	return w.and(x).or(y.and(z)).or(w.or(x).and(y.or(z)))
}

// adjacentPairs returns the number of pairs of adjacent points of s and t.
func (s Points) adjacentPairs(t Points) int {
	return s.up().and(t).Count() + s.down().and(t).Count() + s.left().and(t).Count() + s.right().and(t).Count()
}

// flood returns the points of s connected with from, a subset of s.
func (s Points) flood(from Points) Points {
	for {
		next := from.adjacent().and(s).or(from)
		if next == from {
			return from
		}
		from = next
	}
}

// cutCandidates returns the points of s whose neighbours in s are not connected within the eight points
// around. No other point of s can be a cut point.
func (s Points) cutCandidates() Points {
	// The set shifted down has the points with a point of s above them, and so on.
	above, under, before, after := s.down(), s.up(), s.right(), s.left()
	// A neighbour that is not connected to the next one around, over the corner between them, ends a
	// connected part.
	return s.and(inTwo(
		above.without(above.left().and(after)),
		after.without(under.left().and(under)),
		under.without(under.right().and(before)),
		before.without(above.right().and(above)),
	))
}

// holes returns the number of holes of a connected set. By Euler's formula, its points minus its adjacent
// pairs plus its 2×2 squares are 1 minus that number.
func (s Points) holes() int {
	beside, upon := s.and(s.left()), s.and(s.down())
	squares := upon.and(upon.left())
	return 1 - s.Count() + beside.Count() + upon.Count() - squares.Count()
}
