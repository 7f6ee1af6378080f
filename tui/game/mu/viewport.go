package mu

import "ayumu/engine/mu"

// viewport is how much of the board a session is shown: its choices, and what it drew last.
type viewport struct {
	scale            int // small or large; 0: the largest that fits
	scrollX, scrollY int
	drawn            layout // of the last Draw, for clicks
	inset            inset  // of the last Draw
}

// drawnScale returns the chosen scale, or that of the last drawn board.
func (v *viewport) drawnScale() int {
	if v.scale != 0 {
		return v.scale
	}
	return max(v.drawn.scale, small)
}

// fit returns the size in which a board of g would be drawn in w columns and h rows; ok is false if it
// does not fit.
func (v *viewport) fit(g *geometry, w, h int) (bw, bh int, ok bool) {
	scale := v.scaleFor(g, w, h)
	columns, rows := g.width*scale, g.height*scale
	if g.rim != nil { // where there is space
		columns, rows = columns+2*rimColumns, rows+rimRows
	}
	bw = min(max(columns, tallyColumns), w)
	bh = min(max(rows, minViewRows)+tallyRow, h)
	return bw, bh, w >= minViewColumns && h >= minViewRows+tallyRow
}

// isWhole reports whether w columns and h rows have space for the whole board.
func (v *viewport) isWhole(g *geometry, w, h int) bool {
	scale := v.scaleFor(g, w, h)
	return g.width*scale <= w && g.height*scale+tallyRow <= h
}

func (v *viewport) scaleFor(g *geometry, w, h int) int {
	switch {
	case v.scale != 0:
		return v.scale
	case g.width*large <= w && g.height*large+tallyRow <= h:
		return large
	}
	return small
}

// arrange returns the layout of a board of g for a canvas of w columns and h rows, and keeps it as drawn.
// It scrolls as little as brings the cell in focus into view.
func (v *viewport) arrange(g *geometry, focus mu.Hex, w, h int) layout {
	l := layout{geometry: g, scale: v.scaleFor(g, w, h), viewY: tallyRow, viewW: w, viewH: h - tallyRow}
	x, y := (halfColumn(focus)-g.left)*l.scale, (int(focus.R)-g.top)*l.scale
	l.x = l.viewX + scroll(v.scrollX, x, 2*l.scale, l.viewW, g.width*l.scale, 2*scrollMargin*l.scale)
	l.y = l.viewY + scroll(v.scrollY, y, l.scale, l.viewH, g.height*l.scale, scrollMargin*l.scale)
	v.scrollX, v.scrollY = l.x-l.viewX, l.y-l.viewY
	v.drawn = l
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
