package match_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/tui"

	"ayumu/lobby/clock"
	"ayumu/tui/screen"
	matchscreen "ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
)

func TestGridShowsAsManyGamesAsFit(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		games int
	}{{80, 24, 3}, {60, 20, 2}, {120, 40, 6}} {
		screentest.With(t, func(h *screentest.Harness) {
			names := strings.Fields("anton berta cecil doris emil frida")
			for i := range 7 {
				h.StartMatch(names[i%6], names[(i+1)%6], `{"size":11,"pie":false}`, clock.Control{}, screentest.Opening[:i]...)
				screentest.Advance(time.Minute)
			}
			h.Account("ana")
			d := h.Visit(screentest.Setting{Name: "ana", Width: c.w, Height: c.h})
			d.Press("g")
			shown, _, hidden := matchscreen.GridMatches(d.Current())
			if len(shown) != c.games || hidden != 7-c.games {
				h.T.Errorf("%d×%d: %d games and %d more:\n%s", c.w, c.h, len(shown), hidden, d.Text())
			}
			if c.w != 60 {
				d.Golden("grid" + screentest.Setting{Width: c.w, Height: c.h}.Suffix())
			}
			for _, m := range shown {
				if n := m.SpectatorCount(); n != 1 {
					h.T.Errorf("a game that is shown has %d spectators", n)
				}
			}
			d.Press("pgdown")
			if now, _, _ := matchscreen.GridMatches(d.Current()); shown[0].SpectatorCount() != 0 || now[0] == shown[0] {
				h.T.Errorf("the same games are shown:\n%s", d.Text())
			}
		})
	}
}

func TestGridIsLive(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("anton", "berta", `{"size":7,"pie":false}`, clock.Default)
		h.StartMatch("cecil", "doris", `{"size":7,"pie":false}`, clock.Default, "b1-b2")
		h.Account("ana")
		resize := make(chan tui.Size)
		d := h.Visit(screentest.Setting{Name: "ana", Resize: resize})
		d.Press("g")
		d.WantText("2 games at once", "0 turns · Black", "1 turn · White")
		h.Play(m, "b1-b2", "a2-a3")
		d.Drain()
		d.WantText("2 turns · Black")
		d.Advance(2 * time.Second)
		d.WantText("10:08")
		if _, selected, _ := matchscreen.GridMatches(d.Current()); selected != m {
			d.Press("right")
		}
		d.Press("enter")
		d.WantPanel("anton", "2 turns", "1 spectator (you)")
		h.Play(m, "d1-d2")
		d.Drain()
		d.WantText("d1-d2", "q back")
		d.Press("q")
		d.WantText("2 games at once", "3 turns · White")
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("berta wins")
		next := h.StartMatch("emil", "frida", `{"size":7,"pie":false}`, clock.Default)
		d.Advance(screen.ResultDelay + 2*time.Second)
		d.WantNoText("berta wins")
		d.WantText("2 games at once", "emil")
		resize <- tui.Size{60, 20}
		d.Advance(time.Second)
		d.WantText("emil")
		d.Press("q")
		if next.SpectatorCount() != 0 {
			h.T.Error("the grid still watches")
		}
	})
}

func TestGridWithoutGames(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 1})
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("g")
		d.WantText("There are no games to watch.") // the user's own game is not listed
	})
}
