package paint

import "slices"

// A list that goes on by a few lines is moved by the terminal, which takes fewer bytes than to draw
// it again: lines are deleted where they are not wanted and inserted on the other side of the list,
// so that everything below stays where it is.

// shift is n rows, from row y on, that show what the terminal shows by rows below (by > 0) or above.
type shift struct{ y, n, by int }

// findScroll finds the most rows that have moved together. Only rows that change are looked at: the
// rows that move, and those they leave behind.
func findScroll(all []change) (limit shift, found bool) {
	const least = 2
	if !slices.ContainsFunc(all, func(c change) bool { return len(c.old) > 0 }) {
		return limit, false // a blank screen
	}
	for by := 1; by <= len(all)-least; by++ {
		for _, by := range []int{by, -by} {
			n := 0
			for i, c := range all {
				from := i + by
				if from < 0 || from >= len(all) || all[from].y != c.y+by || len(c.now) == 0 || !c.now.equal(all[from].old) {
					n = 0
					continue
				}
				if n++; n >= least && n > limit.n {
					limit = shift{c.y - n + 1, n, by}
				}
			}
		}
	}
	return limit, limit.n > 0
}

// rows returns the first row that a shift concerns, and the row after the last one.
func (s shift) rows() (from, to int) {
	return min(s.y, s.y+s.by), max(s.y, s.y+s.by) + s.n
}

// apply changes what the terminal shows to what it shows after the shift.
func (s shift) apply(all []change) {
	from, to := s.rows()
	for i := range all {
		switch y := all[i].y; {
		case y < from || y >= to:
		case y >= s.y && y < s.y+s.n:
			all[i].old = all[i].now
		default:
			all[i].old = nil
		}
	}
}

// scroll appends what has the terminal move the rows.
func (p *painter) scroll(b []byte, s shift) []byte {
	b = appendStyle(b, p.pen, Style{}) // for the lines that come in
	p.pen = Style{}
	from, to := s.rows()
	n := max(s.by, -s.by)
	out, in := from, to-n
	if s.by < 0 {
		out, in = to-n, from
	}
	b = p.lines(b, out, n, 'M')
	if in+n < p.h { // else they have come in from below
		b = p.lines(b, in, n, 'L')
	}
	return b
}

// lines deletes or inserts lines from row y on.
func (p *painter) lines(b []byte, y, n int, final byte) []byte {
	b = appendMove(b, p.at, position{0, y})
	p.at = position{0, y}
	return appendCSI(b, n, final)
}
