package match_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/clock"
	"ayumu/tui"
	"ayumu/tui/op"
	"ayumu/tui/screen/screentest"
)

func TestHintsInAReplay(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account("carol")
		for _, size := range []tui.Size{{80, 24}, {60, 20}, {120, 40}} {
			d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin, Width: size.Width, Height: size.Height})
			d.WantNoText("The engine")
			d.Press("h")
			d.WantText("The engine", "62%", "38%", "1. ", "2. ", "3. ", "61%", "60%")
			d.WantNoText("59%", "4. ")
			d.Press("]")
			d.WantNoText("The engine") // it was for the previous position
			d.Press("h")
			d.WantText("Only one hint a second")
			d.Advance(time.Second)
			d.Press("h")
			d.WantText("The engine")
			d.Press("h h h")
			d.WantNoText("The engine")
			d.Press("tab")
			d.Advance(time.Second)
			d.Press("H")
			d.WantText("The engine", "tried moves")
			d.Press("esc ?")
			if help := d.HelpText(); !strings.Contains(help, "h               ask the engine") {
				h.T.Errorf("the help lacks the key of hints:\n%s", help)
			}
			d.Close()
		}
	})
}

// h marks the listed turns on the board, one after the other, and then hides them.
func TestHintsAreMarked(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account("carol")
		for _, size := range []tui.Size{{80, 24}, {60, 20}, {120, 40}} {
			s := screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin, Width: size.Width, Height: size.Height}
			s.Profile.ASCII = size.Width == 120
			d := h.Visit(s)
			d.Press("]")
			d.WantNoText("!", "next hint")
			d.Press("h")
			d.WantText("›1. ", " 2. 61%", "!")
			if size.Width > 60 {
				d.WantText("h next hint")
			}
			first := d.Text()
			if size.Width < 120 {
				d.Golden("hint"+s.Suffix(), m.Info.ID, "MATCHID")
			}
			d.Press("h")
			d.WantText("›2. ")
			if d.Text() == first {
				t.Error("another turn is marked in the same way")
			}
			d.Press("H")
			d.WantText("›3. ")
			if size.Width > 60 {
				d.WantText("h hide")
			}
			d.Press("h")
			d.WantNoText("!", "›1.", "next hint")
			d.Advance(op.HintInterval)
			d.Press("h ]")
			d.WantNoText("!", "›1.")
			d.Close()
		}
	})
}

// In a game against a bot, h only begins a move on a board with a column h, and H requests a hint.
func TestTypingColumnHBesideHints(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("dave")
		d := h.Visit(screentest.Setting{Name: "dave", Bots: builtin})
		defer d.Close()
		d.Press("b")
		d.FillField("Size", "9×9")
		d.Press("enter")
		d.Advance(2 * time.Second)
		d.WantText("H hint")
		d.Press("h")
		d.WantNoText("The engine")
		d.WantText("Your move: h")
		d.Press("esc H")
		d.WantText("The engine", "!")
		d.Press("h 7")
		d.WantText("Your move: h7")
	})
}

// The computation of a hint is cancelled when its position is no longer shown.
func TestHintsEndWithThePosition(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		stopped := make(chan struct{}, 10)
		builtin := h.NewBots(func(ctx context.Context, _ engine.Position, _ search.Options) (search.Advice, error) {
			<-ctx.Done()
			stopped <- struct{}{}
			return search.Advice{}, ctx.Err()
		})
		defer builtin.Close()
		m := h.Finished("ana", "bob", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin})
		defer d.Close()
		for i, keys := range []string{"]", "h", "home", "q"} {
			d.Advance(2 * time.Second)
			d.Press("h")
			d.WantText("The engine", "thinking …")
			d.Press(keys)
			if len(stopped) != i+1 {
				t.Errorf("after %s the engine is still computing", keys)
			}
		}
	})
}

// There are no hints in running matches between people, in rated matches and for spectators of running
// matches; there are in a user's own casual matches against bots.
func TestWhereHintsAre(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:4]...)
		h.Account("carol")
		for _, name := range []string{"ana", "bob", "carol"} {
			d := h.Visit(screentest.Setting{Name: name, Open: "watch " + m.Info.ID, Bots: builtin})
			d.Press("h")
			d.WantNoText("The engine", "h hint")
			d.Press("[ h")
			d.WantNoText("The engine", "h hint")
			d.Press("tab h")
			d.WantNoText("The engine", "h hint")
			d.Close()
		}
		h.Account("dave")
		d := h.Visit(screentest.Setting{Name: "dave", Bots: builtin})
		defer d.Close()
		d.Press("b enter")
		d.Advance(2 * time.Second)
		d.WantText("Your move", "h hint")
		d.Press("h")
		d.WantText("The engine", "62%")
		none := h.Visit(screentest.Setting{Name: "bob", Open: "watch " + m.Info.ID})
		defer none.Close()
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			t.Fatal(err)
		}
		none.Drain()
		none.Press("h")
		none.WantNoText("The engine", "h hint") // a server without bots
	})
}

// The chances are ordered by side, whichever seat plays Black.
func TestChancesStandBlackFirst(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("carol")
		for _, second := range []string{"a2-a3", "swap"} {
			m := h.Finished("ana", "bob", `{"size":7,"pie":true}`, "b1-b2", second)
			d := h.Visit(screentest.Setting{Name: "carol", Open: "replay " + m.Info.ID, Bots: builtin})
			d.Press("end h")
			d.Advance(time.Second)
			_, engine, _ := strings.Cut(d.Text(), "The engine")
			for _, row := range strings.Split(engine, "\n")[1:3] { // the bar and the numbers
				if black, white := strings.Index(row, "●"), strings.LastIndex(row, "○"); black < 0 || white < black {
					t.Errorf("after %s:\n%s", second, row)
				}
			}
			d.Close()
		}
	})
}

// The status bar of a finished match offers hints only where somebody can move.
func TestNoHintIsOfferedAtTheEnd(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		for !m.Snapshot().IsOver() {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.Visit(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID, Bots: builtin})
		defer d.Close()
		d.WantText("m rematch")
		d.WantNoText("h hint")
		d.Press("[")
		d.WantText("h hint")
	})
}
