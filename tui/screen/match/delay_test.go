package match_test

import (
	"testing"

	"ayumu/tui/screen/screentest"
)

// Players see all turns at once; spectators see the last turns on no screen.
func TestDelayedMatchIsShownLate(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Delayed("ana", "bob", 2, "b1-b2", "a2-a3", "d1-d2")
		ana := h.Visit(screentest.Setting{Name: "ana"})
		ana.WantText("3 turns", "bob's turn (White)", "d1-d2")
		ana.WantPanel("Spectators see this game 2 turns late.")
		ana.Press("q y")
		ana.WantText("bob", "waiting")
		bob := h.Visit(screentest.Setting{Name: "bob"})
		bob.WantText("Your move", "d1-d2")
		h.Account("carol")
		carol := h.Visit(screentest.Setting{Name: "carol"})
		carol.WantText("1 turn ") // a spectator sees one turn of three
		carol.Press("enter")
		carol.WantPanel("delayed by 2 turns", "1 turn", "b1-b2", "bob's turn (White).")
		carol.WantNoText("d1-d2", "a2-a3")
		carol.Press("home end :try esc")
		carol.WantNoText("d1-d2", "a2-a3")
		carol.Press("q g")
		carol.WantText("1 turn · White", "delayed by 2 turns")
		bob.Press("c 2 c 3 enter")
		carol.Drain()
		carol.WantText("2 turns · Black")
		bob.Press(":resign y")
		carol.Drain()
		carol.WantText("ana wins: bob resigned.")
	})
}
