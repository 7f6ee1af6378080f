package postgres

import (
	"context"
	"errors"
	"fmt"
	neturl "net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// checkRefused opens a database and checks that it is refused, in words that contain all of wanted.
func checkRefused(t *testing.T, url string, wanted ...string) {
	t.Helper()
	s, err := Open(t.Context(), url, enginetest.Games)
	if err == nil {
		s.Close()
	}
	for _, want := range wanted {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "secret") {
		t.Errorf("the password is in the error %v", err)
	}
}

func TestUnusableDatabasesAreRefused(t *testing.T) {
	url := postgrestest.URL(t)
	checkRefused(t, "postgres://ana:secret@[::1/club", "cannot be read", "postgres://USER@HOST/NAME")
	checkRefused(t, "postgres://ana:secret@localhost:bad/club", "cannot be read")
	checkRefused(t, "postgres://ana:secret@127.0.0.1:1/club", "cannot be reached", "the database club at 127.0.0.1")
	checkRefused(t, strings.Replace(url, "/postgres?", "/nowhere?", 1), "it does not exist", "createdb")
	checkRefused(t, strings.Replace(url, "postgres@", "nobody:secret@", 1), "refuses the user")

	parsed := must[*neturl.URL](t)(neturl.Parse(url))
	schema := parsed.Query().Get("search_path")
	user := "weak" + schema // users belong to the server, which outlives the test
	weak := strings.Replace(url, "postgres@", user+":secret@", 1)
	storetest.Want(t, "make a user", postgrestest.Exec(url, "CREATE ROLE "+user+" LOGIN"), nil)
	checkRefused(t, weak, "lacks the rights", "owner of the database")
	storetest.Want(t, "give a right", postgrestest.Exec(url, "GRANT USAGE ON SCHEMA "+schema+" TO "+user), nil)
	checkRefused(t, weak, "lacks the rights", "owner of the database")

	openURL(t, url)
	newer := fmt.Sprint("UPDATE schema SET version = ", newestSchema()+1)
	storetest.Want(t, "newer schema", postgrestest.Exec(url, newer), nil)
	checkRefused(t, url, "newer version of ayumu")
	storetest.Want(t, "older schema", postgrestest.Exec(url, "UPDATE schema SET version = 12"), nil)
	checkRefused(t, url, "before the first release", "12", "upgrades from 13", "CHANGELOG.md")
	foreign := postgrestest.URL(t)
	storetest.Want(t, "another program", postgrestest.Exec(foreign, "CREATE TABLE orders (id INT)"), nil)
	checkRefused(t, foreign, "tables of another program")
}

// TestUnusableServersAreRefused: those that the tests cannot start.
func TestUnusableServersAreRefused(t *testing.T) {
	good := serverInfo{version: 150000, name: "15.0", encoding: "UTF8", fsync: "on", fullPages: "on"}
	storetest.Want(t, "the oldest version", good.check(), nil)
	for want, change := range map[string]func(*serverInfo){
		"it is PostgreSQL 14.13; 15 or newer is needed": func(i *serverInfo) { i.version, i.name = 140013, "14.13" },
		"connect to the primary":                        func(i *serverInfo) { i.standby = true },
		"its encoding is LATIN1":                        func(i *serverInfo) { i.encoding = "LATIN1" },
	} {
		bad := good
		change(&bad)
		if err := bad.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", bad, err, want)
		}
	}
}

// TestUnsafeSettingsAreRefused: with them a crash of the database's machine could lose acknowledged turns.
func TestUnsafeSettingsAreRefused(t *testing.T) {
	s := postgrestest.Start(t, "fsync=off")
	checkRefused(t, s.URL(t), "fsync = off", "set both to on")
	storetest.Want(t, "stop", s.Crash(), nil)
	storetest.Want(t, "start", s.Run("full_page_writes=off"), nil)
	checkRefused(t, s.URL(t), "full_page_writes = off")
	storetest.Want(t, "stop", s.Crash(), nil)
	storetest.Want(t, "start", s.Run("synchronous_commit=off"), nil)
	db := openURL(t, s.URL(t))
	var commit string
	if err := db.db.QueryRowContext(t.Context(), "SHOW synchronous_commit").Scan(&commit); err != nil || commit != "on" {
		t.Errorf("a transaction commits with synchronous_commit = %s, %v", commit, err)
	}
	if err := db.appends.pool.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&commit); err != nil || commit != "on" {
		t.Errorf("an append commits with synchronous_commit = %s, %v", commit, err)
	}
}

// TestProcessesThatStartAtOnceMigrateOnce opens an empty database several times at once.
func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	url := postgrestest.URL(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			s, err := Open(t.Context(), url, enginetest.Games)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	all.Wait()
}

// TestLostDatabaseIsReportedOnce: each outage once, however often the database is asked meanwhile.
func TestLostDatabaseIsReportedOnce(t *testing.T) {
	server := postgrestest.Start(t)
	s := openURL(t, server.URL(t))
	var reports atomic.Int64
	s.ReportFailures(func(string, ...any) { reports.Add(1) })
	for outage := range int64(2) {
		storetest.Want(t, "stop", server.Crash(), nil)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, _, err := s.Cluster().Changes(t.Context(), ""); err == nil {
					t.Error("a database that has stopped answers")
				}
			})
		}
		all.Wait()
		storetest.Want(t, "start", server.Run(), nil)
		storetest.Account(t, s, fmt.Sprint("ana", outage))
		if n := reports.Load(); n != outage+1 {
			t.Errorf("after outage %d: %d reports", outage+1, n)
		}
	}
}

// TestDatabaseCrashes lets writers append while the database crashes and comes back: everything that was
// acknowledged is there once, every writer goes on by itself, and the failure was recorded. The first writer that finds
// an acknowledged entry missing ends the test.
func TestDatabaseCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("restarts a database")
	}
	server := postgrestest.Start(t)
	url := server.URL(t)
	s := openURL(t, url)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	const writers, crashes = 8, 2
	ctx, stop := context.WithCancel(t.Context())
	acknowledged := make([][]match.Entry, writers)
	var all sync.WaitGroup
	var turns [writers]chan struct{}
	for w := range writers {
		id := fmt.Sprint("m", w)
		storetest.Want(t, "create", s.CreateMatch(t.Context(), storetest.Match(t, id, "", ana, bob), lobby.MatchStart{}), nil)
		turns[w] = make(chan struct{}, 1)
		all.Go(func() {
			for v := 0; ctx.Err() == nil; v++ {
				e := match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: storetest.Start, AppendID: match.AppendID{byte(w), byte(v), byte(v >> 8)}}
				for err := error(context.Canceled); err != nil; {
					// As the lobby does: repeated until the outcome is known.
					err = s.Append(t.Context(), id, match.NewLogEnd(acknowledged[w]), e)
					if errors.Is(err, errcode.ErrVersionConflict) {
						t.Errorf("%s: entry %d does not follow the %d that were acknowledged: %v", id, v+1, v, err)
						stop()
					}
					if err != nil && (t.Failed() || t.Context().Err() != nil) {
						return
					}
				}
				acknowledged[w] = append(acknowledged[w], e)
				select {
				case turns[w] <- struct{}{}:
				default:
				}
			}
		})
	}
	// awaitTurns waits until each writer has recorded n entries, or the test has failed.
	awaitTurns := func(n int) {
		for i := range n * writers {
			select {
			case <-turns[i%writers]:
			case <-ctx.Done():
			case <-time.After(patience):
				t.Fatalf("m%d: no entry was recorded within %v", i%writers, patience)
			}
		}
	}
	for range crashes {
		awaitTurns(3)
		storetest.Want(t, "crash", server.Crash(), nil)
		storetest.Want(t, "start", server.Run(), nil)
	}
	awaitTurns(3)
	stop()
	all.Wait()
	for w := range writers {
		id := fmt.Sprint("m", w)
		_, got, err := s.Match(t.Context(), id)
		if err != nil || len(got) != len(acknowledged[w]) {
			t.Errorf("%s has %d entries of %d, %v", id, len(got), len(acknowledged[w]), err)
		}
		for v, e := range got {
			if want := acknowledged[w][min(v, len(acknowledged[w])-1)]; e.AppendID != want.AppendID {
				t.Errorf("%s: entry %d has the id %x", id, v+1, e.AppendID)
				break
			}
		}
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %q, %v", found, err)
	}
}

// TestChangesFailWhileTheDatabaseIsAway: changes and reads fail with a message for the operator, the failure is
// recorded, and everything works when the database is back.
func TestChangesFailWhileTheDatabaseIsAway(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for timeouts")
	}
	server := postgrestest.Start(t)
	s := openURL(t, server.URL(t))
	ana := storetest.Account(t, s, "ana")
	info := storetest.Match(t, "m", "", ana, storetest.Guest)
	storetest.Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	e := match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: storetest.Start, AppendID: match.AppendID{1}}
	end := storetest.End(time.Minute, engine.ReasonAbort)
	end.AppendID = match.AppendID{2}
	storetest.Want(t, "crash", server.Crash(), nil)
	var all sync.WaitGroup
	for what, call := range map[string]func() error{
		"append":  func() error { return s.Append(t.Context(), "m", storetest.After(0), e) },
		"end":     func() error { return s.Append(t.Context(), "m", storetest.After(0), end) },
		"change":  func() error { return s.SaveSettings(t.Context(), ana.ID, []byte("x")) },
		"reading": func() error { _, _, err := s.Match(t.Context(), "m"); return err },
	} {
		all.Go(func() {
			if err := call(); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	all.Wait()
	if since, err := s.WriteFailure(); err == nil || since.IsZero() || s.FailedWrites() != 3 {
		t.Errorf("%d writes failed since %v: %v", s.FailedWrites(), since, err)
	}
	if err := s.Health(t.Context()); err == nil {
		t.Error("it is healthy")
	}
	storetest.Want(t, "start", server.Run(), nil)
	storetest.Want(t, "health", s.Health(t.Context()), nil)
	if _, err := s.WriteFailure(); err != nil {
		t.Errorf("a test write left the failure %v", err)
	}
	storetest.Want(t, "append", s.Append(t.Context(), "m", storetest.After(0), e), nil)
	storetest.Want(t, "end", s.Append(t.Context(), "m", match.NewLogEnd([]match.Entry{e}), end), nil)
}

// TestAStalledTransactionDelaysOnlyItsMatch: something else holds the row of one match, as a stalled process
// would. The appends to other matches of the same group are recorded.
func TestAStalledTransactionDelaysOnlyItsMatch(t *testing.T) {
	url := postgrestest.URL(t)
	s := openURL(t, url)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	const matches = 6
	for i := range matches {
		storetest.Want(t, "create", s.CreateMatch(t.Context(), storetest.Match(t, fmt.Sprint("m", i), "", ana, bob), lobby.MatchStart{}), nil)
	}
	stalled, err := s.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stalled.Rollback()
	if _, err := stalled.Exec("SELECT FROM matches WHERE id = 'm0' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range matches {
		all.Go(func() {
			e := match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: storetest.Start}
			err := s.Append(t.Context(), fmt.Sprint("m", i), storetest.After(0), e)
			if (i == 0) != (err != nil) {
				t.Errorf("m%d: %v", i, err)
			}
		})
	}
	all.Wait()
}
