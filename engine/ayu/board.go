package ayu

// MinSize and MaxSize bound the sizes; between them every odd one is a board.
const (
	MinSize = 3
	MaxSize = 15
)

// Color is one of the two sides.
type Color uint8

// Black moves first.
const (
	Black Color = iota
	White
)

// Other returns the other side.
func (c Color) Other() Color { return c ^ 1 }

// Board is the stones on a board and the side to move, without history. It is a comparable value
// of 72 bytes; its methods never change it. The zero value is no board: NewBoard and ParseBoard
// make one.
type Board struct {
	stones [2]Points
	size   uint8
	turn   Color
}

// Move takes the stone on From to To.
type Move struct{ From, To Point }

// ValidSize reports whether a board can have n columns and rows.
func ValidSize(n int) bool { return MinSize <= n && n <= MaxSize && n%2 == 1 }

// NewBoard returns the first board of a game on n×n points, Black to move. It panics if n is not
// a valid size.
func NewBoard(n int) Board {
	if !ValidSize(n) {
		panic("ayu: no board has this size")
	}
	b := Board{size: uint8(n)}
	for row := range n {
		for column := range n {
			switch {
			case column%2 == 1 && row%2 == 0:
				b.stones[Black] = b.stones[Black].or(single[At(column, row)])
			case column%2 == 0 && row%2 == 1:
				b.stones[White] = b.stones[White].or(single[At(column, row)])
			}
		}
	}
	return b
}

// Size returns the number of columns and of rows.
func (b Board) Size() int { return int(b.size) }

// Turn returns the side to move.
func (b Board) Turn() Color { return b.turn }

// Stones returns the points on which c has stones.
func (b Board) Stones(c Color) Points { return b.stones[c] }

// Empty returns the points without a stone.
func (b Board) Empty() Points {
	return boardPoints[b.size].without(b.stones[Black].or(b.stones[White]))
}

// Contains reports whether the board has the point.
func (b Board) Contains(p Point) bool { return boardPoints[b.size].Has(p) }

// After returns the board after a move that must be legal; nothing is checked.
func (b Board) After(m Move) Board {
	own := &b.stones[b.turn]
	*own = own.without(single[m.From]).or(single[m.To])
	b.turn ^= 1
	return b
}

// boardPoints has the points of the board of each size.
var boardPoints = func() (areas [MaxSize + 1]Points) {
	for n := range areas {
		row := uint64(1)<<n - 1
		for i, w := range []*uint64{&areas[n].a, &areas[n].b, &areas[n].c, &areas[n].d} {
			rows := min(max(n-4*i, 0), 4)
			*w = row * (0x0001_0001_0001_0001 & (1<<(16*rows) - 1))
		}
	}
	return areas
}()
