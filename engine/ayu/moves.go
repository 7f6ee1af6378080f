package ayu

import "math/bits"

// Moves appends all legal moves to buf and returns it. The order is deterministic and otherwise
// unspecified. It allocates only if the capacity of buf is too small.
func (b Board) Moves(buf []Move) []Move {
	s := b.moveGen()
	buf = appendPairs(buf, s.joiners, s.joinTargets)
	buf = appendPairs(buf, s.steppers, s.stepTargets)
	for far := s.far; !far.Empty(); {
		from := far.pop()
		for to := moveTargets(single[from], s.own, s.empty); !to.Empty(); {
			buf = append(buf, Move{from, to.pop()})
		}
	}
	for from, to := range s.groupMoves {
		buf = appendFrom(buf, from, to)
	}
	return buf
}

// CountMoves returns the number of legal moves. It is faster than Moves.
func (b Board) CountMoves() int {
	s := b.moveGen()
	n := s.joiners.adjacentPairs(s.joinTargets) + s.steppers.adjacentPairs(s.stepTargets)
	for far := s.far; !far.Empty(); {
		n += moveTargets(single[far.pop()], s.own, s.empty).Count()
	}
	for from := range s.groupMoves {
		n += from.Count()
	}
	return n
}

// RandomMove returns a random legal move, or false if there is none. It draws a stone, which selects its
// unit, then a target and the stone to move; so the moves are not equally probable. It takes a third of
// the time of a choice from Moves. randN returns a number from 0 to n-1, for n ≥ 1.
func (b Board) RandomMove(randN func(n int) int) (Move, bool) {
	own, empty := b.stones[b.turn], b.Empty()
	for rest := own; !rest.Empty(); {
		from := rest.nth(randN(rest.Count()))
		unit := own.flood(single[from])
		targets := moveTargets(unit, own, empty)
		if targets.Empty() {
			rest = rest.without(unit)
			continue
		}
		to := targets.nth(randN(targets.Count()))
		// A connected set of two or more points has at least two that are no cut points. So does the unit
		// with its target, and one of them is a stone that can move there.
		whole := unit.or(single[to])
		for unit != single[from] && whole.isCutPoint(from) {
			unit = unit.without(single[from])
			from = unit.nth(randN(unit.Count()))
		}
		return Move{from, to}, true
	}
	return Move{}, false
}

// IsImmobile reports whether the side to move has no legal move, so that it has won: no two of its units
// are connected by empty points.
func (b Board) IsImmobile() bool {
	own, empty := b.stones[b.turn], b.Empty()
	for rest := own; !rest.Empty(); {
		unit := own.flood(single[rest.first()])
		rest = rest.without(unit)
		around := empty.flood(unit.adjacent().and(empty))
		if !around.adjacent().and(rest).Empty() {
			return false
		}
	}
	return true
}

// Perft returns the number of sequences of exactly depth moves from this board, without repetition and
// without pie; 1 for depth 0.
func (b Board) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return uint64(b.CountMoves())
	}
	var buf [256]Move
	var n uint64
	for _, m := range b.Moves(buf[:0]) {
		n += b.After(m).Perft(depth - 1)
	}
	return n
}

// moveTargets returns the empty points next to a unit that are closest to the rest of own, its colour. It
// is empty if no path leads there.
func moveTargets(unit, own, empty Points) Points {
	border := unit.adjacent().and(empty)
	reached := own.without(unit).adjacent().and(empty)
	for {
		if hit := reached.and(border); !hit.Empty() {
			return hit
		}
		next := reached.adjacent().and(empty).or(reached)
		if next == reached {
			return Points{}
		}
		reached = next
	}
}

// moveGen has the intermediate sets of move generation for the side to move.
type moveGen struct {
	own, empty Points

	// Single stones at distance 1 and their targets, those at distance 2 and theirs, and those farther away.
	// A target belongs to each single stone of its set next to it.
	joiners, joinTargets  Points
	steppers, stepTargets Points
	far                   Points

	grouped Points // stones of groups
}

func (b *Board) moveGen() moveGen {
	own, empty := b.stones[b.turn], b.Empty()
	near := own.adjacent()
	s := moveGen{own: own, empty: empty, grouped: own.and(near)}
	rest := own.without(near)
	s.joinTargets = own.adjacentTwice().and(empty)
	s.joiners = rest.and(s.joinTargets.adjacent())
	rest = rest.without(s.joiners)
	// An empty point next to an empty point next to a stone is on a path of two points. If it is next to a
	// single stone, the path leads to another stone, since a path back to the same stone has an odd number of
	// points.
	s.stepTargets = near.and(empty).adjacent().and(empty)
	s.steppers = rest.and(s.stepTargets.adjacent())
	s.far = rest.without(s.steppers)
	return s
}

// groupMoves yields, for each target of each group, the stones that may move there.
func (s *moveGen) groupMoves(yield func(from Points, to Point) bool) {
	candidates := s.own.cutCandidates()
	for rest := s.grouped; !rest.Empty(); {
		unit := s.own.flood(single[rest.first()])
		rest = rest.without(unit)
		targets := moveTargets(unit, s.own, s.empty)
		if targets.Empty() {
			continue
		}
		g := newGroup(unit, candidates.and(unit))
		for !targets.Empty() {
			to := targets.pop()
			if !yield(g.sources(to), to) {
				return
			}
		}
	}
}

// appendPairs appends a move for each pair of adjacent points of from and to.
func appendPairs(buf []Move, from, to Points) []Move {
	buf = appendShifted(buf, from.up().and(to), 16)
	buf = appendShifted(buf, from.down().and(to), -16&0xff)
	buf = appendShifted(buf, from.left().and(to), -1&0xff)
	return appendShifted(buf, from.right().and(to), 1)
}

// appendShifted appends a move to each point of to; its source is the target minus by.
func appendShifted(buf []Move, to Points, by Point) []Move {
	for i, w := range [...]uint64{to.a, to.b, to.c, to.d} {
		for ; w != 0; w &= w - 1 {
			p := Point(i<<6 | bits.TrailingZeros64(w))
			buf = append(buf, Move{p - by, p})
		}
	}
	return buf
}

// appendFrom appends a move from each point of from to the point to. Iterating over the words here instead
// of calling pop makes listing a fifth faster.
func appendFrom(buf []Move, from Points, to Point) []Move {
	for i, w := range [...]uint64{from.a, from.b, from.c, from.d} {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, Move{Point(i<<6 | bits.TrailingZeros64(w)), to})
		}
	}
	return buf
}

// group is a unit of two or more stones with what determines which of its stones may move.
type group struct {
	stones    Points
	cutPoints Points // stones whose removal splits the group
	hasHoles  bool
}

func newGroup(unit, candidates Points) group {
	g := group{stones: unit, cutPoints: candidates}
	// A candidate is not a cut point only if its neighbours are connected around a hole.
	if !g.cutPoints.Empty() && unit.holes() > 0 {
		g.hasHoles = true
		g.cutPoints = unit.cutPoints(g.cutPoints)
	}
	return g
}

// sources returns the stones that may move to an empty point next to the group without splitting it.
func (g *group) sources(to Point) Points {
	touched := neighbours[to].and(g.stones)
	if touched.Count() == 1 {
		return g.stones.without(g.cutPoints).without(touched)
	}
	if g.cutPoints.Empty() {
		return g.stones
	}
	// A stone on the target may connect what a cut point connected.
	whole := g.stones.or(single[to])
	candidates := whole.cutCandidates()
	left := g.cutPoints.and(candidates)
	if g.hasHoles || candidates.Has(to) {
		left = whole.cutPoints(left)
	}
	return g.stones.without(left)
}

// cutPoints returns the candidates whose removal splits the unit. They are part of the unit.
func (unit Points) cutPoints(candidates Points) Points {
	found := candidates
	for !candidates.Empty() {
		p := candidates.pop()
		if !unit.isCutPoint(p) {
			found = found.without(single[p])
		}
	}
	return found
}

// isCutPoint reports whether the unit without p is not connected. p has at least one neighbour in it.
func (unit Points) isCutPoint(p Point) bool {
	unit = unit.without(single[p])
	ends := neighbours[p].and(unit)
	reached := single[ends.first()]
	for !ends.without(reached).Empty() {
		next := reached.adjacent().and(unit).or(reached)
		if next == reached {
			return true
		}
		reached = next
	}
	return false
}
