package mu

import "slices"

// Cell is the content of a cell of the board.
type Cell struct {
	At          Hex
	Segment     int // its segment in the order of placement, from 0
	Terrain     Terrain
	Owner       int // seat; -1 if empty
	Men         int
	Capacity    int  // number of neighbours that count now
	Critical    bool // the player to move can choose it to explode next
	Oscillating bool // in an oscillating section, which is trimmed at the end of the turn
}

func (bs *boardState) cell(i int16) Cell {
	s := bs.terrain.cells[i]
	c := Cell{
		At:          bs.board.cells[i],
		Segment:     int(bs.board.segment[i]),
		Terrain:     s.terrain,
		Owner:       -1,
		Men:         int(bs.pieces[i].men),
		Capacity:    int(s.capacity),
		Critical:    bs.critical.has(i),
		Oscillating: bs.oscillating.has(i),
	}
	if c.Men > 0 {
		c.Owner = int(bs.pieces[i].owner)
	}
	return c
}

// Cells returns all cells of the board, by q and then r.
func (bs *boardState) Cells() []Cell {
	cells := make([]Cell, len(bs.pieces))
	for i := range cells {
		cells[i] = bs.cell(int16(i))
	}
	return cells
}

// Cell returns the cell with these coordinates, or false if it is Out of Bounds.
func (bs *boardState) Cell(at Hex) (Cell, bool) {
	i := bs.board.find(at)
	if i == none {
		return Cell{}, false
	}
	return bs.cell(i), true
}

// PackedCell is the content of a cell in few bytes, for programs that evaluate many positions.
type PackedCell struct {
	Men      uint16
	Owner    uint8 // undefined if Men is 0
	Terrain  Terrain
	Capacity uint8
}

// AppendPackedCells appends all cells of the board to dst, by q and then r, and returns it.
func (bs *boardState) AppendPackedCells(dst []PackedCell) []PackedCell {
	for i, pc := range bs.pieces {
		s := &bs.terrain.cells[i]
		dst = append(dst, PackedCell{pc.men, pc.owner, s.terrain, s.capacity})
	}
	return dst
}

// Headroom returns how many more men the piece on the cell can take without exploding; on an empty cell,
// the largest number of men that do not explode there.
func (c Cell) Headroom() int {
	limit := c.Capacity
	if c.Terrain != Wall {
		limit--
	}
	return max(0, limit-c.Men)
}

// Board returns the board as placed so far.
func (bs *boardState) Board() *Board { return bs.board }

// Men returns the number of men of each seat on the board.
func (p *Position) Men() []int {
	men := make([]int, p.seats)
	for seat := range men {
		men[seat] = int(p.men[seat])
	}
	return men
}

// Eliminated reports whether a seat has lost all its men, so that its turns are passed over.
func (p *Position) Eliminated(seat int) bool { return p.phase >= Play && p.men[seat] == 0 }

// Rights returns the centres of the segments with an unspent right, by q and then r. It returns none
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

// Critical returns the cells from which the player must choose the next explosion, by q and then r: none,
// or two or more.
func (bs *boardState) Critical() []Hex {
	var cells []Hex
	bs.critical.each(func(i int16) { cells = append(cells, bs.board.cells[i]) })
	return cells
}

// Placements returns the possible centres of the next segment, by q and then r. It returns none after the
// layout.
func (p *Position) Placements() []Hex {
	if p.phase != Layout {
		return nil
	}
	open := slices.Clone(p.board.placements)
	sortHexes(open)
	return open
}

// Area is a section or set of virgin cells that is scored as one (docs/rules/mu.md, section 8).
type Area struct {
	Cells   []Hex // by q and then r
	Owner   int   // the seat that scores it; -1 if neutral
	Held    []int // seats with a piece in it
	Reached []int // if Held is empty, the seats that reach it from the Wall in one move
}

// Areas returns the areas of the position as if it were scored now, ordered by their first cells. Wall
// cells are in no area.
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
			a := Area{Owner: -1, Held: maskSeats(z.Held), Reached: maskSeats(z.Reach)}
			if seat, ok := z.owner(p.left); ok {
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

func maskSeats(mask uint8) []int {
	var seats []int
	for seat := range maxPlayers {
		if mask>>seat&1 != 0 {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Target is the end of a move of a piece, with the reason if the move is illegal.
type Target struct {
	Action Action // the move
	At     Hex    // where it would end
	Reason string // empty if the piece can make the move, otherwise as from Explain
}

// Targets returns, for each number of men of the piece on a cell and each direction, the end of the move
// and whether the piece can make it, regardless of rights and turns. Each line ends with the first cell
// Out of Bounds. An empty cell has no targets.
func (bs *boardState) Targets(from Hex) []Target {
	i := bs.board.find(from)
	if i == none {
		return nil
	}
	var targets []Target
	for _, d := range Dirs {
		for men := uint16(1); men <= bs.pieces[i].men; men++ {
			at := from.Step(d, int(men))
			targets = append(targets, Target{
				Action: Action{Kind: Move, At: from, Men: men, Dir: d},
				At:     at,
				Reason: bs.explainPath(i, men, d),
			})
			if bs.board.find(at) == none {
				break
			}
		}
	}
	return targets
}

// Details implements engine.Detailer: the centres of the segments in the order of placement, and the seats
// that have left.
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
