package paint

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// Canvas is a rectangle to draw on. Its coordinates are columns and rows from its own top left corner, and
// everything outside is cut off. A wide character of which one half is overwritten or cut off leaves a
// blank. A canvas may be used only inside the function that it was passed to, and by one goroutine.
type Canvas struct {
	g          *grid
	x, y, w, h int // the rectangle; always inside the grid
}

// grid has the cells of one drawing. All of its canvases draw on it.
type grid struct {
	w, h    int
	cells   []cell // between two drawings all cells up to its capacity are blank
	drawn   []int  // by row: the column from which on it is blank; most of a large screen is
	blits   []blit
	pieces  line   // the buffer of buildLine
	base    *Frame // of the same size, over which is drawn; nil: a blank one
	loaded  []bool // by row: its cells are those of base, or drawn over them; unused without base
	cx, cy  int
	visible bool // the cursor
}

// blit records where a piece of another frame was drawn, so that the new frame can share it.
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

// drawOver makes f the base of the grid.
func (g *grid) drawOver(f *Frame) {
	g.base, g.loaded = f, slices.Grow(g.loaded[:0], f.h)[:f.h]
	clear(g.loaded)
	g.cx, g.cy, g.visible = f.cx, f.cy, f.visible
}

// load copies row y of the base into the grid before something is drawn on it.
func (g *grid) load(y int) {
	if g.base == nil || g.loaded[y] {
		return
	}
	g.loaded[y] = true
	l := g.base.lines[y]
	l.copyTo(g.row(y))
	for _, p := range l {
		g.blits = append(g.blits, blit{y, p})
		g.drawn[y] = p.x + p.n
	}
}

func (g *grid) release() {
	for y, to := range g.drawn {
		clear(g.row(y)[:to])
	}
	clear(g.drawn)
	clear(g.blits) // or the pool would keep other frames alive
	clear(g.pieces[:cap(g.pieces)])
	g.blits, g.base = g.blits[:0], nil
	gridPool.Put(g)
}

func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// draw returns a row for drawing on the columns before the given one. It includes that column, because the
// second half of a character there may become blank.
func (g *grid) draw(y, before int) []cell {
	g.load(y)
	g.drawn[y] = max(g.drawn[y], min(before+1, g.w))
	return g.row(y)
}

// Size returns the canvas's width and height.
func (c Canvas) Size() (w, h int) { return c.w, c.h }

// Sub returns the part of the canvas with its top left corner at x, y, w columns wide and h rows high, cut to
// the canvas.
func (c Canvas) Sub(x, y, w, h int) Canvas {
	x0, y0 := clamp(x, 0, c.w), clamp(y, 0, c.h)
	x1, y1 := clamp(x+w, x0, c.w), clamp(y+h, y0, c.h)
	return Canvas{c.g, c.x + x0, c.y + y0, x1 - x0, y1 - y0}
}

// Text draws text in row y, beginning in column x, and returns the number of columns it takes, up to the
// canvas's right edge. Control characters are shown as '?', tabs and line breaks as spaces. Bidirectional
// controls, zero-width characters, and a character's combining marks beyond two are dropped.
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

// put draws one character of w columns, 1 or 2. If one half is cut off, the other is blank.
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
	row[c.x+x] = newCell(g, s) // the second set has replaced it by a blank
}

// mark adds a combining mark to the character whose last column is x.
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

// set replaces one cell of a row. The other half of a wide character there becomes blank.
func set(row []cell, x int, c cell) {
	if row[x].glyph == trailing && x > 0 {
		row[x-1] = newCell(blank, row[x-1].style())
	}
	if x+1 < len(row) && row[x+1].glyph == trailing {
		row[x+1] = newCell(blank, row[x+1].style())
	}
	row[x] = c
}

// Fill draws r in every cell of a rectangle; '?' if r is not exactly one column wide.
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
		set(row, part.x, cell) // only at the edges a wide character can be halved
		set(row, last, cell)
		for x := part.x; x < last; x++ {
			row[x] = cell
		}
	}
}

// Restyle changes the styles of the characters in a rectangle, for example of a cursor over a shared
// board. It includes wide characters of which only one half lies in the rectangle.
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

// Blit draws a frame, including its blanks, with its top left corner at x, y, which may be negative. The new
// frame shares the rows of f over which nothing is drawn.
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
	c.g.load(c.y)
	row := c.g.row(c.y) // not draw: the cells beyond the drawn ones stay blank
	set(row, c.x, cell{})
	set(row, c.x+c.w-1, cell{})
	clear(row[c.x : c.x+c.w])
}

// blitPiece draws a piece of a line whose first column is x, in row y, which must be blank there.
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

// SetCursor shows the terminal's cursor at x, y, if that is inside the canvas. A frame without it hides the
// cursor.
func (c Canvas) SetCursor(x, y int) {
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		c.g.cx, c.g.cy, c.g.visible = c.x+x, c.y+y, true
	}
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
