package newtable_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/tui/screen/screentest"
)

func TestDelayIsChosenAtTheTable(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		d, bob := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"})
		d.Press("n")
		d.FillField("Spectator delay", "3")
		d.Press("enter")
		bob.Advance(time.Second)
		bob.WantText("Delay", "3 turns")
		bob.Press("enter")
		d.Advance(time.Second)
		d.WantPanel("Spectators see this game 3 turns late.", "shown 3 turns late")
	})
}

func TestGoldenForm(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name = "ana"
			d := h.Visit(size)
			d.Press("n down down down right right right right right right")
			d.Golden("newtable" + size.Suffix())
		})
	}
}

// A name and a clock are typed in rows with an input field, where letters and the space are text.
func TestLettersAreTextInInputFields(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("n")
		d.FillField("Clock", "custom")
		d.Press(strings.Repeat("down ", 20))
		d.TypeText("qhjkl")
		d.WantText("▸ Challenge", "qhjkl")
		d.Press(strings.Repeat("up ", 20))
		d.WantText("▸ Game")
		d.Press("j")
		d.WantNoText("▸ Game")
		d.Press("esc")
		d.WantText("Open tables")
		d.Press("n q")
		d.WantText("Open tables")
	})
}
