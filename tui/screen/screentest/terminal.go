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
		e.Exit = tui.Run(ctx, &tui.Terminal{In: r, Out: e, Width: s.Width, Height: s.Height, Profile: s.Profile, Resize: s.Resize, Stock: s.Stock}, h.config(s))
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

// Cell is what a terminal shows in one place. Two cells are equal if they look the same.
type Cell struct {
	Char   rune
	Mode   int16 // attributes, as vt10x has them
	FG, BG vt10x.Color
}

// Cells returns what the terminal shows, by rows, and where its cursor is; -1: hidden.
func (e *Terminal) Cells() (cells [][]Cell, x, y int) {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	const reverse, underline = 1, 2 // of vt10x's modes
	w, h := e.emu.Size()
	for y := range h {
		row := make([]Cell, w)
		for x := range w {
			g := e.emu.Cell(x, y)
			if g.Char == ' ' && g.Mode&(reverse|underline) == 0 {
				g.FG, g.Mode = 0, 0 // nothing of it shows
			}
			row[x] = Cell{g.Char, g.Mode, g.FG, g.BG}
		}
		cells = append(cells, row)
	}
	if !e.emu.CursorVisible() {
		return cells, -1, -1
	}
	at := e.emu.Cursor()
	return cells, at.X, at.Y
}

// Resize changes the size of the terminal, which Setting.Resize reports.
func (e *Terminal) Resize(w, h int, sizes chan<- tui.Size) {
	e.mu.Lock()
	e.emu.Resize(w, h)
	e.mu.Unlock()
	sizes <- tui.Size{Width: w, Height: h}
	Advance(time.Second)
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
