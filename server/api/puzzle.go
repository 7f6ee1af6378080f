package api

import (
	"encoding/json"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/puzzles"
	"ayumu/tui/op"
	"ayumu/tui/wire"
)

// puzzleOps are the operations about puzzles.
type puzzleOps struct{ *conn }

// idOf returns the ID of the puzzle that a request names, or false. The field id of a request may be that of a puzzle.
func (p puzzleOps) idOf(r *request) (string, bool) {
	if r.Puzzle != "" {
		return r.Puzzle, true
	}
	var id string
	if json.Unmarshal(r.ID, &id) != nil {
		return "", false
	}
	_, err := p.visit.Puzzles.ByID(id)
	return id, err == nil
}

// training returns the program's way through puzzles.
func (p puzzleOps) training() *op.Training {
	if p.puzzles == nil {
		p.puzzles = op.NewTraining(p.visit)
	}
	return p.puzzles
}

// rate completes the choice of a puzzle that was not chosen by its rating.
func (p puzzleOps) rate(t *op.Training) error {
	c, err := t.Rater()(p.ctx)
	if err == nil {
		t.ApplyChoice(c)
	}
	return err
}

// puzzle answers with a puzzle: that with the ID, the next one of a training or a streak, or the puzzle of the day.
func (p puzzleOps) puzzle(r *request) (fields, error) {
	t := p.training()
	id, ok := p.idOf(r)
	var err error
	switch {
	case ok:
		if err = t.BeginByID(id); err == nil {
			err = p.rate(t)
		}
	case r.Streak, r.Next, r.Theme != "", r.Game != "":
		choose := t.Train(puzzles.Filter{Game: r.Game, Theme: r.Theme})
		if r.Streak {
			choose = t.NextOfStreak(r.Game)
		}
		c, chooseErr := choose(p.ctx)
		if err = chooseErr; err == nil {
			t.Begin(c)
		}
	default:
		if err = t.BeginOfDay(); err == nil {
			err = p.rate(t)
		}
	}
	if err != nil {
		return nil, err
	}
	f := fields{"puzzle": wire.PuzzleOf(p.visit.Puzzles, t.Puzzle, t.Choice.Rating), "rated": t.Choice.IsRated, "rating": wire.Round(t.Choice.User.Value)}
	if t.Mode == op.PuzzleStreak {
		f["streak"] = t.Streak.Solved
	}
	return f, nil
}

// current returns the training at the puzzle with the ID, or else at that which was sent last.
func (p puzzleOps) current(r *request) (*op.Training, error) {
	t := p.training()
	if id, ok := p.idOf(r); ok && (t.PuzzleAttempt == nil || t.Puzzle.ID != id) {
		if err := t.BeginByID(id); err != nil {
			return nil, err
		}
	}
	if t.PuzzleAttempt == nil {
		return nil, newError(lobby.CodeBadRequest, "which puzzle? Ask for one first, or name its id")
	}
	return t, nil
}

// answer checks an answer to the puzzle with the ID, or else to that which was sent last: all own actions from the
// beginning, or those that follow the correct ones so far.
func (p puzzleOps) answer(r *request) (fields, error) {
	if len(r.Actions) == 0 || len(r.Actions) > op.MaxActions {
		return nil, newError(lobby.CodeBadRequest, "an answer has 1 to 256 actions")
	}
	t, err := p.current(r)
	if err != nil {
		return nil, err
	}
	if t.IsOver() && t.Mode == op.PuzzleStreak {
		return nil, newError(lobby.CodeNotAllowed, "this puzzle is over; ask for the next one")
	}
	if t.IsOver() { // it begins again; its try was stored
		if err := t.BeginByID(t.Puzzle.ID); err != nil {
			return nil, err
		}
	}
	o, err := t.Check(r.Actions)
	if err != nil {
		return nil, err
	}
	f := fields{"solved": o.Solved}
	if !o.Solved && !o.Wrong {
		f["reply"] = o.Reply
		return f, nil
	}
	t.IsShown = true
	f["solution"] = puzzles.Solution(t.Puzzle)
	if o.Reason != "" {
		f["reason"] = o.Reason
	}
	if err := p.record(t, f); err != nil {
		return nil, err
	}
	if explain := t.Explainer(); explain != nil {
		explain()()
	}
	if len(t.Explanation) > 0 {
		f["explanation"] = t.Explanation
	}
	return f, nil
}

// ratingChange is what a try has changed in a rating.
type ratingChange struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

func newRatingChange(c puzzles.RatingChange) ratingChange {
	return ratingChange{wire.Round(c.Before.Value), wire.Round(c.After.Value)}
}

// record stores a try that is over, and adds what it has changed.
func (p puzzleOps) record(t *op.Training, f fields) error {
	record := t.Recorder()
	if record == nil {
		f["rated"] = false
		return nil
	}
	r, err := record(p.ctx)
	if err != nil {
		return err
	}
	t.Apply(r)
	if t.Mode == op.PuzzleStreak {
		f["streak"], f["best"] = t.Streak.Solved, t.BestStreak
		return nil
	}
	f["rated"] = t.Result.Rated
	if t.Result.Rated {
		f["rating"], f["puzzle_rating"] = newRatingChange(t.Result.User), newRatingChange(t.Result.Puzzle)
	}
	if !t.Result.DueAt.IsZero() {
		f["due"] = t.Result.DueAt.UTC()
	}
	return nil
}

// hint answers with the next hint. The try is not rated then.
func (p puzzleOps) hint(r *request) (fields, error) {
	t, err := p.current(r)
	if err != nil {
		return nil, err
	}
	if !t.CanHint() {
		return nil, newError(lobby.CodeNotAllowed, "a streak has no hints")
	}
	hint, ok := t.NextHint()
	if !ok {
		return nil, newError(lobby.CodeNotAllowed, "there is no further hint")
	}
	f := fields{"hint": hint}
	return f, p.record(t, f)
}

// report reports a puzzle to the moderators.
func (p puzzleOps) report(r *request) (fields, error) {
	t, err := p.current(r)
	if err != nil {
		return nil, err
	}
	if r.Text == "" {
		return nil, newError(lobby.CodeBadRequest, "puzzle_report needs a text")
	}
	return nil, t.Reporter(r.Text)(p.ctx)
}

// puzzleSummary is what a user has done with the puzzles of a game or theme.
type puzzleSummary struct {
	Game       string `json:"game"`
	Theme      string `json:"theme,omitempty"`
	Title      string `json:"title,omitempty"`
	Rating     int    `json:"rating,omitempty"`
	Deviation  int    `json:"deviation,omitempty"`
	BestStreak int    `json:"best_streak,omitempty"`
	Puzzles    int    `json:"puzzles"`
	Tried      int    `json:"tried"`
	Solved     int    `json:"solved"`
	Due        int    `json:"due"`
}

// list answers with what the user has done, by game and theme.
func (p puzzleOps) list(*request) (fields, error) {
	if err := p.s.Budget().Spend(limit.WorkPuzzle); err != nil {
		return nil, err
	}
	all, err := op.TrainerOf(p.visit).Summaries(p.ctx)
	if err != nil {
		return nil, err
	}
	list := []puzzleSummary{}
	for _, s := range all {
		list = append(list, puzzleSummary{s.Game, s.Theme, s.Title, wire.Round(s.Player.Rating.Value), wire.Round(s.Player.Rating.Deviation),
			s.Player.BestStreak, s.Total, s.Tried, s.Solved, s.Due})
	}
	return fields{"puzzles": list}, nil
}
