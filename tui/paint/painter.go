package paint

import (
	"slices"
	"sync"
)

// painter knows what a terminal shows and writes what turns that into another frame.
type painter struct {
	profile Profile
	w, h    int
	shown   *Frame   // nil: a blank screen
	at      position // of the cursor
	pen     Style    // as lowered for the profile
	visible bool     // the cursor
}

// rows are two lines of cells, lowered for the terminal: what it shows and what it is to show.
type rows struct{ old, new []cell }

var rowPool = sync.Pool{New: func() any { return new(rows) }}

// chunk is the number of bytes after which a frame is cut at the next row's end. A terminal has
// stalled if it takes no chunk for a while, and a session that closes drops those not yet written.
const chunk = 4096

// paint appends what makes the terminal show f, which is clipped to the terminal's size, and
// returns it with the places where it may be cut. Each piece leaves the terminal in a known state.
func (p *painter) paint(b []byte, f *Frame) (out []byte, cuts []int) {
	r := rowPool.Get().(*rows)
	defer rowPool.Put(r)
	r.resize(p.w)
	last := len(b)
	for y := range p.h {
		old, now := p.shown.line(y), f.line(y)
		if old.same(now) {
			continue
		}
		old.copyTo(r.old)
		now.copyTo(r.new)
		if slices.Equal(r.old, r.new) { // drawn anew, but the same
			continue
		}
		p.lower(r.old)
		p.lower(r.new)
		b = p.paintRow(b, y, r)
		if len(b)-last > chunk {
			last = len(b)
			cuts = append(cuts, last)
		}
	}
	p.shown = f
	return p.cursor(b, f), cuts
}

// line returns a row of a frame, also of none.
func (f *Frame) line(y int) line {
	if f == nil || y >= f.h {
		return nil
	}
	return f.lines[y]
}

func (r *rows) resize(w int) {
	if cap(r.old) < w {
		r.old, r.new = make([]cell, w), make([]cell, w)
	}
	r.old, r.new = r.old[:w], r.new[:w]
}

// lower changes a row to what the terminal can show.
func (p *painter) lower(row []cell) {
	var last, low Style // the zero style is the same everywhere
	for i, c := range row {
		if c == (cell{}) {
			continue
		}
		if p.profile.ASCII {
			c.glyph = c.glyph.ascii()
		}
		if s := c.style(); s != last {
			last, low = s, p.profile.lower(s)
		}
		row[i] = newCell(c.glyph, low)
	}
}

// clear appends what makes the screen blank whatever it showed.
func (p *painter) clear(b []byte) []byte {
	p.shown, p.pen, p.at = nil, Style{}, position{}
	return append(b, "\x1b[m\x1b[H\x1b[2J"...)
}

// cursor appends what shows or hides the cursor.
func (p *painter) cursor(b []byte, f *Frame) []byte {
	visible := f.visible && f.cx < p.w && f.cy < p.h
	if visible {
		to := position{f.cx, f.cy}
		b = appendMove(b, p.at, to)
		p.at = to
	}
	switch {
	case visible && !p.visible:
		b = append(b, "\x1b[?25h"...)
	case !visible && p.visible:
		b = append(b, "\x1b[?25l"...)
	}
	p.visible = visible
	return b
}

// paintRow appends what turns one row into another, from left to right, so that a wide character
// is gone before what took its second column is drawn.
func (p *painter) paintRow(b []byte, y int, r *rows) []byte {
	end, erase := p.tail(r)
	for x := 0; x < end; {
		if r.old[x] == r.new[x] {
			x++
			continue
		}
		b = p.move(b, position{x, y}, r.new)
		if n, after := p.hole(r, x, end); n > 0 {
			b = p.setPen(b, r.new[x])
			b = appendCSI(b, n, 'X')
			x = after
			continue
		}
		width := 1
		if x+1 < p.w && r.new[x+1].glyph == trailing {
			width = 2
		}
		b = p.draw(b, r.new[x], width)
		x += width
	}
	if erase < p.w {
		if p.at.y != y || p.at.x < end || p.at.x > erase {
			b = p.move(b, position{erase, y}, r.new)
		}
		b = p.setPen(b, r.new[erase])
		b = append(b, "\x1b[K"...)
	}
	return b
}

// tail returns where a row's last part begins that can be erased at once and the first column of
// it that differs; both are the row's width if drawing is shorter.
func (p *painter) tail(r *rows) (end, erase int) {
	b := r.new[p.w-1]
	if b.glyph != blank || b.fg != Default || b.bg != Default && !p.profile.colorsErase() {
		return p.w, p.w
	}
	first, last := p.w, -1
	end = p.w
	for end > 0 && r.new[end-1] == b {
		end--
		if r.old[end] != b {
			first, last = end, max(last, end)
		}
	}
	if last-first < len("\x1b[K") {
		return p.w, p.w
	}
	return end, first
}

// hole returns how many equal blanks to erase from column x on, and the first column after them; 0
// if drawing them is shorter.
func (p *painter) hole(r *rows, x, end int) (n, after int) {
	b := r.new[x]
	if b.glyph != blank || b.fg != Default || b.bg != Default && !p.profile.colorsErase() {
		return 0, x
	}
	for after = x; after < end && r.new[after] == b; after++ {
		if r.old[after] != b {
			n = after + 1 - x
		}
	}
	least := len("\x1b[10X") + len("\x1b[10C") // the cursor stays where it is
	if slices.Equal(r.old[x+n:end], r.new[x+n:end]) {
		least = len("\x1b[10X")
	}
	if n < least {
		return 0, x
	}
	return n, after
}

// move appends what moves the cursor; to the right over a few cells, drawing them again may be
// shortest.
func (p *painter) move(b []byte, to position, row []cell) []byte {
	start := len(b)
	b = appendMove(b, p.at, to)
	cost := len(b) - start
	if p.at.y == to.y && p.at.x >= 0 && p.at.x < to.x && to.x-p.at.x <= cost {
		var room [16]byte
		if again, ok := p.again(room[:0], row[p.at.x:to.x], cost); ok {
			b = append(b[:start], again...)
		}
	}
	p.at = to
	return b
}

// again appends cells that the pen draws as they are, if that takes at most limit bytes.
func (p *painter) again(b []byte, cells []cell, limit int) ([]byte, bool) {
	for _, c := range cells {
		if !c.glyph.certain() || c.glyph == trailing || p.penFor(c) != p.pen {
			return b, false
		}
		if b = c.glyph.append(b); len(b) > limit {
			return b, false
		}
	}
	return b, true
}

// draw appends a character where the cursor stands.
func (p *painter) draw(b []byte, c cell, width int) []byte {
	b = p.setPen(b, c)
	b = c.glyph.append(b)
	p.at.x += width
	if width > 1 || !c.glyph.certain() || p.at.x >= p.w {
		p.at.x = -1 // at the right edge, terminals differ in where the cursor is
	}
	return b
}

// penFor returns the style with which a cell is drawn. Of the pen's style a blank keeps whatever
// does not show.
func (p *painter) penFor(c cell) Style {
	s := c.style()
	if c.glyph == blank && s.Attr&(Underline|Reverse) == 0 {
		s.FG, s.Attr = p.pen.FG, p.pen.Attr&^(Underline|Reverse)
	}
	return s
}

func (p *painter) setPen(b []byte, c cell) []byte {
	s := p.penFor(c)
	b = appendStyle(b, p.pen, s)
	p.pen = s
	return b
}
