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

// String returns the point's name: "b1", the column's letter and the row counted from 1.
func (p Point) String() string {
	return string(rune('a'+p.Column())) + strconv.Itoa(p.Row()+1)
}

// String returns the move's notation: "b1-b2".
func (m Move) String() string { return m.From.String() + "-" + m.To.String() }

// The errors do not repeat what was read, since it may be long and who asks knows it.
var (
	errPoint = fmt.Errorf("a point is a letter from a to %c and a number from 1 to %d, such as b1", 'a'+MaxSize-1, MaxSize)
	errMove  = errors.New("a move is written like b1-b2")
)

// ParsePoint reads a point's name; an upper case letter is accepted. The point is on a board of
// MaxSize, not necessarily on a smaller one.
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

// ParseMove reads a move such as b1-b2; upper case letters are accepted.
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

// The characters of a board's one-line form.
const (
	blackMark = 'x'
	whiteMark = 'o'
	emptyMark = '.'
)

// String returns the board's one-line form, as in rules "Notation": its size, the side to move
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

// ParseBoard reads a board's one-line form, exactly as String prints it. Any number of stones may
// stand anywhere.
func ParseBoard(line string) (Board, error) {
	size, rest, _ := strings.Cut(line, " ")
	turn, rest, found := strings.Cut(rest, " ")
	if !found {
		return Board{}, fmt.Errorf("a position is its size, b or w, and its rows, with one space between them")
	}
	n, err := strconv.Atoi(size)
	if err != nil || !ValidSize(n) || size != strconv.Itoa(n) {
		return Board{}, fmt.Errorf("the size is %q and must be an odd number from %d to %d", size, MinSize, MaxSize)
	}
	b := Board{size: uint8(n)}
	switch turn {
	case "b":
	case "w":
		b.turn = White
	default:
		return Board{}, fmt.Errorf("the side to move is %q and must be b or w", turn)
	}
	rows := strings.Split(rest, "/")
	if len(rows) != n {
		return Board{}, fmt.Errorf("there are %d rows and must be %d", len(rows), n)
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
		return fmt.Errorf("row %d has %d points and must have %d", row+1, len(marks), b.Size())
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
