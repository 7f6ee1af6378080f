package mu

import "slices"

// AppendLegal appends all legal actions to dst in the order of their texts.
func (p *Position) AppendLegal(dst []Action) []Action {
	switch {
	case p.phase == Layout:
		first := len(dst)
		for _, h := range p.board.placements {
			dst = append(dst, Action{Kind: Place, At: h})
		}
		slices.SortFunc(dst[first:], func(a, b Action) int { return a.At.compareText(b.At) })
		return dst
	case p.phase == Clearing:
		return p.appendAt(dst, Clear, p.clearable(p.seat))
	case p.phase == Over:
		return dst
	case !p.critical.empty():
		return p.appendAt(dst, Explode, p.critical)
	}
	dst = append(dst, Action{Kind: End})
	for _, i := range p.board.sorted {
		if pc := p.pieces[i]; pc.men > 0 && pc.owner == p.seat && p.hasRight(p.board.segment[i]) {
			dst = p.appendMoves(dst, i)
		}
	}
	return dst
}

// appendAt appends an action of a kind for each of the cells.
func (bs *boardState) appendAt(dst []Action, k Kind, cells cellSet) []Action {
	first := len(dst)
	cells.each(func(i int16) { dst = append(dst, Action{Kind: k, At: bs.board.cells[i]}) })
	slices.SortFunc(dst[first:], func(a, b Action) int { return a.At.compareText(b.At) })
	return dst
}

// clearable returns the centres from which a seat can remove their man (docs/rules/mu.md, section 4.1).
func (bs *boardState) clearable(seat uint8) cellSet {
	var cells cellSet
	for i, pc := range bs.pieces {
		if pc.men > 0 && pc.owner == seat {
			cells.add(int16(i))
		}
	}
	return cells
}

// AppendMoves appends the moves of the piece on a cell in the order of their texts, regardless of rights
// and turns. It appends nothing for an empty cell or one that is Out of Bounds.
func (bs *boardState) AppendMoves(dst []Action, from Hex) []Action {
	i := bs.board.find(from)
	if i == none {
		return dst
	}
	return bs.appendMoves(dst, i)
}

// appendMoves appends the moves of the piece on cell i in the order of their texts.
func (bs *boardState) appendMoves(dst []Action, i int16) []Action {
	first := len(dst)
	pc, sites, near, from := bs.pieces[i], bs.terrain.cells, bs.board.neighbours, bs.board.cells[i]
	fromWall := sites[i].terrain == Wall
	at := [6]int16{i, i, i, i, i, i}
	open := [6]bool{true, true, true, true, true, true}
	reached := uint16(0)
	for men := uint16(1); men <= pc.men && open != [6]bool{}; men++ {
		for _, d := range dirsByName {
			if !open[d] {
				continue
			}
			j := near[at[d]][d]
			if j == none {
				open[d] = false
				continue
			}
			at[d] = j
			if sites[j].terrain == Wall && !fromWall {
				open[d] = bs.pieces[j].men > 0 && bs.pieces[j].owner == pc.owner
				continue
			}
			dst = append(dst, Action{Kind: Move, At: from, Men: men, Dir: d})
			reached = men
		}
	}
	if reached >= 10 { // as text, 10 is less than 2
		slices.SortFunc(dst[first:], compareMoves)
	}
	return dst
}

// move moves men from the piece on cell i by as many cells in a direction (docs/rules/mu.md, section 5.3)
// and resolves the explosions that follow.
func (c *builder) move(i int16, men uint16, d Dir) {
	to := i
	for range men {
		to = c.board.neighbours[to][d]
	}
	owner := c.pieces[i].owner
	c.hasMoved = true
	c.rights &^= 1 << c.board.segment[i]
	c.pieces[i].men -= men
	c.cells.addStep(Step{Kind: Moved, Seat: owner, Men: men, Dir: d, Height: c.pieces[i].men, At: c.board.cells[i], To: c.board.cells[to]})
	c.cells.land(to, owner, men)
	c.cells.disturbSection(i)
	c.cells.disturbSection(to)
	c.cells.updateCritical(i)
	c.cells.updateCritical(to)
	c.cells.react()
}

// Legal implements engine.Position.
func (p *Position) Legal() []string {
	var buf [128]Action
	actions := p.AppendLegal(buf[:0])
	var text []byte
	ends := make([]int, len(actions))
	cell, name := int16(none), ""
	for k, a := range actions {
		if a.Kind == Move {
			if i := p.board.find(a.At); i != cell {
				cell, name = i, p.board.names[i]
			}
			text = appendMove(text, name, a)
		} else {
			text = append(text, a.String()...)
		}
		ends[k] = len(text)
	}
	// All results share one string: a list is retained or released as a whole.
	all, from := string(text), 0
	list := make([]string, len(actions))
	for k, to := range ends {
		list[k], from = all[from:to], to
	}
	return list
}
