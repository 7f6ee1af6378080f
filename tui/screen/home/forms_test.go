package home_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/tui/screen/screentest"
)

func TestDelayIsChosenAtTheTable(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		d, bob := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"})
		d.Press("n")
		d.FillField("Spectator delay", "3")
		d.Press("enter")
		bob.Advance(time.Second)
		bob.Width = 120
		bob.WantText("Delay", "3 turns")
		bob.Press("enter")
		d.Advance(time.Second)
		d.WantPanel("Spectators see this game 3 turns late.", "delayed by 3 turns")
	})
}

// The form of a challenge has the answers of the last one.
func TestTheLastChallengeIsRemembered(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		d := h.Visit(screentest.Setting{Name: "ana"})
		for i, size := range []string{"[11×11]", "[7×7]"} {
			d.Press("c")
			d.TypeText("bob")
			d.Press("enter")
			d.WantText("Challenge bob", size, []string{"[casual]", "[rated]"}[i], []string{"[10+10]", "[5+5]"}[i])
			d.FillField("Size", "7×7")
			d.FillField("Clock", "5+5")
			d.FillField("Mode", "rated")
			d.Press("enter")
			d.WantText("Challenge sent to bob.")
			d.Press("home x")
			d.WantText("Challenge withdrawn.")
		}
	})
}

func TestGoldenForms(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			builtin := h.NewBots(screentest.FirstLegal)
			defer builtin.Close()
			h.Account("ana")
			h.Member("bob")
			size.Name, size.Bots = "ana", builtin
			d := h.Visit(size)
			defer d.Close()
			for _, form := range []struct{ name, keys string }{
				{"newtable", "n down down down down right right right right right right"},
				{"newtable-handicap", "n down down down right right"},
				{"newtable-mu", "n right down down down right"},
				{"quickmatch", "p"},
				{"botgame", "b down down down down"},
				{"botgame-mu", "b right down down down right right down"},
				{"challenge", "c b o b enter down down"},
				{"challenge-mu", "c b o b enter right down"},
			} {
				d.Press(form.keys)
				d.Golden(form.name + size.Suffix())
				d.Press("esc")
			}
		})
	}
}

// The choice is remembered with the account: p and Enter repeat the last search.
func TestTheLastChoiceIsRemembered(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		for _, visitor := range []screentest.Setting{{Name: "ana", Bots: builtin}, {Bots: builtin}} {
			d := h.Visit(visitor)
			if visitor.Name == "" {
				d.Press("enter") // a guest
			}
			d.Press("p")
			d.WantText("Quick match", "any [Ayu] Mu", "[any] 5×5", "[any] 5+5")
			d.Press("down")
			d.WantText("What your opponent chose; if they accept any too, 11×11.")
			d.Press("up")
			d.FillField("Game", "Mu")
			d.Press("down down")
			d.WantText("What your opponent chose; if they accept any too, 7.") // the rules' default, not that of a table
			d.FillField("Segments each", "3")
			d.FillField("Clock", "custom")
			d.Press("enter")
			d.WantText("finding an opponent", "Mu", "15+10")
			if visitor.Name != "" {
				d.Close()
				d = h.Visit(visitor)
				d.Advance(time.Second)
			}
			d.Press("p")
			d.WantText("Search cancelled.")
			d.Press("p")
			d.WantText("any  Ayu [Mu]", "1  2 [3] 4", "[custom]")
			d.FillField("Game", "any")
			d.WantNoText("Segments each")
			d.Press("enter")
			d.WantText("finding an opponent  any", "15+10")
			d.Press("p b")
			d.FillField("Opponent", "Heron L4")
			d.FillField("Size", "5×5")
			d.FillField("First move", "Heron")
			d.Press("enter")
			d.Advance(2 * time.Second)
			d.WantText("Heron")
			d.Press("q b")
			d.WantText("Game against Heron (level 4)", "[5×5]", "random  you [Heron]")
			d.Close()
		}
	})
}

// Guests play casual games only, so no form asks for the mode; and rated games have a random first move.
func TestRowsWithoutMeaningAreHidden(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		h.Member("bob")
		g := h.Visit(screentest.Setting{Bots: builtin})
		defer g.Close()
		g.Press("enter n")
		g.WantText("New table")
		g.WantNoText("Mode", "Opponent", "May start with")
		g.FillField("Game", "Mu")
		g.WantText("Players", "May start with  [all] 2")
		g.WantNoText("[all] 2  3")
		g.FillField("Players", "5")
		g.FillField("May start with", "4")
		g.FillField("Players", "4")
		g.WantText("May start with  [all] 2  3")
		g.WantNoText("[all] 2  3  4")
		g.FillField("Players", "2")
		g.WantNoText("May start with")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		d.Press("c")
		d.TypeText("bob")
		d.Press("enter")
		d.WantText("Challenge bob", "First move", "[random] you  bob")
		d.FillField("Mode", "rated")
		d.WantNoText("First move", "Visibility")
		d.FillField("Game", "Mu")
		d.WantNoText("Players", "May start with")
		d.Press("enter")
		d.WantText("Challenge sent to bob.", "Mu 2×3", "rated")
		d.Press("n")
		d.WantText("Ayu [Mu]") // the game of the session's last table
		d.Press("esc b")
		d.WantText("[you] Moss")
		d.WantNoText("Mode") // of a bot that plays casual games only
		d.FillField("Opponent", "Pebble L1")
		d.WantText("[you] Pebble")
		d.Press("down down down down down down right")
		d.WantText("▸ Mode", "casual [rated]") // still selected
		d.WantNoText("First move")
	})
}

// The same person is not challenged twice for the same, and a bot is played in its own form.
func TestChallengesAreChecked(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		h.Member("bob")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		for _, text := range []string{"ana", "BOB", "bob"} {
			d.Press("c")
			d.TypeText(text)
			d.Press("enter")
			if text == "ana" {
				d.WantText("You cannot challenge yourself.", "Open tables")
				continue
			}
			d.WantText("Challenge bob")
			d.Press("enter")
		}
		d.WantText("You have already sent this challenge to bob", "Challenge bob")
		d.Press("esc tab down down c") // after ana and bob
		d.WantText("Game against Brook (level 2)")
	})
}

// A name and a clock are typed in rows with an input field, where letters and the space are text.
func TestLettersAreTextInInputFields(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.Press("n")
		d.FillField("Clock", "custom")
		d.Press(strings.Repeat("up ", 20) + "down down down down")
		d.TypeText("qhjkl")
		d.WantText("▸ Clock", "qhjkl")
		d.Press(strings.Repeat("up ", 20))
		d.WantText("▸ Game")
		d.Press("j")
		d.WantNoText("▸ Game")
		d.Press("esc")
		d.WantText("Open tables")
		d.Press("n q")
		d.WantText("Open tables")
	})
}
