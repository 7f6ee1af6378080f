package home_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// TestGameFromAPosition plays on from a replay: against a bot, and at a table from a position that was tried.
func TestGameFromAPosition(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.Finished("ana", "bob", `{"size":7,"pie":false}`, "b1-b2", "a2-a3", "d1-d2")
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin, Width: 100, Height: 24})
		d.Press("] :continue")
		d.WantText("Game from a position", "[you]", "anyone [Moss L0]", "The game starts at once. Ayu 7×7, from a position.")
		d.Press("down down")
		d.WantText("Who moves first, and so plays White.")
		d.GoldenSizes("position")
		d.Press("esc")
		d.WantText("Turn 1 of 3.")
		d.Press(":continue")
		d.FillField("Opponent", "Brook L2")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("Brook", "Your move")
		running := h.Running()
		s := running.Snapshot()
		if s.Info.Options.String() != "7×7, from a position" || s.Position.String() != m.Snapshot().Info.Options.Game().New(s.Info.Options).String() ||
			s.Info.Seats[1].Name != "carol" || s.Position.Turn() != 1 {
			t.Errorf("the match has %v, %s, %+v", s.Info.Options, s.Position, s.Info.Seats)
		}
		h.Resign(running, "carol")

		tables := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin})
		tables.Press("home :try b 1 b 2 enter :continue")
		tables.FillField("Opponent", "anyone")
		tables.FillField("First move", "random")
		tables.Press("enter")
		tables.WantText("Open tables", "Your table is open", "7×7")
		for _, table := range h.Lobby.View().Tables {
			if start := engine.StartPosition(table.Options); !strings.HasPrefix(start, "7 w ") || !strings.HasSuffix(start, "/oxo.o.o/...x.x.") {
				t.Errorf("the table begins with %q", start)
			}
		}
	})
}

// TestNoGameFromARunningMatch: a player, and spectators, could let a bot play on.
func TestNoGameFromARunningMatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2", "a2-a3")
		for _, name := range []string{"ana", "carol"} {
			d := h.SignIn(name, "watch "+m.Info.ID)
			d.Press("[ [ :continue")
			d.WantNoText("Game from a position", "play on")
		}
	})
}

// TestNoGameFromTheEnd: the last position of a game that its rules have ended.
func TestNoGameFromTheEnd(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":3,"pie":false}`, clock.Control{})
		for !m.Snapshot().IsOver() {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.SignIn("carol", "replay "+m.Info.ID)
		d.Press("end :continue")
		d.WantText("No game can start here: the game is over.")
	})
}
