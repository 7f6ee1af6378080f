package sqlite

import (
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/storetest"
)

// unpackSchema13 writes testdata/schema13.db.gz, which a version with schema 13 made with rows in every table, to a
// new folder.
func unpackSchema13(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), FileName)
	writeSchema13(t, path)
	return path
}

func writeSchema13(t *testing.T, path string) {
	t.Helper()
	packed, err := os.Open("testdata/schema13.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked := must[*gzip.Reader](t)(gzip.NewReader(packed))
	want(t, "write", os.WriteFile(path, must[[]byte](t)(io.ReadAll(unpacked)), 0o600), nil)
}

// query returns the rows of a query on a file, without the store.
func query(t *testing.T, path, query string) (rows []string) {
	t.Helper()
	db := must[*sql.DB](t)(sql.Open("sqlite", path))
	defer db.Close()
	found := must[*sql.Rows](t)(db.Query(query))
	defer found.Close()
	columns := must[[]string](t)(found.Columns())
	for found.Next() {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = new(sql.NullString)
		}
		want(t, "scan", found.Scan(row...), nil)
		line := ""
		for _, v := range row {
			if text := v.(*sql.NullString); text.Valid {
				line += fmt.Sprintf("%q ", text.String)
			} else {
				line += "NULL "
			}
		}
		rows = append(rows, line)
	}
	want(t, "rows", found.Err(), nil)
	return rows
}

// content returns the rows of every table of a file, with columns that it has by the name of the table.
func content(t *testing.T, path string, columns map[string]string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for table, c := range columns {
		all[table] = query(t, path, fmt.Sprintf("SELECT %s FROM %q ORDER BY 1, 2", c, table))
	}
	return all
}

// checkContent checks that a file, which was upgraded from schema 13, has the content of before, which has the columns of old.
func checkContent(t *testing.T, path string, old map[string]string, before map[string][]string) {
	t.Helper()
	for table, columns := range old {
		renamed, columns := storetest.SinceSchema13(table, columns)
		if after := content(t, path, map[string]string{renamed: columns})[renamed]; !slices.Equal(before[table], after) {
			t.Errorf("%s had\n%q\nand has\n%q", table, before[table], after)
		}
	}
}

// columns returns the names of the columns of every table of a file.
func columns(t *testing.T, path string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, row := range query(t, path, `SELECT m.name || ':' || group_concat('"' || c.name || '"', ', ') FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name <> 'schema' GROUP BY m.name`) {
		table, names, _ := strings.Cut(must[string](t)(strconv.Unquote(strings.TrimSpace(row))), ":")
		all[table] = names
	}
	return all
}

// describeSchema returns what a file has: tables with their columns in any order, indexes, keys and views.
func describeSchema(t *testing.T, path string) []string {
	t.Helper()
	var all []string
	for _, q := range []string{
		`SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
		`SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'`,
		`SELECT m.name, f."from", f."table", f."to" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
		`SELECT m.name, i.name, i."unique", i.origin, i.partial, x.seqno, x.name, x.desc, x.coll FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) x
			WHERE m.type = 'table' AND x.key`,
		`SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'index', 'trigger') AND sql IS NOT NULL`,
	} {
		rows := query(t, path, q)
		slices.Sort(rows)
		all = append(all, rows...)
	}
	for i, line := range all {
		all[i] = strings.Join(strings.Fields(line), " ")
	}
	return all
}

func TestFileOfSchema13IsUpgraded(t *testing.T) {
	path := unpackSchema13(t)
	old := columns(t, path)
	before := content(t, path, old)
	for table, rows := range before {
		if len(rows) == 0 && table != "fresh" && table != "entries" {
			t.Errorf("the file has no rows of %s", table)
		}
	}
	if !NeedsUpgrade(t.Context(), path) {
		t.Error("the file needs no upgrade")
	}
	s := openFile(t, path)
	copied := path + ".schema13"
	if u := s.Upgraded(); u == nil || *u != (store.Upgrade{From: 13, To: newestSchema(), Copy: copied}) {
		t.Errorf("the upgrade is %+v", u)
	}
	checkContent(t, path, old, before)
	if kept := content(t, copied, old); !maps.EqualFunc(before, kept, slices.Equal) || !NeedsUpgrade(t.Context(), copied) {
		t.Errorf("the copy has\n%q\nnot\n%q", kept, before)
	}
	if info := must[os.FileInfo](t)(os.Stat(copied)); info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the copy is %v", info.Mode())
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
	entries := make(map[string]int)
	want(t, "all matches", s.AllMatches(t.Context(), func(info *match.Info, log []match.Entry) error {
		entries[info.ID] = len(log)
		return nil
	}), nil)
	if !maps.Equal(entries, map[string]int{"aborted": 1, "finished": 5, "running": 4}) {
		t.Errorf("the logs have %v entries", entries)
	}
	populated := openFile(t, filepath.Join(t.TempDir(), FileName))
	storetest.Populate(t, populated)
	storetest.CheckUpgraded(t, s, populated)
	_, log, err := s.Match(t.Context(), "running")
	want(t, "the running match", err, nil)
	want(t, "append", s.Append(t.Context(), "running", match.NewLogEnd(log), match.Entry{Kind: match.EntryCredit, At: log[len(log)-1].At}), nil)
	want(t, "close", s.Close(), nil)

	checkIsNewest(t, path)
	if s := openFile(t, path); s.Upgraded() != nil || NeedsUpgrade(t.Context(), path) {
		t.Errorf("the upgraded file is upgraded: %+v", s.Upgraded())
	}
}

// checkIsNewest checks that an upgraded file has the same schema as a new one.
func checkIsNewest(t *testing.T, path string) {
	t.Helper()
	empty := filepath.Join(t.TempDir(), FileName)
	want(t, "close", openFile(t, empty).Close(), nil)
	upgraded, made := describeSchema(t, path), describeSchema(t, empty)
	if !slices.Equal(upgraded, made) {
		without := func(lines, other []string) []string {
			return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(other, line) })
		}
		t.Errorf("only the upgraded file has\n%q\nonly a new one has\n%q", without(upgraded, made), without(made, upgraded))
	}
}

// TestFileOfSchema14IsUpgraded: development versions had it.
func TestFileOfSchema14IsUpgraded(t *testing.T) {
	path := unpackSchema13(t)
	run(t, path, store.ToSchema14, "UPDATE schema SET version = 14")
	s := openFile(t, path)
	if u := s.Upgraded(); u == nil || *u != (store.Upgrade{From: 14, To: newestSchema(), Copy: path + ".schema14"}) {
		t.Errorf("the upgrade is %+v", u)
	}
	want(t, "close", s.Close(), nil)
	checkIsNewest(t, path)
}

// TestCopyOfAnEarlierUpgradeIsKept: somebody went back to the copy, played on and upgrades again.
func TestCopyOfAnEarlierUpgradeIsKept(t *testing.T) {
	path := unpackSchema13(t)
	want(t, "an earlier copy", os.WriteFile(path+".schema13", []byte("earlier"), 0o600), nil)
	if u := openFile(t, path).Upgraded(); u == nil || u.Copy != path+".schema13.2" || !NeedsUpgrade(t.Context(), u.Copy) {
		t.Errorf("the upgrade is %+v", u)
	}
	if kept := must[[]byte](t)(os.ReadFile(path + ".schema13")); string(kept) != "earlier" {
		t.Error("the earlier copy was overwritten")
	}
}

// TestACopyWithoutANameStopsTheUpgrade: the copy cannot be found later.
func TestACopyWithoutANameStopsTheUpgrade(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, err := (&keptCopy{temporary: missing, final: missing + ".schema13"}).publish(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy that is not there: %v", err)
	}
}

// withStep runs a function with one more step of an upgrade.
func withStep(step string, do func()) {
	defer func(steps []string) { upgrades = steps }(upgrades)
	upgrades = append(slices.Clip(upgrades), step)
	do()
}

// files returns the names of the files beside a data file, without those of SQLite.
func files(t *testing.T, path string) (names []string) {
	t.Helper()
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path))) {
		if name := e.Name(); !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			names = append(names, name)
		}
	}
	return names
}

func TestFailedUpgradeChangesNothing(t *testing.T) {
	path := unpackSchema13(t)
	raw := must[[]byte](t)(os.ReadFile(path))
	refused := func(why string, says ...string) {
		t.Helper()
		s, err := Open(t.Context(), path, enginetest.Games)
		if err == nil {
			s.Close()
		}
		checkMessage(t, err, append(says, path)...)
		if after := must[[]byte](t)(os.ReadFile(path)); !slices.Equal(raw, after) {
			t.Errorf("%s: the file was changed", why)
		}
	}
	withStep("UPDATE accounts SET name = 'changed'; this is no SQL", func() { refused("a step fails", "syntax error") })
	if names := files(t, path); !slices.Equal(names, []string{FileName}) {
		t.Errorf("a failed upgrade leaves %q", names)
	}
	run(t, path, "CREATE TRIGGER refuse BEFORE UPDATE ON schema BEGIN SELECT RAISE(ABORT, 'no number'); END")
	raw = must[[]byte](t)(os.ReadFile(path))
	refused("no number", "no number")
	run(t, path, "DROP TRIGGER refuse")
	raw = must[[]byte](t)(os.ReadFile(path))
	// A folder that is not empty is in the way of the copy.
	want(t, "mkdir", os.MkdirAll(path+".schema13.tmp/x", 0o755), nil)
	refused("no copy", FileName+".schema13", "failed", "nothing was changed", "space")
	want(t, "remove", os.RemoveAll(path+".schema13.tmp"), nil)
	if u := openFile(t, path).Upgraded(); u == nil || u.Copy != path+".schema13" {
		t.Errorf("afterwards the upgrade is %+v", u)
	}
}

func TestUpgradeNeedsRoomForTheCopy(t *testing.T) {
	path := filepath.Join(smallDisk(t, 1<<20), FileName)
	writeSchema13(t, path)
	ballast := filepath.Join(filepath.Dir(path), "ballast")
	fill(t, ballast, 100<<10)
	s, err := Open(t.Context(), path, enginetest.Games)
	if err == nil {
		s.Close()
	}
	checkMessage(t, err, FileName+".schema13", "failed", "nothing was changed", "disk is full", "space")
	if strings.Contains(fmt.Sprint(err), "continues by itself") {
		t.Errorf("%v promises too much", err)
	}
	want(t, "free the disk", os.Remove(ballast), nil)
	if names := files(t, path); !slices.Equal(names, []string{FileName}) {
		t.Errorf("it leaves %q", names)
	}
	if u := openFile(t, path).Upgraded(); u == nil {
		t.Error("there is no upgrade once there is room")
	}
}

// upgradeFile is the file that this program, started again by TestKilledUpgrade, upgrades until it is killed.
const upgradeFile = "AYUMU_TEST_UPGRADE_FILE"

// upgradeUntilKilled upgrades a file with a step that changes it and then does not end.
func upgradeUntilKilled(path string) error {
	endless := "UPDATE accounts SET name = 'changed'; CREATE TABLE n (x); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) INSERT INTO n SELECT x FROM c WHERE x < 0"
	var err error
	withStep(endless, func() { _, err = Open(context.Background(), path, enginetest.Games) })
	return err
}

func TestKilledUpgrade(t *testing.T) {
	path := unpackSchema13(t)
	old := columns(t, path)
	before := content(t, path, old)
	c := exec.Command(must[string](t)(os.Executable()))
	c.Env = append(os.Environ(), upgradeFile+"="+path)
	want(t, "start", c.Start(), nil)
	for size := int64(0); size < 100<<10; { // until the copy is there
		if info, err := os.Stat(path + ".schema13.tmp"); err == nil {
			size = info.Size()
		}
		<-time.After(time.Millisecond)
	}
	want(t, "kill", c.Process.Kill(), nil)
	if err := c.Wait(); err == nil {
		t.Error("the upgrade ended")
	}
	if after := content(t, path, old); !maps.EqualFunc(before, after, slices.Equal) || !NeedsUpgrade(t.Context(), path) {
		t.Errorf("the file had\n%q\nand has\n%q", before, after)
	}
	if u := openFile(t, path).Upgraded(); u == nil || u.Copy != path+".schema13" {
		t.Errorf("the next upgrade is %+v", u)
	}
	if names := files(t, path); !slices.Equal(names, []string{FileName, FileName + ".schema13"}) {
		t.Errorf("there are %q", names)
	}
}
