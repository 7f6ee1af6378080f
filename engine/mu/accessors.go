package mu

import "slices"

// Cell is what a screen shows of a cell of the board.
type Cell struct {
	At          Hex
	Segment     int // number of its segment in the order of laying, from 0
	Terrain     Terrain
	Owner       int // seat; -1 where no piece stands
	Men         int
	Capacity    int  // the number of neighbours that count now
	Critical    bool // the player may choose it to explode next
	Oscillating bool // in an oscillating section: it will be trimmed at the end of the turn
}

func (p *Position) cell(i int16) Cell {
	s := p.terrain.cells[i]
	c := Cell{
		At:          p.board.cells[i],
		Segment:     int(p.board.segment[i]),
		Terrain:     s.terrain,
		Owner:       -1,
		Men:         int(p.pieces[i].men),
		Capacity:    int(s.capacity),
		Critical:    p.critical.has(i),
		Oscillating: p.oscillating.has(i),
	}
	if c.Men > 0 {
		c.Owner = int(p.pieces[i].owner)
	}
	return c
}

// Cells returns all cells of the board, by q and then r.
func (p *Position) Cells() []Cell {
	cells := make([]Cell, len(p.pieces))
	for i := range cells {
		cells[i] = p.cell(int16(i))
	}
	return cells
}

// Cell returns the cell with these coordinates; false when it is Out of Bounds.
func (p *Position) Cell(at Hex) (Cell, bool) {
	i := p.board.find(at)
	if i == none {
		return Cell{}, false
	}
	return p.cell(i), true
}

// PackedCell is what a program that looks at many positions needs of a cell, in few bytes.
type PackedCell struct {
	Men      uint16
	Owner    uint8 // of the men, if there are any
	Terrain  Terrain
	Capacity uint8
}

// AppendPackedCells appends all cells of the board to dst, by q and then r, and returns it.
func (p *Position) AppendPackedCells(dst []PackedCell) []PackedCell {
	for i, pc := range p.pieces {
		s := &p.terrain.cells[i]
		dst = append(dst, PackedCell{pc.men, pc.owner, s.terrain, s.capacity})
	}
	return dst
}

// Headroom returns how many men more the piece on a cell can take before it explodes; on an empty
// cell, how high a piece can be without exploding there.
func (c Cell) Headroom() int {
	limit := c.Capacity
	if c.Terrain != Wall {
		limit--
	}
	return max(0, limit-c.Men)
}

// Board returns the ground of the game as far as it is laid.
func (p *Position) Board() *Board { return p.board }

// Men returns how many men each seat has on the board.
func (p *Position) Men() []int {
	men := make([]int, p.seats)
	for seat := range men {
		men[seat] = int(p.men[seat])
	}
	return men
}

// Eliminated reports whether a seat has lost all of its men, so that its turns are passed over.
func (p *Position) Eliminated(seat int) bool { return p.phase >= Play && p.men[seat] == 0 }

// Segments returns how many segments each player lays; 0 in a position that was set up.
func (p *Position) Segments() int { return int(p.segments) }

// Passes returns how many turns in a row have been passes.
func (p *Position) Passes() int { return int(p.passes) }

// Rights returns the centres of the segments with an unspent right, by q and then r; none
// outside play.
func (p *Position) Rights() []Hex {
	var centres []Hex
	for s, h := range p.board.centres {
		if p.rights>>s&1 != 0 {
			centres = append(centres, h)
		}
	}
	sortHexes(centres)
	return centres
}

func sortHexes(hexes []Hex) {
	slices.SortFunc(hexes, func(a, b Hex) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
}

// Critical returns the cells of which the player must choose the one that explodes next, by q
// and then r; none, or two and more.
func (p *Position) Critical() []Hex {
	var cells []Hex
	p.critical.each(func(i int16) { cells = append(cells, p.board.cells[i]) })
	return cells
}

// Placements returns where the next segment may have its centre, by q and then r; none once the
// board is laid.
func (p *Position) Placements() []Hex {
	if p.phase != Layout {
		return nil
	}
	open := slices.Clone(p.board.placements)
	sortHexes(open)
	return open
}

// Area is what is counted as one section (docs/rules/mu.md, section 8).
type Area struct {
	Cells   []Hex // by q and then r
	Owner   int   // the seat whose territory it is; -1 when it is neutral
	Held    []int // the seats with a piece in it
	Reached []int // where nobody holds it, the seats that reach it from the Wall in one move
}

// Areas returns the sections as they would be counted now, ordered by their first cells. The
// Wall is in none.
func (p *Position) Areas() []Area {
	var count ZoneMap
	p.FindZones(&count)
	areas := make([]Area, 0, len(count.Zones))
	place := make([]int, len(count.Zones))
	for i, n := range count.ZoneOf {
		if n == none {
			continue
		}
		if place[n] == 0 {
			z := count.Zones[n]
			a := Area{Owner: -1, Held: seatsOf(z.Held), Reached: seatsOf(z.Reach)}
			if seat, ok := z.territoryOf(p.left); ok {
				a.Owner = seat
			}
			areas = append(areas, a)
			place[n] = len(areas)
		}
		a := &areas[place[n]-1]
		a.Cells = append(a.Cells, p.board.cells[i])
	}
	return areas
}

func seatsOf(mask uint8) []int {
	var seats []int
	for seat := range maxPlayers {
		if mask>>seat&1 != 0 {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Target is a cell to which a piece could be moved, or why it could not.
type Target struct {
	Action Action // the move
	At     Hex    // where it would end
	Reason string // empty when it is legal for the piece, else as of Explain
}

// Targets returns, for each number of men of the piece on a cell and each direction, where the move
// would end and whether the piece may make it, rights and turns aside; up to the first cell of
// each line that is Out of Bounds. It is empty for an empty cell.
func (p *Position) Targets(from Hex) []Target {
	i := p.board.find(from)
	if i == none {
		return nil
	}
	var targets []Target
	for _, d := range Dirs {
		for men := uint16(1); men <= p.pieces[i].men; men++ {
			at := from.Step(d, int(men))
			targets = append(targets, Target{
				Action: Action{Kind: Move, At: from, Men: men, Dir: d},
				At:     at,
				Reason: p.explainPath(i, men, d),
			})
			if p.board.find(at) == none {
				break
			}
		}
	}
	return targets
}

// Details implements engine.Detailer: the centres of the segments in the order in which they were
// laid, and the seats that have left.
func (p *Position) Details() map[string]any {
	centres := []string{}
	for _, c := range p.Board().Centres() {
		centres = append(centres, c.String())
	}
	left := []int{}
	for seat := range p.Seats() {
		if p.HasLeft(seat) {
			left = append(left, seat)
		}
	}
	return map[string]any{"centres": centres, "left": left}
}
