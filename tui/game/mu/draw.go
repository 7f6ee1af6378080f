package mu

import (
	"strconv"

	"ayumu/engine/mu"
	"ayumu/tui/paint"
)

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
}

// drawFrame returns the whole board as a frame.
func (s *renderer) drawFrame() *paint.Frame {
	all := *s
	all.x, all.y = 0, 0
	return paint.Draw(nil, s.width*s.scale, s.height*s.scale, func(c paint.Canvas) {
		all.c = c
		all.draw()
	})
}

func (s *renderer) draw() {
	s.prepare()
	w, h := s.c.Size()
	for i, c := range s.cells {
		if x, y := s.corner(c.At); x > -2*s.scale && x < w && y > -s.scale && y < h {
			s.drawCell(i, x, y)
		}
	}
}

// prepare computes the cells to draw, their changes and rights.
func (s *renderer) prepare() {
	s.rightsSeat, s.hasRight = -1, nil
	if s.frame > 0 {
		s.cells = s.replay.cells(s.geometry, s.frame)
	} else {
		s.cells = s.position.Cells()
		s.prepareRights()
	}
	s.changed = make([]bool, len(s.cells))
	if s.previous == nil {
		return
	}
	old := s.previous.Cells()
	s.laidSegment = len(old) < len(s.cells)
	for i, c := range s.cells {
		if s.laidSegment {
			s.changed[i] = c.Segment == len(s.centre)-1
		} else {
			s.changed[i] = old[i].Men != c.Men || old[i].Owner != c.Owner || old[i].Terrain != c.Terrain
		}
	}
}

func (s *renderer) prepareRights() {
	if s.position.Phase() != mu.Play {
		return
	}
	s.rightsSeat, s.hasRight = s.position.Turn(), make(map[int]bool)
	for _, centre := range s.position.Rights() {
		s.hasRight[s.cells[s.index[centre]].Segment] = true
	}
}

// drawCell draws one cell with its upper left corner at x, y.
func (s *renderer) drawCell(i, x, y int) {
	c := s.cells[i]
	t := c.Terrain
	base := paint.Style{FG: s.colors.texture[t], BG: s.colors.background[t][s.shade[c.Segment]]}
	if s.changed[i] && s.colors.hasBackgrounds() {
		base.BG = s.colors.changed[t]
	}
	s.drawTexture(t, x, y, base)
	if s.scale == small {
		s.drawSmallCell(i, x, y, base)
	} else {
		s.drawLargeCell(i, x, y, base)
	}
	if c.Critical {
		s.tint(x, y, s.colors.critical)
	}
}

// drawTexture draws a terrain's texture; a virgin cell has a single dot.
func (s *renderer) drawTexture(t mu.Terrain, x, y int, base paint.Style) {
	r := textures[t]
	if t != mu.Virgin {
		s.c.Fill(x, y, 2*s.scale, s.scale, base, r)
		return
	}
	s.c.Fill(x, y, 2*s.scale, s.scale, base, ' ')
	s.c.Fill(x+s.scale-1, y, 1, 1, base, r)
}

// tint overlays a style on a whole cell.
func (s *renderer) tint(x, y int, top paint.Style) {
	s.c.Restyle(x, y, 2*s.scale, s.scale, func(st paint.Style) paint.Style { return overlay(st, top) })
}

// drawSmallCell draws the two characters of a small cell: the sign of the piece or of an empty cell, and
// the height.
func (s *renderer) drawSmallCell(i, x, y int, base paint.Style) {
	c := s.cells[i]
	if s.isBorder(c, mu.E) {
		s.c.Text(x+1, y, overlay(base, s.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := s.emptySign(i, base)
		s.c.Text(x, y, style, sign)
		return
	}
	sign, style := s.pieceSign(i, base)
	second, at := "", style
	switch {
	case c.Critical && !s.colors.hasBackgrounds():
		second = "!"
	case s.showCapacity && c.Capacity >= 0:
		second, at = digit(c.Headroom()), overlay(base, s.colors.number)
	case c.Men > 1:
		style.Attr |= s.colors.tallAttr[c.Terrain]
		second, at = digit(c.Men), style
	case c.Oscillating:
		second = "~"
	case s.changed[i] && !s.colors.hasBackgrounds():
		second = "'"
	}
	s.c.Text(x, y, style, sign)
	s.c.Text(x+1, y, at, second)
}

// drawLargeCell draws a large cell: the piece and its height in the upper row, the cell's marks and
// headroom in the lower row.
func (s *renderer) drawLargeCell(i, x, y int, base paint.Style) {
	c := s.cells[i]
	if s.isBorder(c, mu.W) {
		s.c.Text(x, y, overlay(base, s.colors.border), "│")
		s.c.Text(x, y+1, overlay(base, s.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := s.emptySign(i, base)
		s.c.Text(x+1, y, style, sign)
	} else {
		sign, style := s.pieceSign(i, base)
		if c.Men > 1 {
			sign += strconv.Itoa(c.Men)
		}
		if s.changed[i] && !s.colors.hasBackgrounds() {
			sign += "'"
		}
		s.c.Text(x+1, y, style, sign)
	}
	below := ""
	switch {
	case c.Critical:
		below = "!"
	case c.Oscillating:
		below = "~"
	case s.isCentre(c) && s.hasRight[c.Segment]:
		below = "*"
	}
	s.c.Text(x+1, y+1, base.With(paint.Bold), below)
	if s.showCapacity && c.Capacity >= 0 {
		s.c.Text(x+2, y+1, overlay(base, s.colors.number), strconv.Itoa(c.Headroom()))
	}
}

// isBorder reports whether a line is needed between a cell and its neighbour in a direction: they are of
// different segments, and the palette has no shades.
func (s *renderer) isBorder(c mu.Cell, d mu.Dir) bool {
	if s.colors.hasBackgrounds() {
		return false
	}
	i, ok := s.index[c.At.Step(d, 1)]
	return ok && s.cells[i].Segment != c.Segment
}

// pieceSign returns the sign of the piece on a cell and its style.
func (s *renderer) pieceSign(i int, base paint.Style) (string, paint.Style) {
	c := s.cells[i]
	base.FG, base.Attr = s.colors.seat[c.Owner], s.colors.piece
	if s.changed[i] {
		base.Attr |= paint.Bold
	}
	return mark(c.Owner, c.Owner == s.rightsSeat && !s.hasRight[c.Segment], s.style), base
}

// emptySign returns the sign of an empty cell and its style: the turn emptied it, its headroom, or the
// centre of a segment with an unspent right.
func (s *renderer) emptySign(i int, base paint.Style) (string, paint.Style) {
	c := s.cells[i]
	switch {
	case s.changed[i] && !s.laidSegment:
		return "×", base.With(paint.Bold)
	case s.scale == large:
	case s.showCapacity && c.Capacity >= 0:
		return digit(c.Headroom()), overlay(base, s.colors.number)
	case s.isCentre(c) && s.hasRight[c.Segment]:
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
