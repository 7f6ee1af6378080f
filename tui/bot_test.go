package tui

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/bots"
)

// firstLegal is a player without thoughts.
type firstLegal struct{}

func (firstLegal) Think(_ context.Context, p engine.Position, _ int, _ time.Duration) (string, error) {
	return p.Legal()[0], nil
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
		d.press("b")
		d.has("Against", "[Brook]", "[no clock]", "start the game")
		d.press("enter")
		d.pass(2 * time.Second)
		d.has("Brook 1500? bot", "Your turn")
	})
}
