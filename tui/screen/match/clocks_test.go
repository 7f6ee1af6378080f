package match_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
)

// drawCounter is a board that counts how often its screen is made ready.
type drawCounter struct {
	game.Framer
	described *int
}

func (b drawCounter) DescribeCursor() string {
	*b.described++
	return b.Framer.DescribeCursor()
}

// TestClocksOfSpectatorsAdvanceByThemselves lets the clock run before spectators, of whom some have something of their
// own on their screens: those alone draw their screens each second, until it is gone.
func TestClocksOfSpectatorsAdvanceByThemselves(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Initial: 10 * time.Minute}, "b1-b2", "a2-a3")
		all := watch(h, m, 4, screentest.Setting{Profile: paint.Profile{Colors: paint.TrueColor}})
		var described [4]int
		for i, d := range all {
			match.ReplaceBoard(d.Current(), func(b game.Board) game.Board {
				return drawCounter{b.(game.Framer), &described[i]}
			})
		}
		left := 10 * time.Minute
		seconds := func(what string, n int, draw [4]bool) {
			t.Helper()
			for _, d := range all {
				d.Text()
			}
			var drawn [4]int // numbers of seconds
			for range n {
				left -= time.Second
				screentest.Advance(time.Second)
				for i, d := range all {
					before := described[i]
					d.Drain()
					if described[i] > before {
						drawn[i]++
					}
					if f := d.Picture().Frame; !f.Equal(paint.Draw(nil, 80, 24, d.Draw)) {
						t.Errorf("%s: spectator %d is shown\n%s", what, i, f)
					}
				}
			}
			for i := range drawn {
				if draw[i] && drawn[i] != n || !draw[i] && drawn[i] > 0 {
					t.Errorf("%s: spectator %d has drawn its screen in %d of %d seconds", what, i, drawn[i], n)
				}
			}
		}
		seconds("at first", 5, [4]bool{})
		all[0].Press("t a")
		all[1].Press("up")
		all[2].Press("?")
		seconds("with input", 5, [4]bool{true, false, false, false})
		all[0].Press("esc esc")
		all[2].Press("q")
		seconds("after input", 5, [4]bool{})
		h.Watch("dave", m)
		screentest.Advance(time.Second)
		for _, d := range all {
			d.WantText("5 spectators", fmt.Sprintf("%d:%02d", int((left-time.Second).Minutes()), int((left-time.Second).Seconds())%60))
		}
		left -= time.Second
		seconds("with one more spectator", 5, [4]bool{})
	})
}
