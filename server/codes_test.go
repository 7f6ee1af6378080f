package server_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"charm.land/log/v2"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
)

// TestCodesAreKeptAsHashes: neither an invitation nor a guest's return code is in the data file, while
// both work, and the digest of the return code is.
func TestCodesAreKeptAsHashes(t *testing.T) {
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	invited := invitation(t, db, 1)
	l := lobbytest.New(t, lobby.Config{Store: db})
	h := serve(t, &server.Handler{Games: gametest.Games, Lobby: l, Log: log.New(io.Discard)})
	a, b := h.program("", nil), h.program("", nil)
	b.must("join", object{"table": a.must("open", object{"game": "ayu"})["table"]})
	a.event("match")
	code := a.you.text("code")
	var content []byte
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		content = append(content, bytes.ToLower(raw)...)
	}
	for what, secret := range map[string]string{"an invitation": invited, "a return code": code} {
		if len(secret) < 10 || bytes.Contains(content, []byte(secret)) {
			t.Errorf("%s, %q, is in the data file", what, secret)
		}
	}
	digest := sha256.Sum256([]byte(code))
	if !bytes.Contains(content, []byte(hex.EncodeToString(digest[:]))) {
		t.Error("the digest of the return code is not in the data file")
	}
}

// TestReportsAndReasonsAreHarmless: what is said in them reaches moderators, the audit log and whoever
// is muted or banned without control, bidirectional or zero-width characters.
func TestReportsAndReasonsAreHarmless(t *testing.T) {
	c := openClub(t, access.PublicPolicy(), "")
	key := servertest.NewKey(t)
	ana, bob := c.program("ana", servertest.NewKey(t)), c.program("bob", key)
	const nasty = "\x1b]0;owned\x07bad\u009b31m\u202eevil\u200b\r\n\x7fend"
	const clean = "]0;ownedbad31mevil end"
	ana.must("report", object{"name": "bob", "text": nasty})
	all, err := c.store.OpenReports(t.Context(), 0, 10)
	if err != nil || len(all) != 1 || all[0].Text != clean {
		t.Errorf("the report is kept as %+v, %v", all, err)
	}
	said := c.order("reports") + c.order("mute", "bob", "1h", nasty)
	said += bob.ask("say", object{"text": "x"})["error"].(map[string]any)["message"].(string)
	said += c.order("bans") + c.order("ban", "bob", "1h", nasty)
	_, errs, _ := c.command(key, "who")
	said += errs + c.order("bans") + c.order("audit") + c.order("kick", "ana", nasty)
	for _, r := range said {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%q is said in %q", r, said)
		}
	}
	if n := strings.Count(said, "evil"); n < 6 {
		t.Errorf("the reasons are said %d times in %q", n, said)
	}
}
