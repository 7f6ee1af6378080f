package linemode

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/sqlite/sqlitetest"
)

// TestLinesTellAFailureOfTheStoreThatIsLoggedOnce types everything that reaches the store after its
// file has lost all tables.
func TestLinesTellAFailureOfTheStoreThatIsLoggedOnce(t *testing.T) {
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
		s.ReportFailures(report)
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: report})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		h := &harness{Lobby: l, t: t, store: s}
		first, _, _ := h.pair()
		eve := h.connect("e", "")
		eve.typeLines("eve")
		eve.waitFor("Welcome, eve")
		fay := h.connect("f", "")
		fay.typeLines("fay", "ignore bob", "new 5x5 1day")
		fay.waitFor("Welcome, fay", "Open: your table")
		eve.typeLines("tables")
		eve.waitFor("fay")
		unnamed := h.connect("n", "")
		unnamed.waitFor("Choose a name")
		if err := sqlitetest.DropTables(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		const failed = "the server cannot read or save now; try again in a few minutes."
		for _, c := range []struct {
			who     *person
			line    string
			says    string
			records int
		}{
			{unnamed, "gil", failed, 1},
			{eve, "finished", failed, 1},
			{eve, "finished ana", failed, 1},
			{eve, "top", failed, 1},
			{eve, "profile ana", failed, 1},
			{eve, "profile", failed, 1},
			{eve, "ignore ana", failed, 1},
			{fay, "ignore bob", failed, 1},
			{eve, "join 1", "could not record that", 1},
			{first, "b1b2", "cannot record turns now", 2}, // neither the append nor the reading back succeeds
		} {
			c.who.typeLines(c.line)
			c.who.waitFor(c.says)
			mu.Lock()
			if len(logged) != c.records {
				t.Errorf("%s: logged %d records:\n%s", c.line, len(logged), strings.Join(logged, "\n"))
			}
			logged = nil
			mu.Unlock()
		}
	})
}
