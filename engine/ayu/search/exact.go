package search

import (
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/search"
)

// winningFirst are the moves with which the first player wins on 5×5, and no others do (TestWinningFirstMoves).
var winningFirst = [...]string{"b1-b2", "d1-d2", "b5-b4", "d5-d4"}

// Limits of the exact search of a position before its simulations.
const (
	exactSize   = 5      // boards up to this size are always tried
	exactBoards = 20_000 // boards visited at most; enough for 5×5 after the first move
	exactSpan   = 6      // span of the side to move up to which positions on larger boards are tried

	defenceBoards = 2000 // boards visited for the longest defence without a limit of time

	exactRate       = 50_000 // boards visited for each second of the limit of time, on boards up to exactSize
	exactRateLarger = 5_000  // the same on larger boards, about a tenth of the time for each number of moves
)

// exactLimit returns how many boards each step of the exact search of a board may visit; 0 for none. On larger boards a
// search with a limit on playouts alone has no exact search.
func exactLimit(b ayu.Board, o search.Options) int {
	switch {
	case o.Level < search.MaxLevel:
		return 0
	case b.Size() <= exactSize && o.Time == 0:
		return exactBoards
	case b.Size() <= exactSize:
		return int(min(exactBoards, o.Time*exactRate/time.Second))
	case b.Span(b.Turn()) <= exactSpan:
		return int(min(exactBoards, o.Time*exactRateLarger/time.Second))
	}
	return 0
}

// prove looks for a win of the side to move at the root, whose moves are known, one number of moves after the other,
// and marks the moves that win soonest as proven. It visits at most limit boards for each number and for each of these
// moves.
func (t *tree) prove(limit int) {
	if limit == 0 || t.uniform || t.isSolved() {
		return
	}
	if t.board == ayu.NewBoard(exactSize) {
		for _, text := range winningFirst {
			m, err := ayu.ParseMove(text)
			if err != nil {
				panic(err)
			}
			t.boardNode(t.rootChild(m)).proof = provenWin
		}
		t.updateProof(&t.nodes[0])
		return
	}
	exact := solve.Solver{Limit: limit}
	n, wins := exact.ShortestWin(t.board, t.board.Span(t.board.Turn())+exactSpan)
	if !wins {
		return
	}
	for _, m := range t.board.Moves(nil) {
		if wins, _ := exact.WinsAfter(t.board.After(m), n-1); wins {
			t.boardNode(t.rootChild(m)).proof = provenWin
		}
	}
	t.updateProof(&t.nodes[0])
}

// defenceLimit returns how many boards the search for the longest defence may visit in the time of o; 0 for none.
func defenceLimit(o search.Options) int {
	switch {
	case o.Level < search.MaxLevel:
		return 0
	case o.Time == 0:
		return defenceBoards
	}
	return int(min(exactBoards, o.Time*exactRate/time.Second))
}

// longestDefence returns, if the root is lost, the moves after which the opponent needs the most own moves to win, as far
// as visiting about so many boards tells.
func (t *tree) longestDefence(limit int) []ayu.Move {
	if limit == 0 || t.nodes[0].proof != provenWin {
		return nil
	}
	best := t.board.Moves(nil)
	exact := solve.Solver{Limit: max(limit/(4*max(len(best), 1)), 1)}
	for n := 1; len(best) > 1; n++ {
		var longer []ayu.Move
		isKnown := true
		for _, m := range best {
			wins, known := exact.Wins(t.board.After(m), n)
			isKnown = isKnown && known
			if !wins {
				longer = append(longer, m)
			}
		}
		if len(longer) > 0 {
			best = longer
		}
		if len(longer) == 0 || !isKnown {
			break
		}
	}
	return best
}

// rootChild returns the child of the root by a legal move. It adds it if it is untried.
func (t *tree) rootChild(m ayu.Move) int32 {
	n := &t.nodes[0]
	for i, untried := range t.moves[n.untried:][:n.untriedCount] {
		if untried == m {
			return t.expand(0, i, t.board.Turn())
		}
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		if t.nodes[i].move == m {
			return i
		}
	}
	panic("ayu: the move is not legal")
}
