package puzzle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// trap asks for all moves that lose at once: after them the opponent has no move and wins, or wins with its
// next move.
type trap struct{ onlyLine }

// Limits of the number of losing moves and of all. So two moves or more do not lose.
const (
	maxTraps     = 6
	minTrapMoves = 8
)

func (trap) Name() string  { return "trap" }
func (trap) Title() string { return "Trap" }

// Task implements puzzle.Theme.
func (trap) Task(p *puzzle.Puzzle) string {
	return fmt.Sprintf("%s to move: find all moves after which %s wins with the next move or at once.", side(p.Turn), side(1-p.Turn))
}

// Length implements puzzle.Theme: each of the moves has to be found, and the replies to be foreseen.
func (trap) Length(p *puzzle.Puzzle, _ engine.Position) int { return len(p.Set) + 1 }

// Find implements puzzle.Theme. The effort is an estimate: every legal move has to be looked at.
func (t trap) Find(_ context.Context, p engine.Position, _ search.Engine) (puzzle.Puzzle, bool) {
	b, moves, ok := board(p)
	if !ok || len(moves) < minTrapMoves {
		return puzzle.Puzzle{}, false
	}
	losing, ok := losingMoves(&solve.Solver{Limit: findLimit}, b, moves)
	if !ok || len(losing) == 0 || len(losing) > maxTraps {
		return puzzle.Puzzle{}, false
	}
	z := newPuzzle(b, t, puzzle.GoalSet)
	z.Set, z.Effort = losing, 4*len(moves)*len(losing)
	return z, true
}

// losingMoves returns the moves that lose at once, sorted, or false if that is not known of all moves.
func losingMoves(s *solve.Solver, b ayu.Board, moves []ayu.Move) (losing []string, ok bool) {
	for _, m := range moves {
		wins, known := s.Wins(b.After(m), 1)
		if !known {
			return nil, false
		}
		if wins {
			losing = append(losing, m.String())
		}
	}
	slices.Sort(losing)
	return losing, true
}

// Verify implements puzzle.Theme.
func (trap) Verify(p *puzzle.Puzzle, start engine.Position) error {
	b, moves, ok := board(start)
	if !ok || len(p.Set) == 0 {
		return errors.New("no such position")
	}
	if losing, ok := losingMoves(&solve.Solver{Limit: verifyLimit}, b, moves); !ok || !slices.Equal(losing, p.Set) {
		return fmt.Errorf("the losing moves are %v, not %v", losing, p.Set)
	}
	return nil
}

// Recognizes implements puzzle.Recognizer: the player finds the opponent's winning move. Nothing has to be found where the
// opponent cannot move and has won.
func (trap) Recognizes(start engine.Position, action string, best func(engine.Position) []string) bool {
	after, err := start.Play(action)
	if err != nil {
		return false
	}
	if _, over := after.Result(); over {
		return true
	}
	actions := best(after)
	if len(actions) != 1 {
		return false
	}
	m, err := ayu.ParseMove(actions[0])
	if err != nil {
		return false
	}
	wins, known := (&solve.Solver{Limit: findLimit}).WinsAfter(after.(*ayu.Position).Board().After(m), 0)
	return wins && known
}
