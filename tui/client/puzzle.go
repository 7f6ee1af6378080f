package client

import (
	"slices"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
)

// PuzzleAttempt is a user's way through a puzzle. NewPuzzleAttempt makes one. It belongs to the goroutine of the
// session.
type PuzzleAttempt struct {
	Puzzle   *puzzle.Puzzle
	IsSolved bool
	IsShown  bool     // the user has asked for the solution
	Marked   []string // the actions that the user has marked as those of a set, sorted

	collection     *puzzles.Collection
	turns          []string // own actions that were correct
	position       engine.Position
	previous       engine.Position // where lastTurn was played; nil: none was
	lastTurn       []string
	unfinishedTurn []string // actions of an unfinished turn
}

// NewPuzzleAttempt returns the beginning of a puzzle of a collection.
func NewPuzzleAttempt(c *puzzles.Collection, p *puzzle.Puzzle) *PuzzleAttempt {
	return &PuzzleAttempt{Puzzle: p, collection: c, position: c.Start(p)}
}

// IsOver reports whether nothing is left to answer.
func (a *PuzzleAttempt) IsOver() bool { return a.IsSolved || a.IsShown }

// Task returns the sentence that asks for the solution.
func (a *PuzzleAttempt) Task() string { return a.collection.Theme(a.Puzzle).Task(a.Puzzle) }

// State returns what a board shows.
func (a *PuzzleAttempt) State() game.State {
	canAct := !a.IsOver() && a.Puzzle.Goal != puzzle.GoalSide
	return game.State{
		Position: a.position, Previous: a.previous, LastTurn: a.lastTurn, Draft: a.unfinishedTurn,
		Seat: a.Puzzle.Turn, CanAct: canAct, Static: !canAct,
	}
}

// SetUnfinishedTurn keeps the actions of an unfinished turn.
func (a *PuzzleAttempt) SetUnfinishedTurn(actions []string) { a.unfinishedTurn = actions }

// Mark adds an action to the marked ones of a set, or removes it.
func (a *PuzzleAttempt) Mark(action string) {
	if i := slices.Index(a.Marked, action); i >= 0 {
		a.Marked = slices.Delete(a.Marked, i, i+1)
		return
	}
	a.Marked = append(a.Marked, action)
	slices.Sort(a.Marked)
}

// Answer checks an answer: the next turn of a line, a set, or a side. After a correct turn the reply has been played.
func (a *PuzzleAttempt) Answer(actions []string) (puzzle.Outcome, error) {
	a.unfinishedTurn = nil
	all := slices.Concat(a.turns, actions)
	o, err := a.collection.Answer(a.Puzzle, all)
	if err != nil || o.Wrong {
		return o, err
	}
	a.IsSolved = o.Solved
	if a.Puzzle.Goal != puzzle.GoalLine {
		return o, nil
	}
	a.turns = all
	if err := a.play(actions); err != nil || o.Solved {
		return o, err
	}
	return o, a.play(o.Reply)
}

// play shows a turn.
func (a *PuzzleAttempt) play(actions []string) error {
	next, err := engine.PlayTurn(a.position, actions)
	if err != nil {
		return err
	}
	a.previous, a.lastTurn, a.position = a.position, actions, next
	return nil
}
