package puzzles

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
)

// Mode is how the puzzle of a try was chosen.
type Mode string

// The modes.
const (
	ModeDay      Mode = "day"
	ModeDaily    Mode = "daily" // one of the five of the day (Collection.Daily)
	ModeTraining Mode = "training"
	ModeStreak   Mode = "streak"
)

// Try is a user's try of a puzzle at one moment: how the puzzle was chosen, what the user has answered, and where that has
// led. Collection.NewTry and the methods of Trainer return one. It does not change: the methods for what a user does return
// the try after it, and Trainer.Record stores it.
type Try struct {
	Puzzle       *puzzle.Puzzle
	PuzzleRating rating.Rating // as the tries of all have made it, when the puzzle was shown, and after this try was stored
	UserRating   rating.Rating // of the user, in the game of the puzzle; the zero value: not known
	UserTried    int           // the puzzles of the game that the user had tried before
	isNewUser    bool          // the user has no rating in the game
	// IsRated reports that this is the first try of the user, whose outcome is rated once: when it is recorded.
	// Otherwise FirstTriedAt is the time of the first one, and IsRepeated reports that the puzzle was due, because the
	// user had not solved it.
	IsRated      bool
	IsRepeated   bool
	FirstTriedAt time.Time

	Mode Mode
	// Game and Theme are the names of those to which a training is restricted, "": any. Game also is that of a streak and of
	// daily puzzles, and Number that of a daily puzzle, from 1.
	Game, Theme string
	Number      int
	Streak      int // the puzzles solved in the streak
	BestStreak  int // the most solved in one, after this puzzle; 0 until it is stored

	IsSolved bool
	IsShown  bool     // the solution was shown instead
	IsFailed bool     // an answer was wrong
	Hints    []string // that were given for the current turn

	IsRecorded bool // the try is stored, or in a streak how many puzzles were solved
	// Result is what the try has changed; nil until it is stored, and in a streak.
	Result *Result

	Position engine.Position // after the correct turns and the replies to them
	Previous engine.Position // where LastTurn was played; nil: none was
	LastTurn []string

	collection *Collection
	turns      []string // own actions that were correct
	turn       int      // their number of turns
	seen       []string // the IDs of the puzzles of the streak, in the order in which they were chosen
}

// NewTry returns a try of a puzzle of the collection by a user of whom nothing is known.
func (c *Collection) NewTry(p *puzzle.Puzzle) Try {
	return Try{Puzzle: p, PuzzleRating: InitialRating(p), Mode: ModeTraining, Position: c.Start(p), collection: c}
}

// with returns an unanswered try with what the progress of its user and the ratings of puzzles say.
func (t Try) with(progress Progress, ratings map[string]rating.Rating) Try {
	tried := progress.Puzzles[t.Puzzle.ID]
	t.PuzzleRating, t.UserRating = currentRating(t.Puzzle, ratings), progress.rating(t.Puzzle.Game)
	t.UserTried, t.isNewUser = progress.tried(t.collection, t.Puzzle.Game), progress.isNew(t.Puzzle.Game)
	t.IsRated, t.IsRepeated, t.FirstTriedAt = !tried.IsTried() && !t.IsUnrated(), tried.isDue(time.Now()), tried.TriedAt
	return t
}

// IsUnrated reports whether the try is rated for nobody who makes it: the puzzles of the day are for everyone, so that it says
// little of somebody who has no rating yet.
func (t *Try) IsUnrated() bool { return (t.Mode == ModeDay || t.Mode == ModeDaily) && t.isNewUser }

// shownAfter is the number of puzzles of a game after which users are shown their ratings. Before that they say little.
const shownAfter = 4

// PuzzlesToRating returns how many puzzles of the game the user has still to try after this one to be shown their rating.
func (t *Try) PuzzlesToRating() int { return max(shownAfter-t.UserTried, 0) }

// ShowsRating reports whether the user is shown their rating: it is known, and this is at least their fifth puzzle.
func (t *Try) ShowsRating() bool {
	return t.UserRating.Deviation > 0 && t.Mode != ModeStreak && t.UserTried >= shownAfter
}

// Again returns a further try of the puzzle.
func (t Try) Again() Try {
	next := t.collection.NewTry(t.Puzzle)
	next.PuzzleRating, next.UserRating, next.UserTried, next.isNewUser = t.PuzzleRating, t.UserRating, t.UserTried, t.isNewUser
	next.IsRated, next.IsRepeated, next.FirstTriedAt = t.IsRated, t.IsRepeated, t.FirstTriedAt
	next.Mode, next.Game, next.Theme, next.Number = t.Mode, t.Game, t.Theme, t.Number
	return next
}

// IsOver reports whether nothing is left to answer.
func (t *Try) IsOver() bool { return t.IsSolved || t.IsShown }

// IsStreakAlive reports whether the try is part of a streak without a wrong answer; t may be nil.
func (t *Try) IsStreakAlive() bool {
	return t != nil && t.Mode == ModeStreak && !t.IsFailed && !t.IsShown
}

// CanHint reports whether hints are given: not in a streak.
func (t *Try) CanHint() bool { return t.Mode != ModeStreak }

// HasHint reports whether there is a hint that the user has not had. It may take as long as to find one.
func (t *Try) HasHint() bool {
	return t.CanHint() && !t.IsOver() && len(t.Hints) < len(t.collection.Theme(t.Puzzle).Hints(t.Puzzle, t.turn))
}

// Task returns the sentence that asks for the solution.
func (t *Try) Task() string { return t.collection.Theme(t.Puzzle).Task(t.Puzzle) }

// IsSuccess reports whether the user has solved the puzzle without a hint and a wrong answer.
func (t *Try) IsSuccess() bool { return t.IsSolved && !t.IsFailed && len(t.Hints) == 0 }

// Answer checks an answer: the next turns of a line, or all of them from the first, a set, or a side. After each correct
// turn the reply is played. A wrong answer shows the solution in a streak, of a side, where nothing is left to find, and unless
// canRetry is set. The error of an
// answer that cannot be played is errcode.IllegalAction; every other error is internal.
func (t Try) Answer(actions []string, canRetry bool) (Try, puzzle.Outcome, error) {
	if n := len(t.turns); len(actions) >= n && slices.Equal(actions[:n], t.turns) {
		actions = actions[n:]
	}
	all := slices.Concat(t.turns, actions)
	o, err := t.collection.Answer(t.Puzzle, all)
	if err != nil {
		return t, o, err
	}
	if o.Wrong {
		t.IsFailed, t.IsShown = true, !canRetry || t.Mode == ModeStreak || t.Puzzle.Goal == puzzle.GoalSide
		return t, o, nil
	}
	t.IsSolved = o.Solved
	if t.Puzzle.Goal != puzzle.GoalLine {
		return t, o, nil
	}
	t.turns = all
	for len(actions) > 0 {
		turn := nextTurn(t.Position, actions)
		if err := t.play(turn); err != nil {
			return t, o, err
		}
		actions, t.turn, t.Hints = actions[len(turn):], t.turn+1, nil
		if t.turn == len(t.Puzzle.Line) {
			break
		}
		if err := t.play(t.Puzzle.Line[t.turn-1].Reply); err != nil {
			return t, o, err
		}
	}
	return t, o, nil
}

// nextTurn returns the first turn of actions, all of them if the turn does not end.
func nextTurn(at engine.Position, actions []string) []string {
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

// play plays a turn in a try that nobody else has yet.
func (t *Try) play(actions []string) error {
	next, err := engine.PlayTurn(t.Position, actions)
	if err != nil {
		return err
	}
	t.Previous, t.LastTurn, t.Position = t.Position, actions, next
	return nil
}

// WithHint returns the try with a further hint for the current turn, or errcode.NotAllowed if there is none.
func (t Try) WithHint() (Try, error) {
	if !t.CanHint() {
		return t, errcode.Errorf(errcode.NotAllowed, "a streak has no hints")
	}
	all := t.collection.Theme(t.Puzzle).Hints(t.Puzzle, t.turn)
	switch {
	case t.IsOver():
		return t, errcode.Errorf(errcode.NotAllowed, "this puzzle is over")
	case len(all) == 0:
		return t, errcode.Errorf(errcode.NotAllowed, "this puzzle has no hints")
	case len(t.Hints) >= len(all):
		return t, errcode.Errorf(errcode.NotAllowed, "there are no more hints")
	}
	t.Hints = all[:len(t.Hints)+1]
	return t, nil
}

// HintMark returns what the hints for the current turn name on the board: a point, or actions with which the turn can begin; ""
// and nil: nothing.
func (t *Try) HintMark() (point string, actions []string) {
	if t.IsOver() || len(t.Hints) == 0 {
		return "", nil
	}
	return t.collection.Theme(t.Puzzle).HintMark(t.Puzzle, t.turn, len(t.Hints))
}

// WithSolution returns the try after the solution was shown. The user has failed if they have not solved the puzzle.
func (t Try) WithSolution() Try {
	t.IsShown = !t.IsSolved
	return t
}
