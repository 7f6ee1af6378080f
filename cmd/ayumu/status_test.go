package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayumu/cmd/cli/clitest"
	"ayumu/lobby/cluster"
	"ayumu/server/servertest"
)

// TestStatusSaysWhoMayConnect: the log of a start and of a reload and `ayumu status` say it, for all combinations of the
// settings.
func TestStatusSaysWhoMayConnect(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "club.toml")
	p, seen := (*process)(nil), 0 // and the length of its log before the reload
	for _, c := range []struct{ settings, want string }{
		{"", "anyone with a key, and guests"},
		{"guests = false", "anyone with a key"},
		{"open = false", "members and invitations"},
		{"open = false\nguests = false", "members and invitations"},
		{"open = true", "anyone with a key, and guests"},
	} {
		if err := os.WriteFile(file, []byte("[access]\n"+c.settings+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		logged := func() bool { return strings.Contains(p.logs.String()[seen:], `access="`+c.want+`"`) }
		if p == nil {
			if p = start(t, dir, "--config", file); !logged() {
				t.Errorf("the log of the start lacks %q:\n%s", c.want, p.logs)
			}
		} else {
			seen = len(p.logs.String())
			if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			servertest.Until(t, "the reload is logged with "+c.want, logged)
		}
		out, errs, exit := clitest.Run(t, "", "status", "--data", dir)
		if exit != 0 || !strings.HasSuffix(out, "\naccess: "+c.want+"\n") {
			t.Errorf("exit %d, %s%s", exit, out, errs)
		}
		out, errs, exit = clitest.Run(t, "", "status", "--data", dir, "--json")
		var s struct{ Nodes []struct{ Access string } }
		if err := json.Unmarshal([]byte(out), &s); exit != 0 || err != nil || len(s.Nodes) != 1 || s.Nodes[0].Access != c.want {
			t.Errorf("exit %d, %v, %s%s", exit, err, out, errs)
		}
	}
}

// TestStatusOfNodesWithDifferentAccess: each node that is alive has a line where their settings differ.
func TestStatusOfNodesWithDifferentAccess(t *testing.T) {
	node := func(name, access string, alive bool) cluster.Status {
		return cluster.Status{Name: name, Info: cluster.Info{Access: access}, IsAlive: alive}
	}
	for _, c := range []struct {
		nodes []cluster.Status
		want  string
	}{
		{[]cluster.Status{node("a", "all", true), node("b", "all", true), node("c", "none", false)}, "access: all"},
		{[]cluster.Status{node("a", "all", true), node("b", "none", true)}, "access to a: all\naccess to b: none"},
		{[]cluster.Status{node("a", "", true)}, ""},
		{nil, ""},
	} {
		if got := strings.Join(newClusterStatus(time.Time{}, c.nodes).access(), "\n"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.nodes, got, c.want)
		}
	}
}
