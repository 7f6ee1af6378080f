package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ayumu/lobby/store/sqlite"
)

// TestMembersAreManagedOnARunningServer: with the data folder of a running server the commands of the shell apply to who
// is connected; the role, the name and the end of the account are seen at once.
func TestMembersAreManagedOnARunningServer(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir)
	key := newPairOfClients(t, 0).keys[0]
	ana, err := connect(p.addr, "ana", key) // which makes the account
	if err != nil {
		t.Fatal(err)
	}
	defer ana.conn.Close()
	if _, err := ana.next(); err != nil {
		t.Fatal(err)
	}
	account := func(line, want string, fails bool) {
		t.Helper()
		out, err := run(t, accountCommand(), "", append(strings.Fields(line), "--data", dir)...)
		if err != nil {
			out += err.Error()
		}
		if (err != nil) != fails || !strings.Contains(words(out), want) {
			t.Errorf("%s: %s, %v", line, out, err)
		}
	}
	account("list", "ana", false)
	account("show ana --json", `"last_seen":"2`, false)
	if says, status := p.runAs("ana", key, "admin reports"); status == 0 {
		t.Errorf("a player reads reports: %s", says)
	}
	account("role ana moderator", "ana has the role moderator", false)
	if says, status := p.runAs("ana", key, "admin reports"); status != 0 {
		t.Errorf("a moderator: %d %s", status, says)
	}
	account("rename ana zoe", "now zoe", false)
	if says, status := p.runAs("x", key, "who"); status != 0 || !strings.Contains(says, "zoe") || strings.Contains(says, "ana") {
		t.Errorf("who is online: %d %s", status, says)
	}
	account("show ana", "there is no account", true)
	account("remove zoe", "The account zoe was deleted.", false)
	for err = nil; err == nil; {
		_, err = ana.next() // until the server ends the connection
	}
	account("show zoe", "there is no account", true)
	// With --store the store is opened beside the server.
	account("show Brook --store sqlite:"+filepath.Join(dir, sqlite.FileName), "Brook, bot", false)
}
