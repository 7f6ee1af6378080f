package tui_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

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
