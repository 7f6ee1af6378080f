package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/storetest"
)

func TestHours(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 23, hour, minute, 0, 0, time.UTC) }
	for text, want := range map[string][3]bool{ // at 01:59, 02:00 and 23:30
		"":            {false, false, false},
		"02:00-06:00": {false, true, false},
		"23:00-02:00": {true, false, true},
	} {
		h, err := ParseHours(text)
		got := [3]bool{h.Contain(at(1, 59)), h.Contain(at(2, 0)), h.Contain(at(23, 30))}
		if err != nil || got != want || h.String() != text {
			t.Errorf("%q: %v, %v, %q", text, got, err, h)
		}
	}
	for _, text := range []string{"2-6", "02:00", "02:00-24:00", "02:00-02:00", "2:00-6:00", "02:00-06:60", "x"} {
		if h, err := ParseHours(text); err == nil {
			t.Errorf("%q is %v", text, h)
		}
	}
}

// everyTurn is a theme that finds a puzzle in every position, with an effort that grows.
type everyTurn struct {
	puzzle.Theme
	found *int
	after func() // called after each search
}

func (everyTurn) Name() string { return "trap" }

func (e everyTurn) Find(_ context.Context, _ engine.Position, _ search.Engine) (puzzle.Puzzle, bool) {
	*e.found++
	if e.after != nil {
		e.after()
	}
	z := example
	z.ID, z.Effort = fmt.Sprintf("%08x", *e.found), 10+*e.found
	return z, true
}

func (everyTurn) Length(*puzzle.Puzzle, engine.Position) int { return 1 }

func (everyTurn) Verify(*puzzle.Puzzle, engine.Position) error { return nil }

var example puzzle.Puzzle

// nodes returns workers on one store, and the number of positions that they have searched.
func nodes(t *testing.T, names ...string) (all []*Worker, s *sqlite.Store, found *int) {
	t.Helper()
	example = puzzlestest.Puzzles(t)[1]
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	found = new(int)
	for _, name := range names {
		all = append(all, &Worker{
			Store: s, Node: name, Games: enginetest.Games, Themes: puzzle.Themes{"ayu": {everyTurn{found: found}}},
			Engines: search.Engines{"ayu": search.Random{}}, Hours: Hours{0, 24 * time.Hour}, IsIdle: func(float64) bool { return true },
			Shipped: func(string) bool { return false }, OnChange: func([]puzzle.Puzzle) {}, OnFound: func(string, int) {},
			ReportError: func(match string, err error) { t.Errorf("match %s: %v", match, err) },
		})
	}
	return all, s, found
}

// finish stores a finished rated match that ended some minutes after storetest.Start.
func finish(t *testing.T, s *sqlite.Store, id string, minutes int, rated bool) {
	t.Helper()
	players := make([]account.Account, 2)
	for i, name := range []string{"ana", "bob"} {
		var err error
		if players[i], err = s.AccountByName(t.Context(), name); errors.Is(err, errcode.ErrNotFound) {
			players[i] = storetest.Account(t, s, name)
		}
	}
	info := storetest.Match(t, id, "", players...)
	info.Rated = rated
	storetest.Finish(t, s, info, 4, storetest.End(time.Duration(minutes)*time.Minute, engine.ReasonResign, 0))
}

func searched(t *testing.T, w *Worker) (matches []string) {
	t.Helper()
	for {
		more, err := w.searchNext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, _ := stateOf(t, w)
		if !more {
			return matches
		}
		matches = append(matches, s.Match)
	}
}

func stateOf(t *testing.T, w *Worker) (s state, version int64) {
	t.Helper()
	known, _, err := w.lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return *known.Value, known.Version
}

// TestMatchesAreSearchedOnce checks that rated matches are searched from the oldest to the newest, each once, and go on
// where they were left, also on another node.
func TestMatchesAreSearchedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, s, _ := nodes(t, "a", "b")
		finish(t, s, "m1", 1, true)
		finish(t, s, "casual", 2, false)
		finish(t, s, "m2", 3, true)
		if got := searched(t, all[0]); !slices.Equal(got, []string{"m1", "m2"}) {
			t.Fatalf("searched were %v", got)
		}
		added, err := s.AddedPuzzles(t.Context())
		if err != nil || len(added) == 0 || len(added) > 2 {
			t.Errorf("%d puzzles, %v", len(added), err)
		}
		finish(t, s, "m3", 4, true)
		if got := searched(t, all[1]); got != nil {
			t.Errorf("the other node searched %v while the first has the lease", got)
		}
		time.Sleep(leaseLimit)
		if got := searched(t, all[1]); !slices.Equal(got, []string{"m3"}) {
			t.Errorf("after the lease the other node searched %v", got)
		}
		if got := searched(t, all[0]); got != nil {
			t.Errorf("the first node searched %v again", got)
		}
	})
}

// TestSearchWaitsForIdleProcessors checks that a search begins only within the hours and while the processors are idle,
// and pauses when they are not any more.
func TestSearchWaitsForIdleProcessors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, s, found := nodes(t, "a")
		w := all[0]
		var idle, disturbs atomic.Bool
		finish(t, s, "m1", 1, true)
		w.IsIdle = func(float64) bool { return idle.Load() }
		w.Themes["ayu"][0] = everyTurn{found: found, after: func() {
			if disturbs.Load() {
				idle.Store(false) // the search is seen after the first position
			}
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Run(ctx)
		}()
		time.Sleep(time.Hour)
		synctest.Wait()
		if *found != 0 {
			t.Fatalf("%d positions were searched", *found)
		}
		disturbs.Store(true)
		idle.Store(true)
		time.Sleep(time.Hour)
		synctest.Wait()
		if *found != 1 {
			t.Fatalf("%d positions were searched beside others", *found)
		}
		disturbs.Store(false)
		idle.Store(true)
		time.Sleep(time.Hour)
		synctest.Wait()
		if *found < 4 {
			t.Errorf("%d positions were searched in the end", *found)
		}
		cancel()
		<-done
	})
}

// TestStoredState: the stored form of the state stays as it is, since it outlives the program.
func TestStoredState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, s, _ := nodes(t, "a")
		const golden = `{"node":"%s","until":"%s","ended":"2026-01-02T03:04:05Z","match":"m1"}`
		before := fmt.Appendf(nil, golden, "b", "1999-12-31T23:59:59Z")
		if _, err := s.Shared().Write(t.Context(), rows.Write{Key: rows.Key{Kind: "puzzles", ID: "state"}, Data: before, Durable: true}); err != nil {
			t.Fatal(err)
		}
		if st, _ := stateOf(t, all[0]); st.Match != "m1" || st.Ended != time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) {
			t.Errorf("read as %+v", st)
		}
		want := fmt.Sprintf(golden, "a", time.Now().Add(leaseLimit).Format(time.RFC3339Nano))
		found, err := s.Shared().Read(t.Context(), rows.Key{Kind: "puzzles", ID: "state"})
		if err != nil || len(found) != 1 || string(found[0].Data) != want {
			t.Errorf("the store has %v, %v, want %s", found, err, want)
		}
	})
}

// TestStateOfAnotherVersion checks that a row that cannot be read is replaced.
func TestStateOfAnotherVersion(t *testing.T) {
	all, s, _ := nodes(t, "a")
	if _, err := s.Shared().Write(t.Context(), rows.Write{Key: rows.Key{Kind: "puzzles", ID: stateRow}, Data: []byte("?"), Durable: true}); err != nil {
		t.Fatal(err)
	}
	if st, version := stateOf(t, all[0]); st.Node != "a" || version != 2 {
		t.Errorf("%+v, version %d", st, version)
	}
}

// damagedStore is a Store one of whose matches cannot be replayed, and whose reading of puzzles fails if it should.
type damagedStore struct {
	Store
	match string
	fails bool
}

func (s damagedStore) Match(ctx context.Context, id string) (*match.Info, []match.Entry, error) {
	info, log, err := s.Store.Match(ctx, id)
	if id == s.match {
		log = slices.Clone(log)
		log[0].Actions = []string{"nowhere"}
	}
	return info, log, err
}

func (s damagedStore) AddedPuzzles(ctx context.Context) ([]puzzle.Puzzle, error) {
	if s.fails {
		return nil, errors.New("no connection")
	}
	return s.Store.AddedPuzzles(ctx)
}

// TestErrorsAreReportedOnce: a match that cannot be searched is reported, and the next one is searched; failures of the
// store, which reports them, are not.
func TestErrorsAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, s, _ := nodes(t, "a")
		w := all[0]
		var reported []string
		w.ReportError = func(match string, _ error) { reported = append(reported, match) }
		finish(t, s, "m1", 1, true)
		finish(t, s, "m2", 2, true)
		w.Store = damagedStore{Store: s, match: "m1", fails: true}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Run(ctx)
		}()
		time.Sleep(time.Hour)
		cancel()
		<-done
		if len(reported) != 0 {
			t.Errorf("failures of the store are reported: %q", reported)
		}
		w.Store = damagedStore{Store: s, match: "m1"}
		if got := searched(t, w); !slices.Equal(got, []string{"m1", "m2"}) {
			t.Errorf("searched were %q", got)
		}
		if !slices.Equal(reported, []string{"m1"}) {
			t.Errorf("reported were %q", reported)
		}
	})
}
