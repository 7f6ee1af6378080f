package puzzles

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
)

// Trainer chooses puzzles for one user and rates their tries. NewTrainer makes one. Any goroutine may call its
// methods, which read and write the store.
type Trainer struct {
	collection *Collection
	store      ProgressStore
	user       account.ID
}

// NewTrainer returns the trainer of a user for the puzzles of a collection. Of a guest the progress is kept in
// the trainer; so it is of everybody if s is nil.
func NewTrainer(c *Collection, s ProgressStore, user account.ID) *Trainer {
	t := &Trainer{collection: c, store: s, user: user}
	switch {
	case s == nil:
		t.store = newMemory(func(context.Context) (map[string]rating.Rating, error) { return nil, nil })
	case user <= 0:
		t.store = newMemory(s.PuzzleRatings)
	}
	return t
}

// Filter selects puzzles. The zero value selects all.
type Filter struct{ Game, Theme string } // names; "": any

// selects reports whether a puzzle is among those of the filter.
func (f Filter) selects(p *puzzle.Puzzle) bool {
	return (f.Game == "" || p.Game == f.Game) && (f.Theme == "" || p.Theme == f.Theme)
}

// Choice is a puzzle that a Trainer has chosen.
type Choice struct {
	Puzzle *puzzle.Puzzle
	Rating rating.Rating // of the puzzle
	User   rating.Rating // of the user, in the game of the puzzle
	// IsRated reports that the next try is rated: the user has not tried the puzzle. Otherwise FirstTriedAt is the time of
	// the first one, and IsRepeated reports that the puzzle was due, because the user had not solved it.
	IsRated      bool
	IsRepeated   bool
	FirstTriedAt time.Time
}

// nearest is the number of puzzles with the nearest ratings among which Next chooses by chance, so that not everybody
// gets the same ones in the same order.
const nearest = 6

// Next returns the next puzzle of a training: one that is due for the longest time, or else a new one whose rating
// is near that of the user, or else the one that the user tried first. Not the puzzle with the ID last, unless it is
// the only one. randN returns a number from 0 to n-1, for n ≥ 1.
func (t *Trainer) Next(ctx context.Context, f Filter, last string, randN func(n int) int) (Choice, error) {
	progress, ratings, err := t.read(ctx)
	if err != nil {
		return Choice{}, err
	}
	now := time.Now()
	var due, fresh, old []*puzzle.Puzzle
	for i := range t.collection.All() {
		p := &t.collection.all[i]
		a, tried := progress.Attempts[p.ID]
		switch {
		case !f.selects(p) || p.ID == last:
		case tried && a.isDue(now):
			due = append(due, p)
		case tried:
			old = append(old, p)
		default:
			fresh = append(fresh, p)
		}
	}
	choice := func(p *puzzle.Puzzle) (Choice, error) { return choiceOf(p, progress, ratings), nil }
	switch {
	case len(due) > 0:
		c, err := choice(slices.MinFunc(due, func(a, b *puzzle.Puzzle) int {
			return cmp.Or(progress.Attempts[a.ID].DueAt.Compare(progress.Attempts[b.ID].DueAt), strings.Compare(a.ID, b.ID))
		}))
		c.IsRepeated = true
		return c, err
	case len(fresh) > 0:
		away := func(p *puzzle.Puzzle) float64 {
			return distance(ratingOf(p, ratings).Value, progress.rating(p.Game).Value)
		}
		slices.SortFunc(fresh, func(a, b *puzzle.Puzzle) int {
			return cmp.Or(cmp.Compare(away(a), away(b)), strings.Compare(a.ID, b.ID))
		})
		return choice(fresh[randN(min(nearest, len(fresh)))])
	case len(old) > 0:
		return choice(slices.MinFunc(old, func(a, b *puzzle.Puzzle) int {
			return cmp.Or(progress.Attempts[a.ID].TriedAt.Compare(progress.Attempts[b.ID].TriedAt), strings.Compare(a.ID, b.ID))
		}))
	}
	if p := t.collection.byIDOrNil(last); p != nil && f.selects(p) {
		return choice(p)
	}
	return Choice{}, t.noneOf(f)
}

// Streak is a run of puzzles until the first wrong answer. The zero value has not begun.
type Streak struct {
	Game   string
	Solved int
	seen   []string // IDs, in the order in which they were chosen
}

// The ratings that a streak aims at: the first, and the step after each puzzle.
const (
	firstOfStreak = 1000
	stepOfStreak  = 40
)

// NextOfStreak returns the next puzzle of a streak and the streak with it. The puzzles become harder, and none comes
// twice. The error is errcode.NotAllowed if all were solved.
func (t *Trainer) NextOfStreak(ctx context.Context, s Streak, randN func(n int) int) (Choice, Streak, error) {
	progress, ratings, err := t.read(ctx)
	if err != nil {
		return Choice{}, s, err
	}
	var all []*puzzle.Puzzle
	for i := range t.collection.All() {
		if p := &t.collection.all[i]; p.Game == s.Game && !slices.Contains(s.seen, p.ID) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		if len(s.seen) > 0 {
			return Choice{}, s, errcode.Errorf(errcode.NotAllowed, "you have solved all puzzles of this streak")
		}
		return Choice{}, s, t.noneOf(Filter{Game: s.Game})
	}
	aim := float64(firstOfStreak + stepOfStreak*len(s.seen))
	slices.SortFunc(all, func(a, b *puzzle.Puzzle) int {
		return cmp.Or(cmp.Compare(distance(ratingOf(a, ratings).Value, aim), distance(ratingOf(b, ratings).Value, aim)), strings.Compare(a.ID, b.ID))
	})
	p := all[randN(min(nearest, len(all)))]
	s.seen = append(slices.Clone(s.seen), p.ID)
	c := choiceOf(p, progress, ratings)
	c.IsRated = false
	return c, s, nil
}

// Choose returns a puzzle of the collection as a Choice.
func (t *Trainer) Choose(ctx context.Context, p *puzzle.Puzzle) (Choice, error) {
	progress, ratings, err := t.read(ctx)
	if err != nil {
		return Choice{}, err
	}
	c := choiceOf(p, progress, ratings)
	c.IsRepeated = progress.Attempts[p.ID].isDue(time.Now())
	return c, nil
}

// Record stores a try of a puzzle. Only the first one is rated, wherever the user makes it.
func (t *Trainer) Record(ctx context.Context, p *puzzle.Puzzle, solved, hinted bool) (TryResult, error) {
	return t.store.RecordTry(ctx, Try{Account: t.user, Puzzle: p, Solved: solved, Hinted: hinted, At: time.Now()})
}

// RecordStreak keeps the number of puzzles solved in a streak if it is the user's best, and returns the best one.
func (t *Trainer) RecordStreak(ctx context.Context, s Streak) (best int, err error) {
	return t.store.RecordStreak(ctx, t.user, s.Game, s.Solved)
}

// Summary is what a user has done with the puzzles of a game, or of one of its themes.
type Summary struct {
	Game, Theme, Title string // Theme and Title are empty in the summary of a game
	Player             Player // in the summary of a game
	Total              int    // puzzles
	Tried, Solved, Due int    // of these: tried by the user, solved by the first try, to be repeated now
}

// Summaries returns a summary of each game that has puzzles, in the order of the collection, followed by those of its
// themes.
func (t *Trainer) Summaries(ctx context.Context) ([]Summary, error) {
	progress, err := t.store.PuzzleProgress(ctx, t.user)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var all []Summary
	for _, game := range t.collection.gameNames() {
		at := len(all)
		all = append(all, Summary{Game: game, Player: progress.Players[game]})
		all[at].Player.Rating = progress.rating(game)
		for _, theme := range t.collection.themes[game] {
			s := Summary{Game: game, Theme: theme.Name(), Title: theme.Title()}
			for i := range t.collection.all {
				if p := &t.collection.all[i]; (Filter{game, theme.Name()}).selects(p) {
					a, tried := progress.Attempts[p.ID]
					s.Total++
					s.Tried += count(tried)
					s.Solved += count(a.Solved)
					s.Due += count(a.isDue(now))
				}
			}
			if s.Total > 0 {
				all = append(all, s)
				all[at].Total, all[at].Tried, all[at].Solved, all[at].Due = all[at].Total+s.Total, all[at].Tried+s.Tried, all[at].Solved+s.Solved, all[at].Due+s.Due
			}
		}
	}
	return all, nil
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// read reads what the choice of a puzzle needs.
func (t *Trainer) read(ctx context.Context) (Progress, map[string]rating.Rating, error) {
	if t.collection.Len() == 0 {
		return Progress{}, nil, errNone
	}
	progress, err := t.store.PuzzleProgress(ctx, t.user)
	if err != nil {
		return Progress{}, nil, err
	}
	ratings, err := t.store.PuzzleRatings(ctx)
	return progress, ratings, err
}

// noneOf is the error where a filter selects nothing.
func (t *Trainer) noneOf(f Filter) error {
	var known []string
	for _, p := range t.collection.all {
		if (f.Game == "" || f.Game == p.Game) && !slices.Contains(known, p.Theme) {
			known = append(known, p.Theme)
		}
	}
	if len(known) == 0 {
		return errcode.Errorf(errcode.BadRequest, "there is no puzzle of this game; games: %s", strings.Join(t.collection.gameNames(), ", "))
	}
	slices.Sort(known)
	return errcode.Errorf(errcode.BadRequest, "there is no puzzle of this theme; themes: %s", strings.Join(known, ", "))
}

func choiceOf(p *puzzle.Puzzle, progress Progress, ratings map[string]rating.Rating) Choice {
	a, tried := progress.Attempts[p.ID]
	return Choice{Puzzle: p, Rating: ratingOf(p, ratings), User: progress.rating(p.Game), IsRated: !tried, FirstTriedAt: a.TriedAt}
}

// rating returns the user's rating in the puzzles of a game.
func (p Progress) rating(game string) rating.Rating {
	if r := p.Players[game].Rating; r != (rating.Rating{}) {
		return r
	}
	return rating.New
}

func ratingOf(p *puzzle.Puzzle, ratings map[string]rating.Rating) rating.Rating {
	if r, ok := ratings[p.ID]; ok {
		return r
	}
	return FirstRating(p)
}

func distance(a, b float64) float64 { return max(a-b, b-a) }
