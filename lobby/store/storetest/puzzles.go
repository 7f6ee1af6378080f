package storetest

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// testPuzzle returns a puzzle without a position, which a store does not read.
func testPuzzle(id string) *puzzle.Puzzle {
	return &puzzle.Puzzle{ID: id, Game: "ayu", Position: "Ä", Theme: "cut", Goal: puzzle.GoalLine, Effort: 64,
		Line: []puzzle.Turn{{Actions: []string{"a1-a2"}}}}
}

// try returns a try of a puzzle.
func try(p *puzzle.Puzzle, solved bool) puzzles.Try {
	return puzzles.Try{Puzzle: p, IsSolved: solved, IsFailed: !solved}
}

// testPuzzles: the first try of a puzzle changes both ratings, and a later one when the puzzle comes again.
func testPuzzles(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	if p := Must[puzzles.Progress](t)(s.PuzzleProgress(ctx, ana.ID)); len(p.Ratings)+len(p.Puzzles) != 0 {
		t.Errorf("a new account has %+v", p)
	}
	p, other := testPuzzle("aaaa0001"), testPuzzle("aaaa0002")
	record := Must[puzzles.Result](t)
	first := record(s.RecordTry(ctx, ana.ID, try(p, false), Start))
	want := rating.Update([]rating.Rating{puzzles.FirstRating, puzzles.InitialRating(p)}, []int{1, 0})
	if !first.Rated || first.User.Before != puzzles.FirstRating || first.User.After != want[0] || first.Puzzle.After != want[1] || !first.DueAt.Equal(Start.Add(puzzles.Intervals[0])) {
		t.Errorf("the first try: %+v", first)
	}
	if again := record(s.RecordTry(ctx, ana.ID, try(p, true), Start.Add(time.Minute))); again.Rated || again.User.After != want[0] || !again.DueAt.Equal(first.DueAt) {
		t.Errorf("the second try: %+v", again)
	}
	due := puzzles.Intervals[0]
	for step := 1; step <= len(puzzles.Intervals); step++ {
		res := record(s.RecordTry(ctx, ana.ID, try(p, true), Start.Add(due)))
		switch {
		case res.Rated:
			t.Errorf("repetition %d is rated", step)
		case step < len(puzzles.Intervals):
			if due += puzzles.Intervals[step]; !res.DueAt.Equal(Start.Add(due)) {
				t.Errorf("after repetition %d the puzzle comes at %s", step, res.DueAt)
			}
		case !res.DueAt.IsZero():
			t.Errorf("after the last repetition the puzzle comes at %s", res.DueAt)
		}
	}
	hinted := try(p, true)
	hinted.Hints = []string{"a hint"}
	if res := record(s.RecordTry(ctx, bob.ID, hinted, Start)); res.Rated || res.Puzzle.After != want[1] || res.DueAt.IsZero() {
		t.Errorf("with a hint: %+v", res)
	}
	solved := record(s.RecordTry(ctx, bob.ID, try(other, true), Start))
	if !solved.Rated || solved.User.After.Value <= puzzles.FirstRating.Value || !solved.DueAt.IsZero() {
		t.Errorf("solved: %+v", solved)
	}
	if got := Must[map[string]rating.Rating](t)(s.PuzzleRatings(ctx)); !reflect.DeepEqual(got, map[string]rating.Rating{p.ID: want[1], other.ID: solved.Puzzle.After}) {
		t.Errorf("ratings of puzzles: %v", got)
	}
	for i, wantBest := range []int{3, 5, 5} {
		if best := Must[int](t)(s.RecordStreak(ctx, bob.ID, "ayu", []int{3, 5, 4}[i])); best != wantBest {
			t.Errorf("the best streak is %d, want %d", best, wantBest)
		}
	}
	Must[int](t)(s.RecordStreak(ctx, bob.ID, "mu", 1))
	wantProgress := puzzles.Progress{
		Ratings:     map[string]rating.Rating{"ayu": solved.User.After, "mu": puzzles.FirstRating},
		BestStreaks: map[string]int{"ayu": 5, "mu": 1},
		Puzzles: map[string]puzzles.TriedPuzzle{
			p.ID: {TriedAt: Start, DueAt: Start.Add(puzzles.Intervals[0])}, other.ID: {TriedAt: Start, Solved: true},
		},
	}
	if got := Must[puzzles.Progress](t)(s.PuzzleProgress(ctx, bob.ID)); !reflect.DeepEqual(got, wantProgress) {
		t.Errorf("progress: %+v, want %+v", got, wantProgress)
	}
	Want(t, "delete", s.DeleteAccount(ctx, bob.ID, Start), nil)
	if got := Must[puzzles.Progress](t)(s.PuzzleProgress(ctx, bob.ID)); len(got.Ratings)+len(got.Puzzles) != 0 {
		t.Errorf("a deleted account has %+v", got)
	}
	_, err := s.RecordTry(ctx, bob.ID, try(p, true), Start)
	Want(t, "a try of a deleted account", err, errcode.ErrNotFound)
	_, err = s.RecordStreak(ctx, bob.ID, "ayu", 1)
	Want(t, "a streak of a deleted account", err, errcode.ErrNotFound)
}

// testAddedPuzzles: puzzles that the server has found are stored once, with their content.
func testAddedPuzzles(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana := Account(t, s, "ana")
	p, other := testPuzzle("aaaa0001"), testPuzzle("aaaa0002")
	Must[puzzles.Result](t)(s.RecordTry(ctx, ana.ID, try(testPuzzle("aaaa0003"), true), Start)) // one that ships
	for i, want := range []int{1, 1, 0} {
		list := [][]puzzle.Puzzle{{*other}, {*p, *other}, {*p}}[i]
		if n := Must[int](t)(s.AddPuzzles(ctx, list, Start.Add(time.Duration(i)))); n != want {
			t.Errorf("call %d stored %d puzzles, want %d", i, n, want)
		}
	}
	if got := Must[[]puzzle.Puzzle](t)(s.AddedPuzzles(ctx)); !reflect.DeepEqual(got, []puzzle.Puzzle{*other, *p}) {
		t.Errorf("stored are %+v", got)
	}
	Must[puzzles.Result](t)(s.RecordTry(ctx, ana.ID, try(p, true), Start))
	if got := Must[[]puzzle.Puzzle](t)(s.AddedPuzzles(ctx)); len(got) != 2 {
		t.Errorf("after a try %d are stored", len(got))
	}
}

// testTriesAtOnce: of several first tries at once, which an account makes on several front ends, one is rated; and no
// change of the rating of a puzzle that several accounts try is lost.
func testTriesAtOnce(t *testing.T, open func() store.Store) {
	s := open()
	p := testPuzzle("aaaa0001")
	var users []account.Account
	for _, name := range []string{"ana", "bob", "cleo", "dora"} {
		users = append(users, Account(t, s, name))
	}
	var mu sync.Mutex
	rated := make(map[account.ID]int)
	var all sync.WaitGroup
	for i := range 16 {
		a := users[i%len(users)]
		all.Go(func() {
			res, err := s.RecordTry(t.Context(), a.ID, try(p, i%2 == 0), Start)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			} else if res.Rated {
				rated[a.ID]++
			}
		})
	}
	all.Wait()
	for _, a := range users {
		if rated[a.ID] != 1 {
			t.Errorf("%d tries of %s were rated", rated[a.ID], a.Name)
		}
	}
	if got := Must[map[string]rating.Rating](t)(s.PuzzleRatings(t.Context())); got[p.ID].Games != len(users) {
		t.Errorf("the rating of the puzzle is of %d tries, want %d", got[p.ID].Games, len(users))
	}
}
