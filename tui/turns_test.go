package tui

import (
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// A turn wakes the sessions that show the match. None of them shows a list, so none of them may rebuild
// the lists of all matches, which takes time for each match.
func TestATurnMakesNoListsForThoseWhoPlayOrWatch(t *testing.T) {
	withHarness(t, func(h *harness) {
		other := h.match("carl", "dora", `{"size":5,"pie":false}`, clock.Default)
		m := h.match("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		h.account("eve")
		h.account("fay")
		screens := []*testScreen{
			h.visit(setting{name: "ana", open: "watch " + m.Info.ID}), // plays
			h.visit(setting{name: "eve", open: "watch " + m.Info.ID}),
			h.visit(setting{name: "fay", open: "watch " + other.Info.ID}),
		}
		for _, d := range screens {
			d.advance(3 * time.Second) // until the lists are up to date
		}
		turns := func() {
			h.play(m, m.Snapshot().Position.Legal()[0])
			h.play(other, other.Snapshot().Position.Legal()[0])
			for _, d := range screens {
				d.text()
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
		screens[1].wantText(m.Snapshot().Log[5].Actions[0])
		// A challenge still arrives.
		h.open("carl", lobby.Proposal{Game: "ayu", To: "fay"})
		screens[2].wantText("carl challenges you")
	})
}
