package tui_test

import (
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/tui/screen/screentest"
)

func TestATableBeginsWithFewerOnceAllAreReady(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		bob := h.Member("bob")
		table, err := bob.Open(h.T.Context(), lobby.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1,"min":2}`)})
		if err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("1 of 2–4")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("2 of 2–4", "ready")
		if _, err := bob.Ready(h.T.Context(), table.ID); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("1 of 2 ready")
		d.Press("y")
		d.Advance(2 * time.Second)
		d.WantText("2 players, 1 segment each", "0 turns")
	})
}
