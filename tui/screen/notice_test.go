package screen_test

import (
	"testing"
	"time"

	"ayumu/tui/screen/screentest"
)

// TestErrorsStayUntilSomethingSucceeds refuses a move. Neither a key that does nothing nor time removes the error; a cursor
// that moves does, a call that has succeeded, and another screen.
func TestErrorsStayUntilSomethingSucceeds(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		refuse := func() {
			d.Press("d 1 d 3 enter")
			d.WantText("occupied")
		}
		refuse()
		d.Press("f12") // does nothing
		d.WantText("occupied")
		d.Advance(20 * time.Second) // less than the first move may take
		d.WantText("occupied")
		d.Press("left")
		d.WantNoText("occupied")
		refuse()
		d.Press("d 1 d 2 enter")
		d.WantNoText("occupied")
		if m.Snapshot().Turns != 1 {
			t.Error("the move was not played")
		}
		d.Press("up enter") // for the next move
		d.WantText("d3 cannot move")
		d.Press("q")
		d.WantNoText("d3 cannot move")
	})
}
