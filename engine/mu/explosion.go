package mu

// isCritical reports whether a cell is critical (docs/rules/mu.md, section 6.2).
func (p *Position) isCritical(i int16) bool {
	men, s := p.pieces[i].men, p.land.sites[i]
	if s.terrain == Wall {
		return men > uint16(s.capacity)
	}
	return men > 0 && men >= uint16(s.capacity)
}

// check puts a cell on the list of critical cells or takes it off, after something about it
// has changed.
func (c *change) check(i int16) {
	switch {
	case !c.isCritical(i):
		c.critical.remove(i)
	case c.still.has(i):
	case c.alone(i):
		c.critical.remove(i)
		c.stop(c.land.sites[i].section)
	default:
		c.critical.add(i)
	}
}

// react lets critical cells explode until there is none, or the player has to choose.
func (c *change) react() {
	for c.critical.count() == 1 {
		c.explode(c.critical.first())
	}
}

// explode lets a critical cell explode (docs/rules/mu.md, sections 6.3 to 6.5).
func (c *change) explode(i int16) {
	pc, s := &c.pieces[i], c.land.sites[i]
	pc.men -= uint16(s.capacity)
	c.tell(Step{Kind: Exploded, Seat: pc.owner, Men: uint16(s.capacity), Height: pc.men, At: c.board.cells[i]})
	captured := false // in the exploding cell's own section
	for _, j := range c.board.near[i] {
		if j == none || !s.terrain.counts(c.land.sites[j].terrain) {
			continue
		}
		if c.arrive(j, pc.owner, 1) && c.land.sites[j].terrain == s.terrain {
			captured = true
		}
	}
	switch {
	case s.terrain == Virgin:
		c.sprout(i)
	case captured:
		c.disturb(i)
	default:
		c.fire(i)
	}
	c.check(i)
	for _, j := range c.board.near[i] {
		if j != none {
			c.check(j)
		}
	}
}

// sprout turns a virgin cell that has exploded into what it becomes: the Wall between two
// sections of the Commonwealth, or a cell of the Commonwealth with a new man. Of sections of the
// Commonwealth beside it nothing is remembered that this could disturb, since they were open.
func (c *change) sprout(i int16) {
	l := c.ownLand()
	n, section := l.adjacentSections(i)
	if n >= 2 {
		l.becomeWall(i)
		c.tell(Step{Kind: BecameWall, Seat: c.pieces[i].owner, Height: c.pieces[i].men, At: c.board.cells[i]})
		c.disturb(i)
		return
	}
	if n == 0 {
		section = l.newSection()
	}
	l.becomeCommonwealth(i, section)
	c.tell(Step{Kind: BecameCommon, Seat: c.pieces[i].owner, Height: c.pieces[i].men, At: c.board.cells[i]})
	c.pieces[i].men++
	c.men[c.pieces[i].owner]++
	c.tell(Step{Kind: Sprouted, Seat: c.pieces[i].owner, Men: 1, Height: c.pieces[i].men, At: c.board.cells[i]})
}
