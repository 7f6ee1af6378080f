package sqlite

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
	"ayumu/lobby/store/storetest"
)

// What the tests of this package use of storetest.
var (
	start      = storetest.Start
	after      = storetest.After
	guest      = storetest.Guest
	newChance  = storetest.NewChance
	newAccount = storetest.Account
	newMatch   = storetest.Match
	log        = storetest.Log
	end        = storetest.End
	finish     = storetest.Finish
	want       = storetest.Want
)

func must[T any](t testing.TB) func(v T, err error) T { return storetest.Must[T](t) }

func TestFileIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		path := filepath.Join(t.TempDir(), FileName)
		return func() store.Store { return openFile(t, path) }
	})
}

func TestMemoryIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		s, err := OpenMemory(enginetest.Games)
		opened(t, s, err)
		return func() store.Store { return s }
	})
}

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

func TestDamagedMatchIsNamedAndLeftOut(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		for _, id := range []string{"bytes", "gap", "game", "options", "whole"} {
			info := newMatch(t, id, "", ana, bob)
			want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
			want(t, "append", s.Append(ctx, id, after(0), log(t, info, 3, newChance())...), nil)
		}
		for _, damage := range []string{
			"UPDATE staged_entries SET body = x'ff' WHERE match = 'bytes' AND version = 2",
			"DELETE FROM staged_entries WHERE match = 'gap' AND version = 2",
			"UPDATE matches SET game = 'go' WHERE id = 'game'",
			"UPDATE matches SET options = '{\"size\":4}' WHERE id = 'options'",
		} {
			if _, err := s.write.Exec(damage); err != nil {
				t.Fatal(err)
			}
		}
		var seen []string
		err := s.Unfinished(ctx, func(info *match.Info, _ []match.Entry) error {
			seen = append(seen, info.ID)
			return nil
		})
		want(t, "unfinished", err, errcode.ErrCorrupt)
		for _, id := range []string{"bytes", "gap", "game", "options"} {
			_, _, one := s.Match(ctx, id)
			want(t, id, one, errcode.ErrCorrupt)
			if err == nil || !bytes.Contains([]byte(err.Error()), []byte("match "+id+" is damaged: ")) {
				t.Errorf("%s is not named in %v", id, err)
			}
		}
		if !slices.Equal(seen, []string{"whole"}) {
			t.Errorf("left in are %v", seen)
		}
	})
}

func TestTopListsSettledRatingsBestFirst(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		for i, value := range []float64{1500, 1800, 2400, 1800, 1650} {
			a := newAccount(t, s, []string{"ana", "bob", "new", "cleo", "dora"}[i])
			deviation := 60.0
			if a.Name == "new" {
				deviation = 300
			}
			for pool, v := range map[string]float64{"ayu": value, "mu": 3000 - value} {
				r := rating.Rating{Value: v, Deviation: deviation, Volatility: 0.06, Games: 9}
				if _, err := s.write.Exec("INSERT INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
					int64(a.ID), pool, r.Value, r.Deviation, r.Volatility, r.Games, r.IsEstablished()); err != nil {
					t.Fatal(err)
				}
			}
		}
		names := func(pool string, limit int) (names []string) {
			for _, a := range must[[]account.Account](t)(s.Leaderboard(t.Context(), pool, time.Time{}, lobby.Requirements{}, limit)) {
				names = append(names, a.Name)
				if len(a.Ratings) != 2 || a.Ratings[pool].Games != 9 {
					t.Errorf("%s has %+v", a.Name, a.Ratings)
				}
			}
			return names
		}
		if got := names("ayu", 10); !slices.Equal(got, []string{"bob", "cleo", "dora", "ana"}) {
			t.Errorf("top of ayu: %v", got)
		}
		if got := names("mu", 2); !slices.Equal(got, []string{"ana", "dora"}) {
			t.Errorf("top of mu: %v", got)
		}
		if got := names("go", 10); got != nil {
			t.Errorf("top of nothing: %v", got)
		}
	})
}

// noOptions are options that cannot be stored.
type noOptions struct{ engine.Options }

func (noOptions) MarshalJSON() ([]byte, error) { return nil, errInjected }

func TestAMatchWithoutItsOptionsIsNotCreated(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		info := newMatch(t, "m", "", newAccount(t, s, "ana"), newAccount(t, s, "bob"))
		info.Options = noOptions{info.Options}
		want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), errInjected)
		if n := countRows(t, s, "matches"); n != 0 {
			t.Errorf("there are %d matches", n)
		}
	})
}
