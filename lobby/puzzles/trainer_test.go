package puzzles_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/rating"
)

// graded returns a collection of n puzzles of Ayu with efforts of 1, 2, 4 and so on, whose positions are the same.
func graded(t *testing.T, n int) *puzzles.Collection {
	t.Helper()
	all := make([]puzzle.Puzzle, n)
	for i := range all {
		all[i] = puzzlestest.Puzzles(t)[0]
		all[i].ID, all[i].Effort = fmt.Sprintf("%08x", i), 1<<i
	}
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, all)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// atRandom is a source of chance that always chooses the first.
func atRandom(int) int { return 0 }

// next returns a try of the next puzzle of a training after last.
func next(t *testing.T, tr *puzzles.Trainer, theme string, last *puzzles.Try) puzzles.Try {
	t.Helper()
	next, err := tr.Next(t.Context(), "", theme, last, atRandom)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// record stores a try that was solved, or failed, without a hint.
func record(t *testing.T, tr *puzzles.Trainer, try puzzles.Try, solved bool) puzzles.Result {
	t.Helper()
	try.IsSolved, try.IsFailed = solved, !solved
	after, err := tr.Record(t.Context(), try)
	if err != nil {
		t.Fatal(err)
	}
	return *after.Result
}

// TestNextIsNearTheRating checks that the next puzzle is a new one near the user's rating, and that it becomes harder
// for those who solve and easier for those who fail.
func TestNextIsNearTheRating(t *testing.T) {
	for _, solves := range []bool{true, false} {
		tr := puzzles.NewTrainer(rated(t, 16, 300, 80), nil, 0)
		var seen []string
		var ratings []float64
		var last *puzzles.Try
		for range 6 {
			c := next(t, tr, "", last)
			if !c.IsRated || c.IsRepeated || slices.Contains(seen, c.Puzzle.ID) {
				t.Fatalf("%v was chosen after %v", c, seen)
			}
			if len(seen) == 0 && (c.PuzzleRating.Value < 650 || c.PuzzleRating.Value > 1150) {
				t.Errorf("the first puzzle has the rating %.0f", c.PuzzleRating.Value)
			}
			last = &c
			seen, ratings = append(seen, c.Puzzle.ID), append(ratings, c.PuzzleRating.Value)
			res := record(t, tr, c, solves)
			if !res.Rated || (res.User.After.Value > res.User.Before.Value) != solves {
				t.Fatalf("solved: %t, the rating changed by %+v", solves, res.User)
			}
		}
		if first, end := ratings[0], ratings[5]; (end > first+200) != solves || (end < first-200) == solves {
			t.Errorf("solved: %t, the puzzles have the ratings %.0f", solves, ratings)
		}
	}
}

// rated returns a collection of n puzzles of Ayu whose ratings begin with first and differ by step.
func rated(t *testing.T, n, first, step int) *puzzles.Collection {
	t.Helper()
	all := slices.Clone(graded(t, n).All())
	for i := range all {
		all[i].MeasuredRating = first + step*i
	}
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, all)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNextIsOneOfTheSixNearest checks among which new puzzles chance chooses, for a user with the first rating of 900.
func TestNextIsOneOfTheSixNearest(t *testing.T) {
	all := rated(t, 16, 405, 50)
	var found []float64
	for i := 0; ; i++ {
		tr := puzzles.NewTrainer(all, nil, 0) // which has shown none
		number := 0
		c, err := tr.Next(t.Context(), "", "", nil, func(n int) int { number = n; return i })
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, c.PuzzleRating.Value)
		if i >= number-1 {
			break
		}
	}
	slices.Sort(found)
	if want := []float64{755, 805, 855, 905, 955, 1005}; !slices.Equal(found, want) {
		t.Errorf("chance chooses among puzzles with the ratings %v, want %v", found, want)
	}
}

// TestFailedPuzzlesComeAgain checks that a failed puzzle comes before new ones after 1, 3, 7 and 21 days, and then no
// more, and that it is not rated then.
func TestFailedPuzzlesComeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := puzzles.NewTrainer(graded(t, 8), nil, 0)
		failed := next(t, tr, "", nil)
		record(t, tr, failed, false)
		for i, days := range []time.Duration{1, 3, 7, 21} {
			time.Sleep(days*24*time.Hour - time.Second)
			if c := next(t, tr, "", nil); c.Puzzle == failed.Puzzle {
				t.Fatalf("repetition %d: it came too early", i+1)
			}
			time.Sleep(time.Second)
			c := next(t, tr, "", nil)
			if c.Puzzle != failed.Puzzle || !c.IsRepeated || c.IsRated {
				t.Fatalf("repetition %d: %+v", i+1, c)
			}
			if res := record(t, tr, failed, true); res.Rated {
				t.Errorf("repetition %d is rated", i+1)
			}
		}
		time.Sleep(1000 * 24 * time.Hour)
		if c := next(t, tr, "", nil); c.Puzzle == failed.Puzzle {
			t.Error("it comes again after the last repetition")
		}
	})
}

// TestHintsAreNotRated checks that a try with a hint changes no rating and is used up.
func TestHintsAreNotRated(t *testing.T) {
	tr := puzzles.NewTrainer(graded(t, 8), nil, 0)
	try := next(t, tr, "", nil)
	hinted, err := try.WithHint()
	if err != nil {
		t.Fatal(err)
	}
	if res := record(t, tr, hinted, true); res.Rated || res.User.After != puzzles.FirstRating || res.DueAt.IsZero() {
		t.Errorf("with a hint: %+v", res)
	}
	if res := record(t, tr, try, true); res.Rated {
		t.Error("the try after it is rated")
	}
}

// TestFilters checks games, themes, and what comes when all puzzles were tried.
func TestFilters(t *testing.T) {
	tr := puzzles.NewTrainer(puzzlestest.Collection(t), nil, 0)
	for _, theme := range []string{"trap", "race"} {
		for range 2 { // the second time it is the only one left
			if c := next(t, tr, theme, nil); c.Puzzle.Theme != theme {
				t.Errorf("of %s: %+v", theme, c)
			} else {
				record(t, tr, c, true)
			}
		}
	}
	for _, none := range []struct{ game, theme string }{{"mu", ""}, {"", "none"}} {
		if _, err := tr.Next(t.Context(), none.game, none.theme, nil, atRandom); err == nil || !strings.Contains(err.Error(), "there are no puzzles of this") {
			t.Errorf("%+v: %v", none, err)
		}
	}
	last := next(t, tr, "race", nil)
	if c := next(t, tr, "race", &last); c.Puzzle.ID != puzzlestest.SideID {
		t.Errorf("the only puzzle does not come again: %+v", c)
	}
	if all, err := tr.Summaries(t.Context()); err != nil || len(all) != 4 || all[0].Total != 3 || all[0].Solved != 2 || all[0].UserRating.Games != 2 {
		t.Errorf("summaries: %+v, %v", all, err)
	}
}

// TestStreak checks that the puzzles of a streak become harder, that none comes twice, and that the best is kept.
func TestStreak(t *testing.T) {
	tr := puzzles.NewTrainer(graded(t, 12), nil, 0)
	seen := make(map[string]bool)
	var last *puzzles.Try
	before := 0.0
	for i := range 12 {
		c, err := tr.NextOfStreak(t.Context(), "ayu", last, atRandom)
		if err != nil || seen[c.Puzzle.ID] || c.IsRated || c.Streak != i {
			t.Fatalf("puzzle %d: %+v, %v", i, c, err)
		}
		if i < 8 && c.PuzzleRating.Value < before {
			t.Errorf("puzzle %d has the rating %.0f after %.0f", i, c.PuzzleRating.Value, before)
		}
		c.IsSolved = true
		if c, err = tr.Record(t.Context(), c); err != nil || c.Streak != i+1 || c.BestStreak != i+1 {
			t.Errorf("puzzle %d is solved: %+v, %v", i, c, err)
		}
		seen[c.Puzzle.ID], before, last = true, c.PuzzleRating.Value, &c
	}
	if _, err := tr.NextOfStreak(t.Context(), "ayu", last, atRandom); err == nil {
		t.Error("a thirteenth puzzle of twelve")
	}
	last.IsFailed = true
	c, err := tr.NextOfStreak(t.Context(), "ayu", last, atRandom)
	if err != nil || c.Streak != 0 {
		t.Fatalf("after a wrong answer: %+v, %v", c, err)
	}
	c.IsFailed = true
	if c, err = tr.Record(t.Context(), c); c.Streak != 0 || c.BestStreak != 12 || err != nil {
		t.Errorf("after the second streak: %+v, %v", c, err)
	}
}

// TestStreakClimbs checks that the puzzles of a streak begin with a rating of 900 and become harder by 40 points.
func TestStreakClimbs(t *testing.T) {
	tr := puzzles.NewTrainer(rated(t, 20, 860, 10), nil, 0)
	var last *puzzles.Try
	for want := 900.0; want < 1050; want += 40 {
		c, err := tr.NextOfStreak(t.Context(), "ayu", last, atRandom)
		if err != nil || c.PuzzleRating.Value != want {
			t.Fatalf("the next puzzle has the rating %v, %v; want %v", c.PuzzleRating.Value, err, want)
		}
		last = &c
	}
}

// TestBeginnersBeginWithWinsInOneMove: whatever chance chooses, the first puzzle of the training in Ayu and those of a streak that
// begins are wins with one move; in Mu they are orders of two or three explosions.
func TestBeginnersBeginWithWinsInOneMove(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	isEasy := func(p *puzzle.Puzzle) bool {
		if p.Game == "ayu" {
			return p.Theme == "finish" && p.Number == 1
		}
		return p.Theme == "explosions" && len(p.Line[0].Actions) <= 4
	}
	for _, game := range []string{"ayu", "mu"} {
		for i := 0; ; i++ {
			number := 0
			choose := func(n int) int { number = n; return i }
			first, err := puzzles.NewTrainer(c, nil, 0).Next(t.Context(), game, "", nil, choose)
			if err != nil || !isEasy(first.Puzzle) {
				t.Errorf("%s: the training begins with %s %s, rated %.0f: %v", game, first.Puzzle.Theme, first.Puzzle.ID, first.PuzzleRating.Value, err)
			}
			streak, err := puzzles.NewTrainer(c, nil, 0).NextOfStreak(t.Context(), game, nil, choose)
			if err != nil || !isEasy(streak.Puzzle) {
				t.Errorf("%s: a streak begins with %s %s, rated %.0f: %v", game, streak.Puzzle.Theme, streak.Puzzle.ID, streak.PuzzleRating.Value, err)
			}
			if i >= number-1 {
				break
			}
		}
	}
}

// fixedRatings is a store of which a guest uses only the ratings of puzzles.
type fixedRatings struct {
	puzzles.ProgressStore
	all map[string]rating.Rating
}

func (f fixedRatings) PuzzleRatings(context.Context) (map[string]rating.Rating, error) {
	return f.all, nil
}

// TestGuestsDoNotRatePuzzles checks that the progress of a guest stays in the trainer, and that their tries leave the
// ratings of puzzles as they are.
func TestGuestsDoNotRatePuzzles(t *testing.T) {
	c := graded(t, 3)
	of := rating.Rating{Value: 1700, Deviation: 60, Volatility: 0.06, Games: 40}
	tr := puzzles.NewTrainer(c, fixedRatings{all: map[string]rating.Rating{"00000001": of}}, -5)
	p, err := c.ByID("00000001")
	if err != nil {
		t.Fatal(err)
	}
	res := record(t, tr, c.NewTry(p), true)
	if res.Puzzle.Before != of || res.Puzzle.After != of || res.User.After.Value < 1000 {
		t.Errorf("%+v", res)
	}
	if again, err := tr.Load(t.Context(), c.NewTry(p)); err != nil || again.IsRated || again.UserRating != res.User.After || again.PuzzleRating != of {
		t.Errorf("after it: %+v, %v", again, err)
	}
}

// TestNoneComesTwiceOnADay: new streaks begin with puzzles that were not shown on the day while there are any.
func TestNoneComesTwiceOnADay(t *testing.T) {
	c := rated(t, 6, 900, 10)
	tr := puzzles.NewTrainer(c, nil, 0)
	seen := make(map[string]int)
	for range 2 * c.Len() {
		try, err := tr.NextOfStreak(t.Context(), "ayu", nil, func(int) int { return 0 })
		if err != nil {
			t.Fatal(err)
		}
		seen[try.Puzzle.ID]++
		if n := len(seen); seen[try.Puzzle.ID] > 1 && n < c.Len() {
			t.Fatalf("%s came again after %d of %d puzzles", try.Puzzle.ID, n, c.Len())
		}
	}
	if len(seen) != c.Len() {
		t.Errorf("%d of %d puzzles were shown", len(seen), c.Len())
	}
}

// dueLongAgo is a store of an account that failed some puzzles long ago, one minute after the other.
type dueLongAgo struct {
	puzzles.ProgressStore
	ids []string
}

func (s dueLongAgo) PuzzleProgress(context.Context, account.ID) (p puzzles.Progress, err error) {
	p.Puzzles = make(map[string]puzzles.TriedPuzzle)
	for i, id := range s.ids {
		at := time.Now().Add(-48*time.Hour + time.Duration(i)*time.Minute)
		p.Puzzles[id] = puzzles.TriedPuzzle{TriedAt: at, DueAt: at.Add(puzzles.Intervals[0])}
	}
	return p, nil
}

func (dueLongAgo) PuzzleRatings(context.Context) (map[string]rating.Rating, error) { return nil, nil }

// TestPuzzlesOfOneGameDoNotFollowEachOther checks with the puzzles of Mu that ship that a training, a streak and repetitions show
// those of one game, which have the same board before the first turn, only when there are no others left.
func TestPuzzlesOfOneGameDoNotFollowEachOther(t *testing.T) {
	all := slices.DeleteFunc(puzzlestest.Shipped(t), func(p puzzle.Puzzle) bool { return p.Game != "mu" })
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, all)
	if err != nil {
		t.Fatal(err)
	}
	boards := make(map[string][]string) // the IDs, by the board
	for _, p := range all {
		boards[p.Setup] = append(boards[p.Setup], p.ID)
	}
	if len(boards) == len(all) {
		t.Fatal("no two puzzles are of one game")
	}
	training, streak := puzzles.NewTrainer(c, nil, 0), puzzles.NewTrainer(c, nil, 0)
	for name, show := range map[string]func(last *puzzles.Try) (puzzles.Try, error){
		"training": func(last *puzzles.Try) (puzzles.Try, error) {
			return training.Next(t.Context(), "mu", "", last, atRandom)
		},
		"streak": func(*puzzles.Try) (puzzles.Try, error) { return streak.NextOfStreak(t.Context(), "mu", nil, atRandom) },
	} {
		shown := make(map[string]string)
		var last *puzzles.Try
		for range boards {
			try, err := show(last)
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := shown[try.Puzzle.Setup]; ok {
				t.Errorf("%s: %s comes after %s, which is of the same game", name, try.Puzzle.ID, before)
			}
			shown[try.Puzzle.Setup], last = try.Puzzle.ID, &try
		}
	}
	for _, ids := range boards {
		if len(ids) == 1 {
			continue
		}
		i := slices.IndexFunc(all, func(p puzzle.Puzzle) bool { return !slices.Contains(ids, p.ID) })
		tr := puzzles.NewTrainer(c, dueLongAgo{ids: []string{ids[0], ids[1], all[i].ID}}, 7)
		var order []string
		var last *puzzles.Try
		for range 2 {
			try, err := tr.Next(t.Context(), "mu", "", last, atRandom)
			if err != nil {
				t.Fatal(err)
			}
			order, last = append(order, try.Puzzle.ID), &try
		}
		if want := []string{ids[0], all[i].ID}; !slices.Equal(order, want) {
			t.Errorf("repetitions are %v, want %v", order, want)
		}
	}
}
