package ayu

// MinSize and MaxSize are the smallest and the largest size. Only odd sizes are valid.
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

// Board has the stones and the side to move, without history. It is a comparable value of 72 bytes whose
// methods never change it. The zero value is invalid: use NewBoard or ParseBoard.
type Board struct {
	stones [2]Points
	size   uint8
	turn   Color
}

// Move moves the stone on From to To.
type Move struct{ From, To Point }

// ValidSize reports whether n×n is a size of a board.
func ValidSize(n int) bool { return MinSize <= n && n <= MaxSize && n%2 == 1 }

// NewBoard returns the first board of a game on n×n points, Black to move. It panics if n is not a valid
// size.
func NewBoard(n int) Board {
	if !ValidSize(n) {
		panic("ayu: invalid board size")
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

// Size returns the number of columns, which is also the number of rows.
func (b Board) Size() int { return int(b.size) }

// Turn returns the side to move.
func (b Board) Turn() Color { return b.turn }

// Stones returns the points with stones of c.
func (b Board) Stones(c Color) Points { return b.stones[c] }

// Empty returns the points without a stone.
func (b Board) Empty() Points {
	return boardPoints[b.size].without(b.stones[Black].or(b.stones[White]))
}

// Contains reports whether p is on the board.
func (b Board) Contains(p Point) bool { return boardPoints[b.size].Has(p) }

// After returns the board after a move. It does not check that the move is legal.
func (b Board) After(m Move) Board {
	own := &b.stones[b.turn]
	*own = own.without(single[m.From]).or(single[m.To])
	b.turn ^= 1
	return b
}

// Without returns the board without the stone on p, if there is one.
func (b Board) Without(p Point) Board {
	b.stones = [2]Points{b.stones[Black].without(single[p]), b.stones[White].without(single[p])}
	return b
}

// boardPoints has all points of the board of each size.
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
