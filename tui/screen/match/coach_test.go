package match_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
	"ayumu/tui/screen/screentest"
)

// TestCoachAdvisesInTheFirstGamesAgainstABot plays a first game against a bot with and without the setting, and a later
// one.
func TestCoachAdvisesInTheFirstGamesAgainstABot(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true})
		defer d.Close()
		d.Press("b enter")
		for _, move := range []string{"d1d2", "f1f2"} {
			d.WantNoText("path") // the first two turns have no advice
			d.TypeText(move)
			d.Press("enter")
			d.Advance(2 * time.Second)
			d.WantText("Moss moves a", "now in a group of")
		}
		d.WantPanel("You have 10 units, and a path of 9 points to join them; White has 10 units, and a path of 9 points to join them.")
		d.Settings.Coach = false
		d.Press("up")
		d.WantNoText("path")
		d.Settings.Coach = true
		d.Press("down")
		d.WantText("path")
		d.Visit.Experience.Set("ayu", 3)
		d.Press("q y b enter")
		d.WantText("Ayu 7×7")
		for _, move := range []string{"d1d2", "f1f2"} {
			d.TypeText(move)
			d.Press("enter")
			d.Advance(2 * time.Second)
		}
		d.WantNoText("path")
	})
}

// TestCoachIsSilentBetweenPeople checks that a first match against a person has no advice, in a window in which one
// against a bot has it.
func TestCoachIsSilentBetweenPeople(t *testing.T) {
	turns := []string{"b1-b2", "a2-a3", "d1-d2", "c4-c5"}
	screentest.With(t, func(h *screentest.Harness) {
		m := firstMatch(h)
		h.Play(m, turns...)
		d := h.Visit(screentest.Setting{Name: "ana", IsNew: true, Width: 120, Height: 40})
		d.WantText("Goal:", "4 turns")
		d.WantNoText("path of")
	})
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true, Width: 120, Height: 40})
		defer d.Close()
		d.Press("b enter")
		for i := 0; i < len(turns); i += 2 {
			d.TypeText(turns[i])
			d.Press("enter")
			d.Advance(2 * time.Second)
		}
		d.WantText("Goal:", "4 turns", "path of")
	})
}

// TestCommentsNameTheBetterMove plays a first game in which the engine thinks that each turn but the first legal one is a mistake:
// from the third turn on the coach names the engine's move and what it does, in the panel too, until the next turn, and marks it on
// the board before the mistake only. It gives no chances.
func TestCommentsNameTheBetterMove(t *testing.T) {
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
		d.Press("b enter")
		g, _ := gametest.Games.ByName("ayu")
		m, err := h.Lobby.Match(h.Lobby.View().Matches[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		play := func(move string) {
			before := m.Snapshot().Version
			for range 2 { // the second time after a warning
				if m.Snapshot().Version == before {
					d.TypeText(strings.Replace(move, "-", "", 1))
					d.Press("enter")
				}
			}
			d.Advance(3 * time.Second)
		}
		for n := range 12 {
			p := m.Snapshot().Position
			legal := p.Legal()
			move, why := legal[len(legal)-1], ""
			for i := len(legal) - 1; i > 0 && why == ""; i-- {
				if why = g.(game.Coach).Comment(p, legal[i:i+1], legal[:1]); why != "" {
					move = legal[i]
				}
			}
			play(move)
			if n < 2 || why == "" {
				d.WantNoText("the engine would", "!") // ! is the sign of the mark
				continue
			}
			d.WantPanel(why + " Press [ twice to see it.")
			d.WantNoText("chance", "% ", "!")
			d.Press("[")
			d.WantNoText("the engine would", "!")
			d.Press("[")
			d.WantText("!")
			d.WantPanel(why)
			d.Press("end")
			d.WantNoText("!")
			play(m.Snapshot().Position.Legal()[0]) // no mistake
			d.WantNoText("the engine would", "!")
			return
		}
		t.Error("no turn has a comment")
	})
}
