package learn_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/screen/screentest"
)

// withPuzzle visits the screen of the puzzle with an index among those of puzzlestest.
func withPuzzle(t *testing.T, index int, size screentest.Setting, f func(d *screentest.Session)) {
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
		withPuzzle(t, 0, size, func(d *screentest.Session) {
			d.WantText("Finish")
			if size.Width == 80 {
				d.GoldenSizes("puzzle-line")
			}
			d.TypeText("c4f6")
			d.Press("enter")
			d.WantText("Wrong")
			if size.Width == 80 {
				d.GoldenSizes("puzzle-refuted")
			}
			d.TypeText("b1f6")
			d.Press("enter")
			d.WantText("Right so far")
			d.TypeText("c1g6")
			d.Press("enter")
			d.WantText("Solved")
			d.Press("enter")
			d.WantText("Training", "Make your move")
			d.Press(":solution")
			d.WantText("The solution")
		})
	}
}

func TestASetIsMarked(t *testing.T) {
	withPuzzle(t, 1, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("=")
		d.WantText("Mark a move first")
		d.TypeText("c5e6")
		d.Press("enter")
		d.WantText("Marked: 1 c5-e6") // the board has the number too
		d.GoldenSizes("puzzle-set")
		d.Press("=")
		d.WantText("Solved")
	})
}

// TestBoardOfAPuzzleKeepsItsSize compares where the columns of the board are before and after a solution with a long explanation,
// of which a small window has only a part.
func TestBoardOfAPuzzleKeepsItsSize(t *testing.T) {
	columns := regexp.MustCompile(` a +b +c +d +e +f +g`)
	var longest *puzzle.Puzzle
	all := puzzlestest.Shipped(t)
	for i := range all {
		if p := &all[i]; p.Theme == "trap" && (longest == nil || len(p.Set) > len(longest.Set)) {
			longest = p
		}
	}
	for _, size := range [][2]int{{40, 16}, {60, 20}, {80, 24}, {100, 30}, {120, 40}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			d := h.Visit(screentest.Setting{Name: "ana", Puzzles: puzzlestest.OnlyOf(t, *longest), Width: size[0], Height: size[1]})
			d.Press("z")
			before := columns.FindString(d.Text())
			for _, keys := range []string{"H", "H", "H", "right"} {
				d.Press(keys)
				if after := columns.FindString(d.Text()); before == "" || after != before {
					t.Errorf("%d×%d, %s: the columns are %q instead of %q:\n%s", size[0], size[1], keys, after, before, d.Text())
				}
			}
			d.WantText("Step ", "next puzzle")
		})
	}
}

// TestASideIsChosen answers a race, whose wrong answer leaves nothing to find and shows the solution.
func TestASideIsChosen(t *testing.T) {
	withPuzzle(t, 2, screentest.Setting{}, func(d *screentest.Session) {
		d.GoldenSizes("puzzle-side")
		d.Press("1")
		d.WantText("Solved: Black wins.", "Enter: next puzzle.")
		d.Press("q")
		d.WantText("online")
	})
	withPuzzle(t, 2, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("2")
		d.GoldenSizes("puzzle-side-wrong")
		d.Press("1")
		d.WantText("The solution: Black wins.", "Step 1 of")
		d.WantNoText("Solved", "Try again")
		d.Press("q")
		d.WantText("online")
	})
}

// TestTheFirstTryIsRated checks that the first answer changes the rating, on any screen, and later ones do not.
func TestTheFirstTryIsRated(t *testing.T) {
	withPuzzle(t, 0, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("z down down down enter") // of the day it is not rated
		d.WantText("Training", "Finish")
		d.TypeText("c4f6")
		d.Press("enter")
		d.WantText("Wrong: after the reply b3-e7", "Rated. You will see your", "You will see this puzzle again")
		d.GoldenSizes("puzzle-wrong")
		d.TypeText("b1f6")
		d.Press("enter")
		d.TypeText("c1g6")
		d.Press("enter")
		d.WantText("Solved, after a wrong answer", "wins in 4 moves", "Rated. You will see your")
		d.GoldenSizes("puzzle-solved")
	})
}

// TestHintsGrow checks that the second hint says more than the first, and that the try is not rated then.
func TestHintsGrow(t *testing.T) {
	withPuzzle(t, 0, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("h")
		d.WantText("Hint 1: Move the stone on b1.")
		d.Press("h")
		d.WantText("Hint 1: Move the stone on b1.", "Hint 2: The move is b1-f6.")
		d.GoldenSizes("puzzle-hint")
		d.WantText("h solution")
		d.Press("h")
		d.WantText("The solution: b1-f6", "is not")
	})
}

// TestNothingIsCutInSmallWindows checks the header of a puzzle and the list of training at 60×20.
func TestNothingIsCutInSmallWindows(t *testing.T) {
	for index, rating := range []string{"rating 1620", "rating 1260", "rating 1170"} {
		withPuzzle(t, index, screentest.Setting{Width: 60, Height: 20}, func(d *screentest.Session) {
			d.WantText("Puzzle of the day", rating)
			d.Press(":solution z")
			d.WantText("1 of 1 tried, 0 solved", "until the first wrong answer")
			d.WantNoText("…")
		})
	}
}

// TestTrainingAndStreak chooses a theme, and then a streak until a wrong answer.
func TestTrainingAndStreak(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Puzzles: puzzlestest.Collection(t)})
		d.Press("z z")
		d.WantText("Train", "Ayu", "Puzzle of the day", "0 of 3 tried", "Finish", "Trap", "Race", "Streak")
		d.GoldenSizes("puzzle-list")
		d.Press("down down down down enter")
		d.WantText("Training", "find all moves")
		d.TypeText("c5e6")
		d.Press("enter =")
		d.WantText("Solved: c5-e6", "After c5-e6, White wins with", "Rated. You will see your")
		d.Press("z")
		d.WantText("1 of 3 tried, 1 solved")
		d.Press("end enter")
		d.WantText("Streak: 0")
		d.WantNoText("in a row")
		d.Press("h")
		d.WantText("Streak: 0")
		d.WantNoText("in a row")
		for range 3 { // the order is by chance
			switch text := d.Text(); {
			case strings.Contains(text, "which side wins"):
				d.Press("2") // wrong
			case strings.Contains(text, "find all moves"):
				d.TypeText("c5e6")
				d.Press("enter = enter")
			case strings.Contains(text, "win in 4"):
				d.TypeText("b1f6")
				d.Press("enter")
				d.TypeText("c1g6")
				d.Press("enter enter")
			}
		}
		d.WantText("The solution: Black wins.", "The streak ends with", "Enter: new streak.")
		d.Press("enter")
		d.WantText("Streak: 0")
	})
}

// TestReports checks that a report of a puzzle reaches the moderators.
func TestReports(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		m := &reports{}
		d := h.Visit(screentest.Setting{Name: "ana", Puzzles: puzzlestest.Collection(t), Moderator: m})
		d.Press("z :puzzle+report")
		d.WantText("What is wrong with puzzle")
		d.TypeText("it has two solutions")
		d.Press("enter")
		d.WantText("Reported to the moderators.")
		if !strings.HasPrefix(m.about, "puzzle ") || !strings.HasSuffix(m.text, ") it has two solutions") {
			t.Errorf("the report: %q, %q", m.about, m.text)
		}
	})
}

// reports is a moderator that keeps the last report.
type reports struct {
	club.Moderator
	about, text string
}

func (r *reports) CountReports(context.Context) (int, error) { return 0, nil }

func (r *reports) Permit(club.Permission) error { return nil }

func (r *reports) Report(_ context.Context, about, text string) error {
	r.about, r.text = about, text
	return nil
}

// TestAPuzzleIsPlayedOn begins a game with the position of a puzzle, but not before the puzzle is over.
func TestAPuzzleIsPlayedOn(t *testing.T) {
	withPuzzle(t, 0, screentest.Setting{}, func(d *screentest.Session) {
		d.Press("g") // the column g
		d.WantText("Finish")
		d.Press("esc :solution :continue")
		d.WantText("Game from a position")
		d.Press("esc")
		d.WantText("Finish")
	})
}

// TestDailyPuzzlesOnScreens opens the daily puzzles, solves the first one, and shares the result.
func TestDailyPuzzlesOnScreens(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			size.Name, size.Puzzles = "ana", puzzlestest.Collection(t)
			d := h.Visit(size)
			d.Press("z :daily")
			d.WantText("Daily puzzles of Ayu", "1", "Race", "Finish", "Ayumu daily Ayu,", "0 of 3", "...")
			d.Press("enter")
			d.WantText("Daily puzzle 1 of", "Race")
			d.Press("1")
			d.WantText("Solved")
			d.Press("enter")
			d.WantText("Daily puzzle 2 of", "Trap")
			d.Press(":solution enter")
			d.WantText("Daily puzzle 3 of")
			d.TypeText("b1f6")
			d.Press("enter")
			d.TypeText("c1g6")
			d.Press("enter")
			d.WantText("Solved")
			d.Press("enter")
			d.WantText("+ solved", "- not solved", "2 of 3", "+-+")
			d.Golden("puzzle-daily" + size.Suffix())
			d.Press("q")
			d.WantText("Solved")
		})
	}
}

// TestPuzzleOfTheDayOfAGame types the name of a game after the command, in the lobby and on the board of a puzzle of another game.
func TestPuzzleOfTheDayOfAGame(t *testing.T) {
	all, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Puzzles: all})
		d.Press(":puzzle+day+Mu")
		d.WantText("Puzzle of the day", "Mu · ", "h hint")
		d.Press("q z")
		d.WantText("Puzzle of the day", "Ayu · ")
		d.Press(":puzzle+day+Mu")
		d.WantText("Puzzle of the day", "Mu · ")
		d.Press(":puzzle+day+chess")
		d.WantText("no puzzles of this game", "Mu · ")
		d.Press(":puzzle+day+ayu")
		d.WantText("Puzzle of the day", "Ayu · ")
	})
}

// TestThePuzzleOfTheDayIsMarked solves today's puzzle of the game that the user plays most, which is the one beside the lists of the
// lobby, and sees it marked there and in the list of puzzles; the daily puzzles are then two keys away. Nobody else sees a mark.
func TestThePuzzleOfTheDayIsMarked(t *testing.T) {
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct{ game, title, other string }{{"ayu", "Ayu · you are", "Mu · you are"}, {"mu", "Mu · you are", "Ayu · you are"}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			h.Account("bob")
			visit := func(name, game string) *screentest.Session {
				d := h.Visit(screentest.Setting{Name: name, Puzzles: c, Width: 120, Height: 40})
				d.Visit.Experience.Set(game, 200)
				d.Press("esc")
				return d
			}
			ana, bob := visit("ana", of.game), visit("bob", of.game)
			ana.WantText("Puzzle of the day ", of.title)
			ana.WantNoText(of.other, "✓ solved")
			ana.Press("z")
			p := ana.Visit.PuzzleTry().Puzzle
			if p.Game != of.game {
				t.Errorf("z opens a puzzle of %s, want %s", p.Game, of.game)
			}
			for _, turn := range puzzlestest.OwnTurns(p) {
				enter(ana, p, turn)
			}
			ana.WantText("Solved", "z: 5 more")
			ana.Press("q")
			ana.WantText("✓ solved · z", of.title)
			ana.Press("z z")
			ana.WantText("Puzzle of the day    + solved")
			ana.Press("q")
			for _, turn := range puzzlestest.OwnTurns(p) {
				enter(ana, p, turn)
			}
			ana.Press("z enter")
			ana.WantText("Daily puzzles of "+strings.Fields(of.title)[0], "To share")
			bob.Press("tab tab tab")
			bob.WantNoText("✓ solved")
		})
	}
}
