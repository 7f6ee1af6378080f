package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// TestBuiltInPlayersShowTheirLevelAndRatings on every front end of a server that has just been set up. They are no members.
func TestBuiltInPlayersShowTheirLevelAndRatings(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir)
	key := servertest.NewKey(t)
	s, err := servertest.Dial(t, p.addr, "ana", key).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	s.Stdin = strings.NewReader(`{"id":"users","op":"users"}` + "\n" + `{"id":"profile","op":"profile","name":"Heron"}` + "\n")
	out, err := s.Output("api")
	if err != nil {
		t.Fatal(err, string(out))
	}
	type player struct {
		Name    string
		Level   int
		Ratings map[string]struct{ Rating, Deviation, Games int }
	}
	const ratings = "map[ayu:{2413 75 0} mu:{1723 75 0} mu-multi:{1723 75 0}]"
	seen := 0
	for line := range strings.Lines(string(out)) {
		var answer struct {
			Re    string
			Users []player
			player
		}
		if json.Unmarshal([]byte(line), &answer) != nil {
			continue
		}
		for _, u := range append(answer.Users, answer.player) {
			switch u.Name {
			case "Heron":
				if seen++; u.Level != 4 || fmt.Sprint(u.Ratings) != ratings {
					t.Errorf("%s: %+v", answer.Re, u)
				}
			case "ana":
				if u.Level != 0 || len(u.Ratings) != 0 {
					t.Errorf("%s: %+v", answer.Re, u)
				}
			}
		}
	}
	if seen != 2 {
		t.Errorf("the answers are %s", out)
	}
	if out, _ := p.runAs("ana", key, "who"); !strings.Contains(out, "Heron (level 4)       a bot  ayu 2413, mu 1723, mu-multi 1723\n") {
		t.Errorf("who: %s", out)
	}
	if out, _ := p.runAs("ana", key, "who --json"); !strings.Contains(out, `"level":4,"ratings":{"ayu":{"rating":2413,"deviation":75,"games":0}`) {
		t.Errorf("who --json: %s", out)
	}
	line, err := servertest.Dial(t, p.addr, "ana", key).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := line.RequestPty("dumb", 24, 200, nil); err != nil {
		t.Fatal(err)
	}
	in, err := line.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(in, "who\rprofile heron\rquit\r")
	out, _ = line.Output("line")
	for _, want := range []string{"Heron (level 4), a bot, ayu 2413, mu 1723, mu-multi 1723.", "Heron (level 4), joined ", "2413 plus or minus 75, after 0 rated games."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("line mode lacks %q:\n%s", want, out)
		}
	}
	members, err := run(t, accountCommand(), "", "list", "--data", dir)
	if err != nil || !strings.Contains(members, "ana") || strings.Contains(members, "Heron") {
		t.Errorf("members: %s, %v", members, err)
	}
}

// TestLeaderboardFollowsTheAccess: what a place requires depends on access.open, also after a reload.
func TestLeaderboardFollowsTheAccess(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "club.toml")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key, keys := servertest.NewKey(t), filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, ssh.MarshalAuthorizedKey(key.PublicKey()), 0o600); err != nil {
		t.Fatal(err)
	}
	write("[access]\nkeys = \"" + keys + "\"\n")
	p := start(t, dir, "--config", file)
	open, closed := "against 5 established opponents (no bots) on 3 days within 90 days.", "against 3 opponents within 90 days."
	if out, _ := p.runAs("ana", key, "top"); !strings.Contains(out, open) {
		t.Errorf("where access is open: %s", out)
	}
	write("[access]\nopen = false\nkeys = \"" + keys + "\"\n")
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the reload is logged", func() bool { return strings.Contains(p.logs.String(), "settings reloaded") })
	if out, _ := p.runAs("ana", key, "top"); !strings.Contains(out, closed) {
		t.Errorf("where access is closed: %s", out)
	}
}
