package server_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"charm.land/log/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/record"
	"ayumu/lobby/store/sqlite"
	"ayumu/server"
	"ayumu/server/servertest"
	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
)

// openWithNim opens a server with a third game.
func openWithNim(t *testing.T) harness {
	t.Helper()
	games := append(append(game.List{}, gametest.Games...), nimGame{})
	if err := games.Check(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.OpenMemory(games.Engine())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l, err := lobby.New(t.Context(), lobby.Config{Games: games.Engine(), Store: db})
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Report: func(msg string, kv ...any) { t.Error(msg, kv) }})
	if err != nil {
		t.Fatal(err)
	}
	h := serve(t, &server.Handler{Games: games, Lobby: l, Bots: builtin, SSHTarget: "-p 2222 localhost", Version: "test", Log: log.New(io.Discard)})
	t.Cleanup(builtin.Close) // before the lobby
	return h
}

// playNim plays a game of Nim to its end between a program and somebody else, each turn one stone. take
// is called for each turn of the other, and shown after each turn with the number of stones left.
func playNim(t *testing.T, p *apiClient, take func(), shown func(left int)) string {
	t.Helper()
	m := p.event("match")
	match, seat := m.text("match"), m.number("you")
	var pos engine.Position = nim{stones: 5}
	for version := 0; ; version++ {
		if m.text("position") != pos.String() || m.number("turn") != pos.Turn() {
			t.Fatalf("version %d: got %v, want %v", version, m, pos)
		}
		shown(pos.(nim).stones)
		if _, over := pos.Result(); over {
			break
		}
		if pos.Turn() == seat {
			p.must("act", object{"match": match, "version": version, "actions": []string{"take 1"}})
		} else {
			take()
		}
		m = p.event("turn")
		pos, _ = pos.Play("take 1")
	}
	if e := p.event("over"); fmt.Sprint(e["result"].(map[string]any)["winners"]) != fmt.Sprintf("[%d]", pos.Turn()) {
		t.Errorf("over with %v, want seat %d", e, pos.Turn())
	}
	return match
}

// TestAThirdGameNeedsItsRulesItsBoardAndOneEntry plays a game that no other package knows on the
// screens, in the line mode and with the API, and takes it through the archive. What nim_test.go has is
// all that a game needs.
func TestAThirdGameNeedsItsRulesItsBoardAndOneEntry(t *testing.T) {
	h := openWithNim(t)
	key := servertest.NewKey(t)
	program := h.program("robot", servertest.NewKey(t))
	h.program("ana", key)
	screen := h.terminal("ana", key, "xterm-256color", "")
	screen.waitFor("Open tables")
	screen.keys("p")
	screen.waitFor("find an opponent")
	screen.keys("\x1b[C\x1b[C\r") // from the first game to the third one
	program.must("quick", object{"game": "nim"})
	match := playNim(t, program, func() {
		screen.waitForInput()
		screen.keys("1")
	}, func(left int) { screen.waitFor(fmt.Sprintf("%d stones are left.", left)) })
	screen.waitFor("the heap is empty")
	screen.keys("[")
	screen.waitFor("1 stones are left.") // one turn back
	screen.conn.Close()

	t.Run("bot", func(t *testing.T) { // which has no engine for it
		id := program.must("bot", object{"game": "nim", "level": 5}).text("match")
		m := program.event("match")
		seat := m.number("you")
		for {
			if m.number("turn") == seat {
				program.must("act", object{"match": id, "version": m.number("version"), "actions": []string{"take 1"}})
			}
			if m = program.event("turn"); strings.HasPrefix(m.text("position"), "0 ") {
				break
			}
		}
		program.event("over")
	})
	t.Run("record", func(t *testing.T) {
		text, _, status := h.command(key, "record "+match)
		r, err := record.Read(strings.NewReader(text), engine.Games{nimRules{}})
		if status != 0 || err != nil {
			t.Fatalf("status %d: %v\n%s", status, err, text)
		}
		var again bytes.Buffer
		if err := r.Check(); err != nil || r.Write(&again) != nil || again.String() != text || r.Turns() != 5 {
			t.Errorf("%v: %d turns, read as\n%s\nof\n%s", err, r.Turns(), &again, text)
		}
		_, turns, _ := strings.Cut(text, "\n\n")
		if got := program.must("record", object{"match": match}); !strings.HasSuffix(got.text("record"), "\n\n"+turns) {
			t.Errorf("the API has\n%s", got.text("record"))
		}
	})
	t.Run("replay", func(t *testing.T) {
		screen := h.terminal("ana", key, "xterm-256color", "replay "+match)
		screen.waitFor("5 stones are left.")
		screen.keys("]")
		screen.waitFor("4 stones are left.")
		screen.keys("\x1b[F")
		screen.waitFor("0 stones are left.")
		screen.conn.Close()
	})
	t.Run("line mode", func(t *testing.T) {
		lines := h.terminal("ana", key, "xterm", "line")
		lines.waitFor("You are ana.")
		lines.keys("quick nim\r")
		program.must("quick", object{"game": "nim"})
		second := playNim(t, program, func() {
			lines.until("it is ana's turn", func(screen string) bool {
				return strings.LastIndex(screen, "Your turn") > strings.LastIndex(screen, "\n1 ")
			})
			lines.keys("1\r")
		}, func(int) {})
		lines.waitFor("the heap is empty")
		if out, _, _ := h.command(key, "games ana"); strings.Count(out, "Nim") != 2 || !strings.Contains(out, second) {
			t.Errorf("the archive has\n%s", out)
		}
	})
}
