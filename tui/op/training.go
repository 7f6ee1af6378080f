package op

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
)

// PuzzleMode is how puzzles are chosen.
type PuzzleMode string

// The modes.
const (
	PuzzleOfDay    PuzzleMode = "day"
	PuzzleTraining PuzzleMode = "training"
	PuzzleStreak   PuzzleMode = "streak"
)

// Training is a user's way through puzzles at one moment: the puzzle that is shown, how it was chosen, and what the user
// has done with it. It does not change: operations replace that of the visit.
type Training struct {
	puzzles.Choice
	Mode       PuzzleMode
	Filter     puzzles.Filter // of PuzzleTraining
	Streak     puzzles.Streak // of PuzzleStreak
	BestStreak int            // after the present streak; 0 until it is stored
	IsSolved   bool
	IsShown    bool     // the solution was shown instead
	IsFailed   bool     // an answer was wrong
	Hints      []string // that were given for the present turn
	// Result is what the try has changed; nil until it is stored, and in a streak.
	Result *puzzles.TryResult

	collection *puzzles.Collection
	isRecorded bool     // the try is stored
	turns      []string // own actions that were correct
	turn       int      // their number of turns
	position   engine.Position
	previous   engine.Position // where lastTurn was played; nil: none was
	lastTurn   []string
}

// Training returns the puzzle that was asked for last, with what the user has done with it; nil: none was. Any goroutine
// may call it.
func (v *Visit) Training() *Training { return v.training.Load() }

// IsOver reports whether nothing is left to answer.
func (t *Training) IsOver() bool { return t.IsSolved || t.IsShown }

// IsStreakAlive reports whether the user is in a streak without a wrong answer; t may be nil.
func (t *Training) IsStreakAlive() bool {
	return t != nil && t.Mode == PuzzleStreak && !t.IsFailed && !t.IsShown
}

// CanHint reports whether hints are given: not in a streak.
func (t *Training) CanHint() bool { return t.Mode != PuzzleStreak }

// Task returns the sentence that asks for the solution.
func (t *Training) Task() string { return t.collection.Theme(t.Puzzle).Task(t.Puzzle) }

// State returns what a board shows, with the actions of an unfinished turn.
func (t *Training) State(draft []string) game.State {
	canAct := !t.IsOver() && t.Puzzle.Goal != puzzle.GoalSide
	return game.State{
		Position: t.position, Previous: t.previous, LastTurn: t.lastTurn, Draft: draft,
		Seat: t.Puzzle.Turn, CanAct: canAct, Static: !canAct,
	}
}

// Next returns the arguments of the operation that asks for what follows the puzzle; t may be nil.
func (t *Training) Next() PuzzleArgs {
	switch {
	case t == nil:
		return PuzzleArgs{Next: true}
	case t.Mode == PuzzleStreak:
		return PuzzleArgs{Streak: true, Game: t.Streak.Game}
	case t.Mode == PuzzleOfDay:
		return PuzzleArgs{Next: true, Game: t.Puzzle.Game}
	}
	return PuzzleArgs{Next: true, Game: t.Filter.Game, Theme: t.Filter.Theme}
}

// newTraining returns a puzzle from its beginning.
func (v *Visit) newTraining(c puzzles.Choice, mode PuzzleMode, f puzzles.Filter) Training {
	return Training{Choice: c, Mode: mode, Filter: f, collection: v.Puzzles, position: v.Puzzles.Start(c.Puzzle)}
}

// paidTrainer charges work with a puzzle to the user and returns their trainer, always the same. Only operations call it,
// while they run. A bot is a guest for it, so that programs which find every solution do not change the ratings of puzzles.
func (v *Visit) paidTrainer() (*puzzles.Trainer, error) {
	if v.trainer == nil {
		a := v.User()
		if a.Bot {
			a.ID = 0
		}
		v.trainer = puzzles.NewTrainer(v.Puzzles, v.PuzzleStore, a.ID)
	}
	return v.trainer, v.Archive().spend(limit.WorkPuzzle)
}

// findPuzzle returns the puzzle with an ID, as the one that a training shows next; "": that of the day.
func (v *Visit) findPuzzle(id string) (p *puzzle.Puzzle, mode PuzzleMode, f puzzles.Filter, err error) {
	if id == "" {
		p, err = v.Puzzles.OfDay(time.Now())
		return p, PuzzleOfDay, f, err
	}
	if shown := v.Training(); shown != nil {
		f = shown.Filter
	}
	p, err = v.Puzzles.ByID(id)
	return p, PuzzleTraining, f, err
}

// openPuzzle returns the puzzle with an ID, as it is shown or else from its beginning; "": the one that is shown, for a
// command over SSH that of the day.
func (v *Visit) openPuzzle(id string) (Training, error) {
	switch shown := v.Training(); {
	case shown != nil && (id == "" || id == shown.Puzzle.ID):
		return *shown, nil
	case id == "" && v.Session != nil:
		return Training{}, badRequest("which puzzle? Ask for one first, or name its id")
	}
	p, mode, f, err := v.findPuzzle(id)
	if err != nil {
		return Training{}, err
	}
	return v.newTraining(puzzles.Choice{Puzzle: p, Rating: puzzles.FirstRating(p)}, mode, f), nil
}

// unansweredPuzzle is openPuzzle for an answer. A puzzle that is over begins again for a user who cannot retry a wrong answer,
// but not in a streak.
func (v *Visit) unansweredPuzzle(id string, canRetry bool) (Training, error) {
	t, err := v.openPuzzle(id)
	switch {
	case err != nil || !t.IsOver():
		return t, err
	case canRetry || t.Mode == PuzzleStreak:
		return t, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this puzzle is over; ask for the next one"}
	}
	return v.newTraining(t.Choice, t.Mode, t.Filter), nil
}

// choosePuzzle returns the puzzle with an ID from its beginning, with its rating; "": that of the day.
func (v *Visit) choosePuzzle(ctx context.Context, id string) (Training, error) {
	p, mode, f, err := v.findPuzzle(id)
	if err != nil {
		return Training{}, err
	}
	trainer, err := v.paidTrainer()
	if err != nil {
		return Training{}, err
	}
	c, err := trainer.Choose(ctx, p)
	if err != nil {
		return Training{}, err
	}
	return v.newTraining(c, mode, f), nil
}

// nextPuzzle returns the next puzzle of a training.
func (v *Visit) nextPuzzle(ctx context.Context, f puzzles.Filter) (Training, error) {
	last := ""
	if shown := v.Training(); shown != nil {
		last = shown.Puzzle.ID
	}
	trainer, err := v.paidTrainer()
	if err != nil {
		return Training{}, err
	}
	c, err := trainer.Next(ctx, f, last, rand.IntN)
	if err != nil {
		return Training{}, err
	}
	return v.newTraining(c, PuzzleTraining, f), nil
}

// nextOfStreak returns the next puzzle of the present streak, or the first of a new one of a game; "": that of the puzzle that
// is shown, at first that of the day.
func (v *Visit) nextOfStreak(ctx context.Context, game string) (Training, error) {
	shown := v.Training()
	switch {
	case game != "":
	case shown != nil:
		game = shown.Puzzle.Game
	default:
		p, _, _, err := v.findPuzzle("")
		if err != nil {
			return Training{}, err
		}
		game = p.Game
	}
	s := puzzles.Streak{Game: game}
	if shown.IsStreakAlive() && shown.Streak.Game == game {
		s = shown.Streak
	}
	trainer, err := v.paidTrainer()
	if err != nil {
		return Training{}, err
	}
	c, s, err := trainer.NextOfStreak(ctx, s, rand.IntN)
	if err != nil {
		return Training{}, err
	}
	t := v.newTraining(c, PuzzleStreak, puzzles.Filter{})
	t.Streak = s
	return t, nil
}

// answerPuzzle checks an answer to a puzzle (Training.answer). The solution is shown after a wrong one in a streak, and to a user
// who cannot retry.
func (v *Visit) answerPuzzle(ctx context.Context, t Training, actions []string, canRetry bool) (PuzzleResult, error) {
	if len(actions) == 0 || len(actions) > MaxActions {
		return PuzzleResult{}, badRequest("an answer has 1 to %d actions", MaxActions)
	}
	if _, err := v.paidTrainer(); err != nil {
		return PuzzleResult{}, err
	}
	o, err := t.answer(actions)
	if err != nil {
		return PuzzleResult{}, err
	}
	t.IsShown = o.Wrong && (!canRetry || t.Mode == PuzzleStreak)
	r, err := v.keepTraining(ctx, t)
	r.Outcome = &o
	return r, err
}

// keepTraining makes a puzzle the one that is shown. It first stores the try, once it is over, an answer was wrong or a hint
// was given; in a streak it stores the streak. If that fails, nothing has changed.
func (v *Visit) keepTraining(ctx context.Context, t Training) (PuzzleResult, error) {
	hinted := len(t.Hints) > 0
	r := PuzzleResult{Training: &t}
	if !t.isRecorded && (t.IsOver() || t.IsFailed || hinted) && v.keepsTries() {
		var err error
		if t.Mode == PuzzleStreak {
			if t.IsSolved {
				t.Streak.Solved++
			}
			t.BestStreak, err = v.trainer.RecordStreak(ctx, t.Streak)
		} else {
			var result puzzles.TryResult
			result, err = v.trainer.Record(ctx, t.Puzzle, t.IsSolved && !t.IsFailed && !hinted, hinted)
			t.Result, t.User, t.Rating = &result, result.User.After, result.Puzzle.After
		}
		if err != nil {
			return PuzzleResult{}, err
		}
		t.isRecorded, r.isStored = true, true
	}
	v.training.Store(&t)
	return r, nil
}

// keepsTries reports whether what the user does with a puzzle is stored: a guest's as long as the session.
func (v *Visit) keepsTries() bool {
	a := v.User()
	return v.Session != nil || a.ID > 0 && !a.Bot
}

// answer checks an answer: the next turns of a line, or all of them from the first, a set, or a side. After each correct
// turn the reply has been played.
func (t *Training) answer(actions []string) (puzzle.Outcome, error) {
	if n := len(t.turns); len(actions) >= n && slices.Equal(actions[:n], t.turns) {
		actions = actions[n:]
	}
	all := slices.Concat(t.turns, actions)
	o, err := t.collection.Answer(t.Puzzle, all)
	if err != nil || o.Wrong {
		t.IsFailed = t.IsFailed || o.Wrong
		return o, err
	}
	t.IsSolved = o.Solved
	if t.Puzzle.Goal != puzzle.GoalLine {
		return o, nil
	}
	t.turns = all
	for len(actions) > 0 {
		turn := t.nextTurn(actions)
		if err := t.play(turn); err != nil {
			return o, err
		}
		actions, t.turn, t.Hints = actions[len(turn):], t.turn+1, nil
		if t.turn == len(t.Puzzle.Line) {
			break
		}
		if err := t.play(t.Puzzle.Line[t.turn-1].Reply); err != nil {
			return o, err
		}
	}
	return o, nil
}

// nextTurn returns the first turn of actions, all of them if the turn does not end.
func (t *Training) nextTurn(actions []string) []string {
	at := t.position
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

// play shows a turn.
func (t *Training) play(actions []string) error {
	next, err := engine.PlayTurn(t.position, actions)
	if err != nil {
		return err
	}
	t.previous, t.lastTurn, t.position = t.position, actions, next
	return nil
}

// nextHint adds the next hint for the present turn to Hints.
func (t *Training) nextHint() error {
	refuse := func(why string) error { return &lobby.Error{Code: lobby.CodeNotAllowed, Message: why} }
	if !t.CanHint() {
		return refuse("a streak has no hints")
	}
	all := t.collection.Theme(t.Puzzle).Hints(t.Puzzle, t.turn)
	switch {
	case t.IsOver():
		return refuse("this puzzle is over")
	case len(all) == 0:
		return refuse("this puzzle has no hints")
	case len(t.Hints) >= len(all):
		return refuse("there is no further hint")
	}
	t.Hints = all[:len(t.Hints)+1]
	return nil
}
