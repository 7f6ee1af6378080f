package widget

import (
	"slices"

	"ayumu/tui/paint"
)

// Column is a column of a list after its first one.
type Column struct {
	Width int // with the gap before the next column
	Rank  int // columns appear in this order, from 0, as the list becomes wider
}

// Columns is the layout of a list's rows: a first column, which gets the space that the others leave, and those of
// the others that fit.
type Columns struct {
	First   int // width of the first column, with the gap after it
	columns []Column
	shown   int // columns with a lower rank are shown
}

// LayOut returns the layout of rows that are width columns wide, with a first column of at least first columns. The
// ranks of the columns are 0, 1 and so on. A column is shown only if all of lower ranks are, so that no column
// disappears when the list becomes wider.
func LayOut(columns []Column, first, width int) Columns {
	l := Columns{First: width + 1, columns: columns} // the last column has no gap after it
	for ; l.shown < len(columns); l.shown++ {
		next := columns[slices.IndexFunc(columns, func(c Column) bool { return c.Rank == l.shown })]
		if l.First-next.Width < first {
			break
		}
		l.First -= next.Width
	}
	return l
}

// Draw draws the cells of a row after the first column, in the order of the columns. Cells that are too wide are
// cut.
func (l Columns) Draw(c paint.Canvas, s paint.Style, cells ...string) {
	for i, x := range l.Places() {
		if x >= 0 && i < len(cells) {
			c.Text(x, 0, s, paint.Cut(cells[i], l.columns[i].Width-1))
		}
	}
}

// Places returns the positions at which the cells after the first column begin, in the order of the columns; -1 for one
// that is not shown.
func (l Columns) Places() []int {
	all, x := make([]int, len(l.columns)), l.First
	for i, column := range l.columns {
		if all[i] = -1; column.Rank < l.shown {
			all[i] = x
			x += column.Width
		}
	}
	return all
}

// ListWidth is the maximum width of a list: wider ones would keep apart what belongs together.
const ListWidth = 110

// Middle returns the middle of a canvas, at most width columns wide.
func Middle(c paint.Canvas, width int) paint.Canvas {
	w, h := c.Size()
	if w <= width {
		return c
	}
	return c.Sub((w-width)/2, 0, width, h)
}
