package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/limit"
	"ayumu/tui"
	"ayumu/tui/op"
	"ayumu/tui/screen/screentest"
)

func TestKeysAreTakenNoFasterThanTheLimit(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		limits := limit.Default()
		limits.KeyRate, limits.KeyBurst = 100, 600
		h.SetLimits(limits)
		var taken int
		began := time.Now()
		tui.ReadInput(h.T.Context(), strings.NewReader(strings.Repeat("j", 3000)), func(tea.Msg) { taken++ }, op.InputPace(h.Lobby))
		if took := time.Since(began); taken != 3000 || took < 19*time.Second || took > 25*time.Second {
			t.Errorf("%d keys in %v", taken, took)
		}
		if h.LimitHits.All()[limit.HitKeys] == 0 {
			t.Error("nothing is counted")
		}
	})
}

func TestQuickTypingWaitsForNothing(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		began := time.Now()
		tui.ReadInput(h.T.Context(), strings.NewReader(strings.Repeat("j", 900)), func(tea.Msg) {}, op.InputPace(h.Lobby))
		if took := time.Since(began); took > 0 || len(h.LimitHits.All()) > 0 {
			t.Errorf("900 keys took %v, %v", took, h.LimitHits.All())
		}
	})
}

func TestReadingEndsWithItsSession(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		ctx, cancel := context.WithCancel(h.T.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		tui.ReadInput(ctx, strings.NewReader(strings.Repeat("j", 100000)), func(tea.Msg) {}, op.InputPace(h.Lobby))
		if took := time.Since(began); took != time.Second {
			t.Errorf("it ended after %v", took)
		}
	})
}
