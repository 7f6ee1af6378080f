package tui_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/op"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// online are words about a server or about other people who are connected.
var online = regexp.MustCompile(`(?i)\b(server|ssh|chat|connect\w*|spectators?|operator|moderators?|guests?|table|challeng\w+|online|quick match)\b`)

// TestOfflineScreens opens the screens of a user who is offline: no text is about a server or other users, each key
// that is shown has an operation, and the keys of the others do nothing.
func TestOfflineScreens(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		s := screentest.Setting{Name: "ana", Bots: builtin, Puzzles: puzzlestest.Collection(t), Height: 60, Width: 120}
		keys := make(map[string]bool)
		for _, o := range op.NewOperations(op.All()...).Offline().All() {
			for _, key := range o.Info().On.Screen.Names {
				keys[key] = true
			}
		}
		over := h.Finished("ana", "bob", `{"size":5,"pie":false}`, "b1-b2")
		d := h.Visit(s)
		defer d.Close()
		check := func(where, text string) {
			t.Helper()
			if found := online.FindString(text); found != "" {
				t.Errorf("%s: %q in\n%s", where, found, text)
			}
		}
		visit := func(where string, open func()) {
			t.Helper()
			open()
			d.Advance(time.Second)
			check(where, d.Text())
			on := d.Visible().Traits().Name
			for _, k := range d.HelpPage().Keys {
				check("help of "+where, k.Key+" "+k.Help)
				for name := range strings.FieldsSeq(k.Key) {
					if strings.HasPrefix(k.Key, ": ") {
						break // of the palette
					}
					if len(name) > 1 {
						name = strings.ToLower(name)
					}
					if key := on + " " + name; (on == "lobby" || on == "match") && !keys[key] && !slices.Contains(navigation, name) && !slices.Contains(palette, name) && !slices.Contains(drawing, key) {
						t.Errorf("%s has the key %q, which has no operation", where, key)
					}
				}
			}
			check("help of "+where, d.HelpPage().About)
			d.Press(":")
			for range 40 {
				check("commands of "+where, d.Text())
				d.Press("down")
			}
			d.Press("esc")
		}
		to := func(to dest.Destination) func() { return func() { d.Start(d.Open(to)); d.Drain() } }
		visit("the lobby", func() {})
		for _, key := range strings.Fields("p c e x w f g r t m y +") {
			before := d.Text()
			if d.Press(key); d.Text() != before {
				t.Errorf("%s changes the lobby to\n%s", key, d.Text())
			}
		}
		visit("the form of a local game", func() { d.Press("n") })
		d.Press("esc")
		visit("the form of a game", func() { d.Press("b") })
		visit("a game", func() { d.Press("enter") })
		for _, key := range strings.Fields("t = x w K v") {
			before := d.Text()
			if d.Press(key); d.Text() != before {
				t.Errorf("%s changes the game to\n%s", key, d.Text())
			}
		}
		visit("an earlier position", func() { d.Press("home") })
		visit("a variation", func() { d.Press(":try") })
		visit("a game that is over", to(dest.Match{ID: over.Info.ID}))
		visit("a replay", to(dest.Replay{ID: over.Info.ID}))
		visit("an analysis", to(dest.Analysis{ID: over.Info.ID}))
		visit("the archive", to(dest.Archive{}))
		visit("the own profile", to(dest.Profile{Name: "ana"}))
		visit("the profile of a bot", to(dest.Profile{Name: "Pebble"}))
		visit("the lessons", to(dest.Lessons{}))
		visit("a lesson", to(dest.Lessons{Game: "ayu"}))
		visit("a puzzle", to(dest.Puzzle{}))
		visit("its training", func() { d.Press("z") })
		visit("a game from a position", func() {
			o, err := op.StartFrom(over.Info.Options.Game(), over.Snapshot().Position)
			if err != nil {
				t.Fatal(err)
			}
			d.Start(d.Open(dest.PositionGame{Options: o}))
			d.Drain()
		})
		visit("the settings", to(dest.Settings{}))
		d.Press("a n")
		d.WantText("Settings", "Bell")
	})
}

// TestLeavingOffline asks once, also while a clock runs, and says that the game is kept.
func TestLeavingOffline(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default, "b1-b2", "a2-a3")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.WantText("Ayu 5×5") // where the clock runs
		if bye := strings.Join(d.Goodbye(), "\n"); !strings.Contains(bye, "waits for you") {
			t.Errorf("it says %q", bye)
		}
		d.Press("ctrl+c")
		if !d.HasEnded {
			t.Errorf("it asks:\n%s", d.Text())
		}
	})
}
