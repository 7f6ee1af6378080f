package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/guard"
)

// followSizes has the model follow the terminal's sizes.
func (m *Model) followSizes(t *Terminal) {
	follow := sync.OnceFunc(func() {
		guard.Go(m.fault, func() { m.ListenToSizes(t.Resize) })
	})
	if t.OnResize != nil {
		t.OnResize(follow)
	} else {
		follow()
	}
}

// ListenToSizes sends a message for each of the window's new sizes, until the session ends. It may be called from any
// goroutine.
func (m *Model) ListenToSizes(sizes <-chan Size) {
	var resizedAt time.Time
	for {
		select {
		case s := <-sizes:
			if m.awaitDraw(s.Width*s.Height, nil) != nil {
				return
			}
			s, ok := debounceResize(m.Context, sizes, s, resizedAt)
			if !ok {
				return
			}
			m.runtime.Send(tea.WindowSizeMsg(s))
			resizedAt = time.Now()
		case <-m.Context.Done():
			return
		}
	}
}

// resizeInterval is the minimum time between two sizes that are drawn, because each redraws the whole
// screen. Dragging a window stays smooth, and endless size changes do not occupy a core.
const resizeInterval = 50 * time.Millisecond

// debounceResize waits until resizeInterval has passed since last and returns s, or the newest of sizes by then; ok is
// false if ctx has ended.
func debounceResize(ctx context.Context, sizes <-chan Size, s Size, last time.Time) (newest Size, ok bool) {
	select {
	case <-time.After(resizeInterval - time.Since(last)):
	case <-ctx.Done():
		return s, false
	}
	select {
	case s = <-sizes:
	default:
	}
	return s, true
}
