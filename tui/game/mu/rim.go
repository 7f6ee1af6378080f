package mu

import (
	"slices"
	"strconv"

	"ayumu/engine/mu"
)

// The columns and rows beside the board that its coordinates take where there is space for them.
const (
	rimColumns = 4 // on each side: a number of three characters, and a gap
	rimRows    = 1 // below
)

// rimLabel is a coordinate beside the board: the second number of all cells of a row, to the left of it, or the first
// number of all cells of a diagonal, at its lower end.
type rimLabel struct {
	text  string
	isRow bool
	at    mu.Hex // the cell outside of the board where it stands
}

// newRim returns the coordinates of a board, those of rows first.
func newRim(cells []mu.Cell) []rimLabel {
	type ends struct{ first, last int16 }
	rows, diagonals := make(map[int16]ends), make(map[int16]ends)
	extend := func(all map[int16]ends, key, at int16) {
		e, ok := all[key]
		if !ok {
			e = ends{at, at}
		}
		all[key] = ends{min(e.first, at), max(e.last, at)}
	}
	for _, c := range cells {
		extend(rows, c.At.R, c.At.Q)
		extend(diagonals, c.At.Q, c.At.R)
	}
	var rim []rimLabel
	for r, e := range rows {
		rim = append(rim, rimLabel{text: strconv.Itoa(int(r)), isRow: true, at: mu.Hex{Q: e.first - 1, R: r}})
	}
	for q, e := range diagonals {
		rim = append(rim, rimLabel{text: strconv.Itoa(int(q)), at: mu.Hex{Q: q, R: e.last + 1}})
	}
	slices.SortFunc(rim, func(a, b rimLabel) int {
		if a.isRow != b.isRow {
			if a.isRow {
				return -1
			}
			return 1
		}
		return compareByRow(a.at, b.at)
	})
	return rim
}

// drawRim writes the coordinates beside the board, as far as they are in view. A diagonal whose number would touch a cell
// or another number has none.
func (r *renderer) drawRim() {
	type span struct{ y, from, to int } // with a gap
	var taken []span
	for _, label := range r.rim {
		x, y := r.corner(label.at)
		n := len(label.text)
		switch {
		case label.isRow:
			x += 2*r.scale - 1 - n
		case n < 2*r.scale:
			x += r.scale - 1
		}
		isTaken := func(s span) bool { return s.y == y && x < s.to && s.from < x+n }
		if !label.isRow && (r.touchesCell(label.at, x, n) || slices.ContainsFunc(taken, isTaken)) {
			continue
		}
		r.c.Text(x, y, r.style.Theme.Dim, label.text)
		taken = append(taken, span{y, x - 1, x + n + 1})
	}
}

// touchesCell reports whether n characters from column x on, beside the cell at, touch one of the board in its row.
func (r *renderer) touchesCell(at mu.Hex, x, n int) bool {
	for by := -2; by <= 2; by++ {
		h := mu.Hex{Q: at.Q + int16(by), R: at.R}
		if _, isCell := r.index[h]; !isCell {
			continue
		}
		if hx, _ := r.corner(h); x <= hx+2*r.scale && hx <= x+n {
			return true
		}
	}
	return false
}
