package paint

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// Canvas is a rectangle to draw on. All of its coordinates count columns and rows from its own top
// left corner, and whatever does not fit is cut off. A wide character of which one half is drawn
// over or cut off leaves a blank. It is valid only inside the function it was given to.
type Canvas struct {
	g          *grid
	x, y, w, h int // the rectangle; always inside the grid
}

// grid is what all canvases of one drawing draw on.
type grid struct {
	w, h    int
	cells   []cell // all that the slice has room for is blank between two drawings
	drawn   []int  // the columns of each row beyond which all is blank, as most is on a large screen
	blits   []blit
	pieces  line // room for the one that is made
	cx, cy  int
	visible bool // the cursor
}

// blit remembers where cells of another frame went, so that they can be shared and not copied.
type blit struct {
	y     int
	piece piece
}

var gridPool = sync.Pool{New: func() any { return new(grid) }}

func newGrid(w, h int) *grid {
	g := gridPool.Get().(*grid)
	g.w, g.h = w, h
	if cap(g.cells) < w*h {
		g.cells = make([]cell, w*h)
	}
	g.cells = g.cells[:w*h]
	g.drawn = slices.Grow(g.drawn[:0], h)[:h]
	g.visible = false
	return g
}

func (g *grid) release() {
	for y, to := range g.drawn {
		clear(g.row(y)[:to])
	}
	clear(g.drawn)
	clear(g.blits) // nothing of another frame may be kept alive
	clear(g.pieces[:cap(g.pieces)])
	g.blits = g.blits[:0]
	gridPool.Put(g)
}

func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// draw returns a row to draw on before a column, and on the one there if it is half of a character.
func (g *grid) draw(y, before int) []cell {
	g.drawn[y] = max(g.drawn[y], min(before+1, g.w))
	return g.row(y)
}

// Size returns the canvas's width and height.
func (c Canvas) Size() (w, h int) { return c.w, c.h }

// Sub returns the part of the canvas from x, y on, w wide and h high, as far as it lies inside.
func (c Canvas) Sub(x, y, w, h int) Canvas {
	x0, y0 := clamp(x, 0, c.w), clamp(y, 0, c.h)
	x1, y1 := clamp(x+w, x0, c.w), clamp(y+h, y0, c.h)
	return Canvas{c.g, c.x + x0, c.y + y0, x1 - x0, y1 - y0}
}

// Text draws s from column x of row y on and returns the number of columns it took, up to the
// canvas's right edge. Control characters are shown as '?', tabs and line ends as spaces;
// bidirectional controls, zero-width characters, and combining marks beyond two are left out.
func (c Canvas) Text(x, y int, s Style, text string) int {
	start := x
	for i := 0; i < len(text) && x < c.w; {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		i += n
		r, w := classify(r)
		switch {
		case w > 0:
			c.put(x, y, glyph(r), w, s)
			x += w
		case r != 0 && x > start:
			c.mark(x-1, y, r)
		}
	}
	return max(min(x, c.w)-start, 0)
}

// put draws one character of w columns, or blanks where one half of it is cut off.
func (c Canvas) put(x, y int, g glyph, w int, s Style) {
	if y < 0 || y >= c.h || x+w <= 0 || x >= c.w {
		return
	}
	row := c.g.draw(c.y+y, c.x+x+w)
	if w == 1 {
		set(row, c.x+x, newCell(g, s))
		return
	}
	if x < 0 || x+1 >= c.w {
		set(row, c.x+clamp(x, 0, c.w-1), newCell(blank, s))
		return
	}
	set(row, c.x+x, newCell(g, s))
	set(row, c.x+x+1, newCell(trailing, s))
	row[c.x+x] = newCell(g, s) // set took it for the half of another
}

// mark adds a combining mark to the character that ends in column x.
func (c Canvas) mark(x, y int, m rune) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return
	}
	row := c.g.draw(c.y+y, c.x+x+1)
	at := c.x + x
	if row[at].glyph == trailing {
		at--
	}
	row[at] = newCell(row[at].glyph.mark(m), row[at].style())
}

// set replaces one cell of a row; what is left of a wide character becomes blank.
func set(row []cell, x int, c cell) {
	if row[x].glyph == trailing && x > 0 {
		row[x-1] = newCell(blank, row[x-1].style())
	}
	if x+1 < len(row) && row[x+1].glyph == trailing {
		row[x+1] = newCell(blank, row[x+1].style())
	}
	row[x] = c
}

// Fill draws r, a narrow character, in every cell of a rectangle.
func (c Canvas) Fill(x, y, w, h int, s Style, r rune) {
	if shown, width := classify(r); width == 1 {
		r = shown
	} else {
		r = '?'
	}
	part := c.Sub(x, y, w, h)
	if part.w == 0 {
		return
	}
	cell := newCell(glyph(r), s)
	for y := range part.h {
		row := c.g.draw(part.y+y, part.x+part.w)
		last := part.x + part.w - 1
		set(row, part.x, cell) // what it halves lies at the edges
		set(row, last, cell)
		for x := part.x; x < last; x++ {
			row[x] = cell
		}
	}
}

// Restyle changes the styles of a rectangle's characters, wide ones that lie only half in it
// included: a cursor over a board that was drawn elsewhere.
func (c Canvas) Restyle(x, y, w, h int, change func(Style) Style) {
	part := c.Sub(x, y, w, h)
	if part.w == 0 {
		return
	}
	for y := range part.h {
		row := c.g.draw(part.y+y, part.x+part.w)
		from, to := part.x, part.x+part.w
		if row[from].glyph == trailing {
			from--
		}
		if to < len(row) && row[to].glyph == trailing {
			to++
		}
		for x := from; x < to; x++ {
			row[x] = newCell(row[x].glyph, change(row[x].style()))
		}
	}
}

// Box draws a frame of lines along the canvas's edges.
func (c Canvas) Box(s Style) {
	if c.w < 2 || c.h < 2 {
		return
	}
	right, bottom := c.w-1, c.h-1
	c.Fill(1, 0, c.w-2, 1, s, '─')
	c.Fill(1, bottom, c.w-2, 1, s, '─')
	c.Fill(0, 1, 1, c.h-2, s, '│')
	c.Fill(right, 1, 1, c.h-2, s, '│')
	c.put(0, 0, '┌', 1, s)
	c.put(right, 0, '┐', 1, s)
	c.put(0, bottom, '└', 1, s)
	c.put(right, bottom, '┘', 1, s)
}

// Blit draws a frame, its blanks too, with its top left corner at x, y, either of which may be
// negative. The frame's rows are shared, not copied, as far as nothing is drawn over them.
func (c Canvas) Blit(x, y int, f *Frame) {
	for i := max(0, -y); i < min(f.h, c.h-y); i++ {
		c.Sub(x, y+i, f.w, 1).clearRow()
		for _, p := range f.lines[i] {
			c.blitPiece(x, y+i, p)
		}
	}
}

// clearRow blanks the first row of the canvas.
func (c Canvas) clearRow() {
	if c.w == 0 || c.h == 0 {
		return
	}
	row := c.g.row(c.y) // what is blank beyond what was drawn stays so
	set(row, c.x, cell{})
	set(row, c.x+c.w-1, cell{})
	clear(row[c.x : c.x+c.w])
}

// blitPiece draws a piece of a line that begins in column x of a row that is blank there.
func (c Canvas) blitPiece(x, y int, p piece) {
	x += p.x
	from, to := clamp(-x, 0, p.n), clamp(c.w-x, 0, p.n)
	if from >= to {
		return
	}
	halved := to < p.n && p.at(to).glyph == trailing
	p = p.part(from, to)
	p.x = c.x + x + from
	row := c.g.draw(c.y+y, p.x+p.n)
	p.copyTo(row)
	if row[p.x].glyph == trailing {
		row[p.x] = newCell(blank, row[p.x].style())
	}
	if halved {
		last := p.x + p.n - 1
		row[last] = newCell(blank, row[last].style())
	}
	c.g.blits = append(c.g.blits, blit{c.y + y, p})
}

// SetCursor shows the terminal's cursor at x, y; without it the cursor is hidden.
func (c Canvas) SetCursor(x, y int) {
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		c.g.cx, c.g.cy, c.g.visible = c.x+x, c.y+y, true
	}
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
