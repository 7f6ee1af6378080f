package mu

import (
	"math/bits"

	"ayumu/engine"
)

// area is what is counted as one (8): a section of the Commonwealth with the virgin cells that
// count as part of it, or a set of virgin cells that counts as a section of its own.
type area struct {
	cells int
	held  uint8 // seats with a piece in it, as bits
	reach uint8 // seats with a piece on the Wall that could end a move in it; only where nobody holds it
}

// owner returns whose territory an area is, false when it is neutral. Who has left owns nothing.
func (a area) owner(left uint8) (seat int, ok bool) {
	who := a.held
	if who == 0 {
		who = a.reach
	}
	if bits.OnesCount8(who) != 1 || who&left != 0 {
		return 0, false
	}
	return bits.TrailingZeros8(who), true
}

// areas divides the cells that are not Wall; of gives each cell's area, none for the Wall.
func (p *Position) areas() (list []area, of []int16) {
	of = make([]int16, len(p.pieces))
	number := make([]int16, len(p.land.sections))
	for id, s := range p.land.sections {
		number[id] = none
		if s.cells > 0 {
			number[id] = int16(len(list))
			list = append(list, area{})
		}
	}
	for i, s := range p.land.sites {
		of[i] = none
		if s.terrain == Commonwealth {
			of[i] = number[s.section]
		}
	}
	var stack []int16
	for i, s := range p.land.sites {
		if s.terrain == Virgin && of[i] == none {
			list, stack = p.spread(int16(i), list, of, stack)
		}
	}
	empty := false
	for i, a := range of {
		if a == none {
			continue
		}
		list[a].cells++
		if p.pieces[i].men > 0 {
			list[a].held |= 1 << p.pieces[i].owner
		}
	}
	for _, a := range list {
		empty = empty || a.cells > 0 && a.held == 0
	}
	if empty {
		p.reachAreas(list, of)
	}
	return list, of
}

// spread gives the virgin cells connected with cell i their area: that of the one section they
// are adjacent to, or a new one. The stack is only passed on to be used again.
func (p *Position) spread(i int16, list []area, of, stack []int16) ([]area, []int16) {
	own := int16(len(list))
	of[i] = own
	stack = append(stack[:0], i)
	one, several := int16(none), false
	for k := 0; k < len(stack); k++ {
		for _, j := range p.board.near[stack[k]] {
			switch {
			case j == none:
			case p.land.sites[j].terrain == Virgin && of[j] == none:
				of[j] = own
				stack = append(stack, j)
			case p.land.sites[j].terrain == Commonwealth:
				several = several || one != none && one != of[j]
				one = of[j]
			}
		}
	}
	if one == none || several {
		return append(list, area{}), stack
	}
	for _, j := range stack {
		of[j] = one
	}
	return list, stack
}

// reachAreas marks which seats could end a single move from the Wall in each area. From there
// a piece may pass over every cell of the board.
func (p *Position) reachAreas(list []area, of []int16) {
	for i, pc := range p.pieces {
		if pc.men == 0 || p.land.sites[i].terrain != Wall {
			continue
		}
		for _, d := range Dirs {
			at := int16(i)
			for range pc.men {
				if at = p.board.near[at][d]; at == none {
					break
				}
				if of[at] != none {
					list[of[at]].reach |= 1 << pc.owner
				}
			}
		}
	}
}

// Territory returns the cells that each seat's territory has by the count of section 8; before
// the end, as if the game ended now.
func (p *Position) Territory() []int {
	cells := make([]int, p.seats)
	list, _ := p.areas()
	for _, a := range list {
		if seat, ok := a.owner(p.left); ok {
			cells[seat] += a.cells
		}
	}
	return cells
}

// outcome counts a game that ends for a reason.
func (c *change) outcome(reason string) *engine.Result {
	scores := c.Territory()
	rank := make([]int, c.seats) // higher is better
	sole := reason == engine.Left || c.alive() == 1
	for seat := range c.seats {
		switch {
		case c.gone(seat):
			rank[seat] = -1
		case sole && (reason == engine.Left || c.men[seat] > 0):
			rank[seat] = len(c.pieces) + 1 // more than any count
		default:
			rank[seat] = scores[seat]
		}
	}
	r := &engine.Result{Winners: []int{}, Reason: reason, Scores: scores, Places: make([]int, c.seats)}
	for seat := range rank {
		for _, other := range rank {
			if other > rank[seat] {
				r.Places[seat]++
			}
		}
		if r.Places[seat] == 0 {
			r.Winners = append(r.Winners, seat)
		}
	}
	return r
}
