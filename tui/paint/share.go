package paint

import (
	"slices"
	"sync/atomic"
)

// Most rows that a session shows are the same in many others: the lists of a lobby, the moves of a
// match that all watch. What was drawn lately is found by what it shows, so that they keep it once.

// lately is how many rows are found again; a place of its own for each remainder of their hash.
// At 80 columns they take about 2 MiB.
const lately = 1 << 12

var shared [lately]atomic.Pointer[line]

// share returns a line that shows the same as pieces, which may lie in a row that is drawn on: one
// that was drawn before if there is such, else one of its own, made by fresh.
func share(pieces line, fresh func() line) line {
	place := &shared[pieces.hash()%lately]
	if l := place.Load(); l != nil && slices.EqualFunc(*l, pieces, piece.equal) {
		return *l
	}
	l := fresh()
	place.Store(&l)
	return l
}

// hash is of all cells and where they stand. Lines that differ may have the same.
func (l line) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	var h uint64
	mix := func(n uint64) {
		h = (h ^ n) * prime
		h ^= h >> 29
	}
	for _, p := range l {
		mix(uint64(p.x)<<32 | uint64(p.n))
		for _, c := range p.cells {
			mix(uint64(c.glyph))
			mix(uint64(c.fg)<<32 | uint64(c.bg))
		}
	}
	return h
}
