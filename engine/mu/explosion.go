package mu

// isCritical reports whether a cell is critical (docs/rules/mu.md, section 6.2).
func (bs *boardState) isCritical(i int16) bool {
	men, s := bs.pieces[i].men, bs.terrain.cells[i]
	if s.terrain == Wall {
		return men > uint16(s.capacity)
	}
	return men > 0 && men >= uint16(s.capacity)
}

// updateCritical updates whether a cell is in the set of critical cells. It must be called after every
// change of its men or capacity.
func (c *boardBuilder) updateCritical(i int16) {
	switch {
	case !c.isCritical(i):
		c.critical.remove(i)
	case c.oscillating.has(i):
	case c.isLoneSection(i):
		c.critical.remove(i)
		c.stopSection(c.terrain.cells[i].section)
	default:
		c.critical.add(i)
	}
}

// react explodes critical cells until none is left or the player has to choose.
func (c *boardBuilder) react() {
	for c.critical.count() == 1 {
		c.explode(c.critical.first())
	}
}

// explode explodes a critical cell (docs/rules/mu.md, sections 6.3 to 6.5).
func (c *boardBuilder) explode(i int16) {
	pc, s := &c.pieces[i], c.terrain.cells[i]
	pc.men -= uint16(s.capacity)
	c.addStep(Step{Kind: Exploded, Seat: pc.owner, Men: uint16(s.capacity), Height: pc.men, At: c.board.cells[i]})
	captured := false // in the exploding cell's own section
	for _, j := range c.board.neighbours[i] {
		if j == none || !s.terrain.receivesFrom(c.terrain.cells[j].terrain) {
			continue
		}
		if c.land(j, pc.owner, 1) && c.terrain.cells[j].terrain == s.terrain {
			captured = true
		}
	}
	switch {
	case s.terrain == Virgin:
		c.convertVirgin(i)
	case captured:
		c.disturbSection(i)
	default:
		c.recordExplosion(i)
	}
	c.updateCritical(i)
	for _, j := range c.board.neighbours[i] {
		if j != none {
			c.updateCritical(j)
		}
	}
}

// convertVirgin turns a virgin cell that has exploded into a Wall cell, if it is between two sections of
// the Commonwealth, or into a Commonwealth cell with an additional man. It need not disturb the adjacent
// sections of the Commonwealth: they were open, so no state is kept for them.
func (c *boardBuilder) convertVirgin(i int16) {
	l := c.ownTerrain()
	n, section := l.adjacentSections(i)
	if n >= 2 {
		l.becomeWall(i)
		c.addStep(Step{Kind: BecameWall, Seat: c.pieces[i].owner, Height: c.pieces[i].men, At: c.board.cells[i]})
		c.disturbSection(i)
		return
	}
	if n == 0 {
		section = l.newSection()
	}
	l.becomeCommonwealth(i, section)
	c.addStep(Step{Kind: BecameCommon, Seat: c.pieces[i].owner, Height: c.pieces[i].men, At: c.board.cells[i]})
	c.pieces[i].men++
	c.men[c.pieces[i].owner]++
	c.addStep(Step{Kind: ManAdded, Seat: c.pieces[i].owner, Men: 1, Height: c.pieces[i].men, At: c.board.cells[i]})
}
