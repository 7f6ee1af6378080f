package tui_test

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
	"ayumu/lobby/table"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
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
		h := screentest.New(t, l, s)
		h.Account("ana")
		h.Member("bob")
		m := h.StartMatch("carl", "dora", `{"size":5,"pie":false}`, clock.Control{Days: 1})
		player := h.Visit(screentest.Setting{Name: "carl", Open: "watch " + m.Info.ID})
		untimed := h.StartMatch("erin", "fred", `{"size":5,"pie":false}`, clock.Control{})
		other := h.Visit(screentest.Setting{Name: "erin", Open: "watch " + untimed.Info.ID})
		d := h.Visit(screentest.Setting{Name: "ana"})
		table, err := h.Member("bob").OpenTable(t.Context(), table.Proposal{Game: "ayu", Clock: &clock.Control{Days: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if err := sqlitetest.DropTables(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		check := func(what string, on *screentest.Session, text string, records int) {
			t.Helper()
			if shown := strings.Join(strings.Fields(on.Text()), " "); !strings.Contains(shown, text) {
				t.Errorf("%s: the screen lacks %q:\n%s", what, text, on.Text())
			}
			if all := take(); len(all) != records {
				t.Errorf("%s: logged %d records:\n%s", what, len(all), strings.Join(all, "\n"))
			}
		}
		const failed = "The server cannot read or save now; try again in a few minutes."
		take()
		check("a visit", h.Visit(screentest.Setting{Name: "eve"}), failed, 1)
		for _, c := range []struct {
			what string
			open func()
			back string
		}{
			{"finished games", func() { d.Press("a") }, "q"},
			{"ratings", func() { d.Press("r") }, "q"},
			{"profile", func() { d.Press("i 1") }, ""},
			{"replay", func() { d.Start(d.Open(dest.Replay{ID: "nosuchmatch"})) }, ""},
			{"keys", func() { d.Start(d.Open(dest.Account{})) }, "q q"},
			{"settings", func() { d.Press("o space q") }, ""},
		} {
			c.open()
			d.Drain()
			check(c.what, d, failed, 1)
			d.Press(c.back)
		}
		d.Start(d.Open(dest.Table{ID: table.ID}))
		d.Drain()
		check("joining a table", d, "could not record", 1)
		// In a correspondence game a turn reads the conditions of the opponent first; nothing is appended if that fails.
		player.TypeText("b1b2")
		player.Press("enter")
		check("a turn of a correspondence game", player, "cannot record", 1)
		// For another turn both the append and the reading back fail.
		other.TypeText("b1b2")
		other.Press("enter")
		check("a turn", other, "cannot record", 2)
	})
}
