package paint

import (
	"slices"
	"sync"
)

// painter has the content of a terminal and makes the bytes that change it into another frame.
type painter struct {
	profile Profile
	w, h    int
	frame   *Frame   // what the terminal shows; nil: a blank screen
	at      position // of the cursor
	pen     Style    // the style that is set, as the profile converts it
	visible bool     // the cursor
}

// change is a row to change.
type change struct {
	y        int
	old, now line
}

// rows has the cells of a row as the profile converts them: what the terminal shows, and what it will show.
type rows struct{ old, new []cell }

// scratch has the buffers of one paint.
type scratch struct {
	changes []change
	old     []cell // one row
	new     []cell // the new rows of the spans that have not been drawn yet
	spans   []span
	other   []byte // the bytes of the alternative with a scroll
	cuts    []int  // see paint
	last    int    // the last cut
}

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// release returns the scratch buffers to the pool, without the lines of frames, which the pool would keep
// alive.
func (buf *scratch) release() {
	clear(buf.changes)
	buf.cuts = nil
	scratchPool.Put(buf)
}

// addCut records the end of a span after n bytes as a cut, if the last one is far enough behind.
func (buf *scratch) addCut(n int) {
	if n-buf.last > chunkBytes {
		buf.last = n
		buf.cuts = append(buf.cuts, n)
	}
}

// rows returns buffers of w cells for another row.
func (buf *scratch) rows(w int) rows {
	if cap(buf.old) < w {
		buf.old = make([]cell, w)
	}
	if len(buf.new)+w > cap(buf.new) {
		buf.new = make([]cell, 0, max(12*w, 2*cap(buf.new))) // spans still use the rows of the old slice
	}
	buf.new = buf.new[:len(buf.new)+w]
	return rows{buf.old[:w], buf.new[len(buf.new)-w:]}
}

// chunkBytes is the number of bytes after which a frame is cut at the next end of a span. A terminal has
// stalled if it accepts no chunk for Options.Stall. A session that closes drops the chunks not yet written.
const chunkBytes = 4096

// paint appends the bytes that make the terminal show f, cut to the terminal's size. cuts has the lengths of
// out at which it may be divided into chunks, in ascending order; after each chunk the terminal is in a
// defined state.
func (p *painter) paint(b []byte, f *Frame) (out []byte, cuts []int) {
	if d := f.diffs.find(p); d != nil {
		*p = d.after
		p.frame = f
		return append(b, d.bytes...), nil
	}
	before, start := *p, len(b)
	b, cuts = p.makeDiff(b, f)
	if cuts == nil {
		f.diffs.add(before, *p, b[start:])
	}
	return b, cuts
}

// makeDiff is paint for a diff that f does not keep.
func (p *painter) makeDiff(b []byte, f *Frame) (out []byte, cuts []int) {
	buf := scratchPool.Get().(*scratch)
	defer buf.release()
	diff, start := buf.newDiff(p, f), len(b)
	if d := diff.cached(); d != nil {
		*p = d.after
		p.frame = f
		return append(b, d.bytes...), nil
	}
	b, cuts = p.shortest(b, buf)
	b = p.cursor(b, f)
	p.frame = f
	if cuts == nil {
		diff.cache(*p, b[start:])
	}
	return b, cuts
}

// shortest appends the bytes that apply the changes, with a scroll if that takes fewer bytes.
func (p *painter) shortest(b []byte, buf *scratch) (out []byte, cuts []int) {
	before, start := *p, len(b)
	b, cuts = p.repaint(b, buf)
	s, ok := findScroll(buf.changes)
	if !ok {
		return b, cuts
	}
	changes := buf.changes
	buf.changes = slices.Clone(changes)
	s.apply(buf.changes)
	other, otherCuts := before.repaint(before.scroll(buf.other[:0], s), buf)
	buf.changes = changes
	if buf.other = other; len(other) < len(b)-start {
		*p = before
		b, cuts = append(b[:start], other...), otherCuts
		for i := range cuts {
			cuts[i] += start
		}
	}
	return b, cuts
}

// repaint appends the bytes that apply the changes, without a scroll.
func (p *painter) repaint(b []byte, buf *scratch) (out []byte, cuts []int) {
	buf.last, buf.cuts = len(b), nil
	if p.frame == nil {
		return p.fill(b, buf), buf.cuts
	}
	few := true // few enough to be drawn in the best order
	for _, c := range buf.changes {
		r := buf.rows(p.w)
		c.old.copyTo(r.old)
		c.now.copyTo(r.new)
		if slices.Equal(r.old, r.new) { // other pieces with equal cells
			continue
		}
		p.convertRow(r.old)
		p.convertRow(r.new)
		before := len(buf.spans)
		buf.spans = p.appendSpans(buf.spans, c.y, &r)
		if few && !r.canReorder() {
			b = p.drawSpans(b, buf, buf.spans[before:])
			buf.spans = buf.spans[:before]
		}
		if few = few && len(buf.spans) <= maxSpans; !few {
			b = p.drawSpans(b, buf, buf.spans)
			buf.spans, buf.new = buf.spans[:0], buf.new[:0]
		}
	}
	b = p.drawSpansNearest(b, buf, buf.spans)
	buf.spans, buf.new = buf.spans[:0], buf.new[:0]
	return b, buf.cuts
}

// fill appends the bytes that draw the rows on a blank screen.
func (p *painter) fill(b []byte, buf *scratch) []byte {
	for _, c := range buf.changes {
		at, hash := p.rowKey(c)
		start, known := len(b), false
		if b, known = p.appendCachedRow(b, at, hash); known {
			buf.addCut(len(b))
			continue
		}
		r := buf.rows(p.w)
		clear(r.old)
		c.now.copyTo(r.new)
		p.convertRow(r.new)
		buf.spans = p.appendSpans(buf.spans, c.y, &r)
		b = p.drawSpans(b, buf, buf.spans)
		buf.spans, buf.new = buf.spans[:0], buf.new[:0]
		p.cacheRow(at, hash, b[start:])
	}
	return b
}

// line returns row y of a frame. A nil frame and rows below the last one are blank.
func (f *Frame) line(y int) line {
	if f == nil || y >= f.h {
		return nil
	}
	return f.lines[y]
}

// convertRow replaces the colours and characters of a row that the terminal does not have.
func (p *painter) convertRow(row []cell) {
	var last, low Style // the zero style is converted to itself
	for i, c := range row {
		if c == (cell{}) {
			continue
		}
		switch {
		case p.profile.ASCII:
			c.glyph = c.glyph.ascii()
		case p.profile.Console:
			c.glyph = c.glyph.console()
		}
		if s := c.style(); s != last {
			last, low = s, p.profile.convert(s)
		}
		row[i] = newCell(c.glyph, low)
	}
}

// clear appends the bytes that blank the screen, whatever it shows.
func (p *painter) clear(b []byte) []byte {
	p.frame, p.pen, p.at = nil, Style{}, position{}
	return append(b, "\x1b[m\x1b[H\x1b[2J"...)
}

// cursor appends the bytes that place and show, or hide, the cursor as in f.
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

// eraseTail returns the first column of the equal blanks at the end of a row, which one EL can erase, and the
// first column among them that differs from the old row. Both are the row's width if drawing takes fewer
// bytes.
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

// eraseRun returns the number of equal blanks to erase with ECH from column x on, and the first column after
// all equal blanks; n is 0 if drawing them takes fewer bytes.
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

// move appends the bytes that move the cursor. row has the cells of the row to.y: drawing a few of them again
// may take fewer bytes than a sequence.
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

// redrawCells appends cells that the pen can draw without a change; ok is false if it cannot, or if that takes
// more than limit bytes.
func (p *painter) redrawCells(b []byte, cells []cell, limit int) (out []byte, ok bool) {
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

// draw appends a character of a number of columns at the cursor.
func (p *painter) draw(b []byte, c cell, width int) []byte {
	b = p.setPen(b, c)
	b = c.glyph.append(b)
	p.at.x += width
	if width > 1 || !c.glyph.hasCertainWidth() || p.at.x >= p.w {
		p.at.x = -1 // at the right edge, terminals place the cursor differently
	}
	return b
}

// penFor returns the style to set for a cell. For a blank it keeps those parts of the pen's style that are
// invisible on a blank.
func (p *painter) penFor(c cell) Style {
	s := c.style()
	if c.glyph == blank && s.Attr&(Underline|Reverse) == 0 && (s.BG != Default || p.pen.BG == Default) {
		s.FG, s.Attr = p.pen.FG, p.pen.Attr&^(Underline|Reverse)
	}
	return s
}

// setPen appends the sequence that sets the style for a cell.
func (p *painter) setPen(b []byte, c cell) []byte {
	s := p.penFor(c)
	b = appendStyle(b, p.pen, s)
	p.pen = s
	return b
}
