package server_test

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"charm.land/log/v2"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/sqlite/sqlitetest"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
)

// errorLog is the operator's log, of errors alone.
type errorLog struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *errorLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

// take returns the records since it was last called.
func (l *errorLog) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(l.all.String())
	l.all.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// failure is what everybody is answered whose request met a failure of the store.
const failure = "the server cannot read or save now; try again in a few minutes"

// TestEveryFailureOfTheStoreIsLoggedOnce has programs, commands and moderators ask for everything
// that reaches the store after its file has lost all tables.
func TestEveryFailureOfTheStoreIsLoggedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), sqlite.FileName)
	db, err := sqlite.Open(t.Context(), path, enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var written errorLog
	logger := log.NewWithOptions(&written, log.Options{Level: log.ErrorLevel, Formatter: log.JSONFormatter})
	report := func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) }
	db.ReportFailures(report)
	authorizer := authorizerOf(t, db, access.PublicPolicy())
	l := lobbytest.New(t, lobby.Config{Store: db, CheckChat: authorizer.Club.CheckChat, Report: report})
	authorizer.Club.Announce = l.Announce
	h := serve(t, &server.Handler{Games: gametest.Games, Lobby: l, SSHTarget: "club", Version: "test", Log: logger, Authorizer: authorizer})

	ana, bob, guest := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t)), h.program("guest", nil)
	h.program("cleo", servertest.NewKey(t))
	bob.must("block", object{"name": "cleo"})
	table := ana.must("open", object{"game": "ayu", "options": object{"size": 5, "pie": false}, "clock": object{"days": 3}})
	bob.must("join", object{"table": table["table"]})
	game := ana.event("match")
	untimed := ana.must("open", object{"game": "ayu", "options": object{"size": 5, "pie": false}})
	bob.must("join", object{"table": untimed["table"]})
	untimedGame := ana.event("match")
	open := ana.must("open", object{"game": "ayu", "clock": object{"days": 3}})
	must(t, run(t.Context(), authorizer.Club, io.Discard, "ban", "192.0.2.9", "1d"))
	must(t, authorizer.Club.Moderator(club.Actor{Role: club.RolePlayer, Addr: loopback, Name: "ana"}).Report(t.Context(), "bob", "talks"))
	must(t, sqlitetest.DropTables(t.Context(), path))
	written.take()

	check := func(what, message string) {
		t.Helper()
		all := written.take()
		if len(all) != 1 || !strings.Contains(message, failure) {
			t.Errorf("%s: answered %q, logged %d records:\n%s", what, message, len(all), strings.Join(all, "\n"))
		}
	}
	for _, c := range []struct {
		who    *apiClient
		op     string
		fields object
	}{
		{ana, "name", object{"name": "anna"}},
		{ana, "games", object{}},
		{ana, "games", object{"player": "bob"}},
		{ana, "record", object{"match": "nosuchmatch"}},
		{ana, "block", object{"name": "bob"}},
		{bob, "unblock", object{"name": "cleo"}},
		{ana, "report", object{"name": "bob", "text": "talks"}},
		{guest, "games", object{}},
	} {
		o := c.who.ask(c.op, c.fields)
		problem, _ := o["error"].(map[string]any)
		message, _ := problem["message"].(string)
		check("op "+c.op, message)
	}
	for _, line := range []string{"games", "games ana", "top", "record nosuchmatch", "report bob talks"} {
		_, errs, status := h.asked("guest", nil, line, false)
		check("command "+line, errs)
		if status != 1 {
			t.Errorf("command %s: status %d", line, status)
		}
	}
	for _, terminal := range []bool{false, true} {
		out, errs, _ := h.asked("dora", servertest.NewKey(t), "who", terminal)
		check("a visit with a key", out+errs)
	}
	for _, line := range []string{"mute bob 1h", "ban bob 1d", "ban 192.0.2.1 1d", "unban 192.0.2.9/32", "invite", "reports", "done 1", "audit", "announce hello", "close lobby 1h"} {
		message := ""
		if err := run(context.Background(), authorizer.Club, io.Discard, strings.Fields(line)...); err != nil {
			_, message = lobby.PublicError(err)
		}
		check("admin "+line, message)
	}

	// These answers say that it can be tried again. In a correspondence game a turn reads the conditions of the opponent
	// first, and nothing is appended if that fails. Of another turn neither the append nor the reading back succeeds.
	// It comes last, because the match then tries again by itself.
	first := position(t, `{"size":5,"pie":false}`).Legal()[0]
	toMove := func(o object) *apiClient {
		return map[int]*apiClient{o.number("you"): ana, 1 - o.number("you"): bob}[0]
	}
	for _, c := range []struct {
		who     *apiClient
		op      string
		fields  object
		records int
	}{
		{bob, "join", object{"table": open["table"]}, 1},
		{toMove(game), "act", object{"match": game["match"], "version": 0, "actions": []string{first}}, 1},
		{toMove(untimedGame), "act", object{"match": untimedGame["match"], "version": 0, "actions": []string{first}}, 2},
	} {
		o := c.who.ask(c.op, c.fields)
		if all := written.take(); o.code() != "unavailable" || len(all) != c.records {
			t.Errorf("op %s: %v, logged %d records:\n%s", c.op, o, len(all), strings.Join(all, "\n"))
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFailuresAreLoggedUnderTheirFrontEnd: the log says whether the screens or line mode have failed.
func TestFailuresAreLoggedUnderTheirFrontEnd(t *testing.T) {
	for command, want := range map[string]string{"line": "line mode failed", "": "screens failed"} {
		var written errorLog
		logger := log.NewWithOptions(&written, log.Options{Level: log.ErrorLevel, Formatter: log.LogfmtFormatter})
		// Without bots.Open nothing of it works, so that the list of users panics.
		h := serve(t, &server.Handler{Games: gametest.Games, Lobby: lobbytest.Open(t), Bots: new(bots.Bots), SSHTarget: "club", Version: "test", Log: logger})
		key := servertest.NewKey(t)
		h.program("ana", key)
		p := h.terminal("ana", key, "xterm", command)
		if command == "line" {
			p.waitFor("You are ana.")
			p.keys("who\r")
		}
		p.waitForEnd()
		if lines := written.take(); len(lines) != 1 || !strings.Contains(lines[0], `msg="`+want+`"`) {
			t.Errorf("%q: the log has %q, want %q", command, lines, want)
		}
	}
}
