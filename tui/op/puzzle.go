package op

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
	IsFailed bool     // an answer was wrong
	Hints    []string // that the user has asked for, for the present turn
	Marked   []string // the actions that the user has marked as those of a set, sorted

	collection     *puzzles.Collection
	turns          []string // own actions that were correct
	turn           int      // their number of turns
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

// Answer checks an answer: the next turns of a line, or all of them from the first, a set, or a side. After each correct
// turn the reply has been played.
func (a *PuzzleAttempt) Answer(actions []string) (puzzle.Outcome, error) {
	a.unfinishedTurn = nil
	if n := len(a.turns); len(actions) >= n && slices.Equal(actions[:n], a.turns) {
		actions = actions[n:]
	}
	all := slices.Concat(a.turns, actions)
	o, err := a.collection.Answer(a.Puzzle, all)
	if err != nil || o.Wrong {
		a.IsFailed = a.IsFailed || o.Wrong
		return o, err
	}
	a.IsSolved = o.Solved
	if a.Puzzle.Goal != puzzle.GoalLine {
		return o, nil
	}
	a.turns = all
	for len(actions) > 0 {
		turn := a.nextTurn(actions)
		if err := a.play(turn); err != nil {
			return o, err
		}
		actions, a.turn, a.Hints = actions[len(turn):], a.turn+1, nil
		if a.turn == len(a.Puzzle.Line) {
			break
		}
		if err := a.play(a.Puzzle.Line[a.turn-1].Reply); err != nil {
			return o, err
		}
	}
	return o, nil
}

// nextTurn returns the first turn of actions, all of them if the turn does not end.
func (a *PuzzleAttempt) nextTurn(actions []string) []string {
	at := a.position
	for i := range actions {
		next, err := at.Play(actions[i])
		if err != nil {
			break
		}
		if at = next; !at.MidTurn() {
			return actions[:i+1]
		}
	}
	return actions
}

// NextHint adds the next hint for the present turn to Hints. It returns false if there is none.
func (a *PuzzleAttempt) NextHint() (hint string, ok bool) {
	if a.IsOver() {
		return "", false
	}
	all := a.collection.Theme(a.Puzzle).Hints(a.Puzzle, a.turn)
	if len(a.Hints) >= len(all) {
		return "", false
	}
	a.Hints = all[:len(a.Hints)+1]
	return a.Hints[len(a.Hints)-1], true
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
