package lobby_test

import (
	"encoding/json"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// fromPosition are the options of a game of Ayu that begins with White to move.
var fromPosition = json.RawMessage(`{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`)

// rematch ends a match as a draw, starts its rematch and returns that.
func (h harness) rematch(t *testing.T, seats [2]*lobby.Player) *lobby.Match {
	t.Helper()
	for _, kind := range []match.OfferKind{match.OfferDraw, match.OfferRematch} {
		for _, p := range seats {
			wantCode(t, string(kind), p.Offer(t.Context(), kind), "")
		}
	}
	m, err := h.Match(seats[0].Match().Snapshot().Rematch)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMatchFromPosition: White moves first in the position, so that who moves first has seat 1.
func TestMatchFromPosition(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		for first, mover := range map[table.First]string{table.FirstOwner: "ana", table.FirstOpponent: "bob"} {
			seats := h.pair(ana, bob, table.Proposal{Options: fromPosition, First: first})
			s := seats[0].Snapshot()
			if s.Position.Turn() != 1 || s.Info.Seats[1].Name != mover || s.Position.String() != "5 w .x.x./o.o.o/.x.x./oxo.o/...x." {
				t.Errorf("%q begins with %s, and %+v", first, s.Position, s.Info.Seats)
			}
			turn(t, seats)
			turn(t, seats)
			if s = seats[0].Snapshot(); s.Turns != 2 {
				t.Errorf("%d turns", s.Turns)
			}
			next := h.rematch(t, seats)
			if next.Info.Options != s.Info.Options || next.Info.Seats[0].Name != mover {
				t.Errorf("the rematch has %v, and %+v", next.Info.Options, next.Info.Seats)
			}
		}
	})
}

// TestHandicap: Black makes the first moves, and keeps the colour in the rematch.
func TestHandicap(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: json.RawMessage(`{"size":5,"handicap":1}`), First: table.FirstOwner})
		turns := ""
		for range 4 {
			turns += seats[0].Snapshot().Info.Seats[seats[0].Snapshot().Position.Turn()].Name + " "
			turn(t, seats)
		}
		if turns != "ana ana bob ana " {
			t.Errorf("the players move in the order %s", turns)
		}
		if next := h.rematch(t, seats); next.Info.Seats[0].Name != "ana" {
			t.Errorf("the rematch has %+v", next.Info.Seats)
		}
	})
}
