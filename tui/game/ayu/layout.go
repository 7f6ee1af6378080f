package ayu

import "ayumu/engine/ayu"

// layout maps points to the canvas. Row labels take the first columns, then comes the left edge of
// column a.
type layout struct {
	n      int // points on a side; 0 before the first Draw
	cw, ch int // columns and rows of a point's cell
	flip   bool
}

const (
	labelColumns = 2 // of the row labels
	edgeColumns  = 1 // left of the first column, for the frames around its stones
)

// maxCellRows is the maximum height of a cell. A cell has twice as many columns as rows.
const maxCellRows = 8

func (l layout) size() (w, h int) {
	w = labelColumns + edgeColumns + l.n*l.cw
	if l.ch > 1 {
		w++ // the same edge on the right as on the left
	}
	return w, l.n*l.ch + 1
}

// cell returns the upper left corner of a point's cell.
func (l layout) cell(p ayu.Point) (x, y int) {
	column, row := p.Column(), l.n-1-p.Row()
	if l.flip {
		column, row = l.n-1-column, l.n-1-row
	}
	return labelColumns + edgeColumns + column*l.cw, row * l.ch
}

// at returns the point whose cell contains x, y. The right column of a small cell counts too.
func (l layout) at(x, y int) (ayu.Point, bool) {
	x -= labelColumns + edgeColumns
	if l.n == 0 || x < 0 || y < 0 || x >= l.n*l.cw || y >= l.n*l.ch {
		return 0, false
	}
	column, row := x/l.cw, l.n-1-y/l.ch
	if l.flip {
		column, row = l.n-1-column, l.n-1-row
	}
	return ayu.At(column, row), true
}
