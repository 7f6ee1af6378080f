package paint

import "unicode/utf8"

// A stroke is what one pen draws or erases in one go. The strokes of a small change are made in an
// order that takes few bytes: another colour often takes more than the way to a stroke of the same.

// stroke is n columns of a row that differ, from column x on.
type stroke struct {
	x, y, n int
	row     []cell // all of it, as it will be
	erase   byte   // 'X': ECH, 'K': EL to the row's end; 0: the cells are drawn
	from    int    // for EL: the cursor may also stand from this column on
	pen     cell   // of which the style counts
	loose   bool   // of the pen only the background shows
}

// maxStrokes bounds what is put in order, since each stroke is compared with all others.
const maxStrokes = 64

// split appends the strokes that turn one row into another, from left to right.
func (p *painter) split(all []stroke, y int, r *rows) []stroke {
	end, erase := p.tail(r)
	for x := 0; x < end; {
		if r.old[x] == r.new[x] {
			x++
			continue
		}
		s := stroke{x: x, y: y, row: r.new, pen: r.new[x], loose: r.new[x].loose()}
		if n, after := p.hole(r, x, end); n > 0 {
			s.n, s.erase = n, 'X'
			x = after
		} else {
			p.extend(&s, r, end)
			x += s.n
		}
		all = append(all, s)
	}
	if erase < p.w {
		all = append(all, stroke{x: erase, y: y, n: p.w - erase, row: r.new, erase: 'K', from: end, pen: r.new[erase], loose: true})
	}
	return all
}

// loose reports whether nothing but its background shows of a cell's style.
func (c cell) loose() bool { return c.glyph == blank && Attr(c.fg>>attrShift)&(Underline|Reverse) == 0 }

// extend lengthens a stroke that is drawn as far as its pen reaches, also over a few columns that
// are the same, if that is no longer than a way around them.
func (p *painter) extend(s *stroke, r *rows, end int) {
	pen, loose := s.pen, s.loose
	way := 0 // bytes since the last column that differs
	for x := s.x; x < end && way < len("\x1b[9C"); x++ {
		c := r.new[x]
		switch {
		case c.bg == pen.bg && (c.loose() || c.fg == pen.fg && !loose):
		case c.bg == pen.bg && loose:
			pen, loose = c, false
		default:
			return
		}
		if r.old[x] == c {
			if !c.glyph.certain() || c.glyph == trailing {
				return
			}
			way += utf8.RuneLen(rune(c.glyph))
			continue
		}
		if x > s.x && c.loose() {
			if n, _ := p.hole(r, x, end); n > 0 {
				return
			}
		}
		if x+1 < p.w && r.new[x+1].glyph == trailing {
			x++
		}
		s.n, s.pen, s.loose, way = x+1-s.x, pen, loose, 0
	}
}

// movable reports whether the strokes of a row may be made in any order: a wide character must be
// gone before what took its second column is drawn.
func (r *rows) movable() bool {
	for i := range r.new {
		if a, b := r.old[i].glyph, r.new[i].glyph; a == trailing || b == trailing || !a.certain() || !b.certain() {
			return false
		}
	}
	return true
}

// make appends what makes one stroke.
func (p *painter) make(b []byte, s *stroke) []byte {
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

// makeAll makes strokes in their order.
func (p *painter) makeAll(b []byte, e *easel, all []stroke) []byte {
	for i := range all {
		b = p.make(b, &all[i])
		e.mark(len(b))
	}
	return b
}

// makeNearest makes strokes, always the one next that is reached with the fewest bytes.
func (p *painter) makeNearest(b []byte, e *easel, all []stroke) []byte {
	for len(all) > 0 {
		next, least := 0, 1<<30
		pen := newCell('x', p.pen)
		for i := range all {
			if n := p.at.way(all[i].x, all[i].y) + pen.way(&all[i]); n < least {
				next, least = i, n
			}
		}
		b = p.make(b, &all[next])
		e.mark(len(b))
		copy(all[1:next+1], all[:next])
		all = all[1:]
	}
	return b
}

// way returns about how many bytes move the cursor.
func (from position) way(x, y int) int {
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

// way returns about how many bytes make the pen that of a stroke.
func (pen cell) way(s *stroke) (n int) {
	if pen.bg != s.pen.bg {
		n = len("\x1b[m") + s.pen.bg.length()
	}
	if pen.fg != s.pen.fg && !s.loose {
		n += len("\x1b[m") + s.pen.fg.length()
	}
	return n
}

// length returns about how many bytes name the colour.
func (c Color) length() int {
	switch {
	case c&kindMask == kindRGB:
		return len("38;2;100;100;10")
	case c&kindMask == kindIndex && c.index() > 15:
		return len("38;5;100")
	}
	return len("39")
}
