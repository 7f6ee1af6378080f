package puzzle

import (
	"context"
	"errors"
	"fmt"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// cut asks for the move that lengthens the opponent's path most: its span.
type cut struct{ onlyLine }

// Margins of a cut, in points of the opponent's path: over the board before it, and over the second best.
const (
	minCut    = 2
	cutMargin = 2
)

func (cut) Name() string  { return "cut" }
func (cut) Title() string { return "Cut" }

// Task implements puzzle.Theme.
func (cut) Task(p *puzzle.Puzzle) string {
	return fmt.Sprintf("%s to move: make %s's path as long as you can. A path is %s.", side(p.Turn), side(1-p.Turn), pathText)
}

// Length implements puzzle.Theme: the move, and the path that it leaves to the opponent.
func (cut) Length(*puzzle.Puzzle, engine.Position) int { return 2 }

// Find implements puzzle.Theme: a move that makes the opponent's path longer than any other does, and that the
// engine chooses too.
func (c cut) Find(ctx context.Context, p engine.Position, e search.Engine) (puzzle.Puzzle, bool) {
	b, moves, ok := board(p)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	best, ok := longestCut(b, moves)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	z := newPuzzle(b, c, puzzle.GoalLine)
	z.Line = []puzzle.Turn{{Actions: []string{best.String()}}}
	z.Effort, ok = puzzle.Effort(ctx, e, ayu.FromBoard(b), choosesFirst(best))
	return z, ok
}

// longestCut returns the move after which the opponent's path is longest, if that is more by the margins than before and
// than after any other move.
func longestCut(b ayu.Board, moves []ayu.Move) (best ayu.Move, ok bool) {
	opponent := b.Turn().Other()
	first, second := -1, -1
	for _, m := range moves {
		switch span := b.After(m).Span(opponent); {
		case span > first:
			best, first, second = m, span, first
		case span > second:
			second = span
		}
	}
	return best, first >= b.Span(opponent)+minCut && first >= second+cutMargin
}

// Verify implements puzzle.Theme.
func (cut) Verify(p *puzzle.Puzzle, start engine.Position) error {
	b, moves, ok := board(start)
	if !ok || len(p.Line) != 1 {
		return errors.New("no such position")
	}
	if best, ok := longestCut(b, moves); !ok || best.String() != p.Line[0].Actions[0] {
		return fmt.Errorf("%s is not the only cut", p.Line[0].Actions[0])
	}
	return nil
}
