package mu

import (
	"slices"

	"ayumu/engine/mu"
)

// pointer is a session's cursor and its selected piece with the targets of that piece.
type pointer struct {
	cursor   mu.Hex
	placed   bool // place has run
	isCalled bool // the user has asked for the cursor where it is hidden at first
	column   int  // the half cell in which moves straight up and down began

	selected     mu.Hex
	hasSelection bool // selected is a piece
	men          int  // how many men are to move; 0: as many as the distance to the target
	targets      map[mu.Hex]int
}

// place puts the cursor on the player's piece that is closest to the middle of the board, else on the
// closest cell.
func (c *pointer) place(v *seatView) {
	g := v.geometry()
	middle := func(h mu.Hex) int {
		x, y := 2*(halfColumn(h)-g.left)-g.width, 2*(int(h.R)-g.top)-g.height
		return x*x + 4*y*y
	}
	best, mine := mu.Hex{}, false
	for i, cell := range v.shown().Cells() {
		own := v.isOwn(cell)
		if i == 0 || own && !mine || own == mine && middle(cell.At) < middle(best) {
			best, mine = cell.At, own
		}
	}
	c.moveTo(best)
	c.placed = true
}

// moveTo puts the cursor on a cell.
func (c *pointer) moveTo(h mu.Hex) {
	c.cursor, c.column = h, halfColumn(h)
}

// moveBy moves the cursor by a key, within the cells of g; it returns false for other keys.
func (c *pointer) moveBy(key string, g *geometry) bool {
	switch key {
	case "left":
		c.step(mu.W, g)
	case "right":
		c.step(mu.E, g)
	case "up":
		c.stepVertical(mu.NE, mu.NW, g)
	case "down":
		c.stepVertical(mu.SW, mu.SE, g)
	default:
		return false
	}
	return true
}

// step moves the cursor one cell in a direction or, if the number of men is chosen, to their target in
// that direction.
func (c *pointer) step(d mu.Dir, g *geometry) {
	to := c.cursor.Step(d, 1)
	if c.hasSelection && c.men > 0 {
		to = c.selected.Step(d, c.men)
	}
	if g.has(to) {
		c.moveTo(to)
	}
}

// stepVertical moves the cursor straight up or down: to the one of two cells that is closer to the column
// in which the movement began.
func (c *pointer) stepVertical(one, other mu.Dir, g *geometry) {
	to, second := c.cursor.Step(one, 1), c.cursor.Step(other, 1)
	away := func(h mu.Hex) int { return max(halfColumn(h)-c.column, c.column-halfColumn(h)) }
	if away(second) < away(to) || !g.has(to) {
		to = second
	}
	if g.has(to) {
		c.cursor = to
	}
}

// selectPiece selects the piece on a cell of p.
func (c *pointer) selectPiece(p *mu.Position, h mu.Hex) {
	c.selected, c.hasSelection = h, true
	c.setMen(p, 0)
}

// setMen sets how many men of the selected piece are to move, and finds its targets on p.
func (c *pointer) setMen(p *mu.Position, men int) {
	c.men, c.targets = men, make(map[mu.Hex]int)
	for _, a := range p.AppendMoves(nil, c.selected) {
		if n := int(a.Men); men == 0 || men == n {
			c.targets[a.At.Step(a.Dir, n)] = n
		}
	}
}

func (c *pointer) deselect() {
	c.hasSelection, c.men, c.targets = false, 0, nil
}

// sortByRow sorts cells in place, row by row, each from left to right.
func sortByRow(cells []mu.Hex) []mu.Hex {
	slices.SortFunc(cells, compareByRow)
	return cells
}

func compareByRow(a, b mu.Hex) int {
	if a.R != b.R {
		return int(a.R) - int(b.R)
	}
	return int(a.Q) - int(b.Q)
}

// nearest returns the cell that is closest to another. There must be at least one.
func nearest(cells []mu.Hex, to mu.Hex) mu.Hex {
	return slices.MinFunc(cells, func(a, b mu.Hex) int { return a.Distance(to) - b.Distance(to) })
}
