package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/client"
)

func TestKeysAreTakenNoFasterThanTheLimit(t *testing.T) {
	withHarness(t, func(h *harness) {
		limits := lobby.DefaultLimits()
		limits.KeyRate, limits.KeyBurst = 100, 600
		h.SetLimits(limits)
		var taken int
		began := time.Now()
		readInput(h.t.Context(), strings.NewReader(strings.Repeat("j", 3000)), func(tea.Msg) { taken++ }, client.InputPace(h.Lobby))
		if took := time.Since(began); taken != 3000 || took < 19*time.Second || took > 25*time.Second {
			t.Errorf("%d keys in %v", taken, took)
		}
		if h.LimitHits.All()[lobby.HitKeys] == 0 {
			t.Error("nothing is counted")
		}
	})
}

func TestQuickTypingWaitsForNothing(t *testing.T) {
	withHarness(t, func(h *harness) {
		began := time.Now()
		readInput(h.t.Context(), strings.NewReader(strings.Repeat("j", 900)), func(tea.Msg) {}, client.InputPace(h.Lobby))
		if took := time.Since(began); took > 0 || len(h.LimitHits.All()) > 0 {
			t.Errorf("900 keys took %v, %v", took, h.LimitHits.All())
		}
	})
}

func TestReadingEndsWithItsSession(t *testing.T) {
	withHarness(t, func(h *harness) {
		ctx, cancel := context.WithCancel(h.t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		readInput(ctx, strings.NewReader(strings.Repeat("j", 100000)), func(tea.Msg) {}, client.InputPace(h.Lobby))
		if took := time.Since(began); took != time.Second {
			t.Errorf("it ended after %v", took)
		}
	})
}
