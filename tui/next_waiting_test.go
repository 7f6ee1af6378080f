package tui_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// A turn in another game is announced, and the status bar names the key that goes there, also while it is the user's turn in the game
// that is shown.
func TestTurnInAnotherGameIsAnnounced(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		days := clock.Control{Days: 1}
		other := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, days, "b1-b2")
		m := h.StartMatch("ana", "carol", `{"size":9,"pie":false}`, clock.Default)
		d := h.SignIn("ana", "watch "+m.Info.ID)
		const text = "Game with bob: it is your turn. > goes there."
		d.WantText("Your move")
		d.WantNoText("next game")
		h.Play(other, "a2-a3")
		d.Advance(time.Second)
		d.WantText(text, "> next game (1)")
		d.Advance(5 * time.Second)
		d.WantNoText(text)
		d.WantText("> next game (1)")
		h.Play(other, "d1-d2") // in another session of the user
		d.Advance(time.Second)
		d.WantNoText(text, "next game")
	})
}

func TestNextGameThatWaits(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		days := clock.Control{Days: 3}
		h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, days)
		h.StartMatch("ana", "carol", `{"size":9,"pie":false}`, days)
		h.StartMatch("ana", "dave", `{"size":11,"pie":false}`, days, "b1-b2")
		screentest.Advance(time.Hour)
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.WantText("It is your turn in 2 games. Press > for the next one.")
		if first := strings.Index(d.Text(), "your turn"); first > strings.Index(d.Text(), "waiting") {
			h.T.Errorf("the game with the user's turn is not the first:\n%s", d.Text())
		}
		d.Press(">")
		d.WantText("bob", "Ayu 7×7", "Your move")
		d.Press(">")
		d.WantText("carol", "Ayu 9×9")
		d.Press(">")
		d.WantText("Ayu 7×7")
		d.Press("b 1 b 2 enter")
		d.WantText("> next game (1)")
		d.Press(">")
		d.WantText("Ayu 9×9")
		d.Press(">")
		d.WantText("It is not your turn in any other game.")
		d.Press("b 1 b 2 enter q >")
		d.WantText("It is not your turn in any other game.", "Your games")
	})
}
