package mu

// boardState is what is on the board in a position: the terrain of its cells, the pieces, and the state of
// the chain reaction.
type boardState struct {
	board   *Board
	terrain *terrainMap
	pieces  []piece // by cell
	men     [maxPlayers]uint16

	// State of the chain reaction and its effects in this turn (docs/rules/mu.md, sections 6 and 7):
	critical    cellSet // between actions it is empty or has two or more cells
	fired       cellSet // cells that exploded since their closed section was last disturbed
	oscillating cellSet // cells of oscillating sections
}

// piece is the piece on a cell. Zero men mean an empty cell.
type piece struct {
	men   uint16
	owner uint8
}

// boardBuilder changes the board of a position under construction. It knows nothing of turns and phases.
type boardBuilder struct {
	*boardState
	sharedTerrain *terrainMap // terrain of the previous position; read-only
	steps         *[]Step     // nil if not requested
}

// ownTerrain returns terrain that the builder may modify, cloning it on first use.
func (c *boardBuilder) ownTerrain() *terrainMap {
	if c.terrain == c.sharedTerrain {
		c.terrain = c.terrain.clone()
	}
	return c.terrain
}

// addStep appends a step if steps are requested.
func (c *boardBuilder) addStep(s Step) {
	if c.steps != nil {
		*c.steps = append(*c.steps, s)
	}
}

// land adds men of an owner to a cell and reports whether they captured the piece there.
func (c *boardBuilder) land(i int16, owner uint8, men uint16) (captured bool) {
	pc := c.pieces[i]
	s := Step{Kind: Landed, Seat: owner, Men: men, Height: men}
	switch {
	case pc.men == 0:
	case pc.owner == owner:
		s.Kind = Merged
		s.Height += pc.men
	default:
		s.Kind, s.Other, s.Taken = Captured, pc.owner, pc.men
		c.men[pc.owner] -= pc.men
		captured = true
	}
	c.pieces[i] = piece{men: s.Height, owner: owner}
	if c.steps != nil {
		s.At = c.board.cells[i]
		c.addStep(s)
	}
	return captured
}

// removeMen removes all men of a seat from the board.
func (c *boardBuilder) removeMen(seat uint8) {
	for i, pc := range c.pieces {
		if pc.men > 0 && pc.owner == seat {
			c.pieces[i] = piece{}
			c.addStep(Step{Kind: Removed, Seat: seat, At: c.board.cells[i]})
		}
	}
	c.men[seat] = 0
}
