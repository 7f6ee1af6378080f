package ayu

import "math/bits"

// Moves appends all legal moves to buf and returns it, in no particular but always the same
// order. It allocates only if they do not fit.
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

// CountMoves returns the number of legal moves, faster than Moves.
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

// RandomMove returns a legal move by chance; false if there is none. Each stone whose unit can move is
// as likely to say which unit does, so not all moves are as likely, and it takes a third of the
// time of a choice from Moves. chance returns a number from 0 to below n, which is at least 1.
func (b Board) RandomMove(chance func(n int) int) (Move, bool) {
	own, empty := b.stones[b.turn], b.Empty()
	for rest := own; !rest.Empty(); {
		from := rest.nth(chance(rest.Count()))
		unit := own.flood(single[from])
		targets := moveTargets(unit, own, empty)
		if targets.Empty() {
			rest = rest.without(unit)
			continue
		}
		to := targets.nth(chance(targets.Count()))
		// A connected set of at least two points has two that do not hold it together, and so has
		// the unit with its target: one of them is a stone that may move there.
		whole := unit.or(single[to])
		for unit != single[from] && isCutPoint(whole, from) {
			unit = unit.without(single[from])
			from = unit.nth(chance(unit.Count()))
		}
		return Move{from, to}, true
	}
	return Move{}, false
}

// IsImmobile reports whether the side to move has no legal move, so that it has won: no two of its
// units are connected by empty points.
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

// Perft returns the number of sequences of exactly depth moves from here, without repetition and
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

// moveTargets returns the empty points next to a unit that are closest to the rest of own, its
// colour: the targets of its moves, as far as closeness goes. It is empty if no path leads there.
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

// moveGen is the side to move as move generation sees it.
type moveGen struct {
	own, empty Points

	// The singletons at distance 1 and their targets, those at distance 2 and theirs, and those
	// farther away. A target is one of each singleton of its set that is next to it.
	joiners, joinTargets  Points
	steppers, stepTargets Points
	far                   Points

	grouped Points // the stones that are no singletons
}

func (b *Board) moveGen() moveGen {
	own, empty := b.stones[b.turn], b.Empty()
	near := own.adjacent()
	s := moveGen{own: own, empty: empty, grouped: own.and(near)}
	rest := own.without(near)
	s.joinTargets = own.adjacentTwice().and(empty)
	s.joiners = rest.and(s.joinTargets.adjacent())
	rest = rest.without(s.joiners)
	// An empty point next to an empty point next to a stone is on a path of two points. Where it
	// is next to a singleton, the path leads to another stone, since a path that comes back has an
	// odd number of points.
	s.stepTargets = near.and(empty).adjacent().and(empty)
	s.steppers = rest.and(s.stepTargets.adjacent())
	s.far = rest.without(s.steppers)
	return s
}

// groupMoves yields, for each target of each group, the stones that may move there.
func (s *moveGen) groupMoves(yield func(from Points, to Point) bool) {
	pivots := s.own.cutCandidates()
	for rest := s.grouped; !rest.Empty(); {
		unit := s.own.flood(single[rest.first()])
		rest = rest.without(unit)
		targets := moveTargets(unit, s.own, s.empty)
		if targets.Empty() {
			continue
		}
		g := newGroup(unit, pivots.and(unit))
		for !targets.Empty() {
			to := targets.pop()
			if !yield(g.sources(to), to) {
				return
			}
		}
	}
}

// appendPairs appends a move for each pair of a point of from and a point of to next to it.
func appendPairs(buf []Move, from, to Points) []Move {
	buf = appendShifted(buf, from.up().and(to), 16)
	buf = appendShifted(buf, from.down().and(to), -16&0xff)
	buf = appendShifted(buf, from.left().and(to), -1&0xff)
	return appendShifted(buf, from.right().and(to), 1)
}

// appendShifted appends a move to each point of to, from the point by this much before it.
func appendShifted(buf []Move, to Points, by Point) []Move {
	for i, w := range [...]uint64{to.a, to.b, to.c, to.d} {
		for ; w != 0; w &= w - 1 {
			p := Point(i<<6 | bits.TrailingZeros64(w))
			buf = append(buf, Move{p - by, p})
		}
	}
	return buf
}

// appendFrom appends a move to this point from each point of from. Going through the words here
// rather than by pop makes listing a fifth faster.
func appendFrom(buf []Move, from Points, to Point) []Move {
	for i, w := range [...]uint64{from.a, from.b, from.c, from.d} {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, Move{Point(i<<6 | bits.TrailingZeros64(w)), to})
		}
	}
	return buf
}

// group is a unit of two stones or more, and what decides which of its stones may move.
type group struct {
	stones    Points
	cutPoints Points // the stones without which the others fall apart
	hasHoles  bool
}

func newGroup(unit, pivots Points) group {
	g := group{stones: unit, cutPoints: pivots}
	// A pivot is no cut only where its pieces are joined around a hole.
	if !g.cutPoints.Empty() && unit.holes() > 0 {
		g.hasHoles = true
		g.cutPoints = cutPoints(unit, g.cutPoints)
	}
	return g
}

// sources returns the stones that may move to an empty point next to the group so that it stays
// whole.
func (g *group) sources(to Point) Points {
	touched := neighbours[to].and(g.stones)
	if touched.Count() == 1 {
		return g.stones.without(g.cutPoints).without(touched)
	}
	if g.cutPoints.Empty() {
		return g.stones
	}
	// A stone on to may hold together what a cut stone held.
	whole := g.stones.or(single[to])
	pivots := whole.cutCandidates()
	left := g.cutPoints.and(pivots)
	if g.hasHoles || pivots.Has(to) {
		left = cutPoints(whole, left)
	}
	return g.stones.without(left)
}

// cutPoints returns those of the candidates without which the unit, of which they are a part, is not
// connected.
func cutPoints(unit, candidates Points) Points {
	found := candidates
	for !candidates.Empty() {
		p := candidates.pop()
		if !isCutPoint(unit, p) {
			found = found.without(single[p])
		}
	}
	return found
}

// isCutPoint reports whether the unit without p, which has neighbours in it, is not connected.
func isCutPoint(unit Points, p Point) bool {
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
