package puzzles

import (
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/rating"
)

// Progress is what an account has done with puzzles. The zero value is that of one who has tried none.
type Progress struct {
	Ratings     map[string]rating.Rating // by the name of the game; of one without an entry FirstRating
	BestStreaks map[string]int           // by the name of the game: the most puzzles solved one after the other in a streak
	Puzzles     map[string]TriedPuzzle   // by the ID of the puzzle
}

// FirstRating is that of a user who has tried no puzzle of a game: they begin with easy ones, and a first wrong answer does
// not cost much.
var FirstRating = rating.Rating{Value: 900, Deviation: 150, Volatility: rating.New.Volatility}

// rating returns the user's rating in the puzzles of a game.
func (p Progress) rating(game string) rating.Rating {
	if r, ok := p.Ratings[game]; ok {
		return r
	}
	return FirstRating
}

// isNew reports whether the user has no rating in the puzzles of a game.
func (p Progress) isNew(game string) bool {
	_, ok := p.Ratings[game]
	return !ok
}

// tried returns the number of puzzles of a game that the user has tried.
func (p Progress) tried(c *Collection, game string) (n int) {
	for id := range p.Puzzles {
		if z := c.byID[id]; z != nil && z.Game == game {
			n++
		}
	}
	return n
}

// TriedPuzzle is what an account has done with one puzzle. The zero value is that of one who has not tried it.
type TriedPuzzle struct {
	TriedAt time.Time // of the first try
	Solved  bool      // by the first try, without a hint
	// Step is the number of repetitions that were solved one after the other since the last failure, and DueAt
	// the time from which on the puzzle comes again; the zero time: it does not.
	Step  int
	DueAt time.Time
}

// Intervals are the times after which a puzzle that was not solved comes again: after the failure, and after
// each repetition that was solved.
var Intervals = [...]time.Duration{1 * day, 3 * day, 7 * day, 21 * day}

const day = 24 * time.Hour

// Result is what a try has changed.
type Result struct {
	Rated  bool          // it was the first one, without a hint: the user's rating has changed, and that of the puzzle if the store keeps it
	User   rating.Change // of the account, in the game of the puzzle
	Puzzle rating.Change
	DueAt  time.Time // when the puzzle comes again; the zero time: it does not
}

// IsTried reports whether there was a try.
func (p TriedPuzzle) IsTried() bool { return !p.TriedAt.IsZero() }

// isDue reports whether a puzzle is to be repeated.
func (p TriedPuzzle) isDue(now time.Time) bool { return !p.DueAt.IsZero() && !p.DueAt.After(now) }

// after returns p after a try. A try before the puzzle is due changes nothing.
func (p TriedPuzzle) after(solved bool, at time.Time) TriedPuzzle {
	switch {
	case !p.IsTried():
		p = TriedPuzzle{TriedAt: at, Solved: solved}
		if !solved {
			p.DueAt = at.Add(Intervals[0])
		}
	case !p.isDue(at):
	case !solved:
		p.Step, p.DueAt = 0, at.Add(Intervals[0])
	case p.Step+1 < len(Intervals):
		p.Step, p.DueAt = p.Step+1, at.Add(Intervals[p.Step+1])
	default:
		p.Step, p.DueAt = p.Step+1, time.Time{}
	}
	return p
}

// firstDeviation is that of the rating of a puzzle that nobody has tried: the effort of its solution says
// something about its difficulty.
const firstDeviation = 200

// InitialRating returns the rating of a puzzle that nobody has tried: the value of puzzle.InitialRating, with the deviation
// that it has as an estimate.
func InitialRating(p *puzzle.Puzzle) rating.Rating {
	return rating.Rating{Value: p.InitialRating(), Deviation: firstDeviation, Volatility: rating.New.Volatility}
}

// currentRating returns the rating of a puzzle; tried are those that the tries of players have made, by the IDs of the
// puzzles.
func currentRating(p *puzzle.Puzzle, tried map[string]rating.Rating) rating.Rating {
	if r, ok := tried[p.ID]; ok {
		return r
	}
	return InitialRating(p)
}

// Apply returns what a try changes, and what the account has done with the puzzle after it, from what it had done before
// and the ratings of the account and the puzzle. It is what every Store does in one transaction.
func (t *Try) Apply(before TriedPuzzle, user, puzzle rating.Rating, at time.Time) (TriedPuzzle, Result) {
	after := before.after(t.IsSuccess(), at)
	r := Result{DueAt: after.DueAt, User: rating.Change{Before: user, After: user}, Puzzle: rating.Change{Before: puzzle, After: puzzle}}
	if before.IsTried() || len(t.Hints) > 0 || t.IsUnrated() {
		return after, r
	}
	places := []int{0, 1}
	if !t.IsSuccess() {
		places = []int{1, 0}
	}
	ratings := rating.Update([]rating.Rating{user, puzzle}, places)
	r.Rated, r.User.After, r.Puzzle.After = true, ratings[0], ratings[1]
	return after, r
}
