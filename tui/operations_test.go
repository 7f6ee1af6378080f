package tui_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
	"ayumu/tui/admin"
	"ayumu/tui/op"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// permissive is a moderator who may do everything.
type permissive struct{ club.Moderator }

func (permissive) Permit(club.Permission) error              { return nil }
func (permissive) CountReports(context.Context) (int, error) { return 0, nil }

// navigation has the keys of screens that move a cursor and belong to no operation.
var navigation = []string{"↑", "↓", "←", "→", "tab", "esc", "pgup", "pgdn", "ctrl+l"}

// palette has the keys of the palette, which runs all operations.
var palette = []string{":", "ctrl+p"}

// drawing has the keys that change what is drawn, or copy it, which is no operation.
var drawing = []string{"match space", "match &"}

// TestOperationsAreKeys holds the keys of the help pages against the operations: every key of the list works on its
// screen, and every key of the lobby and of a match is in the list.
func TestOperationsAreKeys(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("zoe")
		builtin := h.NewBots(nil) // nobody asks them
		defer builtin.Close()
		have := make(map[string]bool)
		visit := func(name, screen string, to dest.Destination) {
			d := h.Visit(screentest.Setting{Name: name, Bots: builtin, Puzzles: puzzlestest.Collection(t), Moderator: permissive{}})
			defer d.Close()
			d.Start(d.Open(to))
			d.Drain()
			have[screen] = true
			for _, k := range d.HelpPage().Keys {
				if strings.HasPrefix(k.Key, ": ") { // of the palette
					continue
				}
				for _, key := range strings.Fields(k.Key) {
					if len(key) > 1 {
						key = strings.ToLower(key)
					}
					have[screen+" "+key] = true
				}
			}
			have[screen+" ?"] = true // it has opened the help page
		}
		running := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		table, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`)})
		three := ""
		for _, name := range []string{"bob", "cho"} {
			if err == nil {
				three, err = h.Member(name).JoinTable(h.T.Context(), table.ID, "")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		overDays := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{Days: 2})
		over := h.Finished("ana", "bob", `{"size":5,"pie":false}`, "b1-b2")
		visit("zoe", "lobby", dest.Lobby{})
		for _, id := range []string{running.Info.ID, three, overDays.Info.ID, over.Info.ID} {
			visit("ana", "match", dest.Match{ID: id})
			visit("zoe", "match", dest.Match{ID: id})
		}
		visit("zoe", "archive", dest.Archive{})
		visit("zoe", "account", dest.Account{})
		visit("zoe", "puzzle", dest.Puzzle{})
		visit("zoe", "announcements", dest.Announcements{})
		visit("zoe", "settings", dest.Settings{})
		visit("zoe", "tournaments", dest.Tournaments{})
		game, _ := enginetest.Games.ByName("ayu")
		terms, err := tournament.NewTerms("Cup", tournament.FormatSwiss, tournament.Request{Clock: &clock.Default}, game)
		if err != nil {
			t.Fatal(err)
		}
		cup, err := h.Member("ana").CreateTournament(h.T.Context(), terms, false)
		if err != nil {
			t.Fatal(err)
		}
		visit("zoe", "tournament", dest.Tournament{ID: cup})
		visit("zoe", "profile", dest.Profile{Name: "ana"})

		have["palette"] = true
		want := make(map[string]string)
		for _, o := range append(op.All(), admin.All()...) {
			for _, key := range o.Info().On.Screen.Names {
				want[key] = o.Info().Name
			}
		}
		for key, operation := range want {
			if !have[key] {
				t.Errorf("there is no %q for: %s", key, operation)
			}
		}
		for key := range have {
			screen, name, _ := strings.Cut(key, " ")
			if want[key] == "" && (screen == "lobby" || screen == "match") && !slices.Contains(navigation, name) && !slices.Contains(palette, name) && !slices.Contains(drawing, key) {
				t.Errorf("no operation has the key %q", key)
			}
		}
	})
}
