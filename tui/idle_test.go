package tui_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/client"
	"ayumu/tui/screen/screentest"
)

// TestIdleLimitKnowsWhoIsSeated tests how long a session may stay without input: without limit while
// its match is running.
func TestIdleLimitKnowsWhoIsSeated(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		ana, bob, eve := h.Member("ana"), h.Member("bob"), h.Member("eve")
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		for _, looking := range []bool{true, false} {
			if a, b := client.IdleLimit(ana, looking), client.IdleLimit(bob, looking); a != 0 || b != 0 {
				h.T.Errorf("the players have idle limits of %v and %v", a, b)
			}
		}
		if got := client.IdleLimit(eve, true); got != 6*time.Hour {
			h.T.Errorf("a spectator has an idle limit of %v", got)
		}
		if got := client.IdleLimit(eve, false); got != 30*time.Minute {
			h.T.Errorf("a user in the lobby has an idle limit of %v", got)
		}
		seat, err := ana.Sit(m.Info.ID)
		if err != nil {
			h.T.Fatal(err)
		}
		if err := seat.Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		if got := client.IdleLimit(ana, false); got != 30*time.Minute {
			h.T.Errorf("after the game %v", got)
		}
	})
}

// TestScreensReportTheirIdleLimit has a user enter the lobby, play, and leave the match: each time the
// screens report how long the session may stay without input, so that a player is never disconnected.
func TestScreensReportTheirIdleLimit(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		var reported []time.Duration
		d := h.Visit(screentest.Setting{Name: "ana", SetIdleLimit: func(limit time.Duration) { reported = append(reported, limit) }})
		want := []time.Duration{30 * time.Minute} // in the lobby
		if d.Advance(time.Second); !slices.Equal(reported, want) {
			h.T.Fatalf("in the lobby the screens reported %v, want %v", reported, want)
		}
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
		want = append(want, 0) // unlimited
		if d.Advance(time.Second); !slices.Equal(reported, want) {
			h.T.Fatalf("with a game the screens reported %v, want %v", reported, want)
		}
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		if last := reported[len(reported)-1]; last == 0 {
			h.T.Errorf("after the game the screens reported %v", reported)
		}
	})
}
