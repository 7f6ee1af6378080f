package tui

import (
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// three starts a match of Mu for three with ana at a screen; it returns her screen.
func three(h *house) (*screen, *lobby.Match) {
	h.t.Helper()
	ctx := h.t.Context()
	control := clock.Default
	table, err := h.member("bob").Open(ctx, lobby.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`), Clock: &control})
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.member("carol").Join(ctx, table.ID, ""); err != nil {
		h.t.Fatal(err)
	}
	h.account("ana")
	d := h.visit(setting{name: "ana", open: "join " + table.ID})
	d.pass(time.Second)
	m := d.session.Seated()[0]
	return d, m
}

func TestTheOthersVoteOutWhoStaysAway(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := three(h)
		d.has("t talks to the other")
		d.lacks("take back", "= draw")
		h.member("bob").Close(false)
		d.pass(7 * time.Second)
		d.has("away 7 s")
		d.press("w")
		d.has("has not been away for long enough")
		d.pass(5 * time.Second)
		d.has("w votes that")
		d.press("w")
		d.has("Vote that bob leaves the game?")
		d.press("y")
		d.has("1 vote so far")
		carol, err := h.member("carol").Sit(m.Info.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		away := 0
		for i, s := range m.Info.Seats {
			if s.Name == "bob" {
				away = i
			}
		}
		if err := carol.Vote(h.t.Context(), away); err != nil {
			h.t.Fatal(err)
		}
		d.pass(time.Second)
		d.has("voted out")
		d.lacks("w votes that")
	})
}
