package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// The scales: a cell has two columns and one row for each of its scale.
const (
	small = 1
	large = 2
)

const (
	tallyRow       = 1  // above the board
	minViewRows    = 7  // rows of the board
	minViewColumns = 24 // columns
	tallyColumns   = 53 // columns in which the tally of six fits
	scrollMargin   = 3  // cells that stay in view beyond the cursor
)

// layout is how a board lies on a canvas.
type layout struct {
	*geometry
	scale int // 0: nothing is drawn
	// The rectangle of the canvas through which the board is seen.
	viewX, viewY, viewW, viewH int
	// Where the board's upper left corner lies on the canvas; outside of the view if it is larger.
	x, y int
}

// corner returns the upper left corner of a cell on the canvas.
func (l layout) corner(h mu.Hex) (x, y int) {
	return l.x + (halfColumn(h)-l.left)*l.scale, l.y + (int(h.R)-l.top)*l.scale
}

// hexAt returns the cell at a place of the canvas; false outside of the view.
func (l layout) hexAt(x, y int) (mu.Hex, bool) {
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

// isComplete reports whether all of the board is in view.
func (l layout) isComplete() bool { return l.viewW >= l.width*l.scale && l.viewH >= l.height*l.scale }

// Fit returns the size of the board in the chosen scale, or in the largest that fits; less if it
// has to be scrolled.
func (b *Board) Fit(w, h int) (bw, bh int, ok bool) {
	g := geometryOf(b.shown())
	scale := b.scaleFor(g, w, h)
	bw = min(max(g.width*scale, tallyColumns), w)
	bh = min(max(g.height*scale, minViewRows)+tallyRow, h)
	return bw, bh, w >= minViewColumns && h >= minViewRows+tallyRow
}

func (b *Board) scaleFor(g *geometry, w, h int) int {
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
	g := geometryOf(b.shown())
	l := layout{geometry: g, scale: b.scaleFor(g, w, h), viewY: tallyRow, viewW: w, viewH: h - tallyRow}
	focus := b.focus()
	x, y := (halfColumn(focus)-g.left)*l.scale, (int(focus.R)-g.top)*l.scale
	l.x = l.viewX + scroll(b.scrollX, x, 2*l.scale, l.viewW, g.width*l.scale, 2*scrollMargin*l.scale)
	l.y = l.viewY + scroll(b.scrollY, y, l.scale, l.viewH, g.height*l.scale, scrollMargin*l.scale)
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

// frameKey is the key under which the board is drawn once for all who see it alike.
type frameKey struct {
	position, previous *mu.Position
	frame              int // of the replay from before to position; 0: the position itself
	size               int // its scale
	style              game.Style
	showCapacity       bool // how many men each cell can take is shown
}

var frameCache game.Cache[frameKey, *paint.Frame]

// maxCachedArea bounds what is kept in common, in columns times rows; boards that are larger, as only
// ones laid out in a line can be, are drawn by each session as far as it sees them.
const maxCachedArea = 16000

// Draw draws the tally, the board and what only this session sees of it.
func (b *Board) Draw(c paint.Canvas, look game.Style) {
	l := b.arrange(c.Size())
	b.drawnLayout = l
	b.drawTally(c, look)
	view := c.Sub(l.viewX, l.viewY, l.viewW, l.viewH)
	l.x, l.y, l.viewX, l.viewY = l.x-l.viewX, l.y-l.viewY, 0, 0 // as seen from the view
	d := frameKey{size: l.scale, style: look, showCapacity: b.showCapacity[l.scale]}
	d.position, d.previous, d.frame = b.displayed()
	s := renderer{c: view, layout: l, frameKey: d, colors: paletteOf(look), replay: b.replay}
	if b.showsDraft() || l.width*l.height*l.scale*l.scale > maxCachedArea {
		s.draw()
	} else {
		view.Blit(l.x, l.y, frameCache.Get(d, s.drawFrame))
	}
	if !b.state.Static {
		b.drawSession(&s)
	}
	if b.overview && !l.isComplete() {
		b.inset = b.drawOverview(&s)
	} else {
		b.inset = inset{}
	}
}
