package mu

import (
	"ayumu/engine/mu"
)

// The scales. A cell has 2×scale columns and scale rows.
const (
	small = 1
	large = 2
)

const (
	tallyRow       = 1 // rows above the board
	minViewRows    = 7 // of the board
	minViewColumns = 24
	tallyColumns   = 53 // enough for the tally of six seats
	scrollMargin   = 3  // cells around the cursor that stay in view
)

// layout maps cells to a canvas.
type layout struct {
	*geometry
	scale int // 0 before the first Draw
	// The rectangle of the canvas that shows the board.
	viewX, viewY, viewW, viewH int
	// The board's upper left corner on the canvas; outside of the view if the board is larger.
	x, y int
}

// corner returns the upper left corner of a cell on the canvas.
func (l layout) corner(h mu.Hex) (x, y int) {
	return l.x + (halfColumn(h)-l.left)*l.scale, l.y + (int(h.R)-l.top)*l.scale
}

// hexAt returns the cell at x, y of the canvas; ok is false outside of the view.
func (l layout) hexAt(x, y int) (h mu.Hex, ok bool) {
	if l.scale == 0 || x < l.viewX || y < l.viewY || x >= l.viewX+l.viewW || y >= l.viewY+l.viewH {
		return mu.Hex{}, false
	}
	r := (y-l.y)/l.scale + l.top
	q := (floorDiv(x-l.x, l.scale) + l.left - r) >> 1 // rounds down
	return mu.Hex{Q: int16(q), R: int16(r)}, true
}

func floorDiv(n, by int) int {
	if n < 0 {
		n -= by - 1
	}
	return n / by
}

// isVisible reports whether a cell is wholly in view.
func (l layout) isVisible(h mu.Hex) bool {
	x, y := l.corner(h)
	return x >= l.viewX && x+2*l.scale <= l.viewX+l.viewW && y >= l.viewY && y+l.scale <= l.viewY+l.viewH
}

// seenFromView returns the layout on the canvas of the view alone.
func (l layout) seenFromView() layout {
	l.x, l.y, l.viewX, l.viewY = l.x-l.viewX, l.y-l.viewY, 0, 0
	return l
}

// area returns the size of the whole board, in columns times rows.
func (l layout) area() int { return l.width * l.height * l.scale * l.scale }

// isComplete reports whether all of the board is in view.
func (l layout) isComplete() bool { return l.viewW >= l.width*l.scale && l.viewH >= l.height*l.scale }
