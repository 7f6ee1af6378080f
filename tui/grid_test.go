package tui_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/tui"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// Players see all turns at once; spectators see the last turns on no screen.
func TestDelayedMatchIsShownLate(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Delayed("ana", "bob", 2, "b1-b2", "a2-a3", "d1-d2")
		ana := h.Visit(screentest.Setting{Name: "ana"})
		ana.WantText("3 turns", "bob's turn (White)", "d1-d2", "Spectators see this game 2 turns late.")
		ana.Press("q y")
		ana.WantText("with bob", "waiting")
		bob := h.Visit(screentest.Setting{Name: "bob"})
		bob.WantText("Your move", "d1-d2")
		h.Account("carol")
		carol := h.Visit(screentest.Setting{Name: "carol"})
		carol.WantText("turn 2") // a spectator sees one turn of three
		carol.Press("enter")
		carol.WantText("shown 2 turns late", "1 turn", "b1-b2", "bob's turn (White).")
		carol.WantNoText("d1-d2", "a2-a3")
		carol.Press("home end V esc")
		carol.WantNoText("d1-d2", "a2-a3")
		carol.Press("q g")
		carol.WantText("turn 2 · White", "shown 2 turns late")
		bob.Press("c 2 c 3 enter")
		carol.Drain()
		carol.WantText("turn 3 · Black")
		bob.Press("r y")
		carol.Drain()
		carol.WantText("ana wins: bob resigned.")
	})
}

func TestDelayIsChosenAtTheTable(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		d, bob := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"})
		d.Press("n")
		d.FillField("Spectator delay", "3")
		d.Press("enter")
		bob.Advance(time.Second)
		bob.WantText("3 turns late")
		bob.Press("enter")
		d.Advance(time.Second)
		d.WantText("Spectators see this game 3 turns late.", "shown 3 turns late")
	})
}

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
			shown, _, hidden := d.GridMatches()
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
			if now, _, _ := d.GridMatches(); shown[0].SpectatorCount() != 0 || now[0] == shown[0] {
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
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("g")
		d.WantText("2 games at once", "turn 1 · Black", "turn 2 · White")
		h.Play(m, "b1-b2", "a2-a3")
		d.Drain()
		d.WantText("turn 3 · Black")
		d.Advance(2 * time.Second)
		d.WantText("10:08")
		if _, selected, _ := d.GridMatches(); selected != m {
			d.Press("right")
		}
		d.Press("enter")
		d.WantText("anton", "2 turns", "1 spectator (you)")
		h.Play(m, "d1-d2")
		d.Drain()
		d.WantText("d1-d2", "q back")
		d.Press("q")
		d.WantText("2 games at once", "turn 4 · White")
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("berta wins")
		next := h.StartMatch("emil", "frida", `{"size":7,"pie":false}`, clock.Default)
		d.Advance(tui.ResultDelay + 2*time.Second)
		d.WantNoText("berta wins")
		d.WantText("2 games at once", "emil")
		d.Send(tui.ResizeMsg{60, 20})
		d.Drain()
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

func TestNextGameThatWaits(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		days := clock.Control{Days: 3}
		h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, days)
		h.StartMatch("ana", "carol", `{"size":9,"pie":false}`, days)
		h.StartMatch("ana", "dave", `{"size":11,"pie":false}`, days, "b1-b2")
		screentest.Advance(time.Hour)
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.WantText("It is your turn in 2 games. Press N for the next one.")
		if first := strings.Index(d.Text(), "your turn"); first > strings.Index(d.Text(), "waiting") {
			h.T.Errorf("the game with the user's turn is not the first:\n%s", d.Text())
		}
		d.Press("N")
		d.WantText("bob", "Ayu 7×7", "Your move")
		d.Press("N")
		d.WantText("carol", "Ayu 9×9")
		d.Press("N")
		d.WantText("Ayu 7×7")
		d.Press("b 1 b 2 enter")
		d.WantText("N next game (1)")
		d.Press("N")
		d.WantText("Ayu 9×9")
		d.Press("N")
		d.WantText("It is not your turn in any other game.")
		d.Press("b 1 b 2 enter q N")
		d.WantText("It is not your turn in any other game.", "Your games")
	})
}
