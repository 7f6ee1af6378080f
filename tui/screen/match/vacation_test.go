package match_test

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// TestVacationIsShown: the opponent sees the vacation in the game and in the list of games, and the clock stands still.
func TestVacationIsShown(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 3}, "b1-b2", "a2-a3")
			ana := h.Visit(screentest.Setting{Name: "ana"})
			ana.Press("o :account :vacation")
			ana.WantText("Vacation: for how many days from now? 21 days left")
			ana.TypeText("90")
			ana.Press("enter")
			ana.WantText("A vacation lasts 1 to 21 days.")
			ana.Press("backspace backspace")
			ana.TypeText("5")
			ana.Press("enter")
			ana.WantText("You are on vacation until 6 Jan 2000; 16 days left, of 21 in any 365.")
			size.Name = "bob"
			d := h.Visit(size)
			d.WantText("vacation")
			d.Golden("vacation-list" + size.Suffix())
			d.Press("enter")
			d.WantText("On vacation until", "3 d 0 h")
			d.Golden("vacation" + size.Suffix())
			screentest.Advance(4 * 24 * time.Hour)
			d.Drain()
			d.WantText("3 d 0 h")
			ana.Press("q q enter :vacation")
			ana.WantPanel("You are on vacation until 6 Jan 2000. Days from now, 0 ends it")
			ana.TypeText("0")
			ana.Press("enter")
			ana.WantText("You are not on vacation")
			d.Drain()
			d.WantText("ana's vacation is over.")
			if s := m.Snapshot(); s.RunningSeat != 0 || s.Version != 3 {
				h.T.Errorf("seat %d, version %d", s.RunningSeat, s.Version)
			}
		})
	}
}
