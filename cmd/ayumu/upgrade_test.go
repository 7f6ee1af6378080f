package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/cmd/games"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/storetest"
)

// oldFile makes a data file of schema 13 in a new folder.
func oldFile(t *testing.T) (dir string) {
	t.Helper()
	packed, err := os.Open("../../lobby/store/sqlite/testdata/schema13.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(unpacked)
	dir = t.TempDir()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, sqlite.FileName), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestServerUpgradesItsStore: it logs what it did, the first time only, and goes on with the content.
func TestServerUpgradesItsStore(t *testing.T) {
	dir := oldFile(t)
	copied := filepath.Join(dir, sqlite.FileName+".schema13")
	p := start(t, dir)
	waitFor(t, p.screen(p.dial("ana"), "\r", "Ayumu"))
	p.kill()
	if log := p.logs.String(); strings.Count(log, "upgraded") != 1 || !strings.Contains(log, `msg="data file upgraded" from=13 to=16 copy=`+copied) {
		t.Errorf("the log is\n%s", log)
	}
	if _, err := os.Stat(copied); err != nil {
		t.Error(err)
	}
	if p = start(t, dir); strings.Contains(p.logs.String(), "upgraded") {
		t.Errorf("the log of the second start is\n%s", p.logs)
	}
	p.kill()

	url := postgresStore(t)
	dump, err := os.ReadFile("../../lobby/store/postgres/testdata/schema13.sql")
	if err == nil {
		err = postgrestest.Exec(url, string(dump))
	}
	if err != nil {
		t.Fatal(err)
	}
	p = start(t, t.TempDir(), "--store", url)
	p.kill()
	if log := p.logs.String(); !strings.Contains(log, `msg="database upgraded" from=13 to=16`) {
		t.Errorf("the log is\n%s", log)
	}
}

// TestToolsUpgradeTheDataFile: but not while a server uses it, which is one of an older version.
func TestToolsUpgradeTheDataFile(t *testing.T) {
	dir := oldFile(t)
	file := filepath.Join(dir, sqlite.FileName)
	unlock, err := lockData(dir)
	if err != nil {
		t.Fatal(err)
	}
	tools := [][]string{{"account", "bot", "ana", "--data", dir}, {"backup", filepath.Join(dir, "backup.db"), "--data", dir}, {"db", "copy", "sqlite:" + file, "sqlite:" + filepath.Join(t.TempDir(), "copy.db")}}
	for _, tool := range tools {
		if out, errs, status := clitest.Run(t, "", tool...); status != 1 || !strings.Contains(words(errs), "stop it") || !sqlite.NeedsUpgrade(t.Context(), file) {
			t.Errorf("%s beside an old server: exit %d, %s%s", tool, status, out, errs)
		}
	}
	unlock()
	for _, tool := range tools {
		dir := oldFile(t)
		for i, arg := range tool {
			tool[i] = strings.ReplaceAll(arg, filepath.Dir(file), dir)
		}
		out, errs, status := clitest.Run(t, "", tool...)
		if status != 0 || !strings.Contains(words(out+errs), "from schema 13 to 16; "+filepath.Join(dir, sqlite.FileName+".schema13")+" is as it was before") {
			t.Errorf("%s: exit %d, %s%s", tool, status, out, errs)
		}
	}
}

// TestEveryTableIsCopied copies a data file with rows in every table, which is upgraded before, to PostgreSQL and back.
func TestEveryTableIsCopied(t *testing.T) {
	url, file, back := postgresStore(t), filepath.Join(oldFile(t), sqlite.FileName), filepath.Join(t.TempDir(), "back.db")
	s, err := sqlite.Open(t.Context(), file, games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	ana, err := s.AccountByName(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	storetest.Tournament(t, s, ana.ID) // schema 13 had none
	s.Close()
	for _, c := range [][2]string{{"sqlite:" + file, url}, {url, "sqlite:" + back}} {
		if out, err := run(t, dbCommand(), "", "copy", c[0], c[1]); err != nil {
			t.Fatalf("%s%v", out, err)
		}
	}
	source, copied := exported(t, file), exported(t, back)
	for _, table := range store.Tables {
		if rows := source[table.Name]; len(rows) == 0 || !slices.Equal(rows, copied[table.Name]) {
			t.Errorf("%s had\n%q\nand has\n%q", table.Name, rows, copied[table.Name])
		}
	}
}

// exported returns the rows of a data file as text, by the names of their tables.
func exported(t *testing.T, file string) map[string][]string {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file, games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := make(map[string][]string)
	for row, err := range s.Export(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[row.Table.Name] = append(all[row.Table.Name], fmt.Sprintf("%#v", row.Values))
	}
	return all
}
