package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReloadTakesLimitsAndLogSettings changes settings of a running server by SIGHUP.
func TestReloadTakesLimitsAndLogSettings(t *testing.T) {
	dir := t.TempDir()
	file, picture := filepath.Join(dir, "club.toml"), filepath.Join(dir, "picture")
	write := func(file, content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "bots = false\n")
	p := start(t, dir, "--config", file)
	// newAccount reports whether a key that the server has not seen gets an account.
	newAccount := func() bool {
		_, status := p.runAs("x", newPairOfClients(t, 0).keys[0], "api")
		return status == 0
	}
	if !newAccount() {
		t.Fatal(p.logs)
	}
	hup := func() {
		t.Helper()
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	logged := func(what string) func() bool {
		return func() bool { return strings.Contains(p.logs.String(), what) }
	}
	write(picture, "o--o\n")
	write(file, `bots = true
[limits]
new-accounts-burst = 1
new-accounts = 0.01
connections = 900
chat-burst = 3
[club]
accent = "teal"
picture = "`+picture+`"
[log]
format = "json"
`)
	hup()
	waitUntil(t, "the reload is logged, as JSON", logged(`"msg":"settings reloaded"`))
	for _, want := range []string{`"need_restart":["bots"]`, "limits.connections", "limits.new-accounts-burst", "limits.new-accounts", "limits.chat-burst", "log.format", "club.accent", "club.picture"} {
		if !logged(want)() {
			t.Errorf("the log lacks %s:\n%s", want, p.logs)
		}
	}
	newAccount() // takes what may be left
	if newAccount() {
		t.Error("an account is made above the new limit")
	}
	// What is wrong changes nothing and says where it is.
	write(file, "[limits]\nnew-accounts-burst = 100\ntables = 0\n")
	hup()
	waitUntil(t, "the mistake is logged", logged("club.toml:3: limits.tables"))
	write(picture, "o--o\n\x1b[2J\n")
	write(file, "[limits]\nnew-accounts-burst = 100\n[club]\npicture = \""+picture+"\"\n")
	hup()
	waitUntil(t, "the bad picture is logged", logged("line 2: the character U+001B"))
	if newAccount() {
		t.Error("a broken file changes something")
	}
	write(picture, "o--o\n")
	hup()
	waitUntil(t, "the limit is back", newAccount)
}
