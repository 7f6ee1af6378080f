package puzzles

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
)

// Trainer chooses puzzles for one user and stores their tries. NewTrainer makes one. Any goroutine may call its
// methods, which read and write the store.
type Trainer struct {
	collection *Collection
	store      ProgressStore
	user       account.ID

	mu    sync.Mutex     // guards shown
	shown map[string]int // the days, by the IDs of the puzzles that were shown last then
}

// NewTrainer returns the trainer of a user for the puzzles of a collection. Of a guest the progress is kept in
// the trainer; so it is of everyone if s is nil.
func NewTrainer(c *Collection, s ProgressStore, user account.ID) *Trainer {
	t := &Trainer{collection: c, store: s, user: user, shown: make(map[string]int)}
	switch {
	case s == nil:
		t.store = newMemory(func(context.Context) (map[string]rating.Rating, error) { return nil, nil })
	case user <= 0:
		t.store = newMemory(s.PuzzleRatings)
	}
	return t
}

// nearest is the number of puzzles with the nearest ratings among which Next chooses by chance, so that not everyone
// gets the same ones in the same order.
const nearest = 6

// noteShown notes that a puzzle is shown today.
func (tr *Trainer) noteShown(p *puzzle.Puzzle) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.shown[p.ID] = dayOf(time.Now())
}

// today returns the puzzles that were shown today, and those that the user first tried today in any session.
func (tr *Trainer) today(progress Progress) (all []*puzzle.Puzzle) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	day := dayOf(time.Now())
	for id, shown := range tr.shown {
		if p := tr.collection.byID[id]; p != nil && shown == day {
			all = append(all, p)
		}
	}
	for id, tried := range progress.Puzzles {
		if p := tr.collection.byID[id]; p != nil && tr.shown[id] != day && dayOf(tried.TriedAt) == day {
			all = append(all, p)
		}
	}
	return all
}

// similar is the number of characters in which positions of one game differ at least that do not give each other away.
const similar = 8

// unused returns those of some puzzles that were not shown today and whose positions differ from those that were; without
// any, those that were not shown today; without any, all.
func (tr *Trainer) unused(all []*puzzle.Puzzle, progress Progress) []*puzzle.Puzzle {
	today := tr.today(progress)
	isSame := func(p *puzzle.Puzzle) bool { return slices.Contains(today, p) }
	others := slices.DeleteFunc(slices.Clone(all), isSame)
	givenAway := func(p *puzzle.Puzzle) bool {
		return slices.ContainsFunc(today, func(o *puzzle.Puzzle) bool { return isSimilar(o, p) })
	}
	switch different := slices.DeleteFunc(slices.Clone(others), givenAway); {
	case len(different) > 0:
		return different
	case len(others) > 0:
		return others
	}
	return all
}

// isSimilar reports whether one puzzle could give the other away: both may come from one game. What comes before a position,
// such as the board that the players of a game have laid, says so better than positions of different lengths can.
func isSimilar(a, b *puzzle.Puzzle) bool {
	return a.Game == b.Game && (a.Setup != "" && a.Setup == b.Setup || differences(a.Position, b.Position) < similar)
}

// differences returns the number of characters in which two positions differ; many if they have different lengths.
func differences(a, b string) (n int) {
	if len(a) != len(b) {
		return len(a) + len(b)
	}
	for i := range len(a) {
		n += count(a[i] != b[i])
	}
	return n
}

// hasTheme reports whether a puzzle is of a game and a theme; "": any.
func hasTheme(p *puzzle.Puzzle, game, theme string) bool {
	return (game == "" || p.Game == game) && (theme == "" || p.Theme == theme)
}

// Next returns a try of the next puzzle of a training in a game and a theme ("": any): one that is due for the longest
// time, or else a new one whose rating is near that of the user, or else the one that the user tried first. Not the puzzle
// of last, which may be nil, unless it is the only one; and none that was shown today or is similar to one that was, unless
// all others were used. randN returns a number from 0 to n-1, for n ≥ 1.
func (tr *Trainer) Next(ctx context.Context, game, theme string, last *Try, randN func(n int) int) (Try, error) {
	progress, ratings, err := tr.read(ctx)
	if err != nil {
		return Try{}, err
	}
	now := time.Now()
	var due, fresh, old []*puzzle.Puzzle
	for i := range tr.collection.All() {
		p := &tr.collection.all[i]
		tried := progress.Puzzles[p.ID]
		switch {
		case !hasTheme(p, game, theme) || last != nil && last.Puzzle.ID == p.ID:
		case tried.isDue(now):
			due = append(due, p)
		case tried.IsTried():
			old = append(old, p)
		default:
			fresh = append(fresh, p)
		}
	}
	var chosen *puzzle.Puzzle
	switch {
	case len(due) > 0:
		chosen = slices.MinFunc(tr.unused(due, progress), func(a, b *puzzle.Puzzle) int {
			return cmp.Or(progress.Puzzles[a.ID].DueAt.Compare(progress.Puzzles[b.ID].DueAt), strings.Compare(a.ID, b.ID))
		})
	case len(fresh) > 0:
		chosen = near(tr.unused(fresh, progress), ratings, func(p *puzzle.Puzzle) float64 { return progress.rating(p.Game).Value }, randN)
	case len(old) > 0:
		chosen = slices.MinFunc(tr.unused(old, progress), func(a, b *puzzle.Puzzle) int {
			return cmp.Or(progress.Puzzles[a.ID].TriedAt.Compare(progress.Puzzles[b.ID].TriedAt), strings.Compare(a.ID, b.ID))
		})
	case last != nil && hasTheme(last.Puzzle, game, theme):
		chosen = last.Puzzle
	default:
		return Try{}, tr.errNoPuzzle(game)
	}
	tr.noteShown(chosen)
	t := tr.collection.NewTry(chosen).with(progress, ratings)
	t.Game, t.Theme = game, theme
	return t, nil
}

// near returns one of the puzzles whose ratings are nearest to what aim returns for them, by chance.
func near(all []*puzzle.Puzzle, ratings map[string]rating.Rating, aim func(*puzzle.Puzzle) float64, randN func(n int) int) *puzzle.Puzzle {
	distance := func(p *puzzle.Puzzle) float64 { return math.Abs(currentRating(p, ratings).Value - aim(p)) }
	slices.SortFunc(all, func(a, b *puzzle.Puzzle) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), strings.Compare(a.ID, b.ID))
	})
	return all[randN(min(nearest, len(all)))]
}

// The ratings that a streak aims at: the first, and the step after each puzzle.
const (
	firstOfStreak = 900
	stepOfStreak  = 40
)

// NextOfStreak returns a try of the next puzzle of the streak of last, or of the first one of a new streak if last is nil,
// not part of a streak that is alive, or of another game. The puzzles become harder, and none comes twice. The error is
// errcode.NotAllowed if all were solved.
func (tr *Trainer) NextOfStreak(ctx context.Context, game string, last *Try, randN func(n int) int) (Try, error) {
	progress, ratings, err := tr.read(ctx)
	if err != nil {
		return Try{}, err
	}
	var seen []string
	solved := 0
	if last.IsStreakAlive() && last.Game == game {
		seen, solved = last.seen, last.Streak
	}
	var all []*puzzle.Puzzle
	for i := range tr.collection.All() {
		if p := &tr.collection.all[i]; p.Game == game && !slices.Contains(seen, p.ID) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		if len(seen) > 0 {
			return Try{}, errcode.Errorf(errcode.NotAllowed, "you have solved all puzzles of this streak")
		}
		return Try{}, tr.errNoPuzzle(game)
	}
	aim := float64(firstOfStreak + stepOfStreak*len(seen))
	t := tr.collection.NewTry(near(tr.unused(all, progress), ratings, func(*puzzle.Puzzle) float64 { return aim }, randN)).with(progress, ratings)
	t.Mode, t.Game, t.Streak, t.seen = ModeStreak, game, solved, append(slices.Clone(seen), t.Puzzle.ID)
	t.IsRated, t.IsRepeated = false, false
	tr.noteShown(t.Puzzle)
	return t, nil
}

// Load returns an unanswered try with what is known of the user and the puzzle.
func (tr *Trainer) Load(ctx context.Context, t Try) (Try, error) {
	progress, ratings, err := tr.read(ctx)
	if err != nil {
		return Try{}, err
	}
	tr.noteShown(t.Puzzle)
	return t.with(progress, ratings), nil
}

// read reads what the choice of a puzzle needs.
func (tr *Trainer) read(ctx context.Context) (Progress, map[string]rating.Rating, error) {
	if tr.collection.Len() == 0 {
		return Progress{}, nil, errNone
	}
	progress, err := tr.store.PuzzleProgress(ctx, tr.user)
	if err != nil {
		return Progress{}, nil, err
	}
	ratings, err := tr.store.PuzzleRatings(ctx)
	return progress, ratings, err
}

// Record stores a try once it is over, an answer was wrong or a hint was given, and returns it with what has changed. In a
// streak it stores how many puzzles were solved. Only the first try of a puzzle is rated, wherever the user makes it. A try
// that is stored already, or has not got that far, is returned as it is.
func (tr *Trainer) Record(ctx context.Context, t Try) (Try, error) {
	if t.IsRecorded || !t.IsOver() && !t.IsFailed && len(t.Hints) == 0 {
		return t, nil
	}
	if t.Mode == ModeStreak {
		if t.IsSolved {
			t.Streak++
		}
		best, err := tr.store.RecordStreak(ctx, tr.user, t.Game, t.Streak)
		if err != nil {
			return Try{}, err
		}
		t.BestStreak, t.IsRecorded = best, true
		return t, nil
	}
	r, err := tr.store.RecordTry(ctx, tr.user, t, time.Now())
	if err != nil {
		return Try{}, err
	}
	t.Result, t.UserRating, t.PuzzleRating, t.IsRecorded = &r, r.User.After, r.Puzzle.After, true
	return t, nil
}

// Summary is what a user has done with the puzzles of a game, or of one of its themes.
type Summary struct {
	Game, Theme, Title string        // Theme and Title are empty in the summary of a game
	UserRating         rating.Rating // in the summary of a game
	BestStreak         int           // in the summary of a game
	Total              int           // puzzles
	Tried, Solved, Due int           // of these: tried by the user, solved by the first try, to be repeated now
}

// ShowsRating reports whether the user is shown their rating in the game.
func (s *Summary) ShowsRating() bool { return s.Tried >= shownAfter }

// Summaries returns a summary of each game that has puzzles, in the order of the collection, followed by those of its
// themes.
func (tr *Trainer) Summaries(ctx context.Context) ([]Summary, error) {
	progress, err := tr.store.PuzzleProgress(ctx, tr.user)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var all []Summary
	for _, game := range tr.collection.gameNames() {
		at := len(all)
		all = append(all, Summary{Game: game, UserRating: progress.rating(game), BestStreak: progress.BestStreaks[game]})
		for _, theme := range tr.collection.themes[game] {
			s := Summary{Game: game, Theme: theme.Name(), Title: theme.Title()}
			for i := range tr.collection.all {
				if p := &tr.collection.all[i]; hasTheme(p, game, theme.Name()) {
					tried := progress.Puzzles[p.ID]
					s.Total++
					s.Tried += count(tried.IsTried())
					s.Solved += count(tried.Solved)
					s.Due += count(tried.isDue(now))
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

// errNoPuzzle returns the error for a game and theme without a puzzle, which names the game ("": any).
func (tr *Trainer) errNoPuzzle(game string) error {
	var known []string
	for _, p := range tr.collection.all {
		if hasTheme(&p, game, "") && !slices.Contains(known, p.Theme) {
			known = append(known, p.Theme)
		}
	}
	if len(known) == 0 {
		return errcode.Errorf(errcode.BadRequest, "there are no puzzles of this game; games with puzzles: %s", strings.Join(tr.collection.gameNames(), ", "))
	}
	slices.Sort(known)
	return errcode.Errorf(errcode.BadRequest, "there are no puzzles of this theme; themes: %s", strings.Join(known, ", "))
}
