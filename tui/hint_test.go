package tui

import (
	"context"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
)

// slowAdvice is a player who thinks about hints until he is stopped.
type slowAdvice struct {
	firstLegal
	stopped chan struct{}
}

func (s slowAdvice) Advise(ctx context.Context, _ engine.Position, _ time.Duration) (bot.Advice, error) {
	<-ctx.Done()
	s.stopped <- struct{}{}
	return bot.Advice{}, ctx.Err()
}

func (h *house) company(th bots.Thinker) *bots.Company {
	h.t.Helper()
	company, err := bots.Open(h.t.Context(), bots.Config{Lobby: h.Lobby, Store: h.store, Thinker: th})
	if err != nil {
		h.t.Fatal(err)
	}
	return company
}

func TestHintsInAReplay(t *testing.T) {
	inHouse(t, func(h *house) {
		company := h.company(firstLegal{})
		defer company.Close()
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		for _, size := range []Size{{80, 24}, {60, 20}, {120, 40}} {
			d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID, bots: company, w: size.Width, h: size.Height})
			d.lacks("The engine")
			d.press("h")
			d.has("The engine", "62 %", "38 %", "1. ", "2. ", "3. ", "61 %", "60 %")
			d.lacks("59 %", "4. ")
			d.press("]")
			d.lacks("The engine") // it was for the position before
			d.press("h")
			d.has("One hint a second")
			d.pass(time.Second)
			d.press("h")
			d.has("The engine")
			d.press("h")
			d.lacks("The engine")
			d.press("V")
			d.pass(time.Second)
			d.press("h")
			d.has("The engine", "own line")
			d.press("esc ?")
			d.has("h ")
			d.close()
		}
	})
}

// The engine stops thinking about a position that nobody looks at any more.
func TestHintsEndWithThePosition(t *testing.T) {
	inHouse(t, func(h *house) {
		th := slowAdvice{stopped: make(chan struct{}, 10)}
		company := h.company(th)
		defer company.Close()
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID, bots: company})
		defer d.close()
		for i, keys := range []string{"]", "h", "home", "q"} {
			d.pass(2 * time.Second)
			d.press("h")
			d.has("The engine", "thinking …")
			d.press(keys)
			if len(th.stopped) != i+1 {
				t.Errorf("after %s it goes on thinking", keys)
			}
		}
	})
}

// Nobody gets hints in games between people that go on, in rated ones, or as a watcher of a running
// game; everybody does in his casual games with bots.
func TestWhereHintsAre(t *testing.T) {
	inHouse(t, func(h *house) {
		company := h.company(firstLegal{})
		defer company.Close()
		m := h.match("ana", "bob", `{"size":11,"pie":false}`, clock.Default, opening[:4]...)
		h.account("carol")
		for _, name := range []string{"ana", "bob", "carol"} {
			d := h.visit(setting{name: name, open: "watch " + m.Info.ID, bots: company})
			d.press("h")
			d.lacks("The engine", "h hint")
			d.press("[ h")
			d.lacks("The engine", "h hint")
			d.press("V h")
			d.lacks("The engine", "h hint")
			d.close()
		}
		h.account("dave")
		d := h.visit(setting{name: "dave", bots: company})
		defer d.close()
		d.press("b enter")
		d.pass(2 * time.Second)
		d.has("Your turn", "h hint")
		d.press("h")
		d.has("The engine", "62 %")
		none := h.visit(setting{name: "bob", open: "watch " + m.Info.ID})
		defer none.close()
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		none.settle()
		none.press("h")
		none.lacks("The engine", "h hint") // a server without bots
	})
}
