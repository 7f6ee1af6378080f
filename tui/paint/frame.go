package paint

import (
	"slices"
	"strings"
)

// Frame is the content of a rectangle of cells: a whole terminal, or a part that is drawn once and shown in
// many screens. It is immutable, and any number of goroutines and screens may use it at the same time.
type Frame struct {
	w, h    int
	lines   []line
	cx, cy  int
	visible bool // the cursor
	id      *frameID
	diffs   frameDiffs
}

// line is a row of a frame: pieces from left to right that do not overlap. The columns between them are
// blank.
type line []piece

// piece is a part of a line, n columns from column x on. Its cells may be shared with other frames.
type piece struct {
	x, n  int
	cells []cell // n of them, or one that is repeated
}

func (p piece) at(i int) cell {
	if len(p.cells) == 1 {
		return p.cells[0]
	}
	return p.cells[i]
}

func (p piece) part(from, to int) piece {
	if len(p.cells) > 1 {
		p.cells = p.cells[from:to:to]
	}
	return piece{p.x + from, to - from, p.cells}
}

func (p piece) copyTo(row []cell) {
	if len(p.cells) > 1 {
		copy(row[p.x:], p.cells)
		return
	}
	for i := range p.n {
		row[p.x+i] = p.cells[0]
	}
}

// equal reports whether two pieces show the same cells in the same place.
func (p piece) equal(o piece) bool {
	return p.x == o.x && p.n == o.n && slices.Equal(p.cells, o.cells)
}

// isSame reports whether two pieces have the same columns and share their cells. It compares pointers only.
func (p piece) isSame(o piece) bool {
	return p.x == o.x && p.n == o.n && len(p.cells) == len(o.cells) && &p.cells[0] == &o.cells[0]
}

// matchesRow reports whether a row has exactly the cells of the piece in its columns.
func (p piece) matchesRow(row []cell) bool {
	if p.x+p.n > len(row) {
		return false
	}
	if len(p.cells) > 1 {
		return slices.Equal(row[p.x:p.x+p.n], p.cells)
	}
	for _, c := range row[p.x : p.x+p.n] {
		if c != p.cells[0] {
			return false
		}
	}
	return true
}

// isSame reports whether two lines share all of their pieces.
func (l line) isSame(o line) bool {
	return len(l) == len(o) && (len(l) == 0 || &l[0] == &o[0] || slices.EqualFunc(l, o, piece.isSame))
}

// equal reports whether two lines have the same cells in the same columns.
func (l line) equal(o line) bool { return l.isSame(o) || slices.EqualFunc(l, o, piece.equal) }

// copyTo writes the line into a row, which may be narrower or wider than the line's frame, with blanks
// elsewhere.
func (l line) copyTo(row []cell) {
	clear(row)
	for _, p := range l {
		if p.x >= len(row) {
			return
		}
		if cut := len(row) - p.x; p.n > cut {
			halved := p.at(cut).glyph == trailing
			p = p.part(0, cut)
			p.copyTo(row)
			if last := &row[len(row)-1]; halved {
				*last = newCell(blank, last.style())
			}
			return
		}
		p.copyTo(row)
	}
}

// Draw returns a frame of w columns and h rows with what draw draws. It shares the rows and parts of rows that
// are equal in prev, which may be nil, and returns prev itself if everything is equal. The canvas may be used
// only by draw, and not after draw has returned.
func Draw(prev *Frame, w, h int, draw func(Canvas)) *Frame {
	g := newGrid(max(w, 0), max(h, 0))
	draw(Canvas{g: g, w: g.w, h: g.h})
	f := g.buildFrame(prev)
	g.release()
	return f
}

// DrawOver returns a frame of f's size that shows f and over it what draw draws. It takes time only for the rows on
// which something is drawn, and shares the others with f. prev, which may be nil, and the canvas are as in Draw.
func (f *Frame) DrawOver(prev *Frame, draw func(Canvas)) *Frame {
	g := newGrid(f.w, f.h)
	g.drawOver(f)
	draw(Canvas{g: g, w: g.w, h: g.h})
	over := g.buildFrame(prev)
	g.release()
	return over
}

// Size returns the frame's width and height.
func (f *Frame) Size() (w, h int) { return f.w, f.h }

// Bytes returns about how much memory the frame takes, with the parts that it shares with others.
func (f *Frame) Bytes() int {
	const perFrame, perLine, perPiece, perCell = 128, 24, 40, 12
	n := perFrame + perLine*len(f.lines)
	for _, l := range f.lines {
		for _, p := range l {
			n += perPiece + perCell*len(p.cells)
		}
	}
	return n
}

// Cursor returns the position of the cursor; visible is false if it is hidden.
func (f *Frame) Cursor() (x, y int, visible bool) { return f.cx, f.cy, f.visible }

// At returns the character in a cell with its combining marks, and its style. The second column of a wide
// character returns "". A cell outside the frame is blank. At is slow and meant for tests.
func (f *Frame) At(x, y int) (string, Style) {
	c := cell{}
	if x >= 0 && x < f.w && y >= 0 && y < f.h {
		row := make([]cell, f.w)
		f.lines[y].copyTo(row)
		c = row[x]
	}
	return string(c.glyph.append(nil)), c.style()
}

// ShownBy returns the frame as a terminal with this profile shows it: with its colours and characters. It is
// meant for tests.
func (f *Frame) ShownBy(p Profile) *Frame {
	shown := painter{profile: p}
	return Draw(nil, f.w, f.h, func(c Canvas) {
		for y, l := range f.lines {
			row := c.g.draw(y, f.w)
			l.copyTo(row)
			shown.convertRow(row)
		}
	})
}

// String returns the frame's characters, a line for each row, without trailing blanks.
func (f *Frame) String() string {
	var b []byte
	row := make([]cell, f.w)
	for _, l := range f.lines {
		l.copyTo(row)
		start := len(b)
		for _, c := range row {
			b = c.glyph.append(b)
		}
		b = append(b[:start], strings.TrimRight(string(b[start:]), " ")...)
		b = append(b, '\n')
	}
	return string(b)
}

// Styled returns the frame as a terminal with this profile shows it, as text with SGR sequences of ECMA-48: a line for
// each row, without trailing blanks, and the default style at its end. It is what another renderer than Screen needs.
func (f *Frame) Styled(p Profile) string {
	shown := painter{profile: p}
	row := make([]cell, f.w)
	b := make([]byte, 0, 2*f.w*f.h)
	for y, l := range f.lines {
		l.copyTo(row)
		shown.convertRow(row)
		end := len(row)
		for end > 0 && row[end-1] == (cell{}) {
			end--
		}
		pen := Style{}
		for _, c := range row[:end] {
			b = appendStyle(b, pen, c.style())
			pen = c.style()
			b = c.glyph.append(b)
		}
		b = appendStyle(b, pen, Style{})
		if y < len(f.lines)-1 {
			b = append(b, '\n')
		}
	}
	return string(b)
}

// Equal reports whether two frames have the same size, cells and cursor. It is slow and meant for tests.
func (f *Frame) Equal(o *Frame) bool {
	if f.w != o.w || f.h != o.h || f.visible != o.visible || f.cx != o.cx || f.cy != o.cy {
		return false
	}
	a, b := make([]cell, f.w), make([]cell, f.w)
	for y := range f.lines {
		f.lines[y].copyTo(a)
		o.lines[y].copyTo(b)
		if !slices.Equal(a, b) {
			return false
		}
	}
	return true
}
