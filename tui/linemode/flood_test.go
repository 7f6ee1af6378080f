package linemode

import (
	"context"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/lobby/limit"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// heldKey is the input of a terminal on which a key is held.
type heldKey struct {
	ctx   context.Context
	taken *atomic.Int64
	key   byte
}

func (k heldKey) Read(p []byte) (int, error) {
	if k.ctx.Err() != nil {
		return 0, io.EOF
	}
	k.taken.Add(1)
	p[0] = k.key
	return 1, nil
}

// TestLinesOfOneUserWaitOverAllSessions has one user hold the return key, or a letter, in 20 sessions.
func TestLinesOfOneUserWaitOverAllSessions(t *testing.T) {
	const lasts, sessions = 10 * time.Second, 20
	for _, key := range []byte{'\r', 'x'} {
		withHarness(t, func(h *harness) {
			a, err := h.Accounts.Register(h.t.Context(), "eve", []byte("eve"), netip.Addr{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(h.t.Context(), lasts)
			defer stop()
			var taken atomic.Int64
			var all sync.WaitGroup
			for range sessions {
				all.Go(func() {
					Run(ctx, &Terminal{In: heldKey{ctx, &taken, key}, Out: io.Discard}, &op.Config{Lobby: h.Lobby, Games: gametest.Games, Account: &a})
				})
			}
			all.Wait()
			limits := limit.Default()
			want := int64(limits.UserRequestBurst) + int64(limits.UserRequestRate*lasts.Seconds())
			if n := taken.Load(); n < want || n > want+3*sessions {
				t.Errorf("%d keys %q were read in %v, want %d", n, key, lasts, want)
			}
		})
	}
}
