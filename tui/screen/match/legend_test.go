package match_test

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// TestLegend shows and hides the legend of a game, which leaves chat with lines visible.
func TestLegend(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 80, Height: 24})
		d.WantNoText("Legend")
		d.Press("L")
		d.WantText("Legend (L hides it)", "cannot")
		d.WantNoText("6 turns")
		d.Golden("legend")
		if err := h.Player(m, 1).Say("good luck"); err != nil {
			t.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("Legend", "cannot", "bob: good luck")
		d.Press("L")
		d.WantNoText("Legend")
	})
}

// TestLegendBesideTurns shows the legend where there is room for everything.
func TestLegendBesideTurns(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 120, Height: 40})
		d.Press("L")
		d.WantText("Legend", "6 turns", "Press t to chat")
	})
}

func TestLegendOfMu(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := threePlayerMatch(h)
		d.Press("L")
		d.WantText("Legend", "cursor")
	})
}
