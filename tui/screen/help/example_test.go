package help_test

import (
	"strings"
	"testing"

	"ayumu/lobby/clock"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// TestHelpOnABoardHasTheKeysFirst opens the help on a board in windows of several sizes: the keys, then an example and the rules.
func TestHelpOnABoardHasTheKeysFirst(t *testing.T) {
	for _, test := range []struct {
		setting screentest.Setting
		rows    []string // of the figure
	}{
		{screentest.Setting{Width: 40, Height: 16}, []string{" 4 · ● · · ○    your stones", " 3 · ●(●)× ·    unit"}},
		{screentest.Setting{Width: 40, Height: 16, Profile: paint.Profile{ASCII: true}}, []string{" 4 · X · · O    your stones", " 3 · X(X), ·    unit"}},
		{screentest.Setting{Width: 60, Height: 20}, []string{" 4     ▗██▖        ▗▀▀▖    must bring", " 3     ▗██▄╭██▖"}},
		{screentest.Setting{Width: 80, Height: 24}, []string{" 4     ▗██▖        ▗▀▀▖    nearest neighbour.", " 3     ▗██▄╭██▖"}},
		{screentest.Setting{Width: 80, Height: 24, Profile: paint.Profile{ASCII: true}}, []string{" 4      XX          OO     nearest neighbour."}},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
			test.setting.Name = "ana"
			d := h.Visit(test.setting)
			d.Press("?")
			d.WantText("On the board", "move the cursor")
			d.WantNoText("Goal: join all")
			d.Press("tab")
			d.WantText("Playing a game", "review the game")
			d.Press("tab")
			d.WantText("Ayu in short", "Goal: join all")
			d.WantText(test.rows...)
			d.Press("end")
			d.WantText("was invented by")
			d.WantNoText("more line")
		})
	}
}

// TestExampleHasTheStyleOfTheScreens changes the characters while the help is open.
func TestExampleHasTheStyleOfTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("? tab tab")
		d.WantText("Ayu in short", "█")
		d.Settings.ASCII = true
		d.UpdateStyle()
		d.WantText("Ayu in short", "XX")
		d.WantNoText("█")
	})
}

// TestHelpOfTheLobbyEndsWithTheGames looks for the examples of all games below the keys.
func TestHelpOfTheLobbyEndsWithTheGames(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("?")
		d.WantText("The lobby", "quick match")
		for _, title := range []string{"Ayu in short", "The rules of Ayu", "Mu in short", "The rules of Mu"} {
			d.Press("tab")
			if rows := strings.Split(d.Text(), "\n"); !strings.Contains(rows[2], title) {
				h.T.Errorf("the next part is not %q:\n%s", title, d.Text())
			}
		}
	})
}
