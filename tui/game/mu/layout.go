package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
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

// isComplete reports whether all of the board is in view.
func (l layout) isComplete() bool { return l.viewW >= l.width*l.scale && l.viewH >= l.height*l.scale }

// Fit implements game.Board: the size in the chosen scale, or in the largest that fits, and less if the
// board has to be scrolled.
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

// arrange returns the layout for a canvas of w columns and h rows. It scrolls as little as brings the cell
// in focus into view.
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

// scroll returns the offset of content of a size in a view: centred if it fits, else as close to was as
// shows the part from at to at+width with a margin.
func scroll(was, at, width, view, size, margin int) int {
	if size <= view {
		return (view - size) / 2
	}
	margin = min(margin, max(0, (view-width)/2))
	was = min(max(was, margin-at), view-margin-width-at)
	return min(0, max(was, view-size))
}

// frameKey identifies the part of a board that is the same for all sessions, as the key of frameCache.
type frameKey struct {
	position, previous *mu.Position
	frame              int // of the replay from previous to position; 0 for the position itself
	size               int // the scale
	style              game.Style
	showCapacity       bool // the headroom of the cells is shown
}

var frameCache game.Cache[frameKey, *paint.Frame]

// maxCachedArea is the maximum size of a shared frame, in columns times rows. Larger boards, which only a
// layout in a line can have, are drawn by each session as far as they are visible.
const maxCachedArea = 16000

// Draw implements game.Board.
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
