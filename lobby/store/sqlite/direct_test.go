package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/store"
)

// directQueryOf returns the direct query that has a text in it.
func directQueryOf(t *testing.T, s *Store, text string) *directQuery {
	t.Helper()
	for query, q := range s.direct {
		if strings.Contains(query, text) {
			return q
		}
	}
	t.Fatalf("no direct query has %q", text)
	return nil
}

// useAllDirect takes the connections of direct queries, as other callers do, and returns them with the function that it
// returns.
func useAllDirect(s *Store) (giveBack func()) {
	used := make(map[*directQuery][]*directStatement)
	for _, q := range s.direct {
		for range maxDirect {
			used[q] = append(used[q], <-q.free)
		}
	}
	return func() {
		for q, all := range used {
			for _, d := range all {
				q.free <- d
			}
		}
	}
}

// TestLastVisitsAreTheSameBothWays reads times with and without a free connection of the direct query.
func TestLastVisitsAreTheSameBothWays(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), FileName))
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	visited := time.Now()
	want(t, "visits", s.RecordVisits(t.Context(), map[account.ID]time.Time{ana.ID: visited}), nil)
	for id, expected := range map[account.ID]time.Time{ana.ID: visited, bob.ID: {}} {
		direct := must[time.Time](t)(s.LastVisit(t.Context(), id))
		giveBack := useAllDirect(s)
		usual := must[time.Time](t)(s.LastVisit(t.Context(), id))
		giveBack()
		if !direct.Equal(expected) || !usual.Equal(expected) {
			t.Errorf("account %d was online at %v by a direct query and at %v otherwise, want %v", id, direct, usual, expected)
		}
	}
	for _, d := range directStatements(directQueryOf(t, s, "FROM visits")) {
		if d != nil {
			return
		}
	}
	t.Error("no connection of the direct query has been used")
}

// directStatements returns what a query has that nobody uses.
func directStatements(q *directQuery) (all []*directStatement) {
	for range maxDirect {
		d := <-q.free
		all = append(all, d)
		q.free <- d
	}
	return all
}

// TestAccountsOfKeysAreTheSameBothWays reads accounts with and without a free connection of the direct query.
func TestAccountsOfKeysAreTheSameBothWays(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), FileName))
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	for _, name := range []string{"new", "bot", "renamed", "settings"} {
		newAccount(t, s, name)
	}
	find := func(name string) (account.Account, error) { return s.AccountByKey(t.Context(), []byte("key of "+name)) }
	id := func(name string) account.ID { return must[account.Account](t)(find(name)).ID }
	finish(t, s, newMatch(t, "m", "", ana, bob), 4, end(1, engine.ReasonResign, 0))
	want(t, "block", s.AddBlock(t.Context(), ana.ID, bob.ID, time.Now()), nil)
	want(t, "bot", s.SetBot(t.Context(), id("bot"), true), nil)
	want(t, "settings", s.SaveSettings(t.Context(), id("settings"), []byte(`{"bell":true}`)), nil)
	must[account.Account](t)(s.Rename(t.Context(), id("renamed"), "other", time.Now()))
	for _, name := range []string{"ana", "bob", "new", "bot", "renamed", "settings", "nobody"} {
		direct, directErr := find(name)
		giveBack := useAllDirect(s)
		usual, usualErr := find(name)
		giveBack()
		if !reflect.DeepEqual(direct, usual) || !errors.Is(directErr, usualErr) {
			t.Errorf("%s is %+v, %v by a direct query and %+v, %v otherwise", name, direct, directErr, usual, usualErr)
		}
	}
	if a := must[account.Account](t)(find("ana")); len(a.Blocks) != 1 || len(a.Ratings) != 1 || !a.HasPlayed {
		t.Errorf("ana is %+v", a)
	}
}

// TestDirectQueryIsRunByMany has more callers than connections. Each sees what it has changed before.
func TestDirectQueryIsRunByMany(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), FileName))
	var all sync.WaitGroup
	for i := range 4 * maxDirect {
		a := newAccount(t, s, fmt.Sprint("user", i))
		all.Go(func() {
			for n := range 10 {
				settings := fmt.Sprint(n)
				want(t, "settings", s.SaveSettings(t.Context(), a.ID, []byte(settings)), nil)
				if got, err := s.AccountByKey(t.Context(), fmt.Appendf(nil, "key of user%d", i)); err != nil || string(got.Settings) != settings {
					t.Errorf("%s has the settings %q, %v, want %q", a.Name, got.Settings, err, settings)
				}
			}
		})
	}
	all.Wait()
}

// TestDirectQueryAfterFailures: a connection is replaced after an error, and after the end of the store nothing waits.
func TestDirectQueryAfterFailures(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), FileName))
	newAccount(t, s, "ana")
	key := []byte("key of ana")
	ended, end := context.WithCancel(t.Context())
	end()
	for range 2 * maxDirect {
		must[account.Account](t)(s.AccountByKey(t.Context(), key))
		if _, err := s.AccountByKey(ended, key); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end of the context: %v", err)
		}
	}
	must[account.Account](t)(s.AccountByKey(t.Context(), key))
	want(t, "close", s.Close(), nil)
	if _, err := s.AccountByKey(t.Context(), key); err == nil {
		t.Error("a closed store finds an account")
	}
}

// TestDirectQueryReturnsWhatFails: a row that cannot be used, and arguments that are missing. Only what fails costs its connection
// and is for the pool.
func TestDirectQueryReturnsWhatFails(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), FileName))
	newAccount(t, s, "ana")
	direct, errUnusable := directQueryOf(t, s, "FROM accounts"), errors.New("unusable")
	for _, c := range []struct {
		what     string
		args     []any
		f        func(store.RowScanner) error
		ok, keep bool
		want     error
	}{
		{"a row", []any{[]byte("key of ana")}, func(store.RowScanner) error { return nil }, true, true, nil},
		{"no row", []any{[]byte("key of nobody")}, func(store.RowScanner) error { return nil }, true, true, nil},
		{"a row that cannot be used", []any{[]byte("key of ana")}, func(store.RowScanner) error { return errUnusable }, true, false, errUnusable},
		{"no arguments", nil, func(store.RowScanner) error { return nil }, false, false, nil},
	} {
		for range maxDirect {
			ok, err := direct.scan(t.Context(), s.read, c.args, c.f)
			if ok != c.ok || (err == nil) != c.keep || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: %t, %v", c.what, ok, err)
			}
		}
		for _, d := range directStatements(direct) {
			if (d != nil) != c.keep {
				t.Errorf("%s: the connection is %+v", c.what, d)
			}
		}
	}
}

// TestDirectRowsHaveTheTypesOfTheirVariables, or are an error: no value is taken for another.
func TestDirectRowsHaveTheTypesOfTheirVariables(t *testing.T) {
	values := map[string]driver.Value{"an int": int64(1), "a float": 1.5, "a text": "x", "bytes": []byte("x"), "nothing": nil}
	for _, c := range []struct {
		to   any
		take []string
	}{
		{new(int64), []string{"an int"}},
		{new(bool), []string{"an int"}},
		{new(string), []string{"a text"}},
		{new([]byte), []string{"bytes", "nothing"}},
		{new(sql.NullInt64), []string{"an int", "nothing"}},
		{new(sql.NullFloat64), []string{"a float", "nothing"}},
		{new(sql.NullString), []string{"a text", "nothing"}},
		{new(sql.NullTime), []string{"nothing"}},
		{new(int), nil},
	} {
		for name, v := range values {
			if err := (directRow{v}).Scan(c.to); (err == nil) != slices.Contains(c.take, name) {
				t.Errorf("%s in a %T: %v", name, c.to, err)
			}
		}
	}
	var a, b int64
	for _, to := range [][]any{{}, {&a}, {&a, &b, &b}} {
		checkMessage(t, directRow{int64(1), int64(2)}.Scan(to...), "for 2 columns")
	}
}
