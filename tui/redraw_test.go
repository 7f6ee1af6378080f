package tui_test

import (
	"context"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/tui"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// heldKeys is the input of a terminal on which "?" and q are held; each redraws the whole screen.
type heldKeys struct {
	ctx   context.Context
	taken *atomic.Int64
	first bool
}

func (k *heldKeys) Read(b []byte) (int, error) {
	if k.ctx.Err() != nil {
		return 0, io.EOF
	}
	if !k.first {
		k.first = true
		return copy(b, "\r"), nil
	}
	k.taken.Add(2)
	return copy(b, "?q"), nil
}

// TestRedrawsAreBudgetedOverAllSessions has one user, and guests from one address, hold keys that
// redraw large screens, in five sessions at once.
func TestRedrawsAreBudgetedOverAllSessions(t *testing.T) {
	const width, height, lasts = 200, 100, 5 * time.Second
	from := netip.MustParseAddr("192.0.2.66")
	for _, c := range []struct {
		who    string
		guests bool
		rate   int // tokens a second, and twice as many at once
	}{{"one user", false, 2000}, {"guests from one address", true, 4000}} {
		screentest.With(t, func(h *screentest.Harness) {
			ana := h.Account("ana")
			ctx, stop := context.WithTimeout(h.T.Context(), lasts)
			defer stop()
			var taken atomic.Int64
			var all sync.WaitGroup
			for i := range 5 {
				v := &tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Addr: from, SSHTarget: "localhost"}}
				if c.guests {
					guest := h.Accounts.NewGuest()
					v.Account = &guest
				} else {
					v.Account, v.Addr = &ana, netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
				}
				all.Go(func() {
					tui.Run(ctx, &tui.Terminal{In: &heldKeys{ctx: ctx, taken: &taken}, Out: io.Discard, Width: width, Height: height,
						Profile: paint.Profile{Colors: paint.TrueColor, Term: "xterm"}}, v)
				})
			}
			all.Wait()
			draw := width * height / 1024
			limit := int64(c.rate*2+c.rate*int(lasts/time.Second))/int64(draw) + 100
			t.Logf("%s: %d screens in %v", c.who, taken.Load(), lasts)
			if n := taken.Load(); n < limit/2 || n > limit {
				t.Errorf("%s: %d screens were drawn, want up to %d", c.who, n, limit)
			}
			if h.LimitHits.All()["redraws"] == 0 {
				t.Error("nothing was counted")
			}
		})
	}
}

// lastWrite is the output of a terminal that records when it was written to.
type lastWrite struct{ at atomic.Int64 }

func (w *lastWrite) Write(p []byte) (int, error) {
	w.at.Store(time.Now().UnixNano())
	return len(p), nil
}

// TestRedrawsByOthersAreBudgeted has another user write in the lobby while one user displays it in 60 large
// windows: they show the line one after the other, as fast as one user may have screens drawn.
func TestRedrawsByOthersAreBudgeted(t *testing.T) {
	const windows, width, height = 60, 500, 200
	screentest.With(t, func(h *screentest.Harness) {
		ana := h.Account("ana")
		bob := h.Member("bob") // whose arrival would be a change too
		ctx, stop := context.WithCancel(h.T.Context())
		var all sync.WaitGroup
		outs := make([]*lastWrite, windows)
		for i := range outs {
			outs[i] = new(lastWrite)
			in, keys := io.Pipe()
			context.AfterFunc(ctx, func() { keys.Close() })
			all.Go(func() {
				tui.Run(ctx, &tui.Terminal{In: in, Out: outs[i], Width: width, Height: height,
					Profile: paint.Profile{Colors: paint.TrueColor, Term: "xterm"}},
					&tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Account: &ana, SSHTarget: "localhost"}})
			})
		}
		screentest.Advance(time.Minute)
		said := time.Now()
		if err := bob.Say("hello"); err != nil {
			t.Fatal(err)
		}
		screentest.Advance(time.Minute)
		var last time.Duration
		for i, out := range outs {
			took := time.Unix(0, out.at.Load()).Sub(said)
			if took < 0 {
				t.Errorf("window %d does not show the line", i)
			}
			last = max(last, took)
		}
		draw := float64(width * height / 1024)
		want := time.Duration((windows*draw - 4000) / 2000 * float64(time.Second))
		if last < want || last > want+2*time.Second {
			t.Errorf("%d windows were drawn within %v, want %v", windows, last, want)
		}
		stop()
		all.Wait()
	})
}
