package match_test

import (
	"testing"

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
		d.WantPanel("Joins to go: you 11 (at least 11 moves), White 11 (11).")
		d.Settings.Coach = false
		d.Press("up")
		d.WantNoText("Joins to go")
		d.Settings.Coach = true
		d.Client.Experience.Set("ayu", 3)
		d.Press("q y b enter")
		d.WantNoText("Joins to go")
	})
}

// TestCoachIsSilentBetweenPeople checks that a first match against a person has no advice.
func TestCoachIsSilentBetweenPeople(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		firstMatch(h)
		d := h.Visit(screentest.Setting{Name: "ana", IsNew: true})
		d.WantText("Goal:")
		d.WantNoText("Joins to go")
	})
}
