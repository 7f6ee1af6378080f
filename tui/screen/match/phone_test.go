package match_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

// TestSmallestWindowPlaysSmallBoards plays a turn with the keys in the smallest window.
func TestSmallestWindowPlaysSmallBoards(t *testing.T) {
	for _, size := range []int{5, 7, 9} {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", fmt.Sprintf(`{"size":%d,"pie":false}`, size), clock.Default)
			d := h.Visit(screentest.Setting{Name: "ana", Width: screen.MinWidth, Height: screen.MinHeight})
			d.WantText("● ana", "○ bob", "Your move", "10:0", "? help")
			last := strings.Join(strings.Split("abcdefghi"[:size], ""), " ")
			d.WantText("\n   " + last)
			d.Press("enter up enter")
			if s := m.Snapshot(); s.Turns != 1 {
				h.T.Errorf("%d×%d: no turn was played:\n%s", size, size, d.Text())
			}
		})
	}
}

// TestPanelIsBelowTheBoardInTallWindows compares the cells of a board in a tall narrow window with those in a
// short one.
func TestPanelIsBelowTheBoardInTallWindows(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":9,"pie":false}`, clock.Default)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 40, Height: 30})
		d.WantText("   a   b   c   d   e   f   g   h   i\n  ○ bob", "\n Your move (Black): choose a stone.\n", "\n ─ 0 turns ─")
		d.ClickOn("██", 0)
		d.ClickOn("▗▖", 0)
		if s := m.Snapshot(); s.Turns != 1 {
			h.T.Errorf("clicks played no turn:\n%s", d.Text())
		}
	})
}

// TestBoardWithoutSpaceCanBeFollowed shows a large board in the smallest window.
func TestBoardWithoutSpaceCanBeFollowed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		d := h.Visit(screentest.Setting{Name: "ana", Width: screen.MinWidth, Height: screen.MinHeight})
		d.WantText("needs a window of 60×20", "○ bob", "▸● ana", "Your move", "f3-f4", "Chat")
		d.Press(":legend") // of a board that is not drawn
		d.WantNoText("Legend")
		r := h.Finished("cyd", "dora", `{"size":11,"pie":false}`, screentest.Opening[:6]...)
		small := h.Visit(screentest.Setting{Name: "ana", Open: "replay " + r.Info.ID, Width: screen.MinWidth, Height: screen.MinHeight})
		small.WantText("3. f3-f4 e4-e5")
		small.WantNoText("Record:") // its command would be cut
		for y := range screen.MinHeight - 1 {
			d.Send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
		}
		if s := m.Snapshot(); s.Turns != 6 {
			h.T.Error("a click has played a turn on a board that is not drawn")
		}
		d.Press("h 1 g 1 enter")
		if s := m.Snapshot(); s.Turns != 7 {
			h.T.Errorf("a typed turn was not played:\n%s", d.Text())
		}
	})
}

// TestTipsLeaveSpace opens the first turn of a guest against a bot: in a small panel tips give way to turns and chat.
func TestTipsLeaveSpace(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}} {
		screentest.With(t, func(h *screentest.Harness) {
			builtin := h.NewBots(screentest.FirstLegal)
			defer builtin.Close()
			size.Bots = builtin
			d := h.Visit(size)
			d.Press("enter b")
			if size.Width != 60 {
				d.FillField("Size", "9×9") // at 60×20 the board of the first game leaves least space
			}
			d.Press("enter")
			d.Advance(2 * time.Second)
			d.WantText("Your move", "─ Chat · UTC ─")
			if strings.Contains(d.Text(), "Legend") { // which leaves space for the chat only
				d.Press(":legend")
			}
			d.WantText(" turn")
			if size.Width > 40 {
				d.WantPanel("To resume after a disconnect: ssh -l")
			} else {
				d.WantNoText("To resume")
			}
		})
	}
}
