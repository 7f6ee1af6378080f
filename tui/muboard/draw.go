package muboard

import (
	"strconv"

	"ayumu/engine/mu"
	"ayumu/tui/paint"
)

// sheet draws a board, or as much of it as its canvas shows.
type sheet struct {
	layout
	drawing
	c      paint.Canvas
	colors *palette
	film   *replay // of which a picture is shown, where there is one

	cells   []mu.Cell
	changed []bool       // by the turn that is shown
	laid    bool         // that turn laid a segment
	right   map[int]bool // segments with an unspent right
	mover   int          // whose rights those are; -1: nobody's
}

// whole draws all of the board as a frame.
func (s *sheet) whole() *paint.Frame {
	all := *s
	all.x, all.y = 0, 0
	return paint.Draw(nil, s.width*s.scale, s.height*s.scale, func(c paint.Canvas) {
		all.c = c
		all.draw()
	})
}

func (s *sheet) draw() {
	s.read()
	w, h := s.c.Size()
	for i, c := range s.cells {
		if x, y := s.corner(c.At); x > -2*s.scale && x < w && y > -s.scale && y < h {
			s.cell(i, x, y)
		}
	}
}

// read finds out what is to be drawn.
func (s *sheet) read() {
	s.mover, s.right = -1, nil
	if s.frame > 0 {
		s.cells = s.film.cells(s.ground, s.frame)
	} else {
		s.cells = s.position.Cells()
		s.readRights()
	}
	s.changed = make([]bool, len(s.cells))
	if s.before == nil {
		return
	}
	old := s.before.Cells()
	s.laid = len(old) < len(s.cells)
	for i, c := range s.cells {
		if s.laid {
			s.changed[i] = c.Segment == len(s.centre)-1
		} else {
			s.changed[i] = old[i].Men != c.Men || old[i].Owner != c.Owner || old[i].Terrain != c.Terrain
		}
	}
}

func (s *sheet) readRights() {
	if s.position.Phase() != mu.Play {
		return
	}
	s.mover, s.right = s.position.Turn(), make(map[int]bool)
	for _, centre := range s.position.Rights() {
		s.right[s.cells[s.index[centre]].Segment] = true
	}
}

// cell draws one cell with its upper left corner at x, y.
func (s *sheet) cell(i, x, y int) {
	c := s.cells[i]
	t := c.Terrain
	base := paint.Style{FG: s.colors.texture[t], BG: s.colors.ground[t][s.shade[c.Segment]]}
	if s.changed[i] && s.colors.tiled() {
		base.BG = s.colors.changed[t]
	}
	s.fill(t, x, y, base)
	if s.scale == small {
		s.smallCell(i, x, y, base)
	} else {
		s.largeCell(i, x, y, base)
	}
	if c.Critical {
		s.tint(x, y, s.colors.critical)
	}
}

// fill lays a terrain's texture; a virgin cell has a single dot.
func (s *sheet) fill(t mu.Terrain, x, y int, base paint.Style) {
	r := textures[t]
	if t != mu.Virgin {
		s.c.Fill(x, y, 2*s.scale, s.scale, base, r)
		return
	}
	s.c.Fill(x, y, 2*s.scale, s.scale, base, ' ')
	s.c.Fill(x+s.scale-1, y, 1, 1, base, r)
}

// tint lays a style over all of a cell.
func (s *sheet) tint(x, y int, top paint.Style) {
	s.c.Restyle(x, y, 2*s.scale, s.scale, func(st paint.Style) paint.Style { return over(st, top) })
}

// smallCell draws two characters: the piece, or what an empty cell has to say, and the height.
func (s *sheet) smallCell(i, x, y int, base paint.Style) {
	c := s.cells[i]
	if s.border(c, mu.E) {
		s.c.Text(x+1, y, over(base, s.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := s.sign(i, base)
		s.c.Text(x, y, style, sign)
		return
	}
	sign, style := s.piece(i, base)
	second, at := "", style
	switch {
	case c.Critical && !s.colors.tiled():
		second = "!"
	case s.room && c.Capacity >= 0:
		second, at = digit(c.Headroom()), over(base, s.colors.number)
	case c.Men > 1:
		style.Attr |= s.colors.tall[c.Terrain]
		second, at = digit(c.Men), style
	case c.Still:
		second = "~"
	case s.changed[i] && !s.colors.tiled():
		second = "'"
	}
	s.c.Text(x, y, style, sign)
	s.c.Text(x+1, y, at, second)
}

// largeCell draws the piece and its height above, and below what is special about the cell and
// how many men more it can take.
func (s *sheet) largeCell(i, x, y int, base paint.Style) {
	c := s.cells[i]
	if s.border(c, mu.W) {
		s.c.Text(x, y, over(base, s.colors.border), "│")
		s.c.Text(x, y+1, over(base, s.colors.border), "│")
	}
	if c.Men == 0 {
		sign, style := s.sign(i, base)
		s.c.Text(x+1, y, style, sign)
	} else {
		sign, style := s.piece(i, base)
		if c.Men > 1 {
			sign += strconv.Itoa(c.Men)
		}
		if s.changed[i] && !s.colors.tiled() {
			sign += "'"
		}
		s.c.Text(x+1, y, style, sign)
	}
	below := ""
	switch {
	case c.Critical:
		below = "!"
	case c.Still:
		below = "~"
	case s.isCentre(c) && s.right[c.Segment]:
		below = "*"
	}
	s.c.Text(x+1, y+1, base.With(paint.Bold), below)
	if s.room && c.Capacity >= 0 {
		s.c.Text(x+2, y+1, over(base, s.colors.number), strconv.Itoa(c.Headroom()))
	}
}

// border reports whether a cell's neighbour in a direction is of another segment, where segments
// are not told apart by shades.
func (s *sheet) border(c mu.Cell, d mu.Dir) bool {
	if s.colors.tiled() {
		return false
	}
	i, ok := s.index[c.At.Step(d, 1)]
	return ok && s.cells[i].Segment != c.Segment
}

// piece returns the sign of the piece on a cell and its style.
func (s *sheet) piece(i int, base paint.Style) (string, paint.Style) {
	c := s.cells[i]
	base.FG, base.Attr = s.colors.seat[c.Owner], s.colors.piece
	if s.changed[i] {
		base.Attr |= paint.Bold
	}
	return mark(c.Owner, c.Owner == s.mover && !s.right[c.Segment], s.look), base
}

// sign returns what an empty cell says beside its texture: that the turn emptied it, how many men
// it can take, or that it is the centre of a segment with an unspent right.
func (s *sheet) sign(i int, base paint.Style) (string, paint.Style) {
	c := s.cells[i]
	switch {
	case s.changed[i] && !s.laid:
		return "×", base.With(paint.Bold)
	case s.scale == large:
	case s.room && c.Capacity >= 0:
		return digit(c.Headroom()), over(base, s.colors.number)
	case s.isCentre(c) && s.right[c.Segment]:
		return "*", base.With(paint.Bold)
	}
	return "", base
}

// digit returns a number as one character.
func digit(n int) string {
	if n > 9 {
		return "+"
	}
	return strconv.Itoa(n)
}
