package search

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"sync"

	"ayumu/engine/ayu"
)

// bookText has a line for each position of the opening book: the size, the moves from the first position, the best move,
// and the share of wins of the side to move in thousandths. Engine.MakeBook (makebook.go) makes it.
//
//go:embed book.txt
var bookText string

// bookVisits is the weight of what the book says of a move, in visits.
const bookVisits = 100_000

// bookEntry is what the book says of a position.
type bookEntry struct {
	best  ayu.Move
	share float32 // of the wins of the side to move
}

// book has the entries by the boards that canonical returns.
var book = sync.OnceValue(func() map[ayu.Board]bookEntry {
	entries := make(map[ayu.Board]bookEntry)
	for line := range strings.Lines(bookText) {
		b, e, err := parseBookLine(line)
		if err != nil {
			panic("ayu: opening book: " + err.Error())
		}
		b, side := canonical(b)
		e.best = side.move(e.best, b.Size())
		entries[b] = e
	}
	return entries
})

// parseBookLine returns the board and the entry of a line of the book.
func parseBookLine(line string) (ayu.Board, bookEntry, error) {
	words := strings.Fields(line)
	if len(words) < 3 {
		return ayu.Board{}, bookEntry{}, errors.New("a line is too short")
	}
	last := len(words) - 1
	size, sizeErr := strconv.Atoi(words[0])
	thousandths, shareErr := strconv.Atoi(words[last])
	best, bestErr := ayu.ParseMove(words[last-1])
	if err := errors.Join(sizeErr, shareErr, bestErr); err != nil {
		return ayu.Board{}, bookEntry{}, err
	}
	b := ayu.NewBoard(size)
	for _, word := range words[1 : last-1] {
		m, err := ayu.ParseMove(word)
		if err != nil {
			return ayu.Board{}, bookEntry{}, err
		}
		b = b.After(m)
	}
	return b, bookEntry{best, float32(thousandths) / 1000}, nil
}

// lookUp returns the entry of a board.
func lookUp(b ayu.Board) (bookEntry, bool) {
	b, side := canonical(b)
	e, ok := book()[b]
	e.best = side.move(e.best, b.Size())
	return e, ok
}

// reflection is a reflection of the board that leaves the colours of the first position in place. It undoes itself.
type reflection struct{ columns, rows bool }

var reflections = [...]reflection{{}, {columns: true}, {rows: true}, {columns: true, rows: true}}

// point returns the point to which the reflection of a board of a size takes p.
func (r reflection) point(p ayu.Point, size int) ayu.Point {
	column, row := p.Column(), p.Row()
	if r.columns {
		column = size - 1 - column
	}
	if r.rows {
		row = size - 1 - row
	}
	return ayu.At(column, row)
}

// move returns the reflected move.
func (r reflection) move(m ayu.Move, size int) ayu.Move {
	return ayu.Move{From: r.point(m.From, size), To: r.point(m.To, size)}
}

// board returns the reflected board.
func (r reflection) board(b ayu.Board) ayu.Board {
	rows := strings.Split(b.String(), " ")
	lines := strings.Split(rows[2], "/")
	n := len(lines)
	reflected := make([]string, n)
	for i, line := range lines {
		cells := []byte(line)
		if r.columns {
			for at := range n / 2 {
				cells[at], cells[n-1-at] = cells[n-1-at], cells[at]
			}
		}
		if r.rows {
			i = n - 1 - i
		}
		reflected[i] = string(cells)
	}
	rows[2] = strings.Join(reflected, "/")
	c, err := ayu.ParseBoard(strings.Join(rows, " "))
	if err != nil {
		panic(err) // it has the stones of b
	}
	return c
}

// canonical returns the reflected board whose one-line form is the least, and the reflection.
func canonical(b ayu.Board) (ayu.Board, reflection) {
	least, by := b, reflections[0]
	for _, r := range reflections[1:] {
		if c := r.board(b); c.String() < least.String() {
			least, by = c, r
		}
	}
	return least, by
}

// addBook adds the visits of the book to the children of the root. It needs them all. Without an entry it does nothing.
func (t *tree) addBook(children []node) {
	if !t.hasPolicy || t.board.Size() <= exactSize {
		return
	}
	e, ok := lookUp(t.board)
	for i := range children {
		k := &children[i]
		share := e.share
		if t.uniform {
			var reply bookEntry
			reply, ok = lookUp(t.board.After(k.move))
			share = 1 - reply.share
		}
		if ok && (t.uniform || k.move == e.best) && k.proof == unproven {
			k.visits += bookVisits
			k.boardVisits += bookVisits
			k.wins += share * bookVisits
		}
	}
}
