package tui

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby/bots"
)

// firstLegal is a bots.Searcher that plays the first legal action.
type firstLegal struct{}

func (firstLegal) Think(_ context.Context, q bots.TurnRequest) ([]string, error) {
	return q.Position.Legal()[:1], nil
}

func (firstLegal) Forget(string) {}

func (firstLegal) Advise(_ context.Context, p engine.Position, _ time.Duration) (bot.Advice, error) {
	legal := p.Legal()
	a := bot.Advice{Chances: []float64{0.62, 0.38}}
	for i, action := range legal[:min(len(legal), 5)] {
		a.Choices = append(a.Choices, bot.Choice{Actions: []string{action}, Chance: 0.62 - float64(i)/100})
	}
	return a, nil
}

func TestABotPlaysAtOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin, err := bots.Open(h.t.Context(), bots.Config{Lobby: h.Lobby, Store: h.store, Searcher: firstLegal{}})
		if err != nil {
			h.t.Fatal(err)
		}
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
