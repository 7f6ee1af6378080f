package home_test

import (
	"testing"
	"time"

	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/screen/screentest"
)

// offline is the setting of ana, who is offline.
func offline(t *testing.T, builtin *bots.Bots) screentest.Setting {
	return screentest.Setting{Name: "ana", Bots: builtin, Puzzles: puzzlestest.Collection(t)}
}

// TestGoldenHome compares the lobby of a user who is offline, in the first minute and with games.
func TestGoldenHome(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			builtin := h.NewBots(screentest.FirstLegal)
			defer builtin.Close()
			h.Account("ana")
			s := offline(t, builtin)
			s.Width, s.Height, s.IsNew = size.Width, size.Height, true
			d := h.Visit(s)
			d.Golden("home-new" + size.Suffix())
			d.Close()
			for _, name := range []string{"bob", "carol"} {
				h.StartMatch("ana", name, `{"size":9}`, clock.Control{})
				screentest.Advance(time.Hour)
			}
			s.IsNew = false
			d = h.Visit(s)
			d.Golden("home" + size.Suffix())
			if d.Press("end"); size.Width == 40 {
				d.Golden("home-end" + size.Suffix())
			}
			d.Close()
		})
	}
}

// TestTwoKeysLeadToABoard begins the first game of a new user, and opens it again from the lobby.
func TestTwoKeysLeadToABoard(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		s := offline(t, builtin)
		s.IsNew = true
		d := h.Visit(s)
		defer d.Close()
		d.Press("enter enter")
		d.Advance(time.Second)
		m := h.Running()
		d.WantText("Moss", m.Info.Title())
		d.Press("q")
		d.WantText("Your games", "›▸ Moss L0", "Play a bot")
		d.Press("enter")
		d.WantText(m.Info.Title())
	})
}
