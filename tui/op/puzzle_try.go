package op

import (
	"context"
	"math/rand/v2"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/puzzles"
)

// PuzzleTry returns the try of the puzzle that was asked for last; nil: none was. Any goroutine may call it.
func (v *Visit) PuzzleTry() *puzzles.Try { return v.puzzleTry.Load() }

// puzzleTrainer returns the trainer of the user, always the same. Only operations call it, while they run. A bot is a
// guest for it, so that programs which find every solution do not change the ratings of puzzles.
func (v *Visit) puzzleTrainer() *puzzles.Trainer {
	if v.trainer == nil {
		a := v.User()
		if a.Bot {
			a.ID = 0
		}
		v.trainer = puzzles.NewTrainer(v.Puzzles, v.PuzzleStore, a.ID)
	}
	return v.trainer
}

// payPuzzle charges work with a puzzle to the user.
func (v *Visit) payPuzzle() error { return v.Archive().spend(limit.WorkPuzzle) }

// findPuzzle returns a try of the puzzle with an ID, as the one that a training shows next; "": of that of the day of a game,
// "": of the first.
func (v *Visit) findPuzzle(id, game string) (puzzles.Try, error) {
	if id == "" {
		p, err := v.Puzzles.OfDay(game, time.Now())
		if err != nil {
			return puzzles.Try{}, err
		}
		t := v.Puzzles.NewTry(p)
		t.Mode = puzzles.ModeDay
		return t, nil
	}
	p, err := v.Puzzles.ByID(id)
	if err != nil {
		return puzzles.Try{}, err
	}
	t := v.Puzzles.NewTry(p)
	if shown := v.PuzzleTry(); shown != nil && shown.Mode == puzzles.ModeTraining {
		t.Game, t.Theme = shown.Game, shown.Theme
	}
	return t, nil
}

// openPuzzle returns the try of the puzzle with an ID, as it is shown or else from its beginning; "": of the one that
// is shown, for a command over SSH of that of the day.
func (v *Visit) openPuzzle(id string) (puzzles.Try, error) {
	switch shown := v.PuzzleTry(); {
	case shown != nil && (id == "" || id == shown.Puzzle.ID):
		return *shown, nil
	case id == "" && v.Session != nil:
		return puzzles.Try{}, badRequest("no puzzle is named; ask for one first, or give its id")
	}
	return v.findPuzzle(id, "")
}

// unansweredPuzzle is openPuzzle for an answer. A puzzle that is over begins again for a user who cannot retry a wrong
// answer, but not in a streak.
func (v *Visit) unansweredPuzzle(id string, canRetry bool) (puzzles.Try, error) {
	t, err := v.openPuzzle(id)
	switch {
	case err != nil || !t.IsOver():
		return t, err
	case canRetry || t.Mode == puzzles.ModeStreak:
		return t, &errcode.Error{Code: errcode.NotAllowed, Message: "this puzzle is over; ask for the next one"}
	}
	return t.Again(), nil
}

// choosePuzzle returns a try of the puzzle with an ID, with what is known of the user; "": of that of the day of a
// game.
func (v *Visit) choosePuzzle(ctx context.Context, id, game string) (puzzles.Try, error) {
	t, err := v.findPuzzle(id, game)
	if err == nil {
		err = v.payPuzzle()
	}
	if err != nil {
		return puzzles.Try{}, err
	}
	return v.puzzleTrainer().Load(ctx, t)
}

// nextPuzzle returns a try of the next puzzle of a training.
func (v *Visit) nextPuzzle(ctx context.Context, game, theme string) (puzzles.Try, error) {
	if err := v.payPuzzle(); err != nil {
		return puzzles.Try{}, err
	}
	return v.puzzleTrainer().Next(ctx, game, theme, v.PuzzleTry(), rand.IntN)
}

// nextOfStreak returns a try of the next puzzle of the current streak, or of the first one of a new streak in a game;
// "": that of the puzzle that is shown, at first that of the day.
func (v *Visit) nextOfStreak(ctx context.Context, game string) (puzzles.Try, error) {
	shown := v.PuzzleTry()
	switch {
	case game != "":
	case shown != nil:
		game = shown.Puzzle.Game
	default:
		p, err := v.Puzzles.OfDay("", time.Now())
		if err != nil {
			return puzzles.Try{}, err
		}
		game = p.Game
	}
	if err := v.payPuzzle(); err != nil {
		return puzzles.Try{}, err
	}
	return v.puzzleTrainer().NextOfStreak(ctx, game, shown, rand.IntN)
}

// answerPuzzle checks an answer to a puzzle (puzzles.Try.Answer).
func (v *Visit) answerPuzzle(ctx context.Context, t puzzles.Try, actions []string, canRetry bool) (PuzzleResult, error) {
	if len(actions) == 0 || len(actions) > MaxActions {
		return PuzzleResult{}, badRequest("an answer has 1 to %d actions", MaxActions)
	}
	if err := v.payPuzzle(); err != nil {
		return PuzzleResult{}, err
	}
	t, o, err := t.Answer(actions, canRetry)
	if err != nil {
		return PuzzleResult{}, err
	}
	r, err := v.showTry(ctx, t)
	r.Outcome = &o
	return r, err
}

// showTry makes the puzzle of a try the one that is shown, after the try is recorded if it is time for that. If that fails,
// nothing has changed.
func (v *Visit) showTry(ctx context.Context, t puzzles.Try) (PuzzleResult, error) {
	wasRecorded := t.IsRecorded
	if v.recordsTries() {
		var err error
		if t, err = v.puzzleTrainer().Record(ctx, t); err != nil {
			return PuzzleResult{}, err
		}
	}
	isStored := t.IsRecorded && !wasRecorded
	if isStored && t.Mode != puzzles.ModeStreak {
		v.saveDailyResult(ctx, &t)
	}
	v.puzzleTry.Store(&t)
	return PuzzleResult{Try: &t, isStored: isStored}, nil
}

// recordsTries reports whether tries of the user are recorded, those of guests as long as the session.
func (v *Visit) recordsTries() bool {
	a := v.User()
	return v.Session != nil || a.ID > 0 && !a.Bot
}
