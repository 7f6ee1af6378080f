package puzzle_test

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/screen/screentest"
)

// with visits the screen of the puzzle with an index among those of puzzlestest.
func with(t *testing.T, index int, size screentest.Setting, f func(d *screentest.Session)) {
	t.Helper()
	screentest.With(t, func(h *screentest.Harness) {
		c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[index:index+1])
		if err != nil {
			t.Fatal(err)
		}
		h.Account("ana")
		size.Name, size.Puzzles = "ana", c
		d := h.Visit(size)
		d.Press("z")
		f(d)
	})
}

func TestALineIsAnsweredTurnByTurn(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}, {Width: 120, Height: 40}} {
		with(t, 0, size, func(d *screentest.Session) {
			d.WantText("Finish")
			if size.Width == 80 {
				d.Golden("line")
			}
			d.TypeText("c4f6")
			d.Press("enter")
			d.WantText("Wrong")
			d.TypeText("b1f6")
			d.Press("enter")
			d.WantText("Right so far")
			d.TypeText("c1g6")
			d.Press("enter")
			d.WantText("Solved")
			d.Press("enter")
			d.WantText("Make your move")
			d.Press("S")
			d.WantText("The solution")
		})
	}
}

func TestASetIsMarked(t *testing.T) {
	with(t, 1, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("A")
		d.WantText("Mark a move first")
		d.TypeText("c5e6")
		d.Press("enter")
		d.WantText("Marked: c5-e6")
		d.Golden("set")
		d.Press("A")
		d.WantText("Solved")
	})
}

func TestASideIsChosen(t *testing.T) {
	with(t, 2, screentest.Setting{}, func(d *screentest.Session) {
		d.Golden("side")
		d.Press("w")
		d.WantText("Wrong")
		d.Press("b")
		d.WantText("Solved")
		d.Press("q")
		d.WantText("online")
	})
}
