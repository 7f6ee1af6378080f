package screentest

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hinshun/vt10x"

	"ayumu/tui"
	"ayumu/tui/op"
)

// Terminal is a complete session: Run with a pipe as its input, and an emulator that reads its output.
type Terminal struct {
	t    *testing.T
	in   *io.PipeWriter
	emu  vt10x.Terminal
	mu   sync.Mutex
	raw  []byte
	Exit op.Exit       // valid once done is closed
	Done chan struct{} // closed when Run has returned
	Stop context.CancelFunc
}

// Terminal opens a complete session. It ends with the test.
func (h *Harness) Terminal(s Setting) *Terminal {
	h.T.Helper()
	if s.Width == 0 {
		s.Width, s.Height = 80, 24
	}
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(h.T.Context())
	e := &Terminal{t: h.T, in: w, emu: vt10x.New(vt10x.WithSize(s.Width, s.Height)), Done: make(chan struct{}), Stop: stop}
	go func() {
		e.Exit = tui.Run(ctx, &tui.Terminal{In: r, Out: e, Width: s.Width, Height: s.Height, Profile: s.Profile}, h.config(s))
		r.Close()
		close(e.Done)
	}()
	h.T.Cleanup(func() {
		stop()
		<-e.Done
		Advance(time.Second) // until Bubble Tea's goroutines have ended
	})
	synctest.Wait()
	return e
}

// Write implements io.Writer for the session.
func (e *Terminal) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.raw = append(e.raw, p...)
	return e.emu.Write(p)
}

// Keys sends bytes as a terminal does, one key after the other.
func (e *Terminal) Keys(keys ...string) {
	for _, k := range keys {
		io.WriteString(e.in, k)
		synctest.Wait()
	}
}

// Type sends bytes without waiting for what they cause. It may be called from any goroutine.
func (e *Terminal) Type(keys string) { io.WriteString(e.in, keys) }

// Shows reports whether the terminal shows a text.
func (e *Terminal) Shows(part string) bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(e.emu.String(), part)
}

// Received reports whether the terminal has ever received these bytes.
func (e *Terminal) Received(bytes string) bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(string(e.raw), bytes)
}

// WaitFor fails the test unless the terminal shows a text.
func (e *Terminal) WaitFor(part string) {
	e.t.Helper()
	if !e.Shows(part) {
		e.t.Fatalf("the terminal lacks %q:\n%s", part, e.emu.String())
	}
}

// TakeBytes returns the number of bytes that the terminal has received since the last call.
func (e *Terminal) TakeBytes() int {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(e.raw)
	e.raw = nil
	return n
}

// Screen returns what the terminal shows.
func (e *Terminal) Screen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.emu.String()
}

// Raw returns all bytes that the terminal has received.
func (e *Terminal) Raw() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return string(e.raw)
}

// Break ends the terminal's input with an error, as a broken connection does.
func (e *Terminal) Break(err error) { e.in.CloseWithError(err) }
