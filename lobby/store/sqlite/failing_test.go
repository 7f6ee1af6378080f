package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// failingDriver is SQLite's driver, with statements that fail. Others are passed on.
type failingDriver struct {
	dsn   string
	inner driver.Driver

	mu sync.Mutex
	// fails returns the error of a statement, of "COMMIT" or "CLOSE", or nil.
	fails func(statement string) error
}

var errInjected = errors.New("injected failure")

// useFailingDriver has a store in a file make its changes and its readings with a driver that fails.
func useFailingDriver(t *testing.T, s *Store) *failingDriver {
	t.Helper()
	d := &failingDriver{inner: s.write.Driver(), dsn: dsn(s.name, url.Values{"_txlock": {"immediate"}, "_pragma": {"foreign_keys(1)", "busy_timeout(5000)"}})}
	replace := func(db **sql.DB, n int) *statements {
		want(t, "close", (*db).Close(), nil)
		*db = sql.OpenDB(d)
		(*db).SetMaxOpenConns(n)
		return newStatements(*db)
	}
	s.writeStatements, s.readStatements = replace(&s.write, 1), replace(&s.read, readConnections)
	return d
}

// failEach has each statement fail for which a function returns true.
func (d *failingDriver) failEach(fails func(statement string) bool) {
	d.failWith(func(statement string) error {
		if fails(statement) {
			return errInjected
		}
		return nil
	})
}

func (d *failingDriver) failWith(fails func(statement string) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = fails
}

// failOnce has the first statement fail that begins with a text.
func (d *failingDriver) failOnce(begin string) {
	done := false
	d.failEach(func(statement string) bool {
		if done || !strings.HasPrefix(statement, begin) {
			return false
		}
		done = true
		return true
	})
}

// failNth has the n-th statement fail, and returns a function that returns it; "" if there were fewer.
func (d *failingDriver) failNth(n int) (failed func() string) {
	which := ""
	d.failEach(func(statement string) bool {
		if n--; n == 0 {
			which = statement
		}
		return n == 0
	})
	return func() string {
		d.failWith(nil)
		return which
	}
}

func (d *failingDriver) check(statement string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fails == nil {
		return nil
	}
	return d.fails(statement)
}

// Connect implements driver.Connector.
func (d *failingDriver) Connect(context.Context) (driver.Conn, error) {
	c, err := d.inner.Open(d.dsn)
	return &failingConn{c, d}, err
}

// Driver implements driver.Connector.
func (d *failingDriver) Driver() driver.Driver { return d.inner }

type failingConn struct {
	driver.Conn
	d *failingDriver
}

func (c *failingConn) Close() error { return errors.Join(c.d.check("CLOSE"), c.Conn.Close()) }

func (c *failingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	return &failingStmt{s, c.d, query}, err
}

func (c *failingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.d.check(query); err != nil {
		return nil, err
	}
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c *failingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.d.check(query); err != nil {
		return nil, err
	}
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c *failingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if err := c.d.check("BEGIN"); err != nil {
		return nil, err
	}
	t, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, options)
	return &failingTx{t, c.d}, err
}

type failingTx struct {
	driver.Tx
	d *failingDriver
}

// Commit undoes the transaction if it fails, as SQLite does when it cannot write.
func (t *failingTx) Commit() error {
	if err := t.d.check("COMMIT"); err != nil {
		return errors.Join(err, t.Tx.Rollback())
	}
	return t.Tx.Commit()
}

type failingStmt struct {
	driver.Stmt
	d     *failingDriver
	query string
}

func (s *failingStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.d.check(s.query); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s *failingStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.d.check(s.query); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

// withFailingFile runs a test with an empty file and its driver in a bubble.
func withFailingFile(t *testing.T, f func(t *testing.T, s *Store, d *failingDriver)) {
	path := filepath.Join(t.TempDir(), FileName)
	synctest.Test(t, func(t *testing.T) {
		s := openFile(t, path)
		d := useFailingDriver(t, s)
		defer d.failWith(nil)
		f(t, s, d)
	})
}

// turn returns an entry of a log.
func turn(action string) match.Entry {
	return match.Entry{Kind: match.EntryTurn, Actions: []string{action}, At: start}
}

// TestAFailedStatementIsNotHidden has each statement of a transaction with several changes fail once: a change that is answered
// without an error is in the file, one that is answered with an error has left nothing, and the failure has an answer.
func TestAFailedStatementIsNotHidden(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		refused := func(name string) func(*tx) error {
			return func(t *tx) error { return cmp.Or(insertAccount(name)(t), error(errcode.ErrNotFound)) }
		}
		for n := 1; ; n++ {
			id := func(name string) string { return fmt.Sprint(name, n) }
			for _, name := range []string{"one", "two", "many", "end"} {
				want(t, "create", s.CreateMatch(ctx, newMatch(t, id(name), "", ana, bob), lobby.MatchStart{}), nil)
				want(t, "append", s.Append(ctx, id(name), after(0), turn("a"), turn("b")), nil)
			}
			began, release := make(chan bool), make(chan bool)
			put := func(change func() error) chan error {
				result := make(chan error, 1)
				go func() { result <- change() }()
				synctest.Wait()
				return result
			}
			results := map[string]chan error{
				"the first":               put(func() error { return s.submit(ctx, &job{do: func(*tx) error { close(began); <-release; return nil }}) }),
				"an account":              put(func() error { return s.submit(ctx, &job{do: insertAccount(id("new"))}) }),
				"a turn":                  put(func() error { return s.Append(ctx, id("one"), after(2), turn("c")) }),
				"the same turn":           put(func() error { return s.Append(ctx, id("one"), after(2), turn("d")) }),
				"a turn of another match": put(func() error { return s.Append(ctx, id("two"), after(2), turn("c")) }),
				"a refused one":           put(func() error { return s.submit(ctx, &job{do: refused(id("no"))}) }),
				"several turns": put(func() error {
					return s.Append(ctx, id("many"), after(2), turn("c"), turn("d"), turn("e"), turn("f"), turn("g"))
				}),
				"an end":         put(func() error { return s.Append(ctx, id("end"), after(2), end(time.Minute, engine.ReasonResign, 0)) }),
				"what is shared": put(func() error { return writeShared(ctx, s, id("row"), 0, []byte("x"), true) }),
			}
			<-began // and the others wait
			failed := d.failNth(n)
			close(release)
			answers := make(map[string]error)
			for what, r := range results {
				answers[what] = <-r
			}
			statement := failed()
			if statement == "" {
				if n < 30 {
					t.Errorf("only %d statements have failed", n-1)
				}
				return
			}
			isHidden := true
			for what, err := range answers {
				isHidden = isHidden && !errors.Is(err, errInjected)
				if isRefused := what == "a refused one"; errors.Is(err, errcode.ErrNotFound) && !isRefused || err == nil && isRefused {
					t.Errorf("%s is answered with %v when this statement has failed: %s", what, err, statement)
				}
			}
			if isHidden {
				t.Errorf("nobody is told that this statement has failed: %s", statement)
			}
			has := func(query string, args ...any) (n int) {
				t.Helper()
				want(t, "query", s.read.QueryRow("SELECT count(*) FROM "+query, args...).Scan(&n), nil)
				return n
			}
			for what, c := range map[string]struct{ has, changed, unchanged int }{
				"an account":              {has("accounts WHERE name = ?1", id("new")), 1, 0},
				"a refused one":           {has("accounts WHERE name = ?1", id("no")), 1, 0},
				"a turn of another match": {has("log WHERE match = ?1", id("two")), 3, 2},
				"several turns":           {has("log WHERE match = ?1", id("many")), 7, 2},
				"an end":                  {has("log WHERE match = ?1", id("end")) + has("matches WHERE id = ?1 AND ended IS NOT NULL", id("end")), 4, 2},
				"what is shared":          {has("shared_rows WHERE id = ?1", id("row")), 1, 0},
			} {
				if answers[what] == nil && c.has != c.changed || answers[what] != nil && c.has != c.unchanged {
					t.Errorf("%s is answered with %v, and the file has %d, when this statement has failed: %s", what, answers[what], c.has, statement)
				}
			}
			turns := 2
			for _, what := range []string{"a turn", "the same turn"} {
				if answers[what] == nil {
					turns++
				}
			}
			if n := has("log WHERE match = ?1", id("one")); n != turns || turns > 3 {
				t.Errorf("%d turns are in the file, %v and %v are the answers to two at one place, when this statement has failed: %s", n, answers["a turn"], answers["the same turn"], statement)
			}
			for name, after := range map[string]match.LogEnd{"one": after(5 - turns), "many": after(9 - has("log WHERE match = ?1", id("many")))} {
				want(t, "a turn after an end that is not that of the log", s.Append(ctx, id(name), after, turn("z")), errcode.ErrVersionConflict)
			}
		}
	})
}

// writeShared changes a row of what is shared.
func writeShared(ctx context.Context, s *Store, id string, replaces int64, data []byte, isDurable bool) error {
	_, err := s.Shared().Write(ctx, rows.Write{Key: rows.Key{Kind: "test", ID: id}, Replaces: replaces, Data: data, Durable: isDurable})
	return err
}

// TestOnlyTheChangeThatFailsIsUndone: a statement of one change fails, and those before and after it are kept.
func TestOnlyTheChangeThatFailsIsUndone(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		wanted := "anabob"
		for i, c := range []struct {
			statement string
			entries   []match.Entry
		}{
			{"INSERT INTO staged_entries", []match.Entry{turn("a"), turn("b")}},
			{"UPDATE matches SET ended", []match.Entry{end(time.Minute, engine.ReasonAbort)}},
		} {
			id := fmt.Sprint("m", i)
			want(t, "create", s.CreateMatch(ctx, newMatch(t, id, "", ana, bob), lobby.MatchStart{}), nil)
			release := blockWriter(t, s)
			before := queued(s, ctx, insertAccount(fmt.Sprint("before", i)))
			result := make(chan error, 1)
			go func() { result <- s.Append(ctx, id, after(0), c.entries...) }()
			synctest.Wait()
			later := queued(s, ctx, insertAccount(fmt.Sprint("later", i)))
			d.failOnce(c.statement)
			release()
			want(t, c.statement, <-result, errInjected)
			want(t, "a change before it", <-before, nil)
			want(t, "a change after it", <-later, nil)
			if wanted += fmt.Sprint("before", i, "later", i); names(t, s) != wanted {
				t.Errorf("the file has the accounts %q", names(t, s))
			}
			want(t, "after entries that were not stored", s.Append(ctx, id, after(len(c.entries)), turn("c")), errcode.ErrVersionConflict)
			want(t, "the entries again", s.Append(ctx, id, after(0), c.entries...), nil)
			if _, log, err := s.Match(ctx, id); err != nil || len(log) != len(c.entries) {
				t.Errorf("the log has %d entries, %v", len(log), err)
			}
		}
	})
}

// TestAFailedTransactionLeavesNothing: a turn that was acknowledged to nobody is not continued, and what is queued behind the
// failure is done.
func TestAFailedTransactionLeavesNothing(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		want(t, "create", s.CreateMatch(ctx, newMatch(t, "m", "", ana, bob), lobby.MatchStart{}), nil)
		for _, statement := range []string{"COMMIT", "INSERT INTO staged_entries"} {
			d.failOnce(statement)
			want(t, statement, s.Append(ctx, "m", after(0), turn("a")), errInjected)
			want(t, "after a turn that was not stored", s.Append(ctx, "m", after(1), turn("b")), errcode.ErrVersionConflict)
		}
		d.failWith(nil)
		release := blockWriter(t, s)
		failing := make(chan error, 1)
		go func() {
			failing <- s.submit(ctx, &job{singleStatement: true, do: func(t *tx) error { insertAccount("no")(t); return errInjected }})
		}()
		synctest.Wait()
		later := queued(s, ctx, insertAccount("later"))
		release()
		want(t, "a change without a savepoint", <-failing, errInjected)
		want(t, "the change behind it", <-later, nil)
		if got := names(t, s); got != "anaboblater" {
			t.Errorf("the file has the accounts %q", got)
		}
	})
}

// TestEntriesAreMovedCompletelyOrNotAtAll: they stay in one place and in order when a statement that moves them fails.
func TestEntriesAreMovedCompletelyOrNotAtAll(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		want(t, "create", s.CreateMatch(ctx, newMatch(t, "m", "", ana, bob), lobby.MatchStart{}), nil)
		var all []match.Entry
		for i := range maxStaged + 10 {
			all = append(all, turn(fmt.Sprint("a", i)))
		}
		want(t, "append", s.Append(ctx, "m", after(0), all...), nil)
		for _, statement := range []string{"PRAGMA data_version", "SELECT coalesce(max(id), 0) FROM staged_entries", "INSERT INTO entries", "DELETE FROM staged_entries", ""} {
			what := "a change while this fails: " + statement
			if statement != "" {
				d.failOnce(statement)
				want(t, what, s.SaveSettings(ctx, ana.ID, nil), errInjected)
			}
			d.failWith(nil)
			if _, got, err := s.Match(ctx, "m"); err != nil || !reflect.DeepEqual(got, all) {
				t.Fatalf("after %s: %d entries of %d, %v", what, len(got), len(all), err)
			}
		}
		want(t, "a change", s.SaveSettings(ctx, ana.ID, nil), nil)
		if n := countRows(t, s, "staged_entries"); n != 0 {
			t.Errorf("%d entries are not moved", n)
		}
		if _, got, err := s.Match(ctx, "m"); err != nil || !reflect.DeepEqual(got, all) {
			t.Errorf("%d moved entries of %d, %v", len(got), len(all), err)
		}
	})
}

// TestFailuresOfTheFileAreReturned: what cannot be read or closed is not taken for empty or intact.
func TestFailuresOfTheFileAreReturned(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		ctx := t.Context()
		for _, c := range []struct {
			statement string
			do        func() error
		}{
			{"PRAGMA integrity_check", func() error { return errorOf(s.Check(ctx)) }},
			{"PRAGMA foreign_key_check", func() error { return errorOf(s.Check(ctx)) }},
			{"VACUUM INTO", func() error { return s.Backup(ctx, s.name+".copy") }},
			{"BEGIN", func() error { return errorOf(s.Played(ctx, start)) }},
			{"CREATE TABLE health", func() error { return s.Health(ctx) }},
			{"INSERT INTO health", func() error { return s.Health(ctx) }},
			{"DROP TABLE health", func() error { return s.Health(ctx) }},
			{"SELECT EXISTS", func() error { return s.Import(ctx, s.Export(ctx)) }},
		} {
			s.recordWrites(nil, errInjected) // so that Health writes a test
			d.failOnce(c.statement)
			want(t, c.statement, c.do(), errInjected)
		}
		d.failWith(nil)
		want(t, "health", s.Health(ctx), nil)
		if names := files(t, s.name); len(names) != 1 {
			t.Errorf("there are %q", names)
		}
		want(t, "close the readings", s.read.Close(), nil) // the failure of the writer's connection is returned
		d.failOnce("CLOSE")
		first := s.Close()
		want(t, "close", first, errInjected)
		if again := s.Close(); again != first {
			t.Errorf("closed again it returns %v, not %v", again, first)
		}
		s.closeErr = nil // for opened
	})
}

// TestABackupThatCannotBeNamedIsNone: a folder takes its name while it is made.
func TestABackupThatCannotBeNamedIsNone(t *testing.T) {
	withFailingFile(t, func(t *testing.T, s *Store, d *failingDriver) {
		file := s.name + ".copy"
		d.failWith(func(statement string) error {
			if !strings.HasPrefix(statement, "VACUUM INTO") {
				return nil
			}
			return errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "x"), 0o755))
		})
		checkMessage(t, s.Backup(t.Context(), file), "the backup cannot be written")
	})
}
