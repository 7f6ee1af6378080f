package tui

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
)

// firstLegal searches by listing the first legal actions.
func firstLegal(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
	legal := p.Legal()
	a := search.Advice{Chances: []float64{0.62, 0.38}}
	for i, action := range legal[:min(len(legal), 5)] {
		a.Choices = append(a.Choices, search.Choice{Actions: []string{action}, Chance: 0.62 - float64(i)/100})
	}
	return a, nil
}

func TestABotPlaysAtOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		h.account("ana")
		d := h.visit(setting{name: "ana", bots: builtin})
		defer d.close()
		d.wantText("b: play a bot", "bot 1500?")
		d.press("p a")
		d.wantText("Looking for an opponent", "Press b to play a bot")
		d.press("p")
		d.wantText("Search cancelled.")
		d.press("b")
		d.wantText("Game against Brook", "Against", "[Brook]", "[no clock]", "[11×11]", "[off]", "start game")
		d.press("right")
		d.wantText("[2] 3  4", "1  2 [3] 4") // a short game of Mu
		d.press("left down left enter")
		d.advance(2 * time.Second)
		d.wantText("Brook 1500? bot", "Your move", "Press ? for the rules,")
		d.press("tab enter tab enter")
		d.advance(2 * time.Second)
		d.wantText("Your move")
		d.wantNoText("New to Ayu?")
		d.press("q b")
		d.wantText("▸ Game", "[Ayu]", "[9×9]", "[Brook]", "[no clock]") // as the last game was started
	})
}
