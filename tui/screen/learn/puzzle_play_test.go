package learn_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/screen/screentest"
)

// enter makes a turn on the board of a puzzle, as a person types it, or gives the answer of another form.
func enter(d *screentest.Session, p *puzzle.Puzzle, turn []string) {
	switch {
	case p.Goal == puzzle.GoalSide:
		d.Press(map[string]string{"b": "1", "w": "2"}[turn[0]])
		return
	case p.Game == "mu":
		for _, action := range turn {
			words := strings.Fields(action)
			switch words[0] {
			case "move":
				d.TypeText(strings.Join(words[1:], " "))
				d.Press("enter")
			case "explode":
				d.TypeText("!" + words[1])
				d.Press("enter")
			default:
				d.Press("e")
				if strings.Contains(d.Text(), "press e again") { // a pass, or moves that are left
					d.Press("e")
				}
			}
		}
		return
	}
	for _, move := range turn {
		d.TypeText(strings.Replace(move, "-", "", 1))
		d.Press("enter")
	}
	if p.Goal == puzzle.GoalSet {
		d.Press("=")
	}
}

// TestPuzzlesThatShipArePlayedOnScreens plays puzzles that ship on the board: a hint, a wrong answer, which the board shows for a
// second, the right turns, and the solution step by step to its end. With AYUMU_ALL_PUZZLES it plays all of them.
func TestPuzzlesThatShipArePlayedOnScreens(t *testing.T) {
	for _, p := range puzzlestest.Sample(t) {
		screentest.With(t, func(h *screentest.Harness) {
			c := puzzlestest.OnlyOf(t, p)
			h.Account("ana")
			d := h.Visit(screentest.Setting{Name: "ana", Puzzles: c, Width: 100, Height: 40})
			d.Press("z H")
			d.WantText("Hint 1")
			before := boardOf(d.Text())
			enter(d, &p, puzzlestest.WrongAnswer(t, &p))
			d.WantText("Wrong")
			if refuted := boardOf(d.Text()); p.Goal == puzzle.GoalLine {
				if refuted == before {
					t.Errorf("%s %s: the wrong answer is not shown", p.Theme, p.ID)
				}
				d.Advance(time.Second)
				seen, after := d.Seen, boardOf(d.Text())
				d.Advance(2 * time.Second)
				if after == refuted || boardOf(d.Text()) != after || d.Seen != seen {
					t.Errorf("%s %s: the board does not return once after a second", p.Theme, p.ID)
				}
			}
			if p.Goal == puzzle.GoalSet {
				for _, move := range puzzlestest.WrongAnswer(t, &p) {
					d.TypeText(strings.Replace(move, "-", "", 1))
					d.Press("enter") // unmarks it
				}
			}
			if p.Goal == puzzle.GoalSide { // nothing is left to find
				d.WantText("The solution:", "Wrong.")
				d.WantNoText("Try again")
			} else {
				for _, turn := range puzzlestest.OwnTurns(&p) {
					enter(d, &p, turn)
				}
				d.WantText("Solved")
			}
			steps := len(c.Steps(&c.All()[0]))
			d.Press("home")
			d.WantNoText("Step 1 of")
			for range steps {
				d.Press("right")
			}
			d.WantText("Step")
			if p.Theme == "finish" || p.Theme == "trap" || p.Theme == "race" {
				d.WantText("over:") // why the game has ended
			}
			end := boardOf(d.Text())
			d.Press("right")
			if boardOf(d.Text()) != end {
				t.Errorf("%s %s: there is a step after the last one", p.Theme, p.ID)
			}
			d.Press("left enter")
			d.WantText("Training")
		})
	}
}

// boardOf returns the left part of a screen, where the board is.
func boardOf(text string) string {
	var rows []string
	for row := range strings.Lines(text) {
		r := []rune(row)
		rows = append(rows, string(r[:min(len(r), 50)]))
	}
	return strings.Join(rows[1:len(rows)-3], "\n")
}
