package tui_test

import (
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

func TestHiddenMatchesReportWhatOthersDo(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.SignIn("ana", "")
		ctx := h.T.Context()
		for _, step := range []struct {
			do   func() error
			text string
		}{
			{func() error { return h.Player(m, 1).Offer(ctx, lobby.OfferDraw) }, "Game with bob: bob offers a draw."},
			{func() error { return h.Player(m, 1).Refuse(ctx, lobby.OfferDraw) }, "Game with bob: bob withdrew the draw offer."},
			{func() error { return h.Player(m, 1).Resign(ctx) }, "Game with bob: You win: bob resigned."},
			{func() error { return h.Player(m, 1).Offer(ctx, lobby.OfferRematch) }, "Game with bob: bob offers a rematch."},
		} {
			if err := step.do(); err != nil {
				h.T.Fatal(err)
			}
			ana.WantText(step.text)
			ana.Press("up")
			ana.WantNoText(step.text)
		}
	})
}
