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

// finish asks for the win within a number of turns.
type finish struct {
	most int // turns of the puzzles that Find looks for; 0: maxTurns
}

// AtMost implements puzzle.Bounded.
func (finish) AtMost(n int) puzzle.Theme { return finish{most: min(n, maxTurns)} }

// maxTurns is the number of own turns within which a puzzle must be won.
const maxTurns = 5

func (finish) Name() string  { return "finish" }
func (finish) Title() string { return "Finish" }

// Task implements puzzle.Theme.
func (finish) Task(p *puzzle.Puzzle) string {
	if p.Number == 1 {
		return fmt.Sprintf("%s to move: win at once, with one move.", side(p.Turn))
	}
	return fmt.Sprintf("%s to move: win in %d moves, whatever %s does.", side(p.Turn), p.Number, side(1-p.Turn))
}

// Length implements puzzle.Theme.
func (finish) Length(p *puzzle.Puzzle, _ engine.Position) int { return p.Number }

// minChoice is how many times as many moves as win at once a board has at least.
const minChoice = 2

// Find implements puzzle.Theme: one move wins within n turns, and no other does. The engine need not find it, because
// it is proven; but not at once. Wins with one move are for beginners: whether the engine finds them does not matter, and all
// moves that win at once are right: often a stone of each of the last units can move to the point that joins them.
func (f finish) Find(ctx context.Context, p engine.Position, e search.Engine) (puzzle.Puzzle, bool) {
	most := f.most
	if most == 0 {
		most = maxTurns
	}
	b, moves, ok := board(p)
	if !ok || b.Span(b.Turn()) > most+2 {
		return puzzle.Puzzle{}, false
	}
	s := solve.Solver{Limit: findLimit}
	n, ok := s.ShortestWin(b, most)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	z := newPuzzle(b, f, puzzle.GoalLine)
	if z.Number = n; n == 1 {
		wins, ok := winsAtOnce(&s, b, moves)
		if !ok || len(moves) < minChoice*len(wins) || ctx.Err() != nil {
			return puzzle.Puzzle{}, false
		}
		z.Line, z.Effort = []puzzle.Turn{{Actions: []string{wins[0].String()}}}, 1
		return z, true
	}
	best, ok := onlyWin(&s, b, moves, n)
	if !ok || ctx.Err() != nil {
		return puzzle.Puzzle{}, false
	}
	if z.Effort, ok = puzzle.Effort(ctx, e, ayu.FromBoard(b), choosesFirst(best)); !ok && z.Effort < puzzle.NotFound {
		return puzzle.Puzzle{}, false
	}
	z.Line = line(&s, b, best, n)
	return z, true
}

// winsAtOnce returns those of moves after which the opponent cannot prevent that the side to move has no move on its next turn.
// It returns false if that is not known of all.
func winsAtOnce(s *solve.Solver, b ayu.Board, moves []ayu.Move) (wins []ayu.Move, ok bool) {
	for _, m := range moves {
		switch won, known := s.WinsAfter(b.After(m), 0); {
		case won:
			wins = append(wins, m)
		case !known:
			return nil, false
		}
	}
	return wins, true
}

// onlyWin returns the only move that wins within n own turns, itself included. It returns false if there is
// none, if another does, or if that is not known.
func onlyWin(s *solve.Solver, b ayu.Board, moves []ayu.Move, n int) (ayu.Move, bool) {
	var best []ayu.Move
	for _, m := range moves {
		if wins, known := s.WinsAfter(b.After(m), n-1); wins {
			best = append(best, m)
		} else if !known {
			return ayu.Move{}, false
		}
		if len(best) > 1 {
			return ayu.Move{}, false
		}
	}
	if len(best) != 1 {
		return ayu.Move{}, false
	}
	return best[0], true
}

// line returns the line that begins with a move that wins within n turns: the opponent makes the reply that
// delays the win longest among those after which one move alone wins as fast, and the line ends where there
// is none.
func line(s *solve.Solver, b ayu.Board, first ayu.Move, n int) []puzzle.Turn {
	turns := []puzzle.Turn{{Actions: []string{first.String()}}}
	for b = b.After(first); n > 1; n-- {
		reply, next, ok := reply(s, b, n-1)
		if !ok {
			break
		}
		turns[len(turns)-1].Reply = []string{reply.String()}
		turns = append(turns, puzzle.Turn{Actions: []string{next.String()}})
		b = b.After(reply).After(next)
	}
	return turns
}

// reply returns a reply after which the opponent of the side to move wins within n own turns and not
// faster, by one move only, and that move.
func reply(s *solve.Solver, b ayu.Board, n int) (reply, next ayu.Move, ok bool) {
	for _, r := range b.Moves(nil) {
		after := b.After(r)
		if wins, known := s.Wins(after, n-1); wins || !known {
			continue
		}
		if m, ok := onlyWin(s, after, after.Moves(nil), n); ok {
			return r, m, true
		}
	}
	return ayu.Move{}, ayu.Move{}, false
}

// Verify implements puzzle.Theme.
func (finish) Verify(p *puzzle.Puzzle, start engine.Position) error {
	b, moves, ok := board(start)
	if !ok || len(p.Line) == 0 || len(p.Line) > p.Number {
		return errors.New("no such position")
	}
	s := solve.Solver{Limit: verifyLimit}
	if n, ok := s.ShortestWin(b, p.Number); !ok || n != p.Number {
		return fmt.Errorf("the win within %d moves is not proven, or not the shortest", p.Number)
	}
	if p.Number == 1 {
		wins, ok := winsAtOnce(&s, b, moves)
		if !ok || !slices.ContainsFunc(wins, func(m ayu.Move) bool { return m.String() == p.Line[0].Actions[0] }) {
			return fmt.Errorf("%s does not win at once", p.Line[0].Actions[0])
		}
		if len(moves) < minChoice*len(wins) {
			return fmt.Errorf("%d of %d moves win at once", len(wins), len(moves))
		}
		return nil
	}
	for i, t := range p.Line {
		n := p.Number - i
		only, ok := onlyWin(&s, b, moves, n)
		if !ok || t.Actions[0] != only.String() {
			return fmt.Errorf("%s is not the only win of turn %d", t.Actions[0], i+1)
		}
		if b = b.After(only); i == len(p.Line)-1 {
			break
		}
		r, err := ayu.ParseMove(t.Reply[0])
		if err != nil || b.Explain(r) != "" {
			return fmt.Errorf("the reply %s is illegal", t.Reply[0])
		}
		b = b.After(r)
		moves = b.Moves(nil)
	}
	return nil
}
