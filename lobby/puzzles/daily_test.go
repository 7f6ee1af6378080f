package puzzles_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/rating"
)

// TestDailyPuzzlesRise checks the daily puzzles of two months: the easiest first, the same for everyone, none that is the puzzle
// of the day, and each step of the ladder is used up before one comes again.
func TestDailyPuzzlesRise(t *testing.T) {
	c := rated(t, 60, 800, 15)
	seen := make(map[string]int)
	for day := range 60 {
		now := time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC).AddDate(0, 0, day)
		all, err := c.Daily("ayu", now)
		again, _ := c.Daily("", now.Add(5*time.Hour))
		if err != nil || len(all) != puzzles.DailyLen || !slices.Equal(all, again) {
			t.Fatalf("%v: %d puzzles, %v", now, len(all), err)
		}
		ofDay, _ := c.OfDay("ayu", now)
		for i, p := range all {
			if i > 0 && p.InitialRating() <= all[i-1].InitialRating() || p == ofDay {
				t.Errorf("%v: puzzle %d has the rating %.0f", now, i+1, p.InitialRating())
			}
			seen[p.ID]++
		}
	}
	if len(seen) < 45 {
		t.Errorf("only %d of 60 puzzles were used", len(seen))
	}
	if _, err := c.Daily("mu", time.Now()); err == nil {
		t.Error("daily puzzles of a game without puzzles")
	}
	if few, err := rated(t, 3, 900, 10).Daily("ayu", time.Now()); err != nil || len(few) != 3 {
		t.Errorf("of three puzzles: %d, %v", len(few), err)
	}
}

// TestDailyPuzzlesThatShipDoNotComeAgain checks the daily puzzles that ship over three years in both games: none gives away another
// one of the day or the puzzle of the day, and none comes again in fewer days than there are puzzles at its number, but for the few
// that had to wait for a day on which they give nothing away.
func TestDailyPuzzlesThatShipDoNotComeAgain(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	const days, waiting = 3 * 365, 4
	for _, game := range []string{"ayu", "mu"} {
		var byDay [][]*puzzle.Puzzle
		count := make([]map[string]int, puzzles.DailyLen)
		for day := range days {
			now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, day)
			today, err := c.Daily(game, now)
			if err != nil {
				t.Fatal(err)
			}
			ofDay, _ := c.OfDay(game, now)
			for i, p := range today {
				if count[i] == nil {
					count[i] = make(map[string]int)
				}
				count[i][p.ID]++
				for _, o := range append(today[:i:i], ofDay) {
					if n := differences(o, p); n < 8 || o.Setup != "" && o.Setup == p.Setup {
						t.Errorf("%s on %v: %s and %s are of one game; they differ in %d points", game, now, o.ID, p.ID, n)
					}
				}
			}
			byDay = append(byDay, today)
		}
		for i := range puzzles.DailyLen {
			last := make(map[string]int)
			for day, today := range byDay {
				id := today[i].ID
				if before, ok := last[id]; ok && day-before < len(count[i])-waiting {
					t.Errorf("%s: puzzle %d, %s, comes again after %d days; there are %d", game, i+1, id, day-before, len(count[i]))
				}
				last[id] = day
			}
		}
	}
}

// differences returns in how many characters the positions of two puzzles differ.
func differences(a, b *puzzle.Puzzle) (n int) {
	if len(a.Position) != len(b.Position) {
		return len(a.Position)
	}
	for i := range a.Position {
		if a.Position[i] != b.Position[i] {
			n++
		}
	}
	return n
}

// TestDailyResults: the first try of the day counts, and on the next day none has a result.
func TestDailyResults(t *testing.T) {
	now := time.Date(2026, 11, 28, 23, 59, 0, 0, time.UTC)
	r := puzzles.DailyResults{}.On(now, 5).With(0, true).With(1, false).With(1, true).With(4, true)
	if r.Results != "+-..+" || r.Solved() != 2 || r.IsComplete() || r.FirstOpen() != 2 || r.Date().Format(time.DateOnly) != "2026-11-28" {
		t.Errorf("%+v", r)
	}
	if same := r.On(now, 5); same != r {
		t.Errorf("on the same day: %+v", same)
	}
	if next := r.On(now.Add(2*time.Minute), 5); strings.Trim(next.Results, ".") != "" {
		t.Errorf("on the next day: %+v", next)
	}
}

// triedToday is a store of an account that has tried some puzzles today, in other sessions.
type triedToday struct {
	puzzles.ProgressStore
	ids []string
}

func (s triedToday) PuzzleProgress(context.Context, account.ID) (p puzzles.Progress, err error) {
	p.Puzzles = make(map[string]puzzles.TriedPuzzle)
	for _, id := range s.ids {
		p.Puzzles[id] = puzzles.TriedPuzzle{TriedAt: time.Now(), Solved: true}
	}
	return p, nil
}

func (triedToday) PuzzleRatings(context.Context) (map[string]rating.Rating, error) { return nil, nil }

// TestNoneComesTwiceOnADayInAnotherSession: a streak leaves out what the account has tried today, until nothing else is left.
func TestNoneComesTwiceOnADayInAnotherSession(t *testing.T) {
	c := rated(t, 6, 1000, 1)
	var ids []string
	for i := range c.All() {
		ids = append(ids, c.All()[i].ID)
	}
	for n := range ids {
		try, err := puzzles.NewTrainer(c, triedToday{ids: ids[:n]}, 7).NextOfStreak(t.Context(), "ayu", nil, atRandom)
		if err != nil || slices.Contains(ids[:n], try.Puzzle.ID) {
			t.Errorf("with %d tried today: %s, %v", n, try.Puzzle.ID, err)
		}
	}
	if _, err := puzzles.NewTrainer(c, triedToday{ids: ids}, 7).NextOfStreak(t.Context(), "ayu", nil, atRandom); err != nil {
		t.Errorf("with all tried today: %v", err)
	}
}
