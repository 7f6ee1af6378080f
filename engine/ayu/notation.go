package ayu

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// String returns "b" or "w".
func (c Color) String() string { return [...]string{"b", "w"}[c] }

// Name returns "Black" or "White".
func (c Color) Name() string { return [...]string{"Black", "White"}[c] }

// String returns the name of the point: the letter of the column and the row counted from 1, "b1".
func (p Point) String() string {
	return string(rune('a'+p.Column())) + strconv.Itoa(p.Row()+1)
}

// String returns the notation of the move: "b1-b2".
func (m Move) String() string { return m.From.String() + "-" + m.To.String() }

// These errors do not quote the input, since it may be long and the caller has it.
var (
	errPoint = fmt.Errorf("a point is a letter from a to %c and a number from 1 to %d, such as b1", 'a'+MaxSize-1, MaxSize)
	errMove  = errors.New("a move is written like b1-b2")
)

// ParsePoint reads the name of a point; upper-case letters are accepted. The point is on a board of
// MaxSize, but not necessarily on a smaller one.
func ParsePoint(s string) (Point, error) {
	if len(s) == 2 || len(s) == 3 {
		column := int(s[0]|0x20) - 'a'
		row, err := strconv.Atoi(s[1:])
		if err == nil && s[1] >= '1' && s[1] <= '9' && column >= 0 && column < MaxSize && row <= MaxSize {
			return At(column, row-1), nil
		}
	}
	return 0, errPoint
}

// ParseMove reads a move such as b1-b2; upper-case letters are accepted.
func ParseMove(s string) (Move, error) {
	from, to, found := strings.Cut(s, "-")
	if !found {
		return Move{}, errMove
	}
	var m Move
	var err error
	if m.From, err = ParsePoint(from); err != nil {
		return Move{}, err
	}
	if m.To, err = ParsePoint(to); err != nil {
		return Move{}, err
	}
	return m, nil
}

// Characters of the one-line form of a board.
const (
	blackMark = 'x'
	whiteMark = 'o'
	emptyMark = '.'
)

// String returns the one-line form of the board (docs/rules/ayu.md, section 2): its size, the side to move
// and the rows from the top, "5 b .x.x./o.o.o/.x.x./o.o.o/.x.x.".
func (b Board) String() string {
	n := b.Size()
	s := make([]byte, 0, 5+n*(n+1))
	s = strconv.AppendInt(s, int64(n), 10)
	s = append(s, ' ')
	s = append(s, b.turn.String()...)
	rows := len(s)
	for row := range n {
		if row == 0 {
			s = append(s, ' ')
		} else {
			s = append(s, '/')
		}
		for range n {
			s = append(s, emptyMark)
		}
	}
	for c, mark := range [...]byte{Black: blackMark, White: whiteMark} {
		for p := range b.stones[c].All() {
			s[rows+(n-1-p.Row())*(n+1)+1+p.Column()] = mark
		}
	}
	return string(s)
}

// ParseBoard reads the one-line form exactly as String writes it. Any number of stones may be on any
// points.
func ParseBoard(line string) (Board, error) {
	size, rest, _ := strings.Cut(line, " ")
	turn, rest, found := strings.Cut(rest, " ")
	if !found {
		return Board{}, fmt.Errorf("a position needs its size, b or w, and its rows, separated by single spaces")
	}
	n, err := strconv.Atoi(size)
	if err != nil || !ValidSize(n) || size != strconv.Itoa(n) {
		return Board{}, fmt.Errorf("size is %q, must be an odd number from %d to %d", size, MinSize, MaxSize)
	}
	b := Board{size: uint8(n)}
	switch turn {
	case "b":
	case "w":
		b.turn = White
	default:
		return Board{}, fmt.Errorf("the side to move is %q, must be b or w", turn)
	}
	rows := strings.Split(rest, "/")
	if len(rows) != n {
		return Board{}, fmt.Errorf("got %d rows, want %d", len(rows), n)
	}
	for i, row := range rows {
		if err := b.parseRow(n-1-i, row); err != nil {
			return Board{}, err
		}
	}
	return b, nil
}

func (b *Board) parseRow(row int, marks string) error {
	if len(marks) != b.Size() {
		return fmt.Errorf("row %d has %d points, must have %d", row+1, len(marks), b.Size())
	}
	for column := range marks {
		p := At(column, row)
		switch marks[column] {
		case blackMark:
			b.stones[Black] = b.stones[Black].or(single[p])
		case whiteMark:
			b.stones[White] = b.stones[White].or(single[p])
		case emptyMark:
		default:
			return fmt.Errorf("row %d has %q, and only x, o and . stand on points", row+1, marks[column])
		}
	}
	return nil
}
