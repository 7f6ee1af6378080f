package paint

import (
	"cmp"
	"slices"
)

// This file makes an immutable frame of a grid. Pieces that were blitted from other frames, and pieces that
// are equal in the previous frame, are shared. Of the other cells only those that are not blank are copied,
// and a run of equal cells is stored as one. An idle session keeps its last frame, so its size matters.

// minRun is the minimum number of equal cells for which a piece of their own takes less memory.
const minRun = 5

// buildFrame returns the grid as a frame, or prev itself if nothing differs from it.
func (g *grid) buildFrame(prev *Frame) *Frame {
	f := &Frame{w: g.w, h: g.h, lines: make([]line, g.h), visible: g.visible, id: new(frameID)}
	if g.visible {
		f.cx, f.cy = g.cx, g.cy
	}
	slices.SortStableFunc(g.blits, func(a, b blit) int {
		return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.piece.x, b.piece.x))
	})
	same := prev != nil && prev.w == f.w && prev.h == f.h &&
		prev.visible == f.visible && prev.cx == f.cx && prev.cy == f.cy
	blits := g.blits
	for y := range f.lines {
		old := prev.line(y)
		if g.base != nil && !g.loaded[y] {
			f.lines[y] = g.base.lines[y]
		} else {
			shared := 0
			for shared < len(blits) && blits[shared].y == y {
				shared++
			}
			f.lines[y] = g.buildLine(y, blits[:shared], old)
			blits = blits[shared:]
		}
		same = same && f.lines[y].isSame(old)
	}
	if same {
		return prev
	}
	return f
}

// buildLine returns row y as a line. It shares the blitted pieces, which must be sorted by column, and
// the pieces that are equal in old.
func (g *grid) buildLine(y int, shared []blit, old line) line {
	row, pieces := g.row(y), g.pieces[:0]
	x := 0
	for _, b := range shared {
		if b.piece.x >= x && b.piece.matchesRow(row) {
			pieces = appendPieces(pieces, row, x, b.piece.x)
			pieces = append(pieces, b.piece)
			x = b.piece.x + b.piece.n
		}
	}
	pieces = appendPieces(pieces, row, x, g.drawn[y])
	g.pieces = pieces
	if slices.EqualFunc(pieces, old, piece.equal) {
		return old
	}
	return shareLine(pieces, func() line {
		ownPieces(pieces, row, old)
		return slices.Clone(pieces)
	})
}

// appendPieces appends the pieces of row from column from to column to: runs of equal cells and the parts
// between them, but no blank parts. The cells of the pieces are those of the row, not copies.
func appendPieces(pieces line, row []cell, from, to int) line {
	start := from // of the cells not yet in a piece
	flush := func(end int) {
		if start < end {
			pieces = append(pieces, piece{start, end - start, row[start:end]})
		}
	}
	for x := from; x < to; {
		end := x + 1
		for end < to && row[end] == row[x] {
			end++
		}
		isBlank := row[x] == cell{}
		if n := end - x; n >= minRun || isBlank && (x == from || end == to) {
			flush(x)
			if !isBlank {
				pieces = append(pieces, piece{x, n, row[x : x+1]})
			}
			start = end
		}
		x = end
	}
	flush(to)
	return pieces
}

// ownPieces replaces the pieces whose cells are those of row: by the equal piece of the old line if there is
// one, else by a copy.
func ownPieces(pieces line, row []cell, old line) {
	inRow := func(p piece) bool { return p.x < len(row) && &p.cells[0] == &row[p.x] }
	n := 0
	for i, p := range pieces {
		if !inRow(p) {
			continue
		}
		if j := slices.IndexFunc(old, func(o piece) bool { return o.x == p.x }); j >= 0 && old[j].equal(p) {
			pieces[i] = old[j]
		} else {
			n += len(p.cells)
		}
	}
	if n == 0 {
		return
	}
	cells := make([]cell, 0, n)
	for i, p := range pieces {
		if inRow(p) {
			start := len(cells)
			cells = append(cells, p.cells...)
			pieces[i].cells = cells[start:len(cells):len(cells)]
		}
	}
}
