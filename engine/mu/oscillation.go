package mu

// Some closed sections would explode for ever (docs/rules/mu.md, section 7). A position keeps two sets of
// cells: fired has the cells of closed sections that exploded since the section was last disturbed,
// oscillating the cells of oscillating sections. Cells of open sections are in neither: closing a section
// disturbs it, since its last virgin neighbour joins it or becomes Wall, which changes a capacity. Both
// sets are nearly always empty and then cost nothing.

// isClosed reports whether no cell of a section has a virgin neighbour that counts.
func (l *terrainMap) isClosed(section uint16) bool { return l.sections[section].open == 0 }

// isLoneSection reports whether a cell is a closed section by itself. It oscillates if it has a man.
func (bs *boardState) isLoneSection(i int16) bool {
	s := bs.terrain.cells[i]
	return s.terrain != Virgin && bs.terrain.sections[s.section].cells == 1 && bs.terrain.isClosed(s.section)
}

// disturbSection removes the section of a cell from fired and oscillating, so that its critical cells
// count again. It does nothing for a virgin cell, which has no section.
func (c *boardBuilder) disturbSection(i int16) {
	s := c.terrain.cells[i]
	if s.terrain == Virgin || c.fired.empty() && c.oscillating.empty() {
		return
	}
	lifted := c.oscillating
	c.fired.union(c.oscillating).each(func(j int16) {
		if c.terrain.cells[j].section == s.section {
			c.fired.remove(j)
			c.oscillating.remove(j)
		}
	})
	lifted.each(func(j int16) {
		if !c.oscillating.has(j) {
			c.updateCritical(j)
		}
	})
}

// recordExplosion adds a cell to fired, and stops its section if all its cells have fired.
func (c *boardBuilder) recordExplosion(i int16) {
	id := c.terrain.cells[i].section
	if !c.terrain.isClosed(id) {
		return
	}
	c.fired.add(i)
	n := int16(0)
	c.fired.each(func(j int16) {
		if c.terrain.cells[j].section == id {
			n++
		}
	})
	if n == c.terrain.sections[id].cells {
		c.stopSection(id)
	}
}

// stopSection marks a section as oscillating: its cells explode no more.
func (c *boardBuilder) stopSection(id uint16) {
	at := int16(none)
	for k, s := range c.terrain.cells {
		if j := int16(k); s.terrain != Virgin && s.section == id {
			c.oscillating.add(j)
			c.fired.remove(j)
			c.critical.remove(j)
			at = j
		}
	}
	c.addStep(Step{Kind: SectionStopped, Seat: c.pieces[at].owner, Height: c.pieces[at].men, At: c.board.cells[at]})
}

// trimSections trims every oscillating section and clears the state of the turn's explosions.
func (c *boardBuilder) trimSections() {
	for !c.oscillating.empty() {
		c.trimSection(c.terrain.cells[c.oscillating.first()].section)
	}
	c.fired = cellSet{}
}

// trimSection trims the men of an oscillating section to the limits of its cells.
func (c *boardBuilder) trimSection(id uint16) {
	var cells cellSet
	var men, limits int
	var owner uint8 // all men of the section have one owner
	c.oscillating.each(func(i int16) {
		if c.terrain.cells[i].section == id {
			cells.add(i)
			men += int(c.pieces[i].men)
			limits += int(c.terrain.cells[i].limit())
			if c.pieces[i].men > 0 {
				owner = c.pieces[i].owner
			}
		}
	})
	atLimits := men >= limits
	cells.each(func(i int16) {
		c.oscillating.remove(i)
		limit := c.terrain.cells[i].limit()
		had := c.pieces[i].men
		if had == limit || had < limit && !atLimits {
			return
		}
		c.pieces[i] = piece{men: limit, owner: owner}
		c.men[owner] += limit - had
		c.addStep(Step{Kind: Trimmed, Seat: owner, Height: limit, At: c.board.cells[i]})
	})
}

// limit returns the number of men that trimming leaves on a cell.
func (s terrainCell) limit() uint16 {
	if s.terrain == Commonwealth && s.capacity > 0 {
		return uint16(s.capacity) - 1
	}
	return uint16(s.capacity)
}
