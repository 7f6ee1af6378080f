package linemode

import "testing"

// TestLinesHaveTheGoalAndTheScore checks that newcomers read the goal of a game when it opens, and that status has
// the units of both sides.
func TestLinesHaveTheGoalAndTheScore(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 7x7 pie=off")
		b.typeLines("bob", "tables", "join 1")
		a.waitFor("Goal: join all of your stones into one unit.")
		b.waitFor("Goal: join all of your stones into one unit.")
		first := a
		if h.onlyMatch().Info.Seats[0].Name == "bob" {
			first = b
		}
		first.typeLines("status", "b1b2", "status")
		first.waitFor("Black, 12 units, ", "White, 12 units, ", "You move b1 to b2", "Black, 11 units, ", "White, 12 units, ")
	})
}
