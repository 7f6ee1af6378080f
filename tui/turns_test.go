package tui_test

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

// A turn wakes the sessions that show the match. None of them shows a list, so none of them may rebuild
// the lists of all matches, which takes time for each match.
func TestATurnMakesNoListsForThoseWhoPlayOrWatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		other := h.StartMatch("carl", "dora", `{"size":5,"pie":false}`, clock.Default)
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		h.Account("eve")
		h.Account("fay")
		screens := []*screentest.Session{
			h.Visit(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID}), // plays
			h.Visit(screentest.Setting{Name: "eve", Open: "watch " + m.Info.ID}),
			h.Visit(screentest.Setting{Name: "fay", Open: "watch " + other.Info.ID}),
		}
		for _, d := range screens {
			d.Advance(3 * time.Second) // until the lists are up to date
		}
		turns := func() {
			h.Play(m, m.Snapshot().Position.Legal()[0])
			h.Play(other, other.Snapshot().Position.Legal()[0])
			for _, d := range screens {
				d.Text()
			}
		}
		turns() // the first wake checks for challenges since the sign-in
		before := h.View().Builds
		for range 5 {
			turns()
		}
		if n := h.View().Builds - before - 1; n != 0 {
			t.Errorf("ten turns rebuilt the lists %d times", n)
		}
		screens[1].WantText(m.Snapshot().Log[5].Actions[0])
		// A challenge still arrives.
		h.OpenTable("carl", table.Proposal{Game: "ayu", To: "fay"})
		screens[2].WantText("carl challenges you")
	})
}
