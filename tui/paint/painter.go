package paint

import (
	"slices"
	"sync"
)

// painter holds what a terminal shows and makes the bytes that turn it into another frame.
type painter struct {
	profile Profile
	w, h    int
	frame   *Frame   // nil: a blank screen
	at      position // of the cursor
	pen     Style    // as lowered for the profile
	visible bool     // the cursor
}

// change is a row that is to be another one.
type change struct {
	y        int
	old, now line
}

// rows are two lines of cells, lowered for the terminal: what it shows and what it is to show.
type rows struct{ old, new []cell }

// scratch has the buffers of one paint.
type scratch struct {
	changes []change
	old     []cell // one row
	new     []cell // the rows of spans that are not made yet
	spans   []span
	other   []byte // the same frame made another way
	cuts    []int
	last    int // of the cuts
}

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// release gives the scratch buffer back; nothing of a frame may be kept alive.
func (e *scratch) release() {
	clear(e.changes)
	e.cuts = nil
	scratchPool.Put(e)
}

// addCut notes that n bytes have been made and that a span has ended.
func (e *scratch) addCut(n int) {
	if n-e.last > chunkBytes {
		e.last = n
		e.cuts = append(e.cuts, n)
	}
}

// rows returns room for another pair of rows.
func (e *scratch) rows(w int) rows {
	if cap(e.old) < w {
		e.old = make([]cell, w)
	}
	if len(e.new)+w > cap(e.new) {
		e.new = make([]cell, 0, max(12*w, 2*cap(e.new))) // the spans keep the rows they have
	}
	e.new = e.new[:len(e.new)+w]
	return rows{e.old[:w], e.new[len(e.new)-w:]}
}

// chunkBytes is the number of bytes after which a frame is cut where a span ends. A terminal has
// stalled if it takes no chunk for a while, and a session that closes drops those not yet written.
const chunkBytes = 4096

// paint appends what makes the terminal show f, which is clipped to the terminal's size, and
// returns it with the places where it may be cut. Each piece leaves the terminal in a known state.
func (p *painter) paint(b []byte, f *Frame) (out []byte, cuts []int) {
	e := scratchPool.Get().(*scratch)
	defer e.release()
	task, start := e.newDiff(p, f), len(b)
	if d := task.cached(); d != nil {
		*p = d.after
		p.frame = f
		return append(b, d.bytes...), nil
	}
	b, cuts = p.shortest(b, e)
	b = p.cursor(b, f)
	p.frame = f
	if cuts == nil {
		task.cache(*p, b[start:])
	}
	return b, cuts
}

// shortest appends what turns rows into others, with rows that are moved where that is shorter.
func (p *painter) shortest(b []byte, e *scratch) (out []byte, cuts []int) {
	before, start := *p, len(b)
	b, cuts = p.repaint(b, e)
	s, ok := findScroll(e.changes)
	if !ok {
		return b, cuts
	}
	changes := e.changes
	e.changes = slices.Clone(changes)
	s.apply(e.changes)
	other, otherCuts := before.repaint(before.scroll(e.other[:0], s), e)
	e.changes = changes
	if e.other = other; len(other) < len(b)-start {
		*p = before
		b, cuts = append(b[:start], other...), otherCuts
		for i := range cuts {
			cuts[i] += start
		}
	}
	return b, cuts
}

// repaint appends what turns rows into others.
func (p *painter) repaint(b []byte, e *scratch) (out []byte, cuts []int) {
	e.last, e.cuts = len(b), nil
	if p.frame == nil {
		return p.fill(b, e), e.cuts
	}
	few := true // so that it matters where one begins
	for _, c := range e.changes {
		r := e.rows(p.w)
		c.old.copyTo(r.old)
		c.now.copyTo(r.new)
		if slices.Equal(r.old, r.new) { // drawn anew, but the same
			continue
		}
		p.convertRow(r.old)
		p.convertRow(r.new)
		before := len(e.spans)
		e.spans = p.appendSpans(e.spans, c.y, &r)
		if few && !r.canReorder() {
			b = p.drawSpans(b, e, e.spans[before:])
			e.spans = e.spans[:before]
		}
		if few = few && len(e.spans) <= maxSpans; !few {
			b = p.drawSpans(b, e, e.spans)
			e.spans, e.new = e.spans[:0], e.new[:0]
		}
	}
	b = p.drawSpansNearest(b, e, e.spans)
	e.spans, e.new = e.spans[:0], e.new[:0]
	return b, e.cuts
}

// fill appends what shows rows on a blank screen.
func (p *painter) fill(b []byte, e *scratch) []byte {
	for _, c := range e.changes {
		at, hash := p.rowKey(c)
		start, known := len(b), false
		if b, known = p.appendCachedRow(b, at, hash); known {
			e.addCut(len(b))
			continue
		}
		r := e.rows(p.w)
		clear(r.old)
		c.now.copyTo(r.new)
		p.convertRow(r.new)
		e.spans = p.appendSpans(e.spans, c.y, &r)
		b = p.drawSpans(b, e, e.spans)
		e.spans, e.new = e.spans[:0], e.new[:0]
		p.cacheRow(at, hash, b[start:])
	}
	return b
}

// line returns a row of a frame, also of none.
func (f *Frame) line(y int) line {
	if f == nil || y >= f.h {
		return nil
	}
	return f.lines[y]
}

// convertRow changes a row to what the terminal can show.
func (p *painter) convertRow(row []cell) {
	var last, low Style // the zero style is the same everywhere
	for i, c := range row {
		if c == (cell{}) {
			continue
		}
		if p.profile.ASCII {
			c.glyph = c.glyph.ascii()
		}
		if s := c.style(); s != last {
			last, low = s, p.profile.convert(s)
		}
		row[i] = newCell(c.glyph, low)
	}
}

// clear appends what makes the screen blank whatever it showed.
func (p *painter) clear(b []byte) []byte {
	p.frame, p.pen, p.at = nil, Style{}, position{}
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

// eraseTail returns where a row's last part begins that can be erased at once and the first column of
// it that differs; both are the row's width if drawing is shorter.
func (p *painter) eraseTail(r *rows) (end, erase int) {
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

// eraseRun returns how many equal blanks to erase from column x on, and the first column after them; 0
// if drawing them is shorter.
func (p *painter) eraseRun(r *rows, x, end int) (n, after int) {
	b := r.new[x]
	if b.glyph != blank || b.fg != Default || b.bg != Default && !p.profile.colorsErase() {
		return 0, x
	}
	for after = x; after < end && r.new[after] == b; after++ {
		if r.old[after] != b {
			n = after + 1 - x
		}
	}
	minimum := len("\x1b[10X") + len("\x1b[10C") // the cursor stays where it is
	if slices.Equal(r.old[x+n:end], r.new[x+n:end]) {
		minimum = len("\x1b[10X")
	}
	if n < minimum {
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
		if again, ok := p.redrawCells(room[:0], row[p.at.x:to.x], cost); ok {
			b = append(b[:start], again...)
		}
	}
	p.at = to
	return b
}

// redrawCells appends cells that the pen draws as they are, if that takes at most limit bytes.
func (p *painter) redrawCells(b []byte, cells []cell, limit int) ([]byte, bool) {
	for _, c := range cells {
		if !c.glyph.hasCertainWidth() || c.glyph == trailing || p.penFor(c) != p.pen {
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
	if width > 1 || !c.glyph.hasCertainWidth() || p.at.x >= p.w {
		p.at.x = -1 // at the right edge, terminals differ in where the cursor is
	}
	return b
}

// penFor returns the style with which a cell is drawn. Of the pen's style a blank keeps whatever
// does not show.
func (p *painter) penFor(c cell) Style {
	s := c.style()
	if c.glyph == blank && s.Attr&(Underline|Reverse) == 0 && (s.BG != Default || p.pen.BG == Default) {
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
