package tui_test

import (
	"testing"

	"ayumu/tui/screen/screentest"
)

func TestGoldenLobby(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 120, Height: 40}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.FillLobby()
			size.Name = "ana"
			d := h.Visit(size)
			d.Golden("lobby" + size.Suffix())
			d.Press("tab down")
			d.WantText("c challenge", "f follow")
		})
	}
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Visit(screentest.Setting{Name: "ana"}).Golden("lobby-empty")
	})
}
