package mu

import (
	"cmp"
	"slices"

	"ayumu/engine/mu"
)

// geometry is what the positions of one board have in common for drawing. Its horizontal unit is half a
// cell, because rows are staggered by that much; its vertical unit is a row.
type geometry struct {
	left, top     int // the first half cell and row
	width, height int // in half cells and in rows
	index         map[mu.Hex]int
	shade         []uint8 // by segment
	centre        []mu.Hex
	rim           []rimLabel // nil during the layout
}

type geometryKey struct {
	board  *mu.Board
	laying bool
}

// geometry returns the geometry of a position, which many positions of a match share.
func (s *caches) geometry(p *mu.Position) *geometry {
	return s.geometries.Get(geometryKey{p.Board(), p.Phase() == mu.Layout}, func() *geometry { return newGeometry(p) })
}

func halfColumn(h mu.Hex) int { return 2*int(h.Q) + int(h.R) }

// newGeometry measures the board and, during the layout, all places for one more segment.
func newGeometry(p *mu.Position) *geometry {
	cells, centres := p.Cells(), p.Board().Centres()
	g := &geometry{index: make(map[mu.Hex]int, len(cells)), shade: segmentShades(centres), centre: centres}
	first := true
	right, bottom := 0, 0
	stretch := func(h mu.Hex) {
		x, y := halfColumn(h), int(h.R)
		if first {
			g.left, right, g.top, bottom = x, x, y, y
			first = false
		}
		g.left, right = min(g.left, x), max(right, x)
		g.top, bottom = min(g.top, y), max(bottom, y)
	}
	for i, c := range cells {
		g.index[c.At] = i
		stretch(c.At)
	}
	for _, centre := range p.Placements() {
		for h := range segmentCells(centre) {
			stretch(h)
		}
	}
	g.width, g.height = right-g.left+2, bottom-g.top+1
	if p.Phase() != mu.Layout {
		g.rim = newRim(cells)
	}
	return g
}

// segmentCells yields the seven cells of the segment with a centre, the centre first.
func segmentCells(centre mu.Hex) func(yield func(mu.Hex) bool) {
	return func(yield func(mu.Hex) bool) {
		if !yield(centre) {
			return
		}
		for _, d := range mu.Dirs {
			if !yield(centre.Step(d, 1)) {
				return
			}
		}
	}
}

// segmentShades returns a shade for each segment that differs from its neighbours'. In the order of rows four
// shades are always enough: centres of neighbours are three steps apart, and of the nine earlier places
// at that distance at most three can be taken, because segments do not overlap.
func segmentShades(centres []mu.Hex) []uint8 {
	order := make([]int, len(centres))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(centres[i].R, centres[j].R), cmp.Compare(centres[i].Q, centres[j].Q))
	})
	shade := make([]uint8, len(centres))
	for n, i := range order {
		var taken [shades]bool
		for _, j := range order[:n] {
			if centres[i].Distance(centres[j]) == 3 {
				taken[shade[j]] = true
			}
		}
		for taken[shade[i]] {
			shade[i]++
		}
	}
	return shade
}

// isCentre reports whether a cell of a segment is its centre.
func (g *geometry) isCentre(c mu.Cell) bool { return g.centre[c.Segment] == c.At }

// has reports whether a cell lies in the rectangle that is drawn.
func (g *geometry) has(h mu.Hex) bool {
	x, y := halfColumn(h)-g.left, int(h.R)-g.top
	return x >= 0 && x <= g.width-2 && y >= 0 && y < g.height
}
