package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/store/sqlite"
)

// TestMembersAreManagedFromTheShell: accounts are listed, shown, renamed, given roles and removed on a data file and on
// PostgreSQL, and the only owner stays one.
func TestMembersAreManagedFromTheShell(t *testing.T) {
	file := makeData(t)
	url := postgresStore(t)
	if out, err := run(t, dbCommand(), "", "copy", "sqlite:"+filepath.Join(file, sqlite.FileName), url); err != nil {
		t.Fatal(out, err)
	}
	for _, at := range [][]string{{"--data", file}, {"--store", url}} {
		place, err := locate(strings.TrimPrefix(at[1], file), file)
		if err != nil {
			t.Fatal(err)
		}
		db, err := place.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.CreateAccount(t.Context(), "zz-idle", []byte("idle"), time.Now()); err != nil {
			t.Fatal(err)
		}
		db.Close()
		names, err := run(t, accountCommand(), "", append([]string{"list"}, at...)...)
		if err != nil || strings.Count(names, "\n") != 4 || !strings.HasPrefix(names, "name  ") || !strings.Contains(names, "unknown") {
			t.Fatalf("%s%v", names, err)
		}
		first, second := strings.Fields(strings.Split(names, "\n")[1])[0], strings.Fields(strings.Split(names, "\n")[2])[0]
		for _, c := range []struct {
			line, want string
			fails      bool
		}{
			{"role " + first + " owner", first + " has the role owner", false},
			{"role " + first + " player", "this is the only owner;", true},
			{"remove " + first, "an owner's account cannot be deleted;", true},
			{"role " + second + " owner", second + " has the role owner", false},
			{"role " + first + " moderator", first + " has the role moderator", false},
			{"role " + first + " king", "is not a role", true},
			{"rename " + first + " zoe", "now zoe", false},
			{"rename zoe " + second, "is taken", true},
			{"rename nobody zoe", "there is no account", true},
			{"show zoe", "zoe, moderator, joined ", false},
			{"show zoe --json", `"role":"moderator"`, false},
			{"list --json", `{"name":"zoe","role":"moderator"`, false},
			{"list " + second, "zoe", false},
			{"list zz-idle", "No members.", false},
			{"remove zoe", "zoe is still playing 1 game;", true},
			{"remove zz-idle", "The account zz-idle was deleted.", false},
			{"show zz-idle", "there is no account", true},
		} {
			out, err := run(t, accountCommand(), "", append(strings.Fields(c.line), at...)...)
			if err != nil {
				out += err.Error()
			}
			if (err != nil) != c.fails || !strings.Contains(words(out), c.want) {
				t.Errorf("%s: %s, %v", c.line, out, err)
			}
		}
	}
}

// TestRecordsAreExported: each finished match becomes a file, which a second export leaves as it is; filters select.
func TestRecordsAreExported(t *testing.T) {
	data, dir := makeData(t), filepath.Join(t.TempDir(), "records")
	tomorrow := time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	for _, c := range []struct {
		args, want string
		fails      bool
	}{
		{"--game mu", "0 records written", false},
		{"--player nobody", "no game has a player with the name", true},
		{"--game chess", `there is no game "chess"; the games are ayu and mu`, true},
		{"--since " + tomorrow, "0 records written", false},
		{"--until 2000-01-01", "0 records written", false},
		{"--since never", "is not a day", true},
		{"", "0 records written", false}, // it runs
		{"--running --game ayu", "1 record written to " + dir + ", 0 already there", false},
		{"--running", "1 record written", false},
	} {
		out, err := run(t, recordCommand(), "", append([]string{"export", dir, "--data", data}, strings.Fields(c.args)...)...)
		if err != nil {
			out += err.Error()
		}
		if (err != nil) != c.fails || !strings.Contains(words(out), c.want) {
			t.Errorf("%s: %s", c.args, out)
		}
	}
	mistyped := filepath.Join(dir, "nope", "records")
	if _, err := run(t, recordCommand(), "", "export", mistyped, "--data", data); err == nil || err.Error() != "there is no folder "+filepath.Dir(mistyped)+" in which to make records" {
		t.Errorf("an export below a folder that does not exist: %v", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("files: %v, %v", files, err)
	}
	if out, err := run(t, recordCommand(), "", "check", filepath.Join(dir, files[0].Name())); err != nil {
		t.Errorf("%s%v", out, err)
	}
}
