package tui

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby/bots"
)

// firstLegal is a player without thoughts.
type firstLegal struct{}

func (firstLegal) Think(_ context.Context, q bots.Question) ([]string, error) {
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
	inHouse(t, func(h *house) {
		company, err := bots.Open(h.t.Context(), bots.Config{Lobby: h.Lobby, Store: h.store, Thinker: firstLegal{}})
		if err != nil {
			h.t.Fatal(err)
		}
		defer company.Close()
		h.account("ana")
		d := h.visit(setting{name: "ana", bots: company})
		defer d.close()
		d.has("b plays a bot", "bot 1500?")
		d.press("p a")
		d.has("Looking for an opponent", "Meanwhile b plays a bot.")
		d.press("p")
		d.has("no longer look")
		d.press("b")
		d.has("A game with Brook", "Against", "[Brook]", "[no clock]", "[11×11]", "[off]", "start the game")
		d.press("right")
		d.has("[2] 3  4", "1  2 [3] 4") // a short game of Mu
		d.press("left down left enter")
		d.pass(2 * time.Second)
		d.has("Brook 1500? bot", "Your turn", "? has the rules, h a hint.")
		d.press("tab enter tab enter")
		d.pass(2 * time.Second)
		d.has("Your turn")
		d.lacks("New to it?")
		d.press("q b")
		d.has("▸ Game", "[Ayu]", "[9×9]", "[Brook]", "[no clock]") // as the last one was begun
	})
}
