package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
	"ayumu/lobby/store/storetest"
)

// checkMessage checks that an error contains all words.
func checkMessage(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

// run executes statements on a file without the store.
func run(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryConnectionIsDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a name with ? and # and %41", FileName)
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, path)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		for _, db := range []*sql.DB{s.write, s.read} {
			var got string
			if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s is %s, %v, want %s", pragma, got, err, want)
			}
		}
	}
	info := must[os.FileInfo](t)(os.Stat(path))
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
}

func TestOpenRefusesWhatIsNotItsFile(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		says []string
	}{
		"newer schema": {
			func(t *testing.T, path string) {
				must[*Store](t)(Open(t.Context(), path, enginetest.Games)).Close()
				run(t, path, "UPDATE schema SET version = 99")
			},
			[]string{"newer version", "99", "backup"},
		},
		"older schema": {
			func(t *testing.T, path string) {
				must[*Store](t)(Open(t.Context(), path, enginetest.Games)).Close()
				run(t, path, "UPDATE schema SET version = 12")
			},
			[]string{"before the first release", "12", "upgrades from 13", "CHANGELOG.md"},
		},
		"another program's": {
			func(t *testing.T, path string) { run(t, path, "CREATE TABLE bookmarks (url TEXT)") },
			[]string{"another program's database", "--data"},
		},
		"no schema": {
			func(t *testing.T, path string) { run(t, path, "CREATE TABLE schema (version INTEGER NOT NULL)") },
			[]string{"opening", "no rows"},
		},
		"no database": {
			func(t *testing.T, path string) {
				want(t, "write", os.WriteFile(path, []byte(strings.Repeat("This is a letter. ", 300)), 0o600), nil)
			},
			[]string{"not a data file of ayumu", "--data"},
		},
		"a folder": {
			func(t *testing.T, path string) { want(t, "mkdir", os.Mkdir(path, 0o755), nil) },
			[]string{"cannot be written"},
		},
		"no folder": {
			func(t *testing.T, path string) { want(t, "remove", os.Remove(filepath.Dir(path)), nil) },
			[]string{"no folder", "create it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data", FileName)
			want(t, "mkdir", os.Mkdir(filepath.Dir(path), 0o755), nil)
			c.make(t, path)
			before, _ := os.ReadFile(path)
			s, err := Open(t.Context(), path, enginetest.Games)
			if err == nil {
				s.Close()
			}
			checkMessage(t, err, append(c.says, path[:len(path)-len(FileName)-1])...)
			if NeedsUpgrade(t.Context(), path) {
				t.Error("a refused file needs an upgrade")
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("a refused file was changed")
			}
		})
	}
}

func TestReopenedFileHasEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	finish(t, s, newMatch(t, "m", "", ana, bob), 4, end(1, engine.ReasonResign, 0))
	must[account.Account](t)(s.AccountByKey(t.Context(), []byte("key of ana")))
	want(t, "close", s.Close(), nil)
	want(t, "close again", s.Close(), nil)
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a connection is open: the log of the file is there, %v", err)
	}
	s = openFile(t, path)
	if a := must[account.Account](t)(s.AccountByKey(t.Context(), []byte("key of ana"))); a.ID != ana.ID || a.Ratings["ayu"].Games != 1 {
		t.Errorf("ana is %+v", a)
	}
	if _, entries, err := s.Match(t.Context(), "m"); err != nil || len(entries) != 5 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
}

// makeStartedMatch creates a file with a running match, and returns its log.
func makeStartedMatch(t *testing.T, path string) []match.Entry {
	t.Helper()
	s := openFile(t, path)
	info := newMatch(t, "m", "", newAccount(t, s, "ana"), newAccount(t, s, "bob"))
	want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	entries := log(t, info, 20, newChance())
	want(t, "append", s.Append(t.Context(), "m", after(0), entries[:3]...), nil)
	want(t, "close", s.Close(), nil)
	return entries
}

func TestReadOnlyFileStopsPlay(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	turns := makeStartedMatch(t, path)
	s, err := open(t.Context(), path, "file:"+path+"?mode=ro", 1, enginetest.Games)
	opened(t, s, err)
	for range 2 {
		checkMessage(t, s.Append(t.Context(), "m", after(3), turns[3]), path, "read-only", "right to write")
	}
	checkMessage(t, writeShared(t.Context(), s, "durable", 0, []byte("x"), true), path, "read-only", "right to write")
	want(t, "what is shared and need not stay", writeShared(t.Context(), s, "live", 0, []byte("x"), false), nil)
	if _, entries, err := s.Match(t.Context(), "m"); err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestFullDiskStopsPlayUntilThereIsRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	turns := makeStartedMatch(t, path)
	s := openFile(t, path)
	room := func(pages int) {
		t.Helper()
		if _, err := s.write.Exec(fmt.Sprint("PRAGMA max_page_count = ", pages)); err != nil {
			t.Fatal(err)
		}
	}
	room(1) // SQLite raises it to the current number of pages
	fill := turns[3]
	for range 200 { // more than the free space in the pages
		fill.Actions = append(fill.Actions, "move -12,-12 3 nw after a long walk")
	}
	var reports storetest.Reported
	s.ReportFailures(reports.Add)
	for range 5 {
		checkMessage(t, s.Append(t.Context(), "m", after(3), fill), path, "disk is full", "free some space")
	}
	if all := reports.Take(); len(all) != 1 || !strings.Contains(all[0], "disk is full") {
		t.Errorf("reported %q", all)
	}
	if _, entries, err := s.Match(t.Context(), "m"); err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	room(1_000_000)
	want(t, "once there is room", s.Append(t.Context(), "m", after(3), fill), nil)
	if all := reports.Take(); len(all) != 1 || !strings.Contains(all[0], "can be written again") || !strings.Contains(all[0], "failed 5") {
		t.Errorf("at the end reported %q", all)
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
}

// corruptPages overwrites pages of a file with random bytes; the first page is 1.
func corruptPages(t *testing.T, path string, from, to int) {
	t.Helper()
	const page = 4096
	raw := must[[]byte](t)(os.ReadFile(path))
	for i := (from - 1) * page; i < min((to-1)*page, len(raw)); i++ {
		raw[i] = byte(i*7 + 1)
	}
	want(t, "write", os.WriteFile(path, raw, 0o600), nil)
}

func TestDamagedFileIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	makeStartedMatch(t, path)
	corruptPages(t, path, 2, 1_000_000)
	s, err := Open(t.Context(), path, enginetest.Games)
	if err == nil {
		s.Close()
	}
	checkMessage(t, err, path, "damaged", "restore")
}

func TestDamageThatIsFoundLaterStopsPlay(t *testing.T) {
	for what, change := range map[string]func(ctx context.Context, s *Store, turns []match.Entry) error{
		"a turn": func(ctx context.Context, s *Store, turns []match.Entry) error {
			return s.Append(ctx, "m", after(3), turns[3])
		},
		"an end": func(ctx context.Context, s *Store, _ []match.Entry) error {
			return s.Append(ctx, "m", after(3), end(time.Minute, engine.ReasonResign, 0))
		},
		"a change that reads": func(ctx context.Context, s *Store, _ []match.Entry) error {
			return s.update(ctx, "reading", func(*tx) error { // on another connection, so that the transaction goes on
				var n int
				return s.read.QueryRow("SELECT count(body) FROM entries").Scan(&n)
			})
		},
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			turns := makeStartedMatch(t, path)
			corruptTable(t, path, "entries")
			s := openFile(t, path)
			var reports storetest.Reported
			s.ReportFailures(reports.Add)
			ctx := t.Context()
			checkMessage(t, answered(t, what, func() error { return change(ctx, s, turns) }), path, "damaged", "restore")
			for range 3 {
				err := answered(t, "a change after it", func() error { return s.SaveSettings(ctx, 1, nil) })
				checkMessage(t, err, path, "nothing is written any more", "restore")
				if n := strings.Count(fmt.Sprint(err), errStopped.Error()); n > 1 {
					t.Errorf("it says so %d times: %v", n, err)
				}
			}
			if all := reports.Take(); len(all) != 2 || !strings.Contains(all[1], errStopped.Error()) {
				t.Errorf("of one damage and three changes after it these are reported: %q", all)
			}
			want(t, "what is shared and need not stay", writeShared(ctx, s, "live", 0, []byte("x"), false), nil)
			_, _, err := s.Match(ctx, "m")
			checkMessage(t, err, path, "damaged", "restore")
			if found, err := s.Check(ctx); err == nil && found == nil {
				t.Error("check finds nothing")
			}
		})
	}
}

// answered returns the answer to a change. It ends the test if there is none.
func answered(t *testing.T, what string, change func() error) error {
	t.Helper()
	answer := make(chan error, 1)
	go func() { answer <- change() }()
	select {
	case err := <-answer:
		return err
	case <-time.After(10 * time.Second):
		t.Fatalf("%s has no answer", what)
		return nil
	}
}

// corruptTable overwrites the first page of a table of a file that nobody has open.
func corruptTable(t *testing.T, path, table string) {
	t.Helper()
	var root int
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	want(t, "root", db.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = ?1", table).Scan(&root), nil)
	want(t, "close", db.Close(), nil)
	corruptPages(t, path, root, root+1)
}

// TestDurableRowsStay in the file, those that exist and in their newest state, and other rows do not.
func TestDurableRowsStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	write := func(id string, replaces int64, data []byte, isDurable bool) {
		t.Helper()
		want(t, id, writeShared(t.Context(), s, id, replaces, data, isDurable), nil)
	}
	of := func(kind, id string, isDurable bool) rows.Write {
		return rows.Write{Key: rows.Key{Kind: kind, ID: id}, Data: []byte("of " + kind), Durable: isDurable}
	}
	_, err := s.Shared().Write(t.Context(), of("other", "deleted", true), of("other", "live", false)) // in one transaction
	want(t, "two at once", err, nil)
	write("live", 0, []byte("x"), false)
	for _, id := range []string{"deleted", "kept"} {
		write(id, 0, []byte("old"), true)
		write(id, 1, []byte("new"), true)
	}
	write("deleted", 2, nil, true)
	m := newMatch(t, "m", "", newAccount(t, s, "ana"), newAccount(t, s, "bob"))
	want(t, "a match", s.CreateMatch(t.Context(), m, lobby.MatchStart{Rows: []rows.Write{of("table", "of m", true), of("live", "of m", false)}}), nil)
	if n := countRows(t, s, "shared_rows"); n != 3 {
		t.Errorf("the file has %d rows", n)
	}
	want(t, "close", s.Close(), nil)
	found, _, err := openFile(t, path).Shared().Changes(t.Context(), "")
	var got []string
	for _, r := range found {
		got = append(got, fmt.Sprint(r.Kind, " ", r.ID, " ", r.Version, " ", string(r.Data)))
		if r.At.IsZero() {
			t.Errorf("%v has no time", r.Key)
		}
	}
	slices.Sort(got)
	if wanted := []string{"other deleted 1 of other", "table of m 1 of table", "test kept 2 new"}; err != nil || !slices.Equal(got, wanted) {
		t.Errorf("the file has the rows %q, %v, want %q", got, err, wanted)
	}
}

// TestSharedRowsThatFailAreNotLost: a file whose rows cannot be read is not opened without them, and one that cannot be stored
// is not shared.
func TestSharedRowsThatFailAreNotLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	run(t, path, "CREATE TRIGGER refuse BEFORE INSERT ON shared_rows BEGIN SELECT RAISE(ABORT, 'no room'); END")
	checkMessage(t, writeShared(t.Context(), s, "a", 0, []byte("x"), true), path, "no room")
	if found, _, err := s.Shared().Changes(t.Context(), ""); err != nil || len(found) != 0 {
		t.Errorf("shared are %+v, %v", found, err)
	}
	run(t, path, "DROP TRIGGER refuse")
	want(t, "afterwards", writeShared(t.Context(), s, "a", 0, []byte("x"), true), nil)
	want(t, "close", s.Close(), nil)
	for _, damage := range []string{"UPDATE shared_rows SET version = 'x'", "DROP TABLE shared_rows"} {
		run(t, path, damage)
		s, err := Open(t.Context(), path, enginetest.Games)
		if err == nil {
			s.Close()
		}
		checkMessage(t, err, path, "opening")
	}
}

// TestAFileThatAnotherProgramWritesIsNotOpened, since its schema cannot be compared.
func TestAFileThatAnotherProgramWritesIsNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	want(t, "close", openFile(t, path).Close(), nil)
	other := must[*sql.DB](t)(sql.Open("sqlite", path+"?_txlock=immediate"))
	defer other.Close()
	writing := must[*sql.Tx](t)(other.Begin())
	defer writing.Rollback()
	s, err := open(t.Context(), path, "file:"+path+"?_txlock=immediate", 1, enginetest.Games)
	if err == nil {
		s.Close()
	}
	checkMessage(t, err, path, "another program has locked the file")
}

// TestAFileNeedsSharedMemory: what cannot be in WAL mode is not opened, and other failures are not taken for that.
func TestAFileNeedsSharedMemory(t *testing.T) {
	s, err := open(t.Context(), "a share", ":memory:?_txlock=immediate", 1, enginetest.Games)
	if err == nil {
		s.Close()
	}
	checkMessage(t, err, "a share", "lacks shared memory", "local disk")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	want(t, "WAL mode", openFile(t, filepath.Join(t.TempDir(), FileName)).enableWAL(ended), context.Canceled)
}

// TestCheckFindsWhatOnlySQLiteFinds: a value that a column cannot have.
func TestCheckFindsWhatOnlySQLiteFinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	makeStartedMatch(t, path)
	run(t, path, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'ended BIGINT', 'ended BIGINT NOT NULL') WHERE name = 'matches'")
	if found, err := openFile(t, path).Check(t.Context()); err != nil || len(found) != 1 || !strings.Contains(found[0], "NULL value in matches.ended") {
		t.Errorf("check: %q, %v", found, err)
	}
}

// TestCheckFindsRowsThatBelongToNothing, which SQLite takes for intact.
func TestCheckFindsRowsThatBelongToNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	makeStartedMatch(t, path)
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	_, err := db.Exec("DELETE FROM matches")
	want(t, "delete", errors.Join(err, db.Close()), nil)
	if found, err := openFile(t, path).Check(t.Context()); err != nil || len(found) == 0 || !strings.Contains(found[0], "belongs to none of matches") {
		t.Errorf("check: %q, %v", found, err)
	}
}

func TestBackupIsOneMomentOfALivingStore(t *testing.T) {
	folder := t.TempDir()
	s := openFile(t, filepath.Join(folder, FileName))
	ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
	stop := make(chan struct{})
	var done sync.WaitGroup
	halfway := make(chan struct{})
	var once sync.Once
	for i := range 4 {
		info := newMatch(t, fmt.Sprint("m", i), `{"size":15}`, ana, bob)
		want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		turns := log(t, info, 150, newChance())
		done.Go(func() {
			for v, e := range turns {
				select {
				case <-stop:
					return
				default:
				}
				want(t, "append", s.Append(context.Background(), info.ID, after(v), e), nil)
				if v == 20 {
					once.Do(func() { close(halfway) })
				}
			}
		})
	}
	<-halfway
	file := filepath.Join(folder, "copy.db")
	err := s.Backup(t.Context(), file)
	close(stop)
	done.Wait()
	if err != nil {
		t.Fatal(err)
	}
	checkMessage(t, s.Backup(t.Context(), file), "already exists", file)
	if info := must[os.FileInfo](t)(os.Stat(file)); info.Mode().Perm() != 0o600 {
		t.Errorf("the backup's mode is %v", info.Mode())
	}
	c := openFile(t, file)
	limit, copied := 0, 0
	want(t, "all", c.AllMatches(t.Context(), func(info *match.Info, entries []match.Entry) error {
		limit = max(limit, len(entries))
		copied++
		_, err := (&match.Snapshot{Info: info, Log: entries}).Positions()
		return err
	}), nil)
	if copied != 4 || limit < 21 {
		t.Errorf("%d matches in the copy, the longest of %d entries", copied, limit)
	}
	if found, err := c.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
	want(t, "close", c.Close(), nil)

	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Backup(stopped, filepath.Join(folder, "never.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("backup that was cancelled: %v", err)
	}
	checkMessage(t, s.Backup(t.Context(), filepath.Join(folder, "no folder", "copy.db")), "cannot be written")
	if runtime.GOOS == "linux" { // where nothing can be synced that is not on a disk
		checkMessage(t, syncDir(os.DevNull), "invalid argument")
	}
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(folder)) {
		if name := e.Name(); strings.HasPrefix(name, ".") || strings.HasPrefix(name, "never") {
			t.Errorf("%s is left", name)
		}
	}
}

// TestTheCodeOfAPrivateMatchIsKeptUntilItsEnd searches the bytes of the file for the code.
func TestTheCodeOfAPrivateMatchIsKeptUntilItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ayumu.db")
	s := must[*Store](t)(Open(t.Context(), path, enginetest.Games))
	info := newMatch(t, "m", "", guest, guest)
	info.Rated, info.Private, info.Code = false, true, "0123456789secret"
	want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	if got, _, err := s.Match(t.Context(), "m"); err != nil || got.Code != info.Code {
		t.Errorf("a match that goes on has the code %q, %v", got.Code, err)
	}
	for i := range 40 { // so that rows move within pages and between them
		other := newMatch(t, fmt.Sprintf("m%d", i), "", guest, guest)
		other.Rated, other.Private, other.Code = false, true, info.Code
		want(t, "create", s.CreateMatch(t.Context(), other, lobby.MatchStart{}), nil)
	}
	for i := range 40 {
		want(t, "end", s.Append(t.Context(), fmt.Sprintf("m%d", i), after(0), end(time.Minute, engine.ReasonAbort)), nil)
	}
	want(t, "end", s.Append(t.Context(), "m", after(0), end(time.Minute, engine.ReasonAbort)), nil)
	want(t, "close", s.Close(), nil)
	if raw := must[[]byte](t)(os.ReadFile(path)); bytes.Contains(raw, []byte(info.Code)) {
		t.Error("after the end the file has the code")
	}
}
