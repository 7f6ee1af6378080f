package tui_test

import (
	"testing"

	"ayumu/tui/screen/screentest"
)

func TestProfileOfAGuest(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.Visit(screentest.Setting{})
		d.Press("enter i")
		d.WantText("Guests have no profile.")
		d.Press("a")
		d.WantText("all games", "No finished games yet.")
	})
}
