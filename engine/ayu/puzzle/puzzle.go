// Package puzzle has the themes of puzzles of Ayu: finish, cut, trap and race. Their solutions are proven by
// package solve, or follow from all legal moves.
//
// The package does no I/O, starts no goroutine and reads no clock.
package puzzle

import (
	_ "embed"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// Shipped has the puzzles that ship with the program, one on each line (puzzle.Read). They are those that
// `ayumu-lab puzzles generate` found in games of the engine against itself.
//
//go:embed shipped.jsonl
var Shipped string

// Themes are the themes of Ayu.
var Themes = []puzzle.Theme{finish{}, cut{}, trap{}, race{}}

// Limits of a search for a puzzle, and of its verification, in boards. Where the first is reached there is
// no puzzle; the second is ten times as many.
const (
	findLimit   = 20_000
	verifyLimit = 10 * findLimit
)

// minMoves is the number of legal moves below which a position is too simple for a puzzle.
const minMoves = 5

// board returns the board of a position in which a puzzle may be found: enough moves, and no swap.
func board(p engine.Position) (ayu.Board, []ayu.Move, bool) {
	at, ok := p.(*ayu.Position)
	if !ok || at.CanSwap() {
		return ayu.Board{}, nil, false
	}
	if _, over := at.Result(); over {
		return ayu.Board{}, nil, false
	}
	b := at.Board()
	moves := b.Moves(nil)
	slices.SortFunc(moves, func(a, b ayu.Move) int { return strings.Compare(a.String(), b.String()) })
	return b, moves, len(moves) >= minMoves
}

// side returns the name of the side of a seat. A position without history has Black in seat 0.
func side(seat int) string { return ayu.Color(seat).Name() }

// newPuzzle returns a puzzle on a board, without its history.
func newPuzzle(b ayu.Board, t puzzle.Theme, goal puzzle.Goal) puzzle.Puzzle {
	return puzzle.New(ayu.Game{}, "", ayu.FromBoard(b), t, goal)
}

// choosesFirst returns a condition of advice: its best turn is a move.
func choosesFirst(m ayu.Move) func(search.Advice) bool {
	return func(a search.Advice) bool { return a.Choices[0].Actions[0] == m.String() }
}

// onlyLine is the part of a theme whose lines have one correct answer to each turn.
type onlyLine struct{}

// Accepts implements puzzle.Theme: the only correct turn is that of the line.
func (onlyLine) Accepts(p *puzzle.Puzzle, n int, at engine.Position, actions []string) (bool, string, []string) {
	return slices.Equal(actions, p.Line[n].Actions), "", nil
}
