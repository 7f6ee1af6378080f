package puzzles

import (
	"ayumu/engine"
	"ayumu/engine/puzzle"
)

// Step is a position on the way through the solution of a puzzle, after an action.
type Step struct {
	Line     int             // index of the line (puzzle.Theme.Lines) that it belongs to
	Position engine.Position // after the last whole turn
	Previous engine.Position // in which LastTurn was played; nil: none was
	LastTurn []string
	Draft    []string // actions of the turn that has not ended, on Position
}

// IsTurn reports whether a turn ends with the step.
func (s *Step) IsTurn() bool { return len(s.Draft) == 0 }

// Steps returns the way through the solution of a puzzle of the collection: one step for each action of its lines, one line
// after the other. The caller must not change them. The first call for a puzzle can take a second.
func (c *Collection) Steps(p *puzzle.Puzzle) []Step { return c.explanation(p).steps }

// Lines returns the lines of actions that show the solution of a puzzle of the collection (puzzle.Theme.Lines), as Steps does.
func (c *Collection) Lines(p *puzzle.Puzzle) [][]string { return c.explanation(p).lines }

// newSteps plays lines from a position. An action that cannot be played ends its line.
func newSteps(start engine.Position, lines [][]string) (all []Step) {
	for i, actions := range lines {
		s := Step{Line: i, Position: start}
		now := start
		for _, action := range actions {
			next, err := now.Play(action)
			if err != nil {
				break
			}
			now, s.Draft = next, append(s.Draft[:len(s.Draft):len(s.Draft)], action)
			if !next.MidTurn() {
				s.Previous, s.Position, s.LastTurn, s.Draft = s.Position, next, s.Draft, nil
			}
			all = append(all, s)
		}
	}
	return all
}

// StepsTaken returns the number of steps of the solution that lead to the position of the try; -1: they do not, because another
// turn solved the puzzle. Before the solution is known nothing leads there.
func (t *Try) StepsTaken(steps []Step) int {
	if t.LastTurn == nil {
		return 0
	}
	for i := range steps {
		if s := &steps[i]; s.Line == 0 && s.IsTurn() && s.Position.String() == t.Position.String() {
			return i + 1
		}
	}
	return -1
}
