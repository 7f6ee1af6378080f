package linemode

import (
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/words"
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
		p.waitFor("Wrong: after the reply", "Try again.", "The puzzle of the day is not rated until you have trained.", "You will see this puzzle again on", "Error: a1", "Right so far; the reply is b3-e7.", "Solved.", "The solution: b1-f6; b3-e7; c1-g6.", "b1-f6 wins in 4 moves")
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

// TestPuzzlesThatShipArePlayedInLines plays puzzles that ship: a hint, a wrong answer, the right turns, and the solution in
// words. With AYUMU_ALL_PUZZLES it plays all of them.
func TestPuzzlesThatShipArePlayedInLines(t *testing.T) {
	for _, z := range puzzlestest.Sample(t) {
		withHarness(t, func(h *harness) {
			h.puzzles = puzzlestest.OnlyOf(t, z)
			p := h.connect("a", "")
			separator := " "
			if z.Game == "mu" {
				separator = "; "
			}
			p.typeLines("ana", "puzzle day "+z.Game, "puzzle hint", "puzzle "+strings.Join(puzzlestest.WrongAnswer(t, &z), separator))
			if z.Goal == puzzle.GoalSide { // nothing is left to find
				p.waitFor("puzzle "+z.ID, "Answer with puzzle ANSWER", "Wrong.", "The solution: "+words.PuzzleSolution(h.puzzles, gametest.Games, &z)+".", "1. ")
				return
			}
			for _, turn := range puzzlestest.OwnTurns(&z) {
				p.typeLines("puzzle " + strings.Join(turn, separator))
			}
			p.waitFor("puzzle "+z.ID, "Answer with puzzle ANSWER", "Wrong", "Try again.", "Solved.", "The solution: "+words.PuzzleSolution(h.puzzles, gametest.Games, &z)+".", "1. ")
		})
	}
}
