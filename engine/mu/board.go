package mu

import (
	"slices"
	"strings"
)

const (
	segmentCells = 7
	maxCells     = maxPlayers * maxSegments * segmentCells
)

// Board is the layout of a match: its cells, their segments and their neighbours. Cells are numbered from
// 0 in the order of their coordinates. A Board is immutable; placing a segment makes a new one.
type Board struct {
	centres    []Hex      // in the order of placement
	cells      []Hex      // by q, then r
	neighbours [][6]int16 // the neighbour in each direction, or none
	segment    []uint8    // the segment of each cell
	placements []Hex      // possible centres of the next segment (docs/rules/mu.md, section 3.3)
	extent     extent

	// Set on a complete board only:
	names  []string // the text of each cell
	sorted []int16  // cells in the order of their texts
}

// none is the number of a cell that is Out of Bounds.
const none = -1

// extent maps coordinates to cell numbers, in the smallest box around the board.
type extent struct {
	low           Hex
	width, height int16
	index         []int16 // q-major
}

func newExtent(centres []Hex) extent {
	low, high := centres[0], centres[0]
	for _, c := range centres {
		low = Hex{min(low.Q, c.Q), min(low.R, c.R)}
		high = Hex{max(high.Q, c.Q), max(high.R, c.R)}
	}
	e := extent{low: Hex{low.Q - 1, low.R - 1}}
	e.width, e.height = high.Q-low.Q+3, high.R-low.R+3
	e.index = make([]int16, int(e.width)*int(e.height))
	for i := range e.index {
		e.index[i] = none
	}
	return e
}

// at returns a pointer to the number of a cell, or nil outside the box.
func (e *extent) at(h Hex) *int16 {
	q, r := h.Q-e.low.Q, h.R-e.low.R
	if q < 0 || r < 0 || q >= e.width || r >= e.height {
		return nil
	}
	return &e.index[int(q)*int(e.height)+int(r)]
}

// firstBoard returns the empty board, on which the first segment is placed at 0,0.
func firstBoard() *Board { return &Board{placements: []Hex{{}}} }

// newBoard returns the board of these segments, which must not overlap.
func newBoard(centres []Hex) *Board {
	b := &Board{centres: centres, extent: newExtent(centres)}
	for s, c := range centres {
		*b.extent.at(c) = int16(s)
		for _, d := range Dirs {
			*b.extent.at(c.Step(d, 1)) = int16(s)
		}
	}
	// Up to here the box has segment numbers. Reading it in order gives the cells their numbers.
	n := len(centres) * segmentCells
	b.cells, b.segment = make([]Hex, 0, n), make([]uint8, 0, n)
	for i, s := range b.extent.index {
		if s == none {
			continue
		}
		h := b.extent.height
		b.cells = append(b.cells, Hex{b.extent.low.Q + int16(i)/h, b.extent.low.R + int16(i)%h})
		b.segment = append(b.segment, uint8(s))
		b.extent.index[i] = int16(len(b.cells) - 1)
	}
	b.neighbours = make([][6]int16, n)
	for i, h := range b.cells {
		for _, d := range Dirs {
			b.neighbours[i][d] = b.find(h.Step(d, 1))
		}
	}
	return b
}

// withSegment returns the board with one more segment, whose centre must be in b.placements.
func (b *Board) withSegment(centre Hex) *Board {
	next := newBoard(append(slices.Clip(b.centres), centre))
	next.placements = make([]Hex, 0, len(b.placements)+12)
	for _, c := range b.placements {
		if c.Distance(centre) >= 3 {
			next.placements = append(next.placements, c)
		}
	}
	next.addPlacements(centre)
	return next
}

// findPlacements sets the possible centres of the next segment.
func (b *Board) findPlacements() {
	for _, c := range b.centres {
		b.addPlacements(c)
	}
}

// addPlacements adds the possible centres of segments that touch one of the board. Their centres are three steps
// away.
func (b *Board) addPlacements(centre Hex) {
	for _, side := range Dirs {
		for along := range 3 {
			c := centre.Step(side, 3).Step((side+2)%6, along)
			if b.contactCount(c) >= minContacts && !b.overlaps(c) && !slices.Contains(b.placements, c) {
				b.placements = append(b.placements, c)
			}
		}
	}
}

// overlaps reports whether a segment with this centre would cover a cell of the board.
func (b *Board) overlaps(centre Hex) bool {
	if b.find(centre) != none {
		return true
	}
	for _, d := range Dirs {
		if b.find(centre.Step(d, 1)) != none {
			return true
		}
	}
	return false
}

// minContacts is the number of cells of a new segment that must each be adjacent to the board.
const minContacts = 2

// contactCount returns the number of outer cells of a segment with this centre that are adjacent to the
// board. The centre itself cannot be adjacent unless the segment overlaps.
func (b *Board) contactCount(centre Hex) int {
	return b.contacts(centre, func(cell int16) bool { return cell != none })
}

// contacts returns the number of outer cells of a segment with this centre that have a neighbour of a kind.
func (b *Board) contacts(centre Hex, isKind func(cell int16) bool) int {
	n := 0
	for _, side := range Dirs {
		cell := centre.Step(side, 1)
		for _, d := range Dirs {
			if isKind(b.find(cell.Step(d, 1))) {
				n++
				break
			}
		}
	}
	return n
}

// completed returns the board with the fields that only play needs.
func (b *Board) completed() *Board {
	done := *b
	done.placements = nil
	done.names = make([]string, len(b.cells))
	done.sorted = make([]int16, len(b.cells))
	for i, h := range b.cells {
		done.names[i] = h.String()
		done.sorted[i] = int16(i)
	}
	slices.SortFunc(done.sorted, func(i, j int16) int { return strings.Compare(done.names[i], done.names[j]) })
	return &done
}

// find returns the number of a cell, or none.
func (b *Board) find(h Hex) int16 {
	if p := b.extent.at(h); p != nil {
		return *p
	}
	return none
}

// centreIndex returns the number of the segment with this centre, or none.
func (b *Board) centreIndex(h Hex) int { return slices.Index(b.centres, h) }

// Index returns the number of a cell in the order of Position.Cells, or -1 if it is Out of Bounds.
func (b *Board) Index(h Hex) int { return int(b.find(h)) }

// Neighbours returns the numbers of the neighbours of a cell by direction, -1 where Out of Bounds.
func (b *Board) Neighbours(cell int) [6]int16 { return b.neighbours[cell] }

// Segment returns the number of a cell's segment in the order of placement.
func (b *Board) Segment(cell int) int { return int(b.segment[cell]) }

// Size returns the number of cells.
func (b *Board) Size() int { return len(b.cells) }

// Centres returns the centres of the segments in the order of placement.
func (b *Board) Centres() []Hex { return slices.Clone(b.centres) }

// Bounds returns the smallest and the largest coordinates of the cells, or false on an empty board.
func (b *Board) Bounds() (low, high Hex, ok bool) {
	e := &b.extent
	return e.low, Hex{e.low.Q + e.width - 1, e.low.R + e.height - 1}, len(b.cells) > 0
}
