package mu

import (
	"math/bits"
	"slices"

	"ayumu/engine"
)

// ZoneMap divides a position into zones, each scored as one (docs/rules/mu.md, section 8.3). Programs that
// score often can reuse one ZoneMap for many positions. The zero value is ready to use.
type ZoneMap struct {
	Zones  []Zone
	ZoneOf []int16 // zone of each cell in the order of Position.Cells; -1 for Wall cells

	// RegionOf is the region of each cell, numbered from 0; -1 for Wall cells. A region is a maximal connected set of
	// cells that are not Wall: pieces leave it only over the Wall. RegionCells has the number of cells of each.
	RegionOf    []int16
	RegionCells []int16
	WallOf      []int16 // section of the Wall of each cell, numbered from 0; -1 for other cells
	WallCount   int     // number of these sections

	terrain       *terrainMap // terrain of the zones
	zoneOfSection []int16     // zone of each section
	stack         []int16
}

// Zone is a section of the Commonwealth with the virgin cells that count as part of it, or a set of virgin
// cells that counts as a section of its own (docs/rules/mu.md, section 8.3). The zone of a Wall section
// has no cells.
type Zone struct {
	Cells int
	Held  uint8 // bit set of seats with a piece in it
	Reach uint8 // bit set of seats whose pieces on the Wall can end a move in it; set only if Held is 0
}

// owner returns the seat that scores the zone, or false if it is neutral. Seats in left score
// nothing.
func (z Zone) owner(left uint8) (seat int, ok bool) {
	seats := z.Held
	if seats == 0 {
		seats = z.Reach
	}
	if bits.OnesCount8(seats) != 1 || seats&left != 0 {
		return 0, false
	}
	return bits.TrailingZeros8(seats), true
}

// FindZones fills c with the zones of the position. Zones depend on the terrain alone, so they are kept
// from the previous call if the terrain is the same. It reports whether the zones have changed.
func (bs *boardState) FindZones(c *ZoneMap) (changed bool) {
	if changed = c.terrain != bs.terrain; changed {
		c.assign(bs)
	}
	for z := range c.Zones {
		c.Zones[z].Held, c.Zones[z].Reach = 0, 0
	}
	for i, pc := range bs.pieces {
		if z := c.ZoneOf[i]; pc.men > 0 && z != none {
			c.Zones[z].Held |= 1 << pc.owner
		}
	}
	for _, z := range c.Zones {
		if z.Cells > 0 && z.Held == 0 {
			c.markReach(bs)
			break
		}
	}
	return changed
}

// assign assigns cells to zones.
func (c *ZoneMap) assign(bs *boardState) {
	c.terrain = bs.terrain
	c.ZoneOf = slices.Grow(c.ZoneOf[:0], len(bs.pieces))[:len(bs.pieces)]
	c.Zones, c.zoneOfSection = c.Zones[:0], c.zoneOfSection[:0]
	for _, s := range bs.terrain.sections {
		id := int16(none)
		if s.cells > 0 {
			id = int16(len(c.Zones))
			c.Zones = append(c.Zones, Zone{})
		}
		c.zoneOfSection = append(c.zoneOfSection, id)
	}
	for i, s := range bs.terrain.cells {
		c.ZoneOf[i] = none
		if s.terrain == Commonwealth {
			c.ZoneOf[i] = c.zoneOfSection[s.section]
		}
	}
	for i, s := range bs.terrain.cells {
		if s.terrain == Virgin && c.ZoneOf[i] == none {
			c.grow(int16(i), bs)
		}
	}
	for _, z := range c.ZoneOf {
		if z != none {
			c.Zones[z].Cells++
		}
	}
	c.assignRegions(bs)
}

// assignRegions assigns cells to regions and sections of the Wall.
func (c *ZoneMap) assignRegions(bs *boardState) {
	n := len(bs.pieces)
	c.RegionOf, c.WallOf = slices.Grow(c.RegionOf[:0], n)[:n], slices.Grow(c.WallOf[:0], n)[:n]
	for i := range n {
		c.RegionOf[i], c.WallOf[i] = none, none
	}
	c.RegionCells, c.WallCount = c.RegionCells[:0], 0
	for i, s := range bs.terrain.cells {
		switch {
		case s.terrain == Wall && c.WallOf[i] == none:
			c.fill(int16(i), c.WallOf, int16(c.WallCount), bs)
			c.WallCount++
		case s.terrain != Wall && c.RegionOf[i] == none:
			cells := c.fill(int16(i), c.RegionOf, int16(len(c.RegionCells)), bs)
			c.RegionCells = append(c.RegionCells, int16(cells))
		}
	}
}

// fill assigns a number to the cells that are connected with cell i and Wall as it is, or not Wall as it is. It returns
// how many there are.
func (c *ZoneMap) fill(i int16, of []int16, number int16, bs *boardState) int {
	wall := bs.terrain.cells[i].terrain == Wall
	of[i] = number
	stack := append(c.stack[:0], i)
	for k := 0; k < len(stack); k++ {
		for _, j := range bs.board.neighbours[stack[k]] {
			if j != none && of[j] == none && (bs.terrain.cells[j].terrain == Wall) == wall {
				of[j] = number
				stack = append(stack, j)
			}
		}
	}
	c.stack = stack
	return len(stack)
}

// grow assigns the virgin cells connected with cell i to a zone: that of the only section that they
// are adjacent to, or a new one.
func (c *ZoneMap) grow(i int16, bs *boardState) {
	own, of := int16(len(c.Zones)), c.ZoneOf
	of[i] = own
	stack := append(c.stack[:0], i)
	one, several := int16(none), false
	for k := 0; k < len(stack); k++ {
		for _, j := range bs.board.neighbours[stack[k]] {
			switch {
			case j == none:
			case bs.terrain.cells[j].terrain == Virgin && of[j] == none:
				of[j] = own
				stack = append(stack, j)
			case bs.terrain.cells[j].terrain == Commonwealth:
				several = several || one != none && one != of[j]
				one = of[j]
			}
		}
	}
	c.stack = stack
	if one == none || several {
		c.Zones = append(c.Zones, Zone{})
		return
	}
	for _, j := range stack {
		of[j] = one
	}
}

// markReach sets Reach of the zones. A piece that starts from the Wall can pass over every cell.
func (c *ZoneMap) markReach(bs *boardState) {
	for i, pc := range bs.pieces {
		if pc.men == 0 || bs.terrain.cells[i].terrain != Wall {
			continue
		}
		for _, d := range Dirs {
			at := int16(i)
			for range pc.men {
				if at = bs.board.neighbours[at][d]; at == none {
					break
				}
				if c.ZoneOf[at] != none {
					c.Zones[c.ZoneOf[at]].Reach |= 1 << pc.owner
				}
			}
		}
	}
}

// Territory returns the score of each seat (docs/rules/mu.md, section 8.7) as if the match ended now.
func (p *Position) Territory() []int {
	cells := make([]int, p.seats)
	var c ZoneMap
	p.FindZones(&c)
	for _, z := range c.Zones {
		if seat, ok := z.owner(p.left); ok {
			cells[seat] += z.Cells
		}
	}
	return cells
}

// outcome returns the result of a match that ends for a reason.
func (c *builder) outcome(reason string) *engine.Result {
	scores := c.Territory()
	rank := make([]int, c.seats) // higher is better
	sole := reason == engine.ReasonLeft || c.countAlive() == 1
	for seat := range c.seats {
		switch {
		case c.seatLeft(seat):
			rank[seat] = -1
		case sole && (reason == engine.ReasonLeft || c.men[seat] > 0):
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
