// Package solve proves results of Ayu near the end of a game by exhaustive search.
//
// A win is always one within a number of own moves: the side to move wins within n moves if, whatever the
// opponent does, it has no move left on its own turn (docs/rules/ayu.md, section 5) after making at most n.
// So every result is exact, and a search ends. Repetition is ignored: both sides would have to want it, and
// a win within n moves has no room for it.
package solve

import (
	"cmp"
	"slices"

	"ayumu/engine/ayu"
)

// Solver proves wins. It keeps what it has proven, so that related positions cost little. The zero value is
// ready to use; a Solver without a Limit never gives up. Only one goroutine may use it at a time.
type Solver struct {
	// Limit is the number of boards that one search visits before it gives up; 0: no limit. It then visits at most one
	// more for each move that it has listed and not tried. ShortestWin makes one search for each number of moves.
	Limit int

	visited int
	proven  map[ayu.Board]bounds
	free    [][]option // reused buffers
}

// bounds is what is proven of a board: its side to move wins within win moves, and does not within loss.
// win is 0 if no win is known.
type bounds struct{ win, loss uint8 }

// option is a move with the board after it, and the order in which it is tried.
type option struct {
	move  ayu.Move
	after ayu.Board
	order int
}

// maxProven is the number of boards of which results are kept. A full table is emptied. Only tests change it.
var maxProven = 1 << 20

// Wins reports whether the side to move wins within n of its own moves, 0 to 100. It wins within 0 moves if
// it cannot move now. known is false if the limit was reached before the answer was certain.
func (s *Solver) Wins(b ayu.Board, n int) (wins, known bool) {
	s.visited = 0
	wins = s.wins(b, n)
	return wins, wins || !s.isExhausted()
}

// WinsAfter reports whether the side that has just moved wins within n further own moves. known is as for
// Wins.
func (s *Solver) WinsAfter(b ayu.Board, n int) (wins, known bool) {
	s.visited = 0
	wins = s.winsAfter(b, n)
	return wins, wins || !s.isExhausted()
}

// ShortestWin returns the smallest number of own moves, up to most, within which the side to move wins. It
// returns false if it does not win within most moves, or if the limit was reached.
func (s *Solver) ShortestWin(b ayu.Board, most int) (n int, ok bool) {
	for n := range most + 1 {
		if wins, known := s.Wins(b, n); wins {
			return n, true
		} else if !known {
			break
		}
	}
	return 0, false
}

// isExhausted reports whether the limit is reached. The value false of wins and winsAfter is then unknown.
func (s *Solver) isExhausted() bool { return s.Limit > 0 && s.visited >= s.Limit }

// wins is Wins within a call.
func (s *Solver) wins(b ayu.Board, n int) bool {
	known := s.proven[b]
	switch {
	case known.win > 0 && int(known.win) <= n:
		return true
	case int(known.loss) >= n && known.loss > 0:
		return false
	}
	s.visited++
	if b.IsImmobile() {
		return true
	}
	if n == 0 || s.isExhausted() {
		return false
	}
	options := s.list(b)
	defer s.release(options)
	for _, o := range options {
		if s.winsAfter(o.after, n-1) {
			s.keep(b, func(k *bounds) { k.win = uint8(n) })
			return true
		}
	}
	if !s.isExhausted() {
		s.keep(b, func(k *bounds) { k.loss = max(k.loss, uint8(n)) })
	}
	return false
}

// winsAfter reports whether the side not to move wins within n own moves, whatever the side to move does.
func (s *Solver) winsAfter(b ayu.Board, n int) bool {
	if b.IsImmobile() {
		return false // the side to move has won
	}
	options := s.list(b)
	defer s.release(options)
	for _, o := range options {
		if !s.wins(o.after, n) {
			return false
		}
	}
	return true
}

// keep changes what is kept of a board.
func (s *Solver) keep(b ayu.Board, change func(*bounds)) {
	if s.proven == nil {
		s.proven = make(map[ayu.Board]bounds)
	}
	if len(s.proven) >= maxProven {
		clear(s.proven)
	}
	known := s.proven[b]
	change(&known)
	s.proven[b] = known
}

// list returns the moves of the side to move, the most promising first: those after which it needs the
// fewest moves compared with the opponent. The caller releases it.
func (s *Solver) list(b ayu.Board) []option {
	var options []option
	if last := len(s.free) - 1; last >= 0 {
		options, s.free = s.free[last][:0], s.free[:last]
	}
	var buf [256]ayu.Move
	own := b.Turn()
	for _, m := range b.Moves(buf[:0]) {
		after := b.After(m)
		options = append(options, option{m, after, 2*after.Span(own) - 2*after.Span(own.Other()) + after.CountUnits(own)})
	}
	slices.SortStableFunc(options, func(x, y option) int { return cmp.Compare(x.order, y.order) })
	return options
}

func (s *Solver) release(options []option) { s.free = append(s.free, options) }
