package tui

import (
	"testing"
	"time"

	"ayumu/lobby"
)

func TestATableBeginsWithFewerOnceAllAreReady(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		bob := h.member("bob")
		table, err := bob.Open(h.t.Context(), lobby.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1,"min":2}`)})
		if err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.wantText("1 of 2–4")
		d.press("enter")
		d.advance(time.Second)
		d.wantText("2 of 2–4", "ready")
		if _, err := bob.Ready(h.t.Context(), table.ID); err != nil {
			h.t.Fatal(err)
		}
		d.advance(time.Second)
		d.wantText("1 of 2 ready")
		d.press("y")
		d.advance(2 * time.Second)
		d.wantText("2 players, 1 segment each", "0 turns")
	})
}
