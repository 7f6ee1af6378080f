package match_test

import (
	"strings"
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
		d.Press(":legend")
		d.WantText("Legend (: legend)", "cannot")
		d.WantNoText("6 turns")
		d.GoldenSizes("legend")
		if err := h.Player(m, 1).Say("good luck"); err != nil {
			t.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("Legend", "cannot", "bob: good luck")
		d.Press(":legend")
		d.WantNoText("Legend")
	})
}

// TestLegendBesideTurns shows the legend where there is room for everything.
func TestLegendBesideTurns(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 120, Height: 40})
		d.Press(":legend")
		d.WantText("Legend", "6 turns", "Press t to chat")
	})
}

// TestChatHintIsNotCut shows the hint above the last row, where only a short one fits.
func TestChatHintIsNotCut(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := threePlayerMatch(h)
		for d.Height = 18; d.Height <= 30; d.Height++ {
			d.Press(":legend :legend")
			for range 2 {
				if text := d.Text(); strings.Contains(text, "Press t to chat with the") && !strings.Contains(text, "other players.") {
					t.Errorf("%d rows: the hint is cut:\n%s", d.Height, text)
				}
				d.Press(":legend")
			}
		}
	})
}

func TestLegendOfMu(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := threePlayerMatch(h)
		d.Press(":legend")
		d.WantText("Legend", "cursor")
	})
}
