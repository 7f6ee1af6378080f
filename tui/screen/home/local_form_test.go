package home_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// openLocalForm opens the form of a local match.
func openLocalForm(d *screentest.Session) {
	d.Start(d.Open(dest.LocalGame{}))
	d.Drain()
}

func TestGoldenLocalForm(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 40, Height: 16}} {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			openLocalForm(d)
			d.Press("down down down down down")
			d.TypeText("Tim")
			d.Golden("local" + size.Suffix())
			d.Press("up up up up up up up up right down right right")
			d.Golden("local-mu" + size.Suffix())
		})
	}
}

// TestLocalForm names the players, who are remembered, and starts the match. A refusal leaves the form open.
func TestLocalForm(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		openLocalForm(d)
		d.WantText("Black", "White", "ana")
		d.WantNoText("Clock", "Mode", "Spectator delay", "May start with")
		d.FillField("Size", "5×5")
		d.Press("down down down down down")
		d.TypeText("ANA")
		d.Press("enter")
		d.WantText("Two players are named ANA; give each another name.", "Game at one keyboard")
		d.Press("ctrl+u")
		d.Send(tea.PasteMsg{Content: "\x1b[2JTim\x00\nthe \u202eseventeenth"})
		d.Drain()
		d.Press("enter")
		d.WantText("[2JTim the seven", "Black to move: ana.")
		d.Press("q")
		openLocalForm(d)
		d.WantText("[5×5]", "[2JTim the seven")
		d.Press("down down down down down ctrl+u enter")
		d.WantText("Player 2", "Black to move: ana.")
	})
}

// TestLocalByWords: the palette opens the form, or starts the match that is typed. Elsewhere it does not have the operation.
func TestLocalByWords(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		for _, c := range []struct{ words, want string }{
			{"local", "Game at one keyboard"},
			{"local 5x5 pie=off names=Tim,Anna Lena", "Anna Lena"},
			{"local names=x,x", "Two players are named x; give each another name."},
			{"local 10+5", "A local game has no clock."},
			{"local names=a,b,c", "There are 3 names for 2 players."},
			{"local mu 3 names=,,Zoë", "Player 2"},
			{"local chess", "Unexpected"},
		} {
			d.Press(":")
			d.TypeText(c.words)
			d.Press("enter")
			d.WantText(c.want)
			d.Press("esc esc q")
			d.Start(d.Open(dest.Lobby{}))
			d.Drain()
		}
	})
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press(":")
		d.TypeText("local")
		d.WantNoText("at this keyboard")
		if _, err := op.Local.Run(h.T.Context(), d.Model.Visit, op.LocalArgs{Game: "ayu"}); err == nil {
			t.Error("a server has started a local match")
		}
	})
}
