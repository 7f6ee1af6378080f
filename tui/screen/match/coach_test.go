package match_test

import (
	"testing"
	"time"

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
		d.WantPanel("You have 12 units, about 11 moves to go; White has 12, about 11.")
		d.TypeText("d1d2")
		d.Press("enter")
		d.Advance(2 * time.Second)
		d.WantText("Pebble moves a2 to a3, now in a group of 2.")
		d.Settings.Coach = false
		d.Press("up")
		d.WantNoText("about") // of the advice, which is the only text with this word
		d.Settings.Coach = true
		d.Press("down")
		d.WantText("about")
		d.Visit.Experience.Set("ayu", 3)
		d.Press("q y b enter")
		d.WantText("Ayu 7×7")
		d.WantNoText("about")
	})
}

// TestCoachIsSilentBetweenPeople checks that a first match against a person has no advice, in a window in which one
// against a bot has it.
func TestCoachIsSilentBetweenPeople(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		firstMatch(h)
		d := h.Visit(screentest.Setting{Name: "ana", IsNew: true, Width: 120, Height: 40})
		d.WantText("Goal:")
		d.WantNoText("about")
	})
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true, Width: 120, Height: 40})
		defer d.Close()
		d.Press("b enter")
		d.WantText("Goal:", "Your move", "about")
	})
}
