package mu

// Some closed sections would explode for ever (docs/rules/mu.md, section 7). A position keeps two
// sets of cells: fired, the cells of closed sections that have exploded since the section was last
// disturbed, and still, the cells of oscillating sections. Open sections are in neither: a section
// that closes is disturbed by it, since its last virgin neighbour either joins it or becomes Wall,
// which changes a capacity. Both sets are nearly always empty, and then cost nothing.

// closed reports whether no cell of a section has a virgin neighbour that counts.
func (l *land) closed(section uint16) bool { return l.sections[section].open == 0 }

// alone reports whether a cell is a closed section by itself: it oscillates when it holds a man.
func (c *change) alone(i int16) bool {
	s := c.land.sites[i]
	return s.terrain != Virgin && c.land.sections[s.section].cells == 1 && c.land.closed(s.section)
}

// disturb forgets what is remembered of the section of a cell; what is critical there counts
// again. A virgin cell has no section.
func (c *change) disturb(i int16) {
	s := c.land.sites[i]
	if s.terrain == Virgin || c.fired.empty() && c.still.empty() {
		return
	}
	lifted := c.still
	c.fired.union(c.still).each(func(j int16) {
		if c.land.sites[j].section == s.section {
			c.fired.remove(j)
			c.still.remove(j)
		}
	})
	lifted.each(func(j int16) {
		if !c.still.has(j) {
			c.check(j)
		}
	})
}

// fire remembers that a cell has exploded, and stops its section when that was the last of its
// cells to do so.
func (c *change) fire(i int16) {
	id := c.land.sites[i].section
	if !c.land.closed(id) {
		return
	}
	c.fired.add(i)
	n := int16(0)
	c.fired.each(func(j int16) {
		if c.land.sites[j].section == id {
			n++
		}
	})
	if n == c.land.sections[id].cells {
		c.stop(id)
	}
}

// stop brings an oscillating section to a standstill.
func (c *change) stop(id uint16) {
	at := int16(none)
	for k, s := range c.land.sites {
		if j := int16(k); s.terrain != Virgin && s.section == id {
			c.still.add(j)
			c.fired.remove(j)
			c.critical.remove(j)
			at = j
		}
	}
	c.tell(Step{Kind: Stilled, Seat: c.pieces[at].owner, Height: c.pieces[at].men, At: c.board.cells[at]})
}

// trim trims every oscillating section and ends what is remembered of the turn's explosions.
func (c *change) trim() {
	for !c.still.empty() {
		c.trimSection(c.land.sites[c.still.first()].section)
	}
	c.fired = cellSet{}
}

// trimSection brings the men of an oscillating section to its limits.
func (c *change) trimSection(id uint16) {
	var cells cellSet
	var men, limits int
	var owner uint8 // all men of the section are of one colour
	c.still.each(func(i int16) {
		if c.land.sites[i].section == id {
			cells.add(i)
			men += int(c.pieces[i].men)
			limits += int(c.land.sites[i].limit())
			if c.pieces[i].men > 0 {
				owner = c.pieces[i].owner
			}
		}
	})
	full := men >= limits
	cells.each(func(i int16) {
		c.still.remove(i)
		limit := c.land.sites[i].limit()
		had := c.pieces[i].men
		if had == limit || had < limit && !full {
			return
		}
		c.pieces[i] = piece{men: limit, owner: owner}
		c.men[owner] += limit - had
		c.tell(Step{Kind: Trimmed, Seat: owner, Height: limit, At: c.board.cells[i]})
	})
}

// limit is the number of men that trimming leaves on a cell.
func (s site) limit() uint16 {
	if s.terrain == Commonwealth && s.capacity > 0 {
		return uint16(s.capacity) - 1
	}
	return uint16(s.capacity)
}
