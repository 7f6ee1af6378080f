package plain

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
)

// TestPuzzlesInLines answers the puzzle of the day in several ways.
func TestPuzzlesInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
		if err != nil {
			t.Fatal(err)
		}
		h.puzzles = c
		p := h.connect("a", "")
		p.typeLines("ana", "puzzle")
		p.waitFor("Ayu · Finish · rating", "you are White", "White to move: win in 4 turns", "Type puzzle and the answer", "White")
		p.typeLines("puzzle c4-f6", "puzzle a1-a2", "puzzle b1-f6", "puzzle b1-f6 c1-g6", "puzzle solution")
		p.waitFor("Wrong. Try again.", "Error: a1", "Right so far; the reply is b3-e7.", "Solved.", "The solution: b1-f6; b3-e7; c1-g6.")
	})
}

func TestNoPuzzlesInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		p := h.connect("a", "")
		p.typeLines("ana", "puzzle")
		p.waitFor("this server has no puzzles")
	})
}
