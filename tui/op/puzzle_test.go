package op

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/rating"
	"ayumu/tui/game/gametest"
)

// puzzleStore is a ProgressStore of one account that counts the tries, or fails.
type puzzleStore struct {
	puzzles.ProgressStore
	mu    sync.Mutex
	err   error
	tries int
}

func (s *puzzleStore) PuzzleProgress(context.Context, account.ID) (puzzles.Progress, error) {
	return puzzles.Progress{}, nil
}

func (s *puzzleStore) PuzzleRatings(context.Context) (map[string]rating.Rating, error) {
	return nil, nil
}

func (s *puzzleStore) RecordTry(_ context.Context, _ account.ID, t puzzles.Try, at time.Time) (puzzles.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return puzzles.Result{}, s.err
	}
	s.tries++
	_, r := t.Apply(puzzles.TriedPuzzle{}, rating.New, puzzles.InitialRating(t.Puzzle), at)
	return r, nil
}

// withPuzzles calls f with the visit of an account on a server with the puzzles of puzzlestest.
func withPuzzles(t *testing.T, f func(ctx context.Context, v *Visit, s *puzzleStore)) {
	t.Helper()
	withHarness(t, func(h *harness) {
		store := &puzzleStore{}
		config := &Config{Lobby: h.Lobby, Games: gametest.Games, Puzzles: puzzlestest.Collection(t), PuzzleStore: store, Key: []byte("key")}
		a, err := config.Register(h.t.Context(), "ana")
		if err != nil {
			t.Fatal(err)
		}
		v, err := config.Enter(a)
		if err != nil {
			t.Fatal(err)
		}
		f(h.t.Context(), v, store)
	})
}

// TestATryThatCannotBeStoredIsNone: an answer whose try cannot be stored shows nothing of the puzzle, and the next one is
// the first.
func TestATryThatCannotBeStoredIsNone(t *testing.T) {
	withPuzzles(t, func(ctx context.Context, v *Visit, s *puzzleStore) {
		if _, err := Puzzle.Run(ctx, v, PuzzleArgs{Puzzle: puzzlestest.LineID}); err != nil {
			t.Fatal(err)
		}
		s.err = errors.New("the disk is full")
		for _, do := range []func() error{
			func() error {
				_, err := AnswerPuzzle.Run(ctx, v, AnswerArgs{Actions: []string{"c4-f6"}, Retry: true})
				return err
			},
			func() error { _, err := PuzzleHint.Run(ctx, v, ShownPuzzleArgs{}); return err },
			func() error { _, err := PuzzleSolution.Run(ctx, v, ShownPuzzleArgs{}); return err },
		} {
			if err := do(); err != s.err {
				t.Errorf("the error is %v", err)
			}
			if now := v.PuzzleTry(); now.IsFailed || now.IsOver() || len(now.Hints) > 0 || now.Result != nil {
				t.Errorf("after an error the puzzle is %+v", now)
			}
		}
		s.err = nil
		r, err := AnswerPuzzle.Run(ctx, v, AnswerArgs{Actions: []string{"b1-f6", "c1-g6"}, Retry: true})
		if err != nil || !r.IsSolved || r.Result == nil || !r.Result.Rated || s.tries != 1 {
			t.Errorf("the answer then: %+v, %v", r.Try, err)
		}
	})
}

// TestTheTryOfManyAnswersAtOnceIsStoredOnce answers in many goroutines, while another one reads the puzzle.
func TestTheTryOfManyAnswersAtOnceIsStoredOnce(t *testing.T) {
	withPuzzles(t, func(ctx context.Context, v *Visit, s *puzzleStore) {
		if _, err := Puzzle.Run(ctx, v, PuzzleArgs{Puzzle: puzzlestest.LineID}); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				_, _ = AnswerPuzzle.Run(ctx, v, AnswerArgs{Puzzle: puzzlestest.LineID, Actions: []string{"b1-f6", "c1-g6"}, Retry: true})
			})
			wait.Go(func() {
				if now := v.PuzzleTry(); now.IsSolved != (now.Result != nil) || now.IsRecorded != now.IsSolved {
					t.Errorf("half an answer is seen: %+v", now)
				}
			})
		}
		wait.Wait()
		if now := v.PuzzleTry(); !now.IsSolved || !now.Result.Rated || s.tries != 1 {
			t.Errorf("%d tries are stored, and the puzzle is %+v", s.tries, now)
		}
	})
}

// TestAStreakGoesOn solves the puzzles of a streak, without another answer after a wrong one.
func TestAStreakGoesOn(t *testing.T) {
	only, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:2])
	if err != nil {
		t.Fatal(err)
	}
	withHarness(t, func(h *harness) {
		ctx, v := h.t.Context(), h.guest()
		v.Puzzles = only
		right := map[string][]string{puzzlestest.LineID: {"b1-f6", "c1-g6"}, puzzlestest.SetID: {"c5-e6"}}
		for solved := 1; solved <= len(right); solved++ {
			r, err := Puzzle.Run(ctx, v, PuzzleArgs{Streak: true, Game: "ayu"})
			if err == nil {
				r, err = AnswerPuzzle.Run(ctx, v, AnswerArgs{Actions: right[r.Puzzle.ID]})
			}
			if err != nil || r.Streak != solved || r.BestStreak != solved || !r.IsStreakAlive() {
				t.Errorf("puzzle %d: %+v, %v", solved, r.Try, err)
			}
		}
		if _, err := Puzzle.Run(ctx, v, PuzzleArgs{Streak: true}); err == nil || err.Error() != "you have solved all puzzles of this streak" {
			t.Errorf("the error after the last puzzle is %v", err)
		}
	})
}

// TestDailyPuzzles answers the daily puzzles: the first answer of the day counts, also in another session of the account and
// where the puzzle is one of a training, and on the next day there are no results.
func TestDailyPuzzles(t *testing.T) {
	withPuzzles(t, func(ctx context.Context, v *Visit, s *puzzleStore) {
		daily := func(v *Visit, in DailyArgs) DailyResult {
			t.Helper()
			r, err := Daily.Run(ctx, v, in)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		answer := func(number int, text string) DailyResult {
			t.Helper()
			return daily(v, DailyArgs{Game: "ayu", Number: number, Answer: text})
		}
		if r := daily(v, DailyArgs{}); r.Game != "ayu" || r.Results.Results != "..." || len(r.Puzzles) != 3 {
			t.Fatalf("at first: %+v", r)
		}
		if r := answer(1, "w"); r.Results.Results != "-.." || r.Shown.IsSolved { // the race
			t.Errorf("a wrong answer: %+v", r.Results)
		}
		if r := answer(1, "b"); r.Results.Results != "-.." || !r.Shown.IsSolved {
			t.Errorf("the right one after it: %+v", r.Results)
		}
		if next := v.FollowingPuzzle(); next.Daily != 2 || next.Game != "ayu" {
			t.Errorf("what follows is %+v", next)
		}
		if r := answer(2, "c5-e6"); r.Results.Results != "-+." {
			t.Errorf("the second puzzle: %+v", r.Results)
		}
		if _, err := AnswerPuzzle.Run(ctx, v, AnswerArgs{Puzzle: puzzlestest.LineID, Actions: []string{"b1-f6", "c1-g6"}}); err != nil {
			t.Fatal(err)
		}
		other, err := v.Config.Enter(v.Session.Account())
		if err != nil {
			t.Fatal(err)
		}
		r := daily(other, DailyArgs{Game: "ayu"})
		if r.Results.Results != "-++" || !r.Results.IsComplete() || !strings.HasSuffix(r.Share(other), ": 2 of 3 -++") {
			t.Errorf("in another session: %+v, %s", r.Results, r.Share(other))
		}
		if r := daily(v, DailyArgs{Game: "ayu", Number: 3}); r.Shown.IsRated || r.Shown.Number != 3 {
			t.Errorf("a puzzle that was tried: %+v", r.Shown.Try)
		}
		if _, err := Daily.Run(ctx, v, DailyArgs{Game: "mu"}); err == nil {
			t.Error("daily puzzles of a game without puzzles")
		}
		time.Sleep(24 * time.Hour)
		if r := daily(v, DailyArgs{}); r.Results.Results != "..." {
			t.Errorf("on the next day: %+v", r.Results)
		}
	})
}

// TestDailyListIsPaidFor asks for the list of the daily puzzles until the budget of puzzles is used up; others are still answered.
func TestDailyListIsPaidFor(t *testing.T) {
	withPuzzles(t, func(ctx context.Context, v *Visit, _ *puzzleStore) {
		for range 50 {
			if _, err := Daily.Run(ctx, v, DailyArgs{}); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Daily.Run(ctx, v, DailyArgs{})
		if code, _ := lobby.PublicError(err); code != errcode.RateLimited {
			t.Errorf("after 50 lists at once: %v", err)
		}
		time.Sleep(time.Second)
		if _, err := Daily.Run(ctx, v, DailyArgs{}); err != nil {
			t.Errorf("after a second: %v", err)
		}
	})
}

// TestDailyWords has what people type after daily.
func TestDailyWords(t *testing.T) {
	for typed, want := range map[string]DailyArgs{
		"":                       {},
		"AYU":                    {Game: "ayu"},
		"2":                      {Number: 2},
		"ayu 3 b1-f6 c1-g6":      {Game: "ayu", Number: 3, Answer: "b1-f6 c1-g6"},
		"mu 1 move 0,0 1 e; end": {Game: "mu", Number: 1, Answer: "move 0,0 1 e; end"},
	} {
		var got DailyArgs
		if err := got.parseWords(nil, strings.Fields(typed)); err != nil || got != want {
			t.Errorf("%q: %+v, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"ayu zwei", "0", "ayu -1"} {
		if err := new(DailyArgs).parseWords(nil, strings.Fields(typed)); err == nil {
			t.Errorf("%q is accepted", typed)
		}
	}
}

// TestThePuzzleOfTheDayHasAResult answers the puzzle of the day: the first answer counts, in all sessions of the account, until the
// next day, whichever way the puzzle was chosen.
func TestThePuzzleOfTheDayHasAResult(t *testing.T) {
	for _, first := range []struct {
		answer string
		want   puzzles.DailyResult
	}{{"right", puzzles.DailySolved}, {"wrong", puzzles.DailyFailed}} {
		withPuzzles(t, func(ctx context.Context, v *Visit, s *puzzleStore) {
			right := map[string][]string{puzzlestest.LineID: {"b1-f6", "c1-g6"}, puzzlestest.SetID: {"c5-e6"}, puzzlestest.SideID: {"b"}}
			answer := func(actions []string) {
				t.Helper()
				if _, err := AnswerPuzzle.Run(ctx, v, AnswerArgs{Actions: actions, Retry: true}); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Puzzle.Run(ctx, v, PuzzleArgs{Day: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := v.ResultOfDay("ayu"); got != puzzles.DailyOpen {
				t.Errorf("before an answer: %c", got)
			}
			if first.answer == "wrong" {
				answer(puzzlestest.WrongAnswer(t, r.Puzzle))
			}
			if r.Puzzle.Goal != puzzle.GoalSide || first.answer == "right" {
				answer(right[r.Puzzle.ID])
			}
			other, err := v.Config.Enter(v.Session.Account())
			if err != nil {
				t.Fatal(err)
			}
			if got := other.ResultOfDay("ayu"); got != first.want || other.ResultOfDay("mu") != puzzles.DailyOpen {
				t.Errorf("after a %s first answer: %c, of Mu %c", first.answer, got, other.ResultOfDay("mu"))
			}
			time.Sleep(24 * time.Hour)
			if got := v.ResultOfDay("ayu"); got != puzzles.DailyOpen {
				t.Errorf("on the next day: %c", got)
			}
		})
	}
}
