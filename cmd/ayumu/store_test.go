package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ayumu/cmd/cli/clitest"
	"ayumu/cmd/games"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/sqlite"
)

// postgresStore returns the URL of an empty database, with a password that nobody asks for.
func postgresStore(t *testing.T) string {
	t.Helper()
	return strings.Replace(postgrestest.URL(t), "postgres@", "postgres:secret@", 1)
}

// words returns a text without its line breaks, which the printed errors have anywhere.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestServerOnPostgreSQL starts a server on an empty database: the tools work beside it, nothing
// prints the password, and after a crash another server starts.
func TestServerOnPostgreSQL(t *testing.T) {
	url, dir := postgresStore(t), t.TempDir()
	p := start(t, dir, "--store", url)
	c := p.dial("ana")
	waitFor(t, p.screen(c, "\r", "Ayumu"))
	c.Close()
	t.Setenv("AYUMU_STORE", url)
	for _, tool := range [][]string{{"db", "check"}, {"invite"}, {"db", "check", "--store", url}} {
		out, errs, status := clitest.Run(t, "", tool...)
		if status != 0 || strings.Contains(out+errs, "secret") {
			t.Errorf("%s while a server runs: exit %d, %s%s", tool, status, out, errs)
		}
	}
	if _, errs, status := clitest.Run(t, "", "backup", filepath.Join(t.TempDir(), "copy")); status != 1 || !strings.Contains(words(errs), "pg_dump") {
		t.Errorf("backup: exit %d, %s", status, errs)
	}
	if out, errs, status := clitest.Run(t, "", "config", "--data", dir); status != 0 || strings.Contains(out+errs, "secret") || !strings.Contains(out, "postgres://postgres:xxxxx@") {
		t.Errorf("config: exit %d, %s%s", status, out, errs)
	}
	p.kill()
	if strings.Contains(p.logs.String(), "secret") {
		t.Errorf("the log has the password:\n%s", p.logs)
	}
	start(t, dir, "--store", url)
}

// makeData makes a data file with a match and returns its folder.
func makeData(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	makePlayedData(t, dir)
	return dir
}

// TestStoreIsCopied copies a data file to PostgreSQL and back into a new file.
func TestStoreIsCopied(t *testing.T) {
	url := postgresStore(t)
	file, back := "sqlite:"+filepath.Join(makeData(t), sqlite.FileName), "sqlite:"+filepath.Join(t.TempDir(), "back.db")
	for _, c := range [][2]string{{file, url}, {url, back}} {
		out, err := run(t, dbCommand(), "", "copy", c[0], c[1])
		if err != nil || !strings.Contains(out, "log: 3 of 3\n") || !strings.Contains(out, fmt.Sprintf("of %d tables", len(store.Tables))) || strings.Contains(out, "secret") {
			t.Errorf("%s%v", out, err)
		}
		if out, err := run(t, dbCommand(), "", "check", "--store", c[1]); err != nil || !strings.Contains(out, "1 match, valid") {
			t.Errorf("%s%v", out, err)
		}
	}
	for _, c := range []struct{ from, to, says string }{
		{file, url, "not empty"},
		{file, file, "both are"},
		{"sqlite:" + filepath.Join(t.TempDir(), "none.db"), back, "there is no data file"},
		{file, "mysql://x", "not a store such as"},
		{file, "postgres://x:secret@127.0.0.1:1/y", "cannot be reached"},
	} {
		if _, err := run(t, dbCommand(), "", "copy", c.from, c.to); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("copy %s %s: %v", c.from, c.to, err)
		}
	}
}

// TestServerOnANamedFile uses a data file outside of the data folder, which no other server can use.
func TestServerOnANamedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "club.db")
	p := start(t, t.TempDir(), "--store", "sqlite:"+file)
	other := t.TempDir()
	_, errs, status := clitest.Run(t, "", "serve", "--listen", "127.0.0.1:0", "--data", other, "--host-key", filepath.Join(other, "key"), "--store", "sqlite:"+file)
	if status != 1 || !strings.Contains(words(errs), "another server is using") {
		t.Errorf("a second server: exit %d, %s", status, errs)
	}
	p.kill()
	if out, errs, status := clitest.Run(t, "", "db", "check", "--store", "sqlite:"+file); status != 0 {
		t.Errorf("db check: exit %d, %s%s", status, out, errs)
	}
}

// TestServerSaysWhyItCannotUseADatabase, and ends with status 1.
func TestServerSaysWhyItCannotUseADatabase(t *testing.T) {
	url, newer := postgresStore(t), postgresStore(t)
	_, schema, _ := strings.Cut(url, "search_path=")
	powerless := "powerless" + schema // users belong to the server, which outlives the test
	s, err := postgres.Open(t.Context(), newer, games.Rules())
	if err == nil {
		err = errors.Join(s.Close(), postgrestest.Exec(newer, "UPDATE schema SET version = version + 1"), postgrestest.Exec(url, "CREATE ROLE "+powerless+" LOGIN"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for store, says := range map[string]string{
		"postgres://ana:secret@[::1/club":                                 "write postgres://USER@HOST/NAME",
		"postgres://ana:secret@127.0.0.1:1/club":                          "it cannot be reached; check that it runs",
		strings.Replace(url, "/postgres?", "/nowhere?", 1):                "it does not exist; create it with `createdb`",
		strings.Replace(url, "postgres:secret@", "nobody:secret@", 1):     "it refuses the user or the password; check them",
		strings.Replace(url, "postgres:secret@", powerless+":secret@", 1): "the user lacks the rights; make it the owner of the database",
		newer: "newer version of ayumu",
	} {
		_, errs, status := clitest.Run(t, "", "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--store", store, "--node", "a")
		if status != 1 || !strings.Contains(words(errs), says) || strings.Contains(errs, "secret") {
			t.Errorf("exit %d, %s, want %q", status, errs, says)
		}
	}
}
