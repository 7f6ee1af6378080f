package paint

import "unicode/utf8"

// span is a part of a row that is drawn or erased in one style: n columns from column x on. The spans of a small
// change are drawn in an order that takes few bytes: a change of colour often takes more bytes than a move
// to another span of the same colour.
type span struct {
	x, y, n        int
	row            []cell // the complete new row
	erase          byte   // 'X': erased with ECH, 'K': erased to the row's end with EL; 0: drawn
	from           int    // for EL: the first column from which on the cursor need not be moved
	pen            cell   // a cell with the style of the span
	backgroundOnly bool   // only the background of pen is visible
}

// maxSpans is the maximum number of spans that are sorted, because each is compared with all others.
const maxSpans = 64

// appendSpans appends the spans that change the old row y into the new one, from left to right.
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

// backgroundOnly reports whether only the background of a cell's style is visible.
func (c cell) backgroundOnly() bool {
	return c.glyph == blank && Attr(c.fg>>attrShift)&(Underline|Reverse) == 0
}

// extend sets the length of a drawn span: as far as its style reaches. It includes unchanged columns between
// changed ones if drawing them takes no more bytes than moving over them.
func (p *painter) extend(s *span, r *rows, end int) {
	pen, backgroundOnly := s.pen, s.backgroundOnly
	unchanged := 0 // bytes of the unchanged columns since the last changed one
	for x := s.x; x < end && unchanged < len("\x1b[9C"); x++ {
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
			unchanged += utf8.RuneLen(rune(c.glyph))
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
		s.n, s.pen, s.backgroundOnly, unchanged = x+1-s.x, pen, backgroundOnly, 0
	}
}

// canReorder reports whether the spans of a row may be drawn in any order. They may not if the row has wide
// characters: one must be overwritten before its second column is drawn.
func (r *rows) canReorder() bool {
	for i := range r.new {
		if a, b := r.old[i].glyph, r.new[i].glyph; a == trailing || b == trailing || !a.hasCertainWidth() || !b.hasCertainWidth() {
			return false
		}
	}
	return true
}

// drawSpan appends the bytes that draw or erase a span.
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
		if p.at.x != x { // draw may have left the cursor in an unknown column
			b = p.move(b, position{x, s.y}, s.row)
		}
		b = p.draw(b, s.row[x], width)
		x += width
	}
	return b
}

// drawSpans draws spans in the given order.
func (p *painter) drawSpans(b []byte, buf *scratch, all []span) []byte {
	for i := range all {
		b = p.drawSpan(b, &all[i])
		buf.addCut(len(b))
	}
	return b
}

// drawSpansNearest draws spans, always the one next that takes the fewest bytes for its move and its style. It
// reorders all.
func (p *painter) drawSpansNearest(b []byte, buf *scratch, all []span) []byte {
	for len(all) > 0 {
		next, minimum := 0, 1<<30
		pen := newCell('x', p.pen)
		for i := range all {
			if n := p.at.moveCost(all[i].x, all[i].y) + pen.penCost(&all[i]); n < minimum {
				next, minimum = i, n
			}
		}
		b = p.drawSpan(b, &all[next])
		buf.addCut(len(b))
		copy(all[1:next+1], all[:next])
		all = all[1:]
	}
	return b
}

// moveCost estimates the number of bytes that move the cursor to x, y.
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

// penCost estimates the number of bytes that change the style to that of a span.
func (pen cell) penCost(s *span) (n int) {
	if pen.bg != s.pen.bg {
		n = len("\x1b[m") + s.pen.bg.sgrLength()
	}
	if pen.fg != s.pen.fg && !s.backgroundOnly {
		n += len("\x1b[m") + s.pen.fg.sgrLength()
	}
	return n
}

// sgrLength estimates the number of bytes of the colour's SGR parameters.
func (c Color) sgrLength() int {
	switch {
	case c&kindMask == kindRGB:
		return len("38;2;100;100;10")
	case c&kindMask == kindIndex && c.index() > 15:
		return len("38;5;100")
	}
	return len("39")
}
