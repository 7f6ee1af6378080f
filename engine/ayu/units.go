package ayu

import "fmt"

// Unit is a maximal connected set of stones of one colour, with its distance to the others.
type Unit struct {
	Stones Points
	// Distance is the number of empty points on a shortest path to the closest other unit of the colour; 0
	// if there is no path to another unit.
	Distance int
	// Closest has the stones of all units at that distance.
	Closest Points
	// Ends has those of these stones at which the shortest paths end.
	Ends Points
	// Paths has the empty points on the shortest paths to them.
	Paths Points
}

// Units returns the units of c, in the order of their first points.
func (b Board) Units(c Color) []Unit {
	var units []Unit
	own := b.stones[c]
	for rest := own; !rest.Empty(); {
		u := newUnit(own.flood(single[rest.first()]), own, b.Empty())
		rest = rest.without(u.Stones)
		units = append(units, u)
	}
	return units
}

// CountUnits returns the number of units of c. It is much faster than Units.
func (b Board) CountUnits(c Color) int {
	n := 0
	for rest := b.stones[c]; !rest.Empty(); n++ {
		rest = rest.without(rest.flood(single[rest.first()]))
	}
	return n
}

// UnitAt returns the unit of the stone on p, or false if p is empty.
func (b Board) UnitAt(p Point) (Unit, bool) {
	for _, own := range b.stones {
		if own.Has(p) {
			return newUnit(own.flood(single[p]), own, b.Empty()), true
		}
	}
	return Unit{}, false
}

func newUnit(stones, own, empty Points) Unit {
	u := Unit{Stones: stones}
	others := own.without(stones)
	border := stones.adjacent().and(empty)
	// Each front has the empty points one step farther from the other units than the front before.
	var fronts []Points
	reached := others
	for front := others.adjacent().and(empty); ; front = front.adjacent().and(empty).without(reached) {
		if front.Empty() {
			return u
		}
		fronts = append(fronts, front)
		reached = reached.or(front)
		if !front.and(border).Empty() {
			break
		}
	}
	u.Distance = len(fronts)
	step := border
	for i := len(fronts) - 1; i >= 0; i-- {
		step = step.and(fronts[i])
		u.Paths = u.Paths.or(step)
		step = step.adjacent()
	}
	u.Ends = step.and(others)
	u.Closest = own.flood(u.Ends)
	return u
}

// Span returns the lengths of the shortest paths that join all units of c that paths can join, added up: the weight
// of a minimum spanning forest of its units and their distances. Units that no path connects add nothing. It is an
// estimate of the moves that c needs until it has none left if the opponent never moves: one move that joins three units
// or more saves moves. Screens call it the path of a side.
func (b Board) Span(c Color) int {
	own, empty := b.stones[c], b.Empty()
	n := 0
	for rest := own; !rest.Empty(); {
		tree := own.flood(single[rest.first()])
		rest = rest.without(tree)
		for {
			distance, unit := closest(tree, rest, empty)
			if distance == 0 {
				break
			}
			n += distance
			unit = own.flood(unit)
			tree, rest = tree.or(unit), rest.without(unit)
		}
	}
	return n
}

// CanJoinAll reports whether paths lead from each unit of c to all others.
func (b Board) CanJoinAll(c Color) bool {
	own := b.stones[c]
	return own.without(own.or(b.Empty()).flood(single[own.first()])).Empty()
}

// closest returns the distance from a set to the rest and one closest stone of the rest, or 0 if no path
// leads there.
func closest(from, rest, empty Points) (int, Points) {
	reached := from
	for distance := 0; ; distance++ {
		near := reached.adjacent()
		if hit := near.and(rest); distance > 0 && !hit.Empty() {
			return distance, single[hit.first()]
		}
		next := near.and(empty).or(reached)
		if next == reached {
			return 0, Points{}
		}
		reached = next
	}
}

// Movable returns the stones of the side to move that have a legal move.
func (b Board) Movable() Points {
	var s Points
	for _, m := range b.Moves(nil) {
		s = s.or(single[m.From])
	}
	return s
}

// Targets returns the points to which the stone on from can legally move.
func (b Board) Targets(from Point) Points {
	var s Points
	for _, m := range b.Moves(nil) {
		if m.From == from {
			s = s.or(single[m.To])
		}
	}
	return s
}

// Splits reports whether the unit of the stone on p is split by removing it, whatever the target.
func (b Board) Splits(p Point) bool {
	unit, ok := b.UnitAt(p)
	return ok && unit.Stones.Count() > 2 && unit.Stones.isCutPoint(p)
}

// Explain returns why a move is illegal, as a clause for the player, or the empty string if the move is
// legal.
func (b Board) Explain(m Move) string {
	own, empty := b.stones[b.turn], b.Empty()
	mover := b.turn.Name()
	for _, p := range []Point{m.From, m.To} {
		if !b.Contains(p) {
			return fmt.Sprintf("there is no point %s on a %d×%d board", p, b.size, b.size)
		}
	}
	switch {
	case empty.Has(m.From):
		return fmt.Sprintf("there is no stone on %s", m.From)
	case !own.Has(m.From):
		return fmt.Sprintf("the stone on %s is %s's and it is %s's turn", m.From, b.turn.Other().Name(), mover)
	}
	unit, _ := b.UnitAt(m.From)
	group := unit.Stones.Count() > 1
	name := "the stone on " + m.From.String()
	if group {
		name = "the group of " + m.From.String()
	}
	switch {
	case unit.Stones == own:
		return fmt.Sprintf("all of %s's stones form one unit", mover)
	case unit.Distance == 0:
		return fmt.Sprintf("%s is cut off from all other %s stones and cannot move", name, mover)
	case !empty.Has(m.To):
		return fmt.Sprintf("%s is occupied", m.To)
	case !unit.Stones.adjacent().Has(m.To):
		return fmt.Sprintf("%s is not next to %s", m.To, name)
	}
	if group {
		g := newGroup(unit.Stones, unit.Stones.cutCandidates())
		if !g.sources(m.To).Has(m.From) {
			return fmt.Sprintf("moving %s to %s would split its group", m.From, m.To)
		}
	}
	if unit.Paths.Has(m.To) {
		return ""
	}
	const closer = "the unit must get closer (distance now %d, "
	after, _ := b.After(m).UnitAt(m.To)
	if after.Distance == unit.Distance {
		return fmt.Sprintf(closer+"still %d)", unit.Distance, after.Distance)
	}
	return fmt.Sprintf(closer+"then %d)", unit.Distance, after.Distance)
}
