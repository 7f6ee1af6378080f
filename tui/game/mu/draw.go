package mu

import (
	"strconv"

	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// frameKey identifies the part of a board that is the same for all sessions, as the key of shared.frames.
type frameKey struct {
	position, previous *mu.Position
	frame              int // of the replay from previous to position; 0 for the position itself
	size               int // the scale
	style              game.Style
	showCapacity       bool // the headroom of the cells is shown
	showTerritory      bool
}

// maxCachedArea is the maximum size of a shared frame, in columns times rows. Larger boards, which only a
// layout in a line can have, are drawn by each session as far as they are visible.
const maxCachedArea = 16000

// renderer draws a board, or the part of it that its canvas shows.
type renderer struct {
	layout
	frameKey
	c      paint.Canvas
	colors *palette
	replay *replay // the source of frame; nil if frame is 0

	cells       []mu.Cell
	changed     []bool       // by cell: the shown turn changed it
	laidSegment bool         // the shown turn laid a segment
	hasRight    map[int]bool // by segment: it has an unspent right
	rightsSeat  int          // the seat that has those rights; -1 for none
	claims      []int        // see zoneClaims; nil if the territory is not shown
}

// drawFrame returns the whole board as a frame.
func (r *renderer) drawFrame() *paint.Frame {
	all := *r
	all.x, all.y = 0, 0
	return paint.Draw(nil, r.width*r.scale, r.height*r.scale, func(c paint.Canvas) {
		all.c = c
		all.draw()
	})
}

func (r *renderer) draw() {
	r.prepare()
	w, h := r.c.Size()
	for i, c := range r.cells {
		if x, y := r.corner(c.At); x > -2*r.scale && x < w && y > -r.scale && y < h {
			r.drawCell(i, x, y)
		}
	}
}

// prepare computes the cells to draw, their changes and rights.
func (r *renderer) prepare() {
	r.rightsSeat, r.hasRight = -1, nil
	if r.frame > 0 {
		r.cells = r.replay.cells(r.geometry, r.frame)
	} else {
		r.cells = r.position.Cells()
		r.prepareRights()
	}
	if r.showTerritory {
		r.claims = zoneClaims(r.position, r.geometry)
	}
	r.changed = make([]bool, len(r.cells))
	if r.previous == nil {
		return
	}
	old := r.previous.Cells()
	r.laidSegment = len(old) < len(r.cells)
	for i, c := range r.cells {
		if r.laidSegment {
			r.changed[i] = c.Segment == len(r.centre)-1
		} else {
			r.changed[i] = old[i].Men != c.Men || old[i].Owner != c.Owner || old[i].Terrain != c.Terrain
		}
	}
}

func (r *renderer) prepareRights() {
	if r.position.Phase() != mu.Play {
		return
	}
	r.rightsSeat, r.hasRight = r.position.Turn(), make(map[int]bool)
	for _, centre := range r.position.Rights() {
		r.hasRight[r.cells[r.index[centre]].Segment] = true
	}
}

// drawCell draws one cell with its upper left corner at x, y.
func (r *renderer) drawCell(i, x, y int) {
	c := r.cells[i]
	t := c.Terrain
	base := paint.Style{FG: r.colors.texture[t], BG: r.colors.background[t][r.shade[c.Segment]]}
	if r.changed[i] && r.colors.tiled {
		base.BG = r.colors.changed[t]
	}
	r.drawTexture(t, x, y, base)
	if r.scale == small {
		r.drawSmallCell(i, x, y, base)
	} else {
		r.drawLargeCell(i, x, y, base)
	}
	if r.claims != nil {
		r.drawClaim(i, x, y, base)
	}
	if c.Critical {
		r.tint(x, y, r.colors.critical)
	}
}

// drawTexture draws a terrain's texture; a virgin cell has a single dot.
func (r *renderer) drawTexture(t mu.Terrain, x, y int, base paint.Style) {
	texture := textures[t]
	if t != mu.Virgin {
		r.c.Fill(x, y, 2*r.scale, r.scale, base, texture)
		return
	}
	r.c.Fill(x, y, 2*r.scale, r.scale, base, ' ')
	r.c.Fill(x+r.scale-1, y, 1, 1, base, texture)
}

// tint overlays a style on a whole cell.
func (r *renderer) tint(x, y int, top paint.Style) {
	r.c.Restyle(x, y, 2*r.scale, r.scale, func(st paint.Style) paint.Style { return overlay(st, top) })
}

// drawSmallCell draws the two characters of a small cell: the sign of the piece or of an empty cell, and the height. How
// many more men a piece takes has no space there; the line about the cursor says it.
func (r *renderer) drawSmallCell(i, x, y int, base paint.Style) {
	c := r.cells[i]
	if r.isBorder(c, mu.E) {
		r.c.Text(x+1, y, overlay(base, r.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := r.emptySign(i, base)
		r.c.Text(x, y, style, sign)
		return
	}
	sign, style := r.pieceSign(i, base)
	second := ""
	switch {
	case c.Critical && !r.colors.tiled:
		second = "!"
	case c.Men > 1:
		style.Attr |= r.colors.tallAttr[c.Terrain]
		second = digit(c.Men)
	case c.Oscillating:
		second = "~"
	case r.changed[i] && !r.colors.tiled:
		second = "'"
	}
	r.c.Text(x, y, style, sign)
	r.c.Text(x+1, y, style, second)
}

// drawLargeCell draws a large cell: the piece and its height in the upper row, the cell's marks and
// headroom in the lower row.
func (r *renderer) drawLargeCell(i, x, y int, base paint.Style) {
	c := r.cells[i]
	if r.isBorder(c, mu.W) {
		r.c.Text(x, y, overlay(base, r.colors.border), "│")
		r.c.Text(x, y+1, overlay(base, r.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := r.emptySign(i, base)
		r.c.Text(x+1, y, style, sign)
	} else {
		sign, style := r.pieceSign(i, base)
		if c.Men > 1 {
			sign += strconv.Itoa(c.Men)
		}
		if r.changed[i] && !r.colors.tiled {
			sign += "'"
		}
		r.c.Text(x+1, y, style, sign)
	}
	below := ""
	switch {
	case c.Critical:
		below = "!"
	case c.Oscillating:
		below = "~"
	case r.isCentre(c) && r.hasRight[c.Segment]:
		below = "*"
	}
	r.c.Text(x+1, y+1, base.With(paint.Bold), below)
	if r.showCapacity && c.Capacity >= 0 {
		r.c.Text(x+2, y+1, overlay(base, r.colors.number), strconv.Itoa(c.Headroom()))
	}
}

// isBorder reports whether a line is needed between a cell and its neighbour in a direction: they are of
// different segments, and the palette has no shades.
func (r *renderer) isBorder(c mu.Cell, d mu.Dir) bool {
	if r.colors.tiled {
		return false
	}
	i, ok := r.index[c.At.Step(d, 1)]
	return ok && r.cells[i].Segment != c.Segment
}

// pieceSign returns the sign of the piece on a cell and its style.
func (r *renderer) pieceSign(i int, base paint.Style) (string, paint.Style) {
	c := r.cells[i]
	base.FG, base.Attr = r.colors.seat[c.Owner], r.colors.piece
	if r.changed[i] {
		base.Attr |= paint.Bold
	}
	return mark(c.Owner, c.Owner == r.rightsSeat && !r.hasRight[c.Segment], r.style), base
}

// emptySign returns the sign of an empty cell and its style: the turn emptied it, its headroom, or the
// centre of a segment with an unspent right.
func (r *renderer) emptySign(i int, base paint.Style) (string, paint.Style) {
	c := r.cells[i]
	switch {
	case r.changed[i] && !r.laidSegment:
		return "×", base.With(paint.Bold)
	case r.scale == large:
	case r.showCapacity && c.Capacity >= 0:
		return digit(c.Headroom()), overlay(base, r.colors.number)
	case r.isCentre(c) && r.hasRight[c.Segment]:
		return "*", base.With(paint.Bold)
	}
	return "", base
}

// digit returns a number as one character, "+" above 9.
func digit(n int) string {
	if n > 9 {
		return "+"
	}
	return strconv.Itoa(n)
}
