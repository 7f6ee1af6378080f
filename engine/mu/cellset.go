package mu

import "math/bits"

// cellSet is a set of cells by number. Ascending numbers are ascending coordinates.
type cellSet [(maxCells + 63) / 64]uint64

func (s *cellSet) add(i int16)      { s[i>>6] |= 1 << (i & 63) }
func (s *cellSet) remove(i int16)   { s[i>>6] &^= 1 << (i & 63) }
func (s *cellSet) has(i int16) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s *cellSet) empty() bool      { return *s == cellSet{} }

func (s *cellSet) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first returns the lowest cell, or none if the set is empty.
func (s *cellSet) first() int16 {
	for k, w := range s {
		if w != 0 {
			return int16(k<<6 + bits.TrailingZeros64(w))
		}
	}
	return none
}

// each calls f for each cell in ascending order. Changes of the set during the call have no effect.
func (s cellSet) each(f func(i int16)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			f(int16(k<<6 + bits.TrailingZeros64(w)))
		}
	}
}

// union returns the cells of either set.
func (s cellSet) union(o cellSet) cellSet {
	for k := range s {
		s[k] |= o[k]
	}
	return s
}
