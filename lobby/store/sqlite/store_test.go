package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// start is the time at which the tests' matches start.
var start = time.Date(2026, 11, 20, 20, 0, 0, 123456789, time.UTC)

// forEachStore runs a test with a file and in memory.
func forEachStore(t *testing.T, f func(t *testing.T, s *Store)) {
	t.Run("file", func(t *testing.T) { f(t, openFile(t, filepath.Join(t.TempDir(), FileName))) })
	t.Run("memory", func(t *testing.T) {
		s, err := OpenMemory(enginetest.Games)
		f(t, opened(t, s, err))
	})
}

func openFile(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, enginetest.Games)
	return opened(t, s, err)
}

func opened(t testing.TB, s *Store, err error) *Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func want(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// account creates an account with a key of the same name.
func account(t testing.TB, s *Store, name string) lobby.Account {
	t.Helper()
	return must[lobby.Account](t)(s.CreateAccount(t.Context(), name, []byte("key of "+name), start))
}

func seat(a lobby.Account) lobby.Seat {
	s := lobby.Seat{Account: a.ID, Name: a.Name}
	if r, ok := a.Rating("ayu"); ok {
		s.Rating = &r
	}
	return s
}

var guest = lobby.Account{ID: -3, Name: "guest-x"}

// match returns a match of Ayu on 5×5 without pie, or with other options.
func match(t testing.TB, id, options string, accounts ...lobby.Account) *lobby.MatchInfo {
	t.Helper()
	game, _ := enginetest.Games.ByName("ayu")
	if options == "" {
		options = `{"size":5,"pie":false}`
	}
	o := must[engine.Options](t)(game.ParseOptions([]byte(options)))
	info := &lobby.MatchInfo{
		ID: id, Game: "ayu", Options: o, Control: clock.Control{Initial: 90 * time.Second, Increment: 1500 * time.Millisecond},
		Rated: true, Started: start,
	}
	for _, a := range accounts {
		info.Seats = append(info.Seats, seat(a))
	}
	return info
}

// log plays up to that number of random turns of a match and returns its entries.
func log(t testing.TB, info *lobby.MatchInfo, turns int, chance *rand.Rand) []lobby.Entry {
	t.Helper()
	game, _ := enginetest.Games.ByName(info.Game)
	p := game.New(info.Options)
	var entries []lobby.Entry
	for range turns {
		e := lobby.Entry{
			Kind: lobby.EntryTurn, Seat: p.Turn(), At: info.Started.Add(time.Duration(len(entries)+1) * time.Second),
			Clocks: []time.Duration{time.Minute, 59 * time.Second},
		}
		for done := false; !done; done = !p.MidTurn() {
			legal := p.Legal()
			if len(legal) == 0 {
				return entries
			}
			action := legal[chance.IntN(len(legal))]
			e.Actions = append(e.Actions, action)
			p = must[engine.Position](t)(p.Play(action))
		}
		e.Digest = lobby.Digest(p)
		entries = append(entries, e)
	}
	return entries
}

// end returns the last entry of a match of two in which each has made two turns, after that time.
func end(after time.Duration, reason string, winners ...int) lobby.Entry {
	return lobby.Entry{
		Kind: lobby.EntryEnd, Seat: -1, Result: &engine.Result{Winners: append([]int{}, winners...), Reason: reason},
		TurnsMade: []int{2, 2}, Sides: []string{"b", "w"}, At: start.Add(after), Digest: "0123456789abcdef",
	}
}

// finish plays that number of turns of a match, and then stores its end.
func finish(t testing.TB, s *Store, info *lobby.MatchInfo, turns int, last lobby.Entry) {
	t.Helper()
	if err := s.CreateMatch(t.Context(), info); err != nil {
		t.Fatal(err)
	}
	entries := log(t, info, turns, newChance())
	if err := s.Append(t.Context(), info.ID, 0, append(entries, last)...); err != nil {
		t.Fatal(err)
	}
}

func TestAccounts(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		get := must[lobby.Account](t)
		ana := account(t, s, "ana")
		if ana.ID < 1 || ana.Name != "ana" || !ana.CreatedAt.Equal(start) || !ana.RenamedAt.IsZero() || ana.Settings != nil {
			t.Errorf("made %+v", ana)
		}
		for what, a := range map[string]lobby.Account{
			"by key":  get(s.AccountByKey(ctx, []byte("key of ana"))),
			"by name": get(s.AccountByName(ctx, "ANA")),
			"by id":   get(s.Account(ctx, ana.ID)),
		} {
			if !reflect.DeepEqual(a, ana) {
				t.Errorf("%s: %+v, want %+v", what, a, ana)
			}
		}
		_, err := s.CreateAccount(ctx, "A-na", []byte("another key"), start)
		want(t, "a name that looks the same", err, lobby.ErrTaken)
		_, err = s.CreateAccount(ctx, "bob", []byte("key of ana"), start)
		want(t, "a key that is bound", err, lobby.ErrTaken)
		_, err = s.AccountByName(ctx, "bob")
		want(t, "what was refused left nothing", err, lobby.ErrNotFound)
		_, err = s.AccountByName(ctx, "a-na")
		want(t, "a look-alike's name", err, lobby.ErrNotFound)
		_, err = s.AccountByKey(ctx, []byte("no key"))
		want(t, "unknown key", err, lobby.ErrNotFound)
		_, err = s.Account(ctx, 99)
		want(t, "unknown id", err, lobby.ErrNotFound)

		account(t, s, "bob")
		_, err = s.Rename(ctx, ana.ID, "B0B", start)
		want(t, "to a name that looks like another's", err, lobby.ErrTaken)
		_, err = s.Rename(ctx, 99, "cleo", start)
		want(t, "rename nobody", err, lobby.ErrNotFound)
		renamed := get(s.Rename(ctx, ana.ID, "Ana", start.Add(time.Hour)))
		if renamed.Name != "Ana" || !renamed.RenamedAt.Equal(start.Add(time.Hour)) {
			t.Errorf("renamed to %+v", renamed)
		}
		want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte(`{"bell":true}`)), nil)
		want(t, "settings of nobody", s.SaveSettings(ctx, 99, nil), lobby.ErrNotFound)
		if a := get(s.AccountByKey(ctx, []byte("key of ana"))); string(a.Settings) != `{"bell":true}` || a.Name != "Ana" {
			t.Errorf("kept %+v", a)
		}
	})
}

func TestKeys(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		want(t, "add", s.AddKey(ctx, ana.ID, []byte("second"), start.Add(time.Hour)), nil)
		want(t, "add again", s.AddKey(ctx, ana.ID, []byte("second"), start), lobby.ErrTaken)
		want(t, "add another's", s.AddKey(ctx, ana.ID, []byte("key of bob"), start), lobby.ErrTaken)
		want(t, "add to nobody", s.AddKey(ctx, 99, []byte("third"), start), lobby.ErrNotFound)
		keys := must[[]lobby.Key](t)(s.Keys(ctx, ana.ID))
		if len(keys) != 2 || string(keys[0].Wire) != "key of ana" || string(keys[1].Wire) != "second" || !keys[1].Added.Equal(start.Add(time.Hour)) {
			t.Errorf("ana has the keys %v", keys)
		}
		if a := must[lobby.Account](t)(s.AccountByKey(ctx, []byte("second"))); a.ID != ana.ID {
			t.Errorf("the second key is %+v", a)
		}
		want(t, "remove another's", s.RemoveKey(ctx, ana.ID, []byte("key of bob"), start), lobby.ErrNotFound)
		want(t, "remove", s.RemoveKey(ctx, ana.ID, []byte("key of ana"), start), nil)
		want(t, "remove the last", s.RemoveKey(ctx, ana.ID, []byte("second"), start), lobby.ErrLastKey)
		if keys := must[[]lobby.Key](t)(s.Keys(ctx, ana.ID)); len(keys) != 1 {
			t.Errorf("ana has the keys %v", keys)
		}
		if keys := must[[]lobby.Key](t)(s.Keys(ctx, bob.ID)); len(keys) != 1 {
			t.Errorf("bob has the keys %v", keys)
		}
	})
}

func TestMatchComesBackAsItWas(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana := account(t, s, "ana")
		info := match(t, "m1", `{"size":7,"pie":true}`, ana, guest)
		info.Rated, info.Private, info.Code, info.RematchOf, info.Delay = false, true, "secret", "m0", 3
		want(t, "create", s.CreateMatch(t.Context(), info), nil)
		want(t, "create again", s.CreateMatch(t.Context(), info), lobby.ErrTaken)
		got, entries, err := s.Match(t.Context(), "m1")
		if err != nil || len(entries) != 0 {
			t.Fatal(entries, err)
		}
		info.Seats[1].Account = 0 // guests have no account after a restart
		if !reflect.DeepEqual(got, info) {
			t.Errorf("got %+v\nwant %+v", got, info)
		}
		turns := log(t, info, 6, newChance())
		want(t, "append one", s.Append(t.Context(), "m1", 0, turns[0]), nil)
		want(t, "append four", s.Append(t.Context(), "m1", 1, turns[1:5]...), nil)
		want(t, "append none", s.Append(t.Context(), "m1", 5), nil)
		if _, entries, err = s.Match(t.Context(), "m1"); err != nil || !reflect.DeepEqual(entries, turns[:5]) {
			t.Errorf("got %+v, %v\nwant %+v", entries, err, turns[:5])
		}
		_, _, err = s.Match(t.Context(), "m2")
		want(t, "unknown match", err, lobby.ErrNotFound)
	})
}

func TestAppendIsConditional(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		info := match(t, "m", "", account(t, s, "ana"), account(t, s, "bob"))
		turns := log(t, info, 6, newChance())
		want(t, "unknown match", s.Append(ctx, "m", 0, turns[0]), lobby.ErrNotFound)
		want(t, "unknown match's end", s.Append(ctx, "m", 0, end(1, engine.ReasonAbort)), lobby.ErrNotFound)
		want(t, "create", s.CreateMatch(ctx, info), nil)
		want(t, "gap at the beginning", s.Append(ctx, "m", 1, turns[0]), lobby.ErrVersionConflict)
		want(t, "negative", s.Append(ctx, "m", -1, turns[0]), lobby.ErrVersionConflict)
		want(t, "first two", s.Append(ctx, "m", 0, turns[:2]...), nil)
		want(t, "stale", s.Append(ctx, "m", 1, turns[1]), lobby.ErrVersionConflict)
		want(t, "overlapping", s.Append(ctx, "m", 1, turns[1:4]...), lobby.ErrVersionConflict)
		want(t, "gap", s.Append(ctx, "m", 3, turns[3]), lobby.ErrVersionConflict)
		want(t, "stale end", s.Append(ctx, "m", 1, end(1, engine.ReasonResign, 0)), lobby.ErrVersionConflict)
		noEnd := end(1, engine.ReasonResign, 0)
		noEnd.Result = nil
		want(t, "end without a result", s.Append(ctx, "m", 2, noEnd), errEnd)
		noEnd = end(1, engine.ReasonResign, 0)
		noEnd.TurnsMade = noEnd.TurnsMade[:1]
		want(t, "end that lacks a seat", s.Append(ctx, "m", 2, noEnd), errEnd)
		noEnd = end(1, engine.ReasonResign, 0)
		noEnd.TurnsMade, noEnd.Sides = []int{1, 1, 1}, []string{"", "", ""}
		if err := s.Append(ctx, "m", 2, noEnd); err == nil {
			t.Error("an end with a seat too many was taken")
		}
		want(t, "something after the end", s.Append(ctx, "m", 2, end(1, engine.ReasonResign, 0), turns[2]), errEnd)
		if _, entries, err := s.Match(ctx, "m"); err != nil || !reflect.DeepEqual(entries, turns[:2]) {
			t.Errorf("a refused append changed the log: %+v, %v", entries, err)
		}
		want(t, "end", s.Append(ctx, "m", 2, end(1, engine.ReasonResign, 0)), nil)
		want(t, "after the end", s.Append(ctx, "m", 3, turns[2]), lobby.ErrVersionConflict)
		want(t, "a second end", s.Append(ctx, "m", 3, end(1, engine.ReasonResign, 1)), lobby.ErrVersionConflict)
	})
}

func TestUnfinishedAndAll(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		chance := newChance()
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		logs := make(map[string][]lobby.Entry)
		var open []string
		for i := range 2*readBatch + 3 {
			info := match(t, fmt.Sprintf("m%03d", i), "", ana, bob)
			want(t, "create", s.CreateMatch(t.Context(), info), nil)
			entries := log(t, info, i%5, chance)
			if i%4 == 3 {
				entries = append(entries, end(time.Second, engine.ReasonAbort))
			} else {
				open = append(open, info.ID)
			}
			want(t, "append", s.Append(t.Context(), info.ID, 0, entries...), nil)
			logs[info.ID] = entries
		}
		var seen []string
		check := func(info *lobby.MatchInfo, entries []lobby.Entry) error {
			seen = append(seen, info.ID)
			if len(info.Seats) != 2 || info.Seats[1].Name != "bob" || len(entries) != len(logs[info.ID]) {
				t.Errorf("%+v came with %d entries", info, len(entries))
			}
			for i, e := range entries {
				if !reflect.DeepEqual(e, logs[info.ID][i]) {
					t.Errorf("match %s: entry %d is %+v", info.ID, i+1, e)
				}
			}
			// The function may use the store.
			_, _, err := s.Match(t.Context(), info.ID)
			return err
		}
		want(t, "unfinished", s.Unfinished(t.Context(), check), nil)
		if !slices.Equal(seen, open) {
			t.Errorf("unfinished are %v, want %v", seen, open)
		}
		seen = nil
		want(t, "all", s.AllMatches(t.Context(), check), nil)
		if len(seen) != len(logs) || !slices.IsSorted(seen) {
			t.Errorf("all are %v", seen)
		}
		stop := errors.New("enough")
		want(t, "stopped", s.AllMatches(t.Context(), func(*lobby.MatchInfo, []lobby.Entry) error { return stop }), stop)
	})
}

func TestDamagedMatchIsNamedAndLeftOut(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		for _, id := range []string{"bytes", "gap", "game", "options", "whole"} {
			info := match(t, id, "", ana, bob)
			want(t, "create", s.CreateMatch(ctx, info), nil)
			want(t, "append", s.Append(ctx, id, 0, log(t, info, 3, newChance())...), nil)
		}
		for _, damage := range []string{
			"UPDATE fresh SET body = x'ff' WHERE match = 'bytes' AND version = 2",
			"DELETE FROM fresh WHERE match = 'gap' AND version = 2",
			"UPDATE matches SET game = 'go' WHERE id = 'game'",
			"UPDATE matches SET options = '{\"size\":4}' WHERE id = 'options'",
		} {
			if _, err := s.write.Exec(damage); err != nil {
				t.Fatal(err)
			}
		}
		var seen []string
		err := s.Unfinished(ctx, func(info *lobby.MatchInfo, _ []lobby.Entry) error {
			seen = append(seen, info.ID)
			return nil
		})
		want(t, "unfinished", err, lobby.ErrCorrupt)
		for _, id := range []string{"bytes", "gap", "game", "options"} {
			_, _, one := s.Match(ctx, id)
			want(t, id, one, lobby.ErrCorrupt)
			if err == nil || !bytes.Contains([]byte(err.Error()), []byte("match "+id+" is damaged: ")) {
				t.Errorf("%s is not named in %v", id, err)
			}
		}
		if !slices.Equal(seen, []string{"whole"}) {
			t.Errorf("left in are %v", seen)
		}
	})
}

// newChance returns a random source that is the same in every run.
func newChance() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
