package plain

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
)

// openPuzzles returns a collection of one puzzle.
func openPuzzles(t *testing.T) *puzzles.Collection {
	t.Helper()
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPuzzlesInLines answers the puzzle of the day in several ways.
func TestPuzzlesInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.puzzles = openPuzzles(t)
		p := h.connect("a", "")
		p.typeLines("ana", "puzzle", "new here")
		p.waitFor("Ayu · Finish · rating", "you are White", "White to move: win in 4 moves", "Answer with puzzle ANSWER", "White", "solve the puzzle first")
		p.typeLines("puzzle c4-f6", "puzzle a1-a2", "puzzle b1-f6", "puzzle b1-f6 c1-g6")
		p.waitFor("Wrong: after the reply", "Try again.", "Your rating: 1372 (-128)", "You will see this puzzle again on", "Error: a1", "Right so far; the reply is b3-e7.", "Solved.", "The solution: b1-f6; b3-e7; c1-g6.", "b1-f6 wins in 4 moves")
		p.typeLines("new here")
		p.waitFor("Ayu 7x7, from a position, 10+10, casual")
	})
}

func TestNoPuzzlesInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		p := h.connect("a", "")
		p.typeLines("ana", "puzzle")
		p.waitFor("this server has no puzzles")
	})
}
