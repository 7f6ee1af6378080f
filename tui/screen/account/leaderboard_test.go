package account_test

import (
	"testing"

	"ayumu/tui/screen/screentest"
)

func TestLeaderboard(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.Press("r")
		d.WantText("Nobody has a place in Ayu yet.", "You: 1500 ±350 ?, provisional.")
		d.GoldenSizes("leaderboard-empty")
		if err := h.Store.SetOpen(h.T.Context(), false); err != nil { // a club whose players know each other
			t.Fatal(err)
		}
		h.Rated(12, "ana", "bob")
		for _, who := range []string{"bob", "dave", "erika", "gil"} {
			h.Rated(3, who, "ana")
			h.Rated(3, "ana", who)
		}
		d.Press("q r")
		d.WantText("1.  ana", "Place  Player", "Rating", "Games")
		d.GoldenSizes("leaderboard")
		d.Press("right")
		d.WantText("in Mu yet")
		d.Press("left enter")
		d.WantText("joined 1 Jan 2000", "games: ", "won", "5×5, pie")
	})
}
