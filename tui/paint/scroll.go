package paint

import "slices"

// If a list scrolls by a few lines, the terminal can move its rows, which takes fewer bytes than drawing them:
// lines are deleted at one end of the list and inserted at the other, so that everything below it stays.

// shift is a range of n rows from row y on, whose new content is what the terminal shows by rows further down;
// further up if by is negative.
type shift struct{ y, n, by int }

// findScroll returns the largest range of rows that have moved together; found is false if fewer than two
// have. all has the rows that change.
func findScroll(all []change) (largest shift, found bool) {
	const minRows = 2
	if !slices.ContainsFunc(all, func(c change) bool { return len(c.old) > 0 }) {
		return largest, false // a blank screen
	}
	for by := 1; by <= len(all)-minRows; by++ {
		for _, by := range []int{by, -by} {
			n := 0
			for i, c := range all {
				from := i + by
				if from < 0 || from >= len(all) || all[from].y != c.y+by || len(c.now) == 0 || !c.now.equal(all[from].old) {
					n = 0
					continue
				}
				if n++; n >= minRows && n > largest.n {
					largest = shift{c.y - n + 1, n, by}
				}
			}
		}
	}
	return largest, largest.n > 0
}

// rows returns the first row that a shift changes, and the row after the last one.
func (s shift) rows() (from, to int) {
	return min(s.y, s.y+s.by), max(s.y, s.y+s.by) + s.n
}

// apply changes the old lines to what the terminal shows after the shift.
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

// scroll appends the bytes that make the terminal move the rows.
func (p *painter) scroll(b []byte, s shift) []byte {
	b = appendStyle(b, p.pen, Style{}) // the inserted lines get the current background
	p.pen = Style{}
	from, to := s.rows()
	n := max(s.by, -s.by)
	out, in := from, to-n
	if s.by < 0 {
		out, in = to-n, from
	}
	b = p.lines(b, out, n, 'M')
	if in+n < p.h { // else deleting lines has inserted them at the bottom
		b = p.lines(b, in, n, 'L')
	}
	return b
}

// lines appends the bytes that delete (final M) or insert (final L) n lines at row y.
func (p *painter) lines(b []byte, y, n int, final byte) []byte {
	b = appendMove(b, p.at, position{0, y})
	p.at = position{0, y}
	return appendCSI(b, n, final)
}
