package muboard

import (
	"ayumu/engine/mu"
	"ayumu/tui/board"
	"ayumu/tui/paint"
)

// The scales: a cell has two columns and one row for each of its scale.
const (
	small = 1
	large = 2
)

const (
	tallyRow  = 1  // above the board
	leastView = 7  // rows of the board
	leastWide = 24 // columns
	tallyWide = 53 // columns in which the tally of six fits
	margin    = 3  // cells that stay in view beyond the cursor
)

// layout is how a board lies on a canvas.
type layout struct {
	*ground
	scale int // 0: nothing is drawn
	// The rectangle of the canvas through which the board is seen.
	viewX, viewY, viewW, viewH int
	// Where the board's upper left corner lies on the canvas; outside of the view if it is larger.
	x, y int
}

// corner returns the upper left corner of a cell on the canvas.
func (l layout) corner(h mu.Hex) (x, y int) {
	return l.x + (across(h)-l.left)*l.scale, l.y + (int(h.R)-l.top)*l.scale
}

// at returns the cell at a place of the canvas; false outside of the view.
func (l layout) at(x, y int) (mu.Hex, bool) {
	if l.scale == 0 || x < l.viewX || y < l.viewY || x >= l.viewX+l.viewW || y >= l.viewY+l.viewH {
		return mu.Hex{}, false
	}
	r := (y-l.y)/l.scale + l.top
	q := (floor(x-l.x, l.scale) + l.left - r) >> 1 // rounds down
	return mu.Hex{Q: int16(q), R: int16(r)}, true
}

func floor(n, by int) int {
	if n < 0 {
		n -= by - 1
	}
	return n / by
}

// sees reports whether a cell is wholly in view.
func (l layout) sees(h mu.Hex) bool {
	x, y := l.corner(h)
	return x >= l.viewX && x+2*l.scale <= l.viewX+l.viewW && y >= l.viewY && y+l.scale <= l.viewY+l.viewH
}

// complete reports whether all of the board is in view.
func (l layout) complete() bool { return l.viewW >= l.width*l.scale && l.viewH >= l.height*l.scale }

// Fit returns the size of the board in the chosen scale, or in the largest that fits; less if it
// has to be scrolled.
func (b *Board) Fit(w, h int) (bw, bh int, ok bool) {
	g := groundOf(b.shown())
	scale := b.scaleFor(g, w, h)
	bw = min(max(g.width*scale, tallyWide), w)
	bh = min(max(g.height*scale, leastView)+tallyRow, h)
	return bw, bh, w >= leastWide && h >= leastView+tallyRow
}

func (b *Board) scaleFor(g *ground, w, h int) int {
	switch {
	case b.scale != 0:
		return b.scale
	case g.width*large <= w && g.height*large+tallyRow <= h:
		return large
	}
	return small
}

// arrange lays the board out on a canvas of that size, so that the cell in focus is in view and the
// board moves as little as possible.
func (b *Board) arrange(w, h int) layout {
	g := groundOf(b.shown())
	l := layout{ground: g, scale: b.scaleFor(g, w, h), viewY: tallyRow, viewW: w, viewH: h - tallyRow}
	focus := b.focus()
	x, y := (across(focus)-g.left)*l.scale, (int(focus.R)-g.top)*l.scale
	l.x = l.viewX + scroll(b.scrollX, x, 2*l.scale, l.viewW, g.width*l.scale, 2*margin*l.scale)
	l.y = l.viewY + scroll(b.scrollY, y, l.scale, l.viewH, g.height*l.scale, margin*l.scale)
	b.scrollX, b.scrollY = l.x-l.viewX, l.y-l.viewY
	return l
}

// scroll returns where something of that size begins in a view: in the middle if it fits, else
// moved from where it was as little as shows the place from at to at+width with a margin.
func scroll(was, at, width, view, size, margin int) int {
	if size <= view {
		return (view - size) / 2
	}
	margin = min(margin, max(0, (view-width)/2))
	was = min(max(was, margin-at), view-margin-width-at)
	return min(0, max(was, view-size))
}

// drawing is the key under which the board is drawn once for all who see it alike.
type drawing struct {
	position, before *mu.Position
	frame            int // of the replay from before to position; 0: the position itself
	size             int // its scale
	look             board.Look
	room             bool // how many men each cell can take is shown
}

var drawings board.Cache[drawing, *paint.Frame]

// mostShared bounds what is kept in common, in columns times rows; boards that are larger, as only
// ones laid out in a line can be, are drawn by each session as far as it sees them.
const mostShared = 16000

// Draw draws the tally, the board and what only this session sees of it.
func (b *Board) Draw(c paint.Canvas, look board.Look) {
	l := b.arrange(c.Size())
	b.drawn = l
	b.drawTally(c, look)
	view := c.Sub(l.viewX, l.viewY, l.viewW, l.viewH)
	l.x, l.y, l.viewX, l.viewY = l.x-l.viewX, l.y-l.viewY, 0, 0 // as seen from the view
	d := drawing{size: l.scale, look: look, room: b.room[l.scale]}
	d.position, d.before, d.frame = b.scene()
	s := sheet{c: view, layout: l, drawing: d, colors: paletteOf(look), film: b.film}
	if b.drafting() || l.width*l.height*l.scale*l.scale > mostShared {
		s.draw()
	} else {
		view.Blit(l.x, l.y, drawings.Get(d, s.whole))
	}
	if !b.state.Still {
		b.drawOwn(&s)
	}
	if b.overview && !l.complete() {
		b.inset = b.drawOverview(&s)
	} else {
		b.inset = inset{}
	}
}
