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
		d.WantPanel("You need 11 joins, in 11 moves or more; White needs 11, in 11 or more.")
		d.TypeText("d1d2")
		d.Press("enter")
		d.Advance(2 * time.Second)
		d.WantText("Pebble moves a2 to a3, now in a group of 2.")
		d.Settings.Coach = false
		d.Press("up")
		d.WantNoText("White needs")
		d.Settings.Coach = true
		d.Client.Experience.Set("ayu", 3)
		d.Press("q y b enter")
		d.WantNoText("White needs")
	})
}

// TestCoachIsSilentBetweenPeople checks that a first match against a person has no advice.
func TestCoachIsSilentBetweenPeople(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		firstMatch(h)
		d := h.Visit(screentest.Setting{Name: "ana", IsNew: true})
		d.WantText("Goal:")
		d.WantNoText("White needs")
	})
}
