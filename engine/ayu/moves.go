package ayu

// Moves appends all legal moves to buf and returns it, in no particular but always the same
// order. It allocates only if they do not fit.
func (b Board) Moves(buf []Move) []Move {
	own, empty := b.stones[b.turn], b.Empty()
	near := own.near()
	join := own.nearTwice().and(empty)
	step := near.and(empty).near().and(empty)

	for rest := own.without(near); !rest.Empty(); {
		from := rest.pop()
		for to := singletonTargets(from, own, empty, join, step); !to.Empty(); {
			buf = append(buf, Move{from, to.pop()})
		}
	}
	for rest := own.and(near); !rest.Empty(); {
		unit := own.flood(alone[rest.first()])
		rest = rest.without(unit)
		targets := approach(unit, own, empty)
		if targets.Empty() {
			continue
		}
		g := newGroup(unit)
		for !targets.Empty() {
			to := targets.pop()
			for from := g.sources(to); !from.Empty(); {
				buf = append(buf, Move{from.pop(), to})
			}
		}
	}
	return buf
}

// Count returns the number of legal moves, faster than Moves.
func (b Board) Count() int {
	own, empty := b.stones[b.turn], b.Empty()
	near := own.near()
	join := own.nearTwice().and(empty)
	step := near.and(empty).near().and(empty)

	// Singletons at distance 1 and 2 are counted all at once; see singletonTargets.
	one := own.without(near)
	joining := one.and(join.near())
	one = one.without(joining)
	stepping := one.and(step.near())
	n := joining.pairs(join) + stepping.pairs(step)
	for one = one.without(stepping); !one.Empty(); {
		n += approach(alone[one.pop()], own, empty).Count()
	}

	for rest := own.and(near); !rest.Empty(); {
		unit := own.flood(alone[rest.first()])
		rest = rest.without(unit)
		targets := approach(unit, own, empty)
		if targets.Empty() {
			continue
		}
		g := newGroup(unit)
		for !targets.Empty() {
			n += g.sources(targets.pop()).Count()
		}
	}
	return n
}

// Immobile reports whether the side to move has no legal move, so that it has won: no two of its
// units are connected by empty points.
func (b Board) Immobile() bool {
	own, empty := b.stones[b.turn], b.Empty()
	for rest := own; !rest.Empty(); {
		unit := own.flood(alone[rest.first()])
		rest = rest.without(unit)
		around := empty.flood(unit.near().and(empty))
		if !around.near().and(rest).Empty() {
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
		return uint64(b.Count())
	}
	var buf [128]Move
	var n uint64
	for _, m := range b.Moves(buf[:0]) {
		n += b.After(m).Perft(depth - 1)
	}
	return n
}

// approach returns the empty points next to a unit that are closest to the rest of own, its
// colour: the targets of its moves, as far as closeness goes. It is empty if no path leads there.
func approach(unit, own, empty Points) Points {
	border := unit.near().and(empty)
	reached := own.without(unit).near().and(empty)
	for {
		if hit := reached.and(border); !hit.Empty() {
			return hit
		}
		next := reached.near().and(empty).or(reached)
		if next == reached {
			return Points{}
		}
		reached = next
	}
}

// singletonTargets is approach for a unit of one stone. Given are join, the empty points next to
// two or more stones of its colour, and step, the empty points next to an empty point that is
// next to one. If the stone is next to a point of join, its distance is 1 and those are its
// targets. If not but next to a point of step, its distance is 2: the stone that is reached from
// there is another one, since a path back to the same stone has an odd number of points.
func singletonTargets(from Point, own, empty, join, step Points) Points {
	around := neighbours[from]
	if to := around.and(join); !to.Empty() {
		return to
	}
	if to := around.and(step); !to.Empty() {
		return to
	}
	return approach(alone[from], own, empty)
}

// group is a unit of two stones or more, and what decides which of its stones may move.
type group struct {
	stones Points
	cuts   Points // the stones without which the others fall apart
	holed  bool
}

func newGroup(unit Points) group {
	g := group{stones: unit, cuts: unit.pivots()}
	// A pivot is no cut only where its pieces are joined around a hole.
	if !g.cuts.Empty() && unit.holes() > 0 {
		g.holed = true
		g.cuts = cuts(unit, g.cuts)
	}
	return g
}

// sources returns the stones that may move to an empty point next to the group so that it stays
// whole.
func (g *group) sources(to Point) Points {
	touched := neighbours[to].and(g.stones)
	if touched.Count() == 1 {
		return g.stones.without(g.cuts).without(touched)
	}
	if g.cuts.Empty() {
		return g.stones
	}
	// A stone on to may hold together what a cut stone held.
	whole := g.stones.or(alone[to])
	pivots := whole.pivots()
	left := g.cuts.and(pivots)
	if g.holed || pivots.Has(to) {
		left = cuts(whole, left)
	}
	return g.stones.without(left)
}

// cuts returns those of the candidates without which the unit, of which they are a part, is not
// connected.
func cuts(unit, candidates Points) Points {
	found := candidates
	for !candidates.Empty() {
		p := candidates.pop()
		if !splits(unit, p) {
			found = found.without(alone[p])
		}
	}
	return found
}

// splits reports whether the unit without p is not connected.
func splits(unit Points, p Point) bool {
	unit = unit.without(alone[p])
	ends := neighbours[p].and(unit)
	if ends.Empty() {
		return false
	}
	reached := alone[ends.first()]
	for !ends.without(reached).Empty() {
		next := reached.near().and(unit).or(reached)
		if next == reached {
			return true
		}
		reached = next
	}
	return false
}
