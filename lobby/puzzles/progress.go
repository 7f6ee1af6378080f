package puzzles

import (
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/rating"
)

// Progress is what an account has done with puzzles. The zero value is that of one who has tried none.
type Progress struct {
	Players  map[string]Player  // by the name of the game
	Attempts map[string]Attempt // by the ID of the puzzle
}

// Player is what an account has reached with the puzzles of a game. Ratings are on the scale of Glicko-2.
type Player struct {
	Rating     rating.Rating // the zero value: none yet, as rating.New
	BestStreak int           // the most puzzles solved one after the other in a streak
}

// Attempt is what an account has done with one puzzle.
type Attempt struct {
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

// Try is a user's try of a puzzle, which is over once an answer was wrong or the puzzle is solved.
type Try struct {
	Account account.ID
	Puzzle  *puzzle.Puzzle
	Solved  bool
	Hinted  bool // with a hint, or after the solution was shown: it is not rated, and counts as not solved
	At      time.Time
}

// TryResult is what a try has changed.
type TryResult struct {
	Rated  bool         // it was the first one, without a hint: the user's rating has changed, and that of the puzzle if the store keeps it
	User   RatingChange // of the account, in the game of the puzzle
	Puzzle RatingChange
	DueAt  time.Time // when the puzzle comes again; the zero time: it does not
}

// RatingChange is a rating before and after a try; both are the same if it has not changed.
type RatingChange struct{ Before, After rating.Rating }

// isDue reports whether a puzzle is to be repeated.
func (a Attempt) isDue(now time.Time) bool { return !a.DueAt.IsZero() && !a.DueAt.After(now) }

// NextAttempt returns an attempt after a try; tried is false if old is none. A try before the puzzle is due
// changes nothing.
func NextAttempt(old Attempt, tried bool, t Try) Attempt {
	solved := t.Solved && !t.Hinted
	next := old
	switch {
	case !tried:
		next = Attempt{TriedAt: t.At, Solved: solved}
		if !solved {
			next.DueAt = t.At.Add(Intervals[0])
		}
	case !old.isDue(t.At):
	case !solved:
		next.Step, next.DueAt = 0, t.At.Add(Intervals[0])
	case old.Step+1 < len(Intervals):
		next.Step, next.DueAt = old.Step+1, t.At.Add(Intervals[old.Step+1])
	default:
		next.Step, next.DueAt = old.Step+1, time.Time{}
	}
	return next
}

// firstDeviation is that of the rating of a puzzle that nobody has tried: the effort of its solution says
// something about its difficulty.
const firstDeviation = 200

// FirstRating returns the rating of a puzzle that nobody has tried.
func FirstRating(p *puzzle.Puzzle) rating.Rating {
	return rating.Rating{Value: p.Rating(), Deviation: firstDeviation, Volatility: rating.New.Volatility}
}

// Apply returns the next attempt and the result of a try, from the attempt before it (tried is false if there
// is none) and the ratings of the account and the puzzle. It is what every Store does in one transaction.
func Apply(old Attempt, tried bool, user, puzzle rating.Rating, t Try) (Attempt, TryResult) {
	if user == (rating.Rating{}) {
		user = rating.New
	}
	next := NextAttempt(old, tried, t)
	res := TryResult{DueAt: next.DueAt, User: RatingChange{user, user}, Puzzle: RatingChange{puzzle, puzzle}}
	if tried || t.Hinted {
		return next, res
	}
	places := []int{0, 1}
	if !t.Solved {
		places = []int{1, 0}
	}
	after := rating.Update([]rating.Rating{user, puzzle}, places)
	res.Rated, res.User.After, res.Puzzle.After = true, after[0], after[1]
	return next, res
}
