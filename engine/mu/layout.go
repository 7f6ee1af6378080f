package mu

// place adds a segment for the seat to move and puts a man of that seat on its centre (docs/rules/mu.md,
// section 3.1).
func (c *builder) place(centre Hex) {
	old := c.board
	c.board = old.withSegment(centre)
	c.terrain = virginTerrain(c.board)
	pieces := make([]piece, c.board.Size())
	for i, pc := range c.pieces {
		pieces[c.board.find(old.cells[i])] = pc
	}
	c.pieces = pieces
	c.pieces[c.board.find(centre)] = piece{men: 1, owner: c.seat}
	c.men[c.seat]++
	c.cells.addStep(Step{Kind: Laid, Seat: c.seat, At: centre, Height: 1})
	c.nextPlacement()
}

// clear removes the man of the seat to move from a centre (docs/rules/mu.md, section 4.1).
func (c *builder) clear(centre Hex) {
	c.pieces[c.board.find(centre)] = piece{}
	c.men[c.seat]--
	c.cells.addStep(Step{Kind: Cleared, Seat: c.seat, At: centre})
	c.clearNext(c.seat + 1)
}

// nextPlacement gives the turn to the next player with segments to place, or starts the clearing. During
// the layout a player has placed as many segments as they have men.
func (c *builder) nextPlacement() {
	for range c.seats {
		c.seat = (c.seat + 1) % c.seats
		if !c.seatLeft(c.seat) && c.men[c.seat] < uint16(c.segments) {
			return
		}
	}
	c.phase = Clearing
	c.clearNext(0)
}

// clearNext gives the turn to the first player, from a seat on, who has more than one man, or starts play.
func (c *builder) clearNext(from uint8) {
	for i := range c.seats {
		seat := (from + i) % c.seats
		if c.men[seat] > 1 {
			c.seat = seat
			return
		}
	}
	c.fillSegment()
	c.beginPlay()
}

// fillSegment puts a man of the owner on each cell of every segment that still has a man on its centre.
func (c *builder) fillSegment() {
	c.board = c.board.completed()
	c.terrain = virginTerrain(c.board)
	for _, centre := range c.board.centres {
		own := c.pieces[c.board.find(centre)]
		if own.men == 0 {
			continue
		}
		for _, d := range Dirs {
			at := centre.Step(d, 1)
			c.pieces[c.board.find(at)] = own
			c.cells.addStep(Step{Kind: Filled, Seat: own.owner, Men: 1, At: at, Height: 1})
		}
		c.men[own.owner] = segmentCells
	}
}
