package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"ayumu/cmd/games"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
)

// run runs a command with arguments.
func run(t *testing.T, cmd *cobra.Command, in string, args ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(in))
	cmd.SetOut(&b)
	cmd.SetErr(&b)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err = cmd.ExecuteContext(t.Context())
	return b.String(), err
}

// makePlayedData makes a data file with an account and a match of a few turns, and returns the id of the
// match.
func makePlayedData(t *testing.T, dir string) (match string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName), games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l, err := lobby.New(t.Context(), lobby.Config{Games: games.Rules(), Store: db})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var sessions []*lobby.Session
	for _, name := range []string{"ana", "bob"} {
		sessions = append(sessions, lobbytest.Member(t, l, name))
	}
	match = lobbytest.Start(t, sessions[0], sessions[1], table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
	for version, action := range []string{"b1-b2", "a2-a3", "b2-b4"} {
		p, err := sessions[0].AsPlayer(match)
		if err != nil {
			t.Fatal(err)
		}
		if p.Seat() != p.Snapshot().Position.Turn() {
			p, _ = sessions[1].AsPlayer(match)
		}
		if _, err := p.Act(t.Context(), version, []string{action}); err != nil {
			t.Fatal(err)
		}
	}
	return match
}

func TestDataFileIsCheckedAndCopied(t *testing.T) {
	dir := t.TempDir()
	id := makePlayedData(t, dir)
	out, err := run(t, dbCommand(), "", "check", "--data", dir)
	if err != nil || !strings.Contains(out, "1 match, valid") {
		t.Errorf("%s%v", out, err)
	}
	copied := filepath.Join(dir, "copy", sqlite.FileName)
	if err := os.Mkdir(filepath.Dir(copied), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, backupCommand(), "", copied, "--data", dir); err != nil {
		t.Errorf("%s%v", out, err)
	}
	if _, err := run(t, backupCommand(), "", copied, "--data", dir); err == nil {
		t.Error("a backup took the place of another")
	}
	if _, err := run(t, dbCommand(), "", "check", "--data", filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a file that is not there is right")
	}

	// A turn that the engine never allowed is named.
	db, err := sqlite.Open(t.Context(), copied, games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	_, log, err := db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	bad := log[len(log)-1]
	bad.Seat, bad.AppendID = 1-bad.Seat, match.AppendID{1}
	if err := db.Append(t.Context(), id, match.NewLogEnd(log), bad); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	out, err = run(t, dbCommand(), "", "check", "--data", filepath.Dir(copied))
	if err == nil || !strings.Contains(out, id+": entry 4:") {
		t.Errorf("%s%v", out, err)
	}
}

func TestAccountGetsAKey(t *testing.T) {
	dir := t.TempDir()
	makePlayedData(t, dir)
	d := newPairOfClients(t, 0)
	line := string(ssh.MarshalAuthorizedKey(d.keys[0].PublicKey()))
	for _, c := range []struct{ in, name, says string }{
		{"malformed", "ana", "not a public key"},
		{line, "nobody", "nobody"},
	} {
		if _, err := run(t, accountCommand(), c.in, "addkey", c.name, "--data", dir); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	out, err := run(t, accountCommand(), line, "addkey", "ANA", "--data", dir)
	if err != nil || !strings.Contains(out, "ana can now sign in") {
		t.Errorf("%s%v", out, err)
	}
	if out, err := run(t, accountCommand(), "", "bot", "ana", "--data", dir); err != nil {
		t.Errorf("%s%v", out, err)
	}
	db, err := (&storeFlags{dir: dir}).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if a, err := db.AccountByName(t.Context(), "ana"); err != nil || !a.Bot {
		t.Errorf("marked as a bot: %+v, %v", a, err)
	}
	if a, err := db.AccountByKey(t.Context(), d.keys[0].PublicKey().Marshal()); err != nil || a.Name != "ana" {
		t.Errorf("the key is %+v, %v", a, err)
	}
}
