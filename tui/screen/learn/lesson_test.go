package learn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// answer types the rest of a solution.
func answer(d *screentest.Session, g game.Game, actions []string) {
	switch {
	case g.Name() != "mu":
		d.TypeText(strings.ReplaceAll(strings.Join(actions, "; "), "-", ""))
	case actions[0] == "end":
		d.Press("e e")
		return
	default:
		for i, action := range actions {
			if action != "end" {
				action = g.ShortTurn([]string{action})
			}
			d.TypeText(strings.Repeat(";", min(i, 1)) + action)
		}
	}
	d.Press("enter")
}

// open opens the lessons of the game with an index.
func open(d *screentest.Session, index int) {
	d.Press("L" + strings.Repeat(" down", index) + " enter")
}

// TestEveryLessonInEverySize solves every lesson in the windows that the screens promise to work in, and compares those
// of 80×24 with the golden screens.
func TestEveryLessonInEverySize(t *testing.T) {
	for index, g := range (&op.Visit{Config: &op.Config{Games: gametest.Games}}).TaughtGames() {
		for _, size := range screentest.Sizes {
			screentest.With(t, func(h *screentest.Harness) {
				size.Name = "ana"
				h.Account("ana")
				d := h.Visit(size)
				d.Settings.ReplaySpeed = 0
				open(d, index)
				list := g.Lessons()
				for i := range list {
					l := &list[i]
					where := fmt.Sprintf("%s, lesson %d of %d×%d", g.Name(), i+1, size.Width, size.Height)
					wantAll(t, d, where, l.Title, l.Text, l.Task, fmt.Sprintf("%d of %d", i+1, len(list)))
					d.Golden(fmt.Sprintf("lesson-%s-%02d", g.Name(), i+1) + size.Suffix())
					answer(d, g, l.Rest(nil))
					wantAll(t, d, where+", solved", l.Title, l.Done, "Enter")
					if i+1 < len(list) {
						d.Press("enter")
					}
				}
				d.Press("enter")
				d.WantText("all", "lessons solved") // without bots the list again
			})
		}
	}
}

// wantAll checks that all words of some texts are shown, in this order.
func wantAll(t *testing.T, d *screentest.Session, where string, texts ...string) {
	t.Helper()
	shown := d.Text()
	for _, text := range texts {
		at := 0
		for _, word := range strings.Fields(text) {
			n := strings.Index(shown[at:], word)
			if n < 0 {
				t.Fatalf("%s: %q of %q is missing:\n%s", where, word, text, shown)
			}
			at += n
		}
	}
}

// TestWrongAnswersHaveReasons checks that a wrong move is explained and taken back, that the answer can be shown, and
// that lessons can be skipped.
func TestWrongAnswersHaveReasons(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("L")
		d.WantText("11 lessons", "short lessons on the board")
		d.Press("enter")
		d.WantText("Learn Ayu", "you are Black", "1 of 11")
		d.TypeText("b3c3")
		d.Press("enter")
		d.WantText("Moving b3 to c3 would split its group.")
		d.Press("] ] ]")
		d.WantText("The nearest unit")
		d.TypeText("e3d3")
		d.Press("enter")
		d.WantText("because b3 is the", "Move the stone on b3", "stone on b3 this time.")
		d.Press("h")
		d.WantText("The solution: move b3 to b4")
		d.TypeText("b3b4")
		d.Press("enter")
		d.WantText("b3 has joined b5", "Enter: next lesson.")
		d.Press("[")
		d.WantText("so it may not step")
		d.Press("[")
		d.WantText("Around other stones")
		d.Press("?")
		d.WantText("Help  Lessons", "On the board", "Enter           choose a stone")
		d.Press("q q")
		d.WantText("11 lessons")
	})
}

// TestProgressIsKept checks that solved lessons are kept with the account, and those of a guest for the visit, and that
// a skipped lesson comes again.
func TestProgressIsKept(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for _, name := range []string{"ana", ""} {
			if name != "" {
				h.Account(name)
			}
			d := h.Visit(screentest.Setting{Name: name})
			if name == "" {
				d.Press("enter") // the welcome
			}
			open(d, 0)
			d.TypeText("d3c3")
			d.Press("enter enter ]")
			d.TypeText("b2b3")
			d.Press("enter q")
			d.WantText("2 of 11 lessons solved")
			d.Press("enter")
			d.WantText("A single stone", "2 of 11")
			d.Press("q q")
			if name == "" {
				continue
			}
			d.Close()
			again := h.Visit(screentest.Setting{Name: name})
			again.Press("L")
			again.WantText("2 of 11 lessons solved")
		}
	})
}

// TestEnterNeedNotWaitForTheReplay presses Enter while an explosion is shown step by step: it does what the status bar
// says. Space skips the steps.
func TestEnterNeedNotWaitForTheReplay(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		open(d, 1)
		d.Press(strings.Repeat("] ", 6))
		answer(d, gametest.Games[1], gametest.Games[1].(game.Teacher).Lessons()[6].Rest(nil))
		d.WantText("1 of", "Space: skip", "Enter next lesson")
		d.Press("enter")
		d.WantText("Capturing by explosion")
		answer(d, gametest.Games[1], gametest.Games[1].(game.Teacher).Lessons()[7].Rest(nil))
		d.Press("space")
		d.WantText("Right. Each", "territory")
	})
}

// TestLessonsWithoutColours checks that the sides of a lesson differ by their shapes.
func TestLessonsWithoutColours(t *testing.T) {
	for _, p := range []paint.Profile{{Colors: paint.NoColor}, {ASCII: true}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("ana")
			d := h.Visit(screentest.Setting{Name: "ana", Profile: p})
			open(d, 0)
			name := "no-colour"
			if p.ASCII {
				name = "ascii"
			}
			d.Golden("lesson-" + name)
		})
	}
}

// TestTheLastLessonLeadsToAGame checks that the game against the weakest bot begins after the last lesson.
func TestTheLastLessonLeadsToAGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		open(d, 0)
		d.Press(strings.Repeat("] ", 10))
		d.WantText("The pie rule")
		d.TypeText("swap")
		d.Press("enter")
		d.WantText("Enter: play Moss.")
		d.Press("enter")
		d.WantText("Ayu 7×7", "Moss", "Your move (Black)")
	})
}

// TestTheGameAfterTheLessonsHasComments plays a mistake in it.
func TestTheGameAfterTheLessonsHasComments(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(func(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
			chances := []float64{0.3, 0.3}
			chances[p.Turn()] = 0.7
			return search.Advice{Choices: []search.Choice{{Actions: p.Legal()[:1], Chance: 0.7}}, Chances: chances}, nil
		})
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true})
		defer d.Close()
		open(d, 0)
		d.Press(":continue")
		d.WantText("Game from a position", "Moss")
		d.Press("esc")
		d.WantText("1 of 11")
		for range 10 {
			d.Press("]")
		}
		lessons := gametest.Games[0].(game.Teacher).Lessons()
		answer(d, gametest.Games[0], lessons[10].Rest(nil))
		d.Press("enter")
		d.WantText("Ayu 7×7")
		m, err := h.Lobby.Match(h.Lobby.View().Matches[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 8 {
			p := m.Snapshot().Position
			legal := p.Legal()
			move, why := legal[len(legal)-1], ""
			for i := len(legal) - 1; i > 0 && why == ""; i-- {
				if why = gametest.Games[0].(game.Coach).Comment(p, legal[i:i+1], legal[:1]); why != "" {
					move = legal[i]
				}
			}
			for range 2 { // the second time after a warning
				if m.Snapshot().Position == p {
					d.TypeText(strings.Replace(move, "-", "", 1))
					d.Press("enter")
				}
			}
			d.Advance(3 * time.Second)
			if n < 2 || why == "" {
				d.WantNoText("Instead of your last move")
				continue
			}
			d.WantPanel(why)
			d.WantNoText("chance")
			return
		}
		t.Error("no turn has a comment")
	})
}
