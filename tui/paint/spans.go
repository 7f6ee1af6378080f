package paint

import "unicode/utf8"

// A span is what one pen draws or erases in one go. The spans of a small change are made in an
// order that takes few bytes: another colour often takes more than the way to a span of the same.

// span is n columns of a row that differ, from column x on.
type span struct {
	x, y, n        int
	row            []cell // all of it, as it will be
	erase          byte   // 'X': ECH, 'K': EL to the row's end; 0: the cells are drawn
	from           int    // for EL: the cursor may also stand from this column on
	pen            cell   // of which the style counts
	backgroundOnly bool   // of the pen only the background shows
}

// maxSpans bounds what is put in order, since each span is compared with all others.
const maxSpans = 64

// appendSpans appends the spans that turn one row into another, from left to right.
func (p *painter) appendSpans(all []span, y int, r *rows) []span {
	end, erase := p.eraseTail(r)
	for x := 0; x < end; {
		if r.old[x] == r.new[x] {
			x++
			continue
		}
		s := span{x: x, y: y, row: r.new, pen: r.new[x], backgroundOnly: r.new[x].backgroundOnly()}
		if n, after := p.eraseRun(r, x, end); n > 0 {
			s.n, s.erase = n, 'X'
			x = after
		} else {
			p.extend(&s, r, end)
			x += s.n
		}
		all = append(all, s)
	}
	if erase < p.w {
		all = append(all, span{x: erase, y: y, n: p.w - erase, row: r.new, erase: 'K', from: end, pen: r.new[erase], backgroundOnly: true})
	}
	return all
}

// backgroundOnly reports whether nothing but its background shows of a cell's style.
func (c cell) backgroundOnly() bool {
	return c.glyph == blank && Attr(c.fg>>attrShift)&(Underline|Reverse) == 0
}

// extend lengthens a span that is drawn as far as its pen reaches, also over a few columns that
// are the same, if that is no longer than a way around them.
func (p *painter) extend(s *span, r *rows, end int) {
	pen, backgroundOnly := s.pen, s.backgroundOnly
	way := 0 // bytes since the last column that differs
	for x := s.x; x < end && way < len("\x1b[9C"); x++ {
		c := r.new[x]
		switch {
		case c.bg == pen.bg && (c.backgroundOnly() || c.fg == pen.fg && !backgroundOnly):
		case c.bg == pen.bg && backgroundOnly:
			pen, backgroundOnly = c, false
		default:
			return
		}
		if r.old[x] == c {
			if !c.glyph.hasCertainWidth() || c.glyph == trailing {
				return
			}
			way += utf8.RuneLen(rune(c.glyph))
			continue
		}
		if x > s.x && c.backgroundOnly() {
			if n, _ := p.eraseRun(r, x, end); n > 0 {
				return
			}
		}
		if x+1 < p.w && r.new[x+1].glyph == trailing {
			x++
		}
		s.n, s.pen, s.backgroundOnly, way = x+1-s.x, pen, backgroundOnly, 0
	}
}

// canReorder reports whether the spans of a row may be made in any order: a wide character must be
// gone before what took its second column is drawn.
func (r *rows) canReorder() bool {
	for i := range r.new {
		if a, b := r.old[i].glyph, r.new[i].glyph; a == trailing || b == trailing || !a.hasCertainWidth() || !b.hasCertainWidth() {
			return false
		}
	}
	return true
}

// drawSpan appends what makes one span.
func (p *painter) drawSpan(b []byte, s *span) []byte {
	if s.erase != 'K' || p.at.y != s.y || p.at.x < s.from || p.at.x > s.x {
		b = p.move(b, position{s.x, s.y}, s.row)
	}
	switch s.erase {
	case 'X':
		b = p.setPen(b, s.pen)
		return appendCSI(b, s.n, 'X')
	case 'K':
		b = p.setPen(b, s.pen)
		return append(b, "\x1b[K"...)
	}
	for x := s.x; x < s.x+s.n; {
		width := 1
		if x+1 < p.w && s.row[x+1].glyph == trailing {
			width = 2
		}
		if p.at.x != x { // after some characters the cursor's column is not known
			b = p.move(b, position{x, s.y}, s.row)
		}
		b = p.draw(b, s.row[x], width)
		x += width
	}
	return b
}

// drawSpans makes spans in their order.
func (p *painter) drawSpans(b []byte, e *scratch, all []span) []byte {
	for i := range all {
		b = p.drawSpan(b, &all[i])
		e.addCut(len(b))
	}
	return b
}

// drawSpansNearest makes spans, always the one next that is reached with the fewest bytes.
func (p *painter) drawSpansNearest(b []byte, e *scratch, all []span) []byte {
	for len(all) > 0 {
		next, minimum := 0, 1<<30
		pen := newCell('x', p.pen)
		for i := range all {
			if n := p.at.moveCost(all[i].x, all[i].y) + pen.penCost(&all[i]); n < minimum {
				next, minimum = i, n
			}
		}
		b = p.drawSpan(b, &all[next])
		e.addCut(len(b))
		copy(all[1:next+1], all[:next])
		all = all[1:]
	}
	return b
}

// moveCost returns about how many bytes move the cursor.
func (from position) moveCost(x, y int) int {
	switch dx, dy := x-from.x, y-from.y; {
	case dx == 0 && dy == 0:
		return 0
	case dy == 0 && dx < 0 && from.x >= 0:
		return min(-dx, 4)
	case dy == 0:
		return 4
	case dy > 0 && dy < 3 && x == 0:
		return 2 * dy
	}
	return 7
}

// penCost returns about how many bytes make the pen that of a span.
func (pen cell) penCost(s *span) (n int) {
	if pen.bg != s.pen.bg {
		n = len("\x1b[m") + s.pen.bg.sgrLength()
	}
	if pen.fg != s.pen.fg && !s.backgroundOnly {
		n += len("\x1b[m") + s.pen.fg.sgrLength()
	}
	return n
}

// sgrLength returns about how many bytes name the colour.
func (c Color) sgrLength() int {
	switch {
	case c&kindMask == kindRGB:
		return len("38;2;100;100;10")
	case c&kindMask == kindIndex && c.index() > 15:
		return len("38;5;100")
	}
	return len("39")
}
