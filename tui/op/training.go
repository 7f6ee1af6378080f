package op

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/puzzles"
)

// TrainerOf returns the trainer of a user, always the same. A bot is a guest for it, so that programs which find every
// solution do not change the ratings of puzzles.
func TrainerOf(c *Visit) *puzzles.Trainer {
	if c.trainer == nil {
		a := c.Session.Account()
		if a.Bot {
			a.ID = 0
		}
		c.trainer = puzzles.NewTrainer(c.Puzzles, c.PuzzleStore, a.ID)
	}
	return c.trainer
}

// PuzzleMode is how puzzles are chosen.
type PuzzleMode string

// The modes.
const (
	PuzzleOfDay    PuzzleMode = "day"
	PuzzleTraining PuzzleMode = "training"
	PuzzleStreak   PuzzleMode = "streak"
)

// Training is a user's way through puzzles: that of the day, chosen ones, or a streak. NewTraining makes one. It
// belongs to the goroutine of the session, except for the functions that its methods return.
type Training struct {
	*PuzzleAttempt // at the puzzle that is shown; nil before the first
	Choice         puzzles.Choice
	Mode           PuzzleMode
	Filter         puzzles.Filter // of PuzzleTraining
	Streak         puzzles.Streak // of PuzzleStreak
	BestStreak     int            // after the present streak; 0 until it is stored
	// Result is what the try has changed; nil before the first answer and in a streak.
	Result *puzzles.TryResult
	// Explanation are sentences that say why the solution is one; nil until Explainer has returned them.
	Explanation []string

	visit    *Visit
	recorded bool // the try is stored, or being stored
}

// NewTraining returns a training without a puzzle.
func NewTraining(c *Visit) *Training { return &Training{visit: c} }

// Chosen is a puzzle that was chosen, for Training.Begin.
type Chosen struct {
	choice puzzles.Choice
	mode   PuzzleMode
	filter puzzles.Filter
	streak puzzles.Streak
}

// spend charges work with a puzzle to the user.
func (t *Training) spend() func() error {
	budget := t.visit.Session.Budget()
	return func() error { return budget.Spend(limit.WorkPuzzle) }
}

// BeginOfDay shows the puzzle of the day. Rater completes Choice.
func (t *Training) BeginOfDay() error {
	p, err := t.visit.Puzzles.OfDay(time.Now())
	if err == nil {
		t.Begin(Chosen{choice: puzzles.Choice{Puzzle: p, Rating: puzzles.FirstRating(p)}, mode: PuzzleOfDay})
	}
	return err
}

// BeginByID shows the puzzle with an ID. Rater completes Choice.
func (t *Training) BeginByID(id string) error {
	p, err := t.visit.Puzzles.ByID(id)
	if err == nil {
		t.Begin(Chosen{choice: puzzles.Choice{Puzzle: p, Rating: puzzles.FirstRating(p)}, mode: PuzzleTraining, filter: t.Filter})
	}
	return err
}

// Rater returns a function that reads the ratings of the puzzle that is shown and of the user for ApplyChoice, and may
// be called from any goroutine.
func (t *Training) Rater() func(context.Context) (puzzles.Choice, error) {
	trainer, p, spend := TrainerOf(t.visit), t.Puzzle, t.spend()
	return func(ctx context.Context) (puzzles.Choice, error) {
		if err := spend(); err != nil {
			return puzzles.Choice{}, err
		}
		return trainer.Choose(ctx, p)
	}
}

// ApplyChoice completes Choice, unless another puzzle is shown meanwhile or the try has been stored.
func (t *Training) ApplyChoice(c puzzles.Choice) {
	if c.Puzzle == t.Puzzle && t.Result == nil {
		t.Choice = c
	}
}

// Train returns a function that chooses the next puzzle of a filter, and may be called from any goroutine.
func (t *Training) Train(f puzzles.Filter) func(context.Context) (Chosen, error) {
	trainer, spend, last := TrainerOf(t.visit), t.spend(), ""
	if t.PuzzleAttempt != nil {
		last = t.Puzzle.ID
	}
	return func(ctx context.Context) (Chosen, error) {
		if err := spend(); err != nil {
			return Chosen{}, err
		}
		c, err := trainer.Next(ctx, f, last, rand.IntN)
		return Chosen{choice: c, mode: PuzzleTraining, filter: f}, err
	}
}

// NextOfStreak returns a function that chooses the next puzzle of a streak, the present one or a new one of a game, and
// may be called from any goroutine.
func (t *Training) NextOfStreak(game string) func(context.Context) (Chosen, error) {
	trainer, spend, s := TrainerOf(t.visit), t.spend(), puzzles.Streak{Game: game}
	if t.IsStreakAlive() && t.Streak.Game == game {
		s = t.Streak
	}
	return func(ctx context.Context) (Chosen, error) {
		if err := spend(); err != nil {
			return Chosen{}, err
		}
		c, s, err := trainer.NextOfStreak(ctx, s, rand.IntN)
		return Chosen{choice: c, mode: PuzzleStreak, streak: s}, err
	}
}

// Next returns a function that chooses what follows the puzzle that is shown.
func (t *Training) Next() func(context.Context) (Chosen, error) {
	switch {
	case t.Mode == PuzzleStreak:
		return t.NextOfStreak(t.Streak.Game)
	case t.Mode == PuzzleOfDay:
		return t.Train(puzzles.Filter{Game: t.Puzzle.Game})
	}
	return t.Train(t.Filter)
}

// IsStreakAlive reports whether the user is in a streak without a wrong answer.
func (t *Training) IsStreakAlive() bool {
	return t.Mode == PuzzleStreak && t.PuzzleAttempt != nil && !t.IsFailed && !t.IsShown
}

// Begin shows a puzzle from its beginning.
func (t *Training) Begin(c Chosen) {
	t.PuzzleAttempt = NewPuzzleAttempt(t.visit.Puzzles, c.choice.Puzzle)
	t.Choice, t.Mode, t.Filter, t.Streak, t.Result, t.recorded = c.choice, c.mode, c.filter, c.streak, nil, false
	t.BestStreak, t.Explanation = 0, nil
}

// CanHint reports whether hints are given: not in a streak.
func (t *Training) CanHint() bool { return t.Mode != PuzzleStreak }

// PuzzleRecord is what was stored of a try, for Training.Apply.
type PuzzleRecord struct {
	puzzle *puzzle.Puzzle
	result *puzzles.TryResult
	best   int
}

// Recorder returns a function that stores the try once it is over, or once a hint was shown, and may be called from any
// goroutine. It returns nil if there is nothing to store. In a streak the function stores the streak.
func (t *Training) Recorder() func(context.Context) (PuzzleRecord, error) {
	hinted := len(t.Hints) > 0
	if t.recorded || !t.IsOver() && !t.IsFailed && !hinted {
		return nil
	}
	t.recorded = true
	trainer, p := TrainerOf(t.visit), t.Puzzle
	if t.Mode == PuzzleStreak {
		if t.IsSolved && !t.IsFailed {
			t.Streak.Solved++
		}
		s := t.Streak
		return func(ctx context.Context) (PuzzleRecord, error) {
			best, err := trainer.RecordStreak(ctx, s)
			return PuzzleRecord{puzzle: p, best: best}, err
		}
	}
	solved := t.IsSolved && !t.IsFailed && !hinted
	return func(ctx context.Context) (PuzzleRecord, error) {
		res, err := trainer.Record(ctx, p, solved, hinted)
		return PuzzleRecord{puzzle: p, result: &res}, err
	}
}

// Apply shows what was stored, unless another puzzle is shown meanwhile.
func (t *Training) Apply(r PuzzleRecord) {
	if r.puzzle != t.Puzzle {
		return
	}
	t.Result, t.BestStreak = r.result, r.best
	if r.result != nil {
		t.Choice.User, t.Choice.Rating = r.result.User.After, r.result.Puzzle.After
	}
}

// Check is Answer, charged to the user. A wrong answer ends a streak and shows the solution.
func (t *Training) Check(actions []string) (puzzle.Outcome, error) {
	if err := t.spend()(); err != nil {
		return puzzle.Outcome{}, err
	}
	o, err := t.Answer(actions)
	if err == nil && o.Wrong && t.Mode == PuzzleStreak {
		t.IsShown = true
	}
	return o, err
}

// Explainer returns a function that explains the solution of the puzzle that is shown, and may be called from any
// goroutine; what it returns keeps Explanation. It returns nil while the puzzle is not over, and if it is explained.
func (t *Training) Explainer() func() func() {
	if !t.IsOver() || t.Explanation != nil {
		return nil
	}
	c, p := t.visit.Puzzles, t.Puzzle
	return func() func() {
		text := c.Explain(p)
		return func() {
			if t.Puzzle == p {
				t.Explanation = text
			}
		}
	}
}

// Reporter returns a function that reports the puzzle that is shown to the moderators, with a text of the user, and may
// be called from any goroutine.
func (t *Training) Reporter(text string) func(context.Context) error {
	moderator, p := t.visit.Moderator, t.Puzzle
	return func(ctx context.Context) error {
		if moderator == nil {
			return errcode.Errorf(errcode.NotAllowed, "this server has no moderators")
		}
		return moderator.Report(ctx, club.PuzzleReport(p.ID), fmt.Sprintf("(%s, %s) %s", p.Game, p.Theme, text))
	}
}
