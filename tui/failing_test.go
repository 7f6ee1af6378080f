package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/sqlite/sqlitetest"
)

// TestScreensShowAFailureOfTheStoreThatIsLoggedOnce uses every operation of the screens that reaches
// the store, after its file has lost all tables.
func TestScreensShowAFailureOfTheStoreThatIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), sqlite.FileName)
		s, err := sqlite.Open(t.Context(), path, enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var mu sync.Mutex
		var logged []string
		report := func(msg string, kv ...any) {
			mu.Lock()
			defer mu.Unlock()
			logged = append(logged, fmt.Sprint(msg, kv))
		}
		take := func() []string {
			mu.Lock()
			defer mu.Unlock()
			all := logged
			logged = nil
			return all
		}
		s.ReportFailures(report)
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: report})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		h := &harness{Lobby: l, t: t, store: s, sessions: make(map[string]*lobby.Session)}
		h.account("ana")
		h.member("bob")
		m := h.match("carl", "dora", `{"size":5,"pie":false}`, clock.Control{Days: 1})
		player := h.visit(setting{name: "carl", open: "watch " + m.Info.ID})
		d := h.visit(setting{name: "ana"})
		table, err := h.member("bob").Open(t.Context(), lobby.Proposal{Game: "ayu", Clock: &clock.Control{Days: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if err := sqlitetest.DropTables(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		check := func(what string, on *testScreen, text string, records int) {
			t.Helper()
			if shown := strings.Join(strings.Fields(on.text()), " "); !strings.Contains(shown, text) {
				t.Errorf("%s: the screen lacks %q:\n%s", what, text, on.text())
			}
			if all := take(); len(all) != records {
				t.Errorf("%s: logged %d records:\n%s", what, len(all), strings.Join(all, "\n"))
			}
		}
		const failed = "The server failed; the operator has been notified; try again later."
		take()
		check("a visit", h.visit(setting{name: "eve"}), failed, 1)
		for _, c := range []struct {
			what string
			open func()
			back string
		}{
			{"finished games", func() { d.press("a") }, "q"},
			{"ratings", func() { d.press("r") }, "q"},
			{"profile", func() { d.press("i 1") }, ""},
			{"replay", func() { d.run(d.openReview("nosuchmatch")) }, ""},
			{"keys", func() { d.run(d.openAccount()) }, "q q"},
			{"settings", func() { d.press("o space q") }, ""},
		} {
			c.open()
			d.drainMessages()
			check(c.what, d, failed, 1)
			d.press(c.back)
		}
		d.run(d.join(table.ID, ""))
		d.drainMessages()
		check("joining a table", d, "could not record", 1)
		// For a turn both the append and the reading back fail.
		player.typeText("b1b2")
		player.press("enter")
		check("a turn", player, "cannot record", 2)
	})
}
