package puzzle

import (
	"context"
	"errors"
	"fmt"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// race asks which side wins, where the ways of both are about as long.
type race struct{ onlyLine }

const (
	maxRaceLead  = 1 // by how many points a way may be shorter
	minRaceSpan  = 3 // points of each way at least
	maxRaceTurns = 8 // own moves within which the winner must have won
)

func (race) Name() string  { return "race" }
func (race) Title() string { return "Race" }

// Task implements puzzle.Theme.
func (race) Task(p *puzzle.Puzzle) string {
	return fmt.Sprintf("%s to move: which side wins if both play well?", side(p.Turn))
}

// Length implements puzzle.Theme: the moves of the winner.
func (r race) Length(p *puzzle.Puzzle, start engine.Position) int {
	_, n := winnersTurns(p, start)
	return max(n, 1)
}

// Find implements puzzle.Theme: a proven win of either side.
func (r race) Find(ctx context.Context, p engine.Position, e search.Engine) (puzzle.Puzzle, bool) {
	b, _, ok := board(p)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	own, other := b.Span(b.Turn()), b.Span(b.Turn().Other())
	if min(own, other) < minRaceSpan || max(own, other) > maxRaceTurns || own-other > maxRaceLead || other-own > maxRaceLead {
		return puzzle.Puzzle{}, false
	}
	s := solve.Solver{Limit: findLimit}
	winner, ok := winner(&s, b)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	z := newPuzzle(b, r, puzzle.GoalSide)
	z.Side = winner.String()
	z.Effort, ok = puzzle.Effort(ctx, e, ayu.FromBoard(b), func(a search.Advice) bool {
		return a.Chances[winner] > 0.8
	})
	return z, ok
}

// winner returns the side that wins within maxRaceTurns own turns, or false if that is not proven.
func winner(s *solve.Solver, b ayu.Board) (ayu.Color, bool) {
	if _, ok := s.ShortestWin(b, maxRaceTurns); ok {
		return b.Turn(), true
	}
	for n := range maxRaceTurns + 1 {
		if wins, known := s.WinsAfter(b, n); wins {
			return b.Turn().Other(), true
		} else if !known {
			break
		}
	}
	return 0, false
}

// Verify implements puzzle.Theme.
func (race) Verify(p *puzzle.Puzzle, start engine.Position) error {
	b, _, ok := board(start)
	if !ok {
		return errors.New("no such position")
	}
	s := solve.Solver{Limit: verifyLimit}
	if w, ok := winner(&s, b); !ok || w.String() != p.Side {
		return fmt.Errorf("it is not proven that %s wins", p.Side)
	}
	return nil
}
