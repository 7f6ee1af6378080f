package tui_test

import (
	"testing"
	"time"

	"ayumu/tui/screen/screentest"
)

func TestABotPlaysAtOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true})
		defer d.Close()
		d.WantText("b  first game", "bot 1500?")
		d.Press("p enter")
		d.WantText("Looking for an opponent", "press b to play a bot")
		d.Press("p")
		d.WantText("Search cancelled.")
		d.Press("b")
		d.WantText("Game against Moss (level 0)", "Opponent", "[Moss L0]", "[no clock]", "[7×7]", "[off]", "random [you] Moss", "start game")
		d.Press("right")
		d.WantText("[2] 3  4", "1 [2] 3  4") // a short game of Mu
		d.Press("left down left enter")
		d.Advance(2 * time.Second)
		d.WantText("Moss L0", "1500? bot", "Your move", "Goal: join all of your")
		d.Press("tab enter tab enter")
		d.Advance(2 * time.Second)
		d.WantText("Your move")
		d.Press("q")
		d.WantText("▸ Moss L0", "Summit L5")
		d.Press("b")
		d.WantText("▸ Game", "[Ayu]", "[5×5]", "[Moss L0]", "[no clock]") // as the last game was started
	})
}
