package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/client"
	"ayumu/tui/game/gametest"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// Two users play a match to its end using only their terminals, and a third one watches.
func TestWholeGameOnTerminals(t *testing.T) {
	withHarness(t, func(h *harness) {
		for _, name := range []string{"ana", "zoe"} {
			h.account(name)
		}
		ana, guest := h.terminal(setting{name: "ana"}), h.terminal(setting{profile: paint.Profile{Colors: paint.TrueColor}})
		guest.waitFor("ssh-keygen -t ed25519")
		guest.keys("\r")
		guest.waitFor("Open tables")
		ana.keys("n")
		ana.waitFor("New table")
		ana.keys("j", "h", "h", "h", "\x1b[B", "\x1b[C", "\r") // 5×5, no pie
		ana.waitFor("Your table is open")
		advance(time.Second)
		guest.waitFor("ana")
		guest.keys("\r")
		guest.waitFor("Ayu 5×5")
		ana.waitFor("Ayu 5×5")
		advance(time.Second)
		zoe := h.terminal(setting{name: "zoe"})
		zoe.keys("\r")
		zoe.waitFor("1 spectator (you)")
		m := h.running()
		for turns := 0; !m.Snapshot().IsOver(); turns++ {
			if turns > 100 {
				h.t.Fatal("the game does not end")
			}
			mover := guest
			if s := m.Snapshot(); s.Info.Seats[s.Position.Turn()].Name == "ana" {
				mover = ana
			}
			mover.waitFor("Your move")
			move := m.Snapshot().Position.Legal()[0]
			mover.keys(strings.Split(strings.ReplaceAll(move, "-", "")+"\r", "")...)
			if got := m.Snapshot().Turns; got != turns+1 {
				h.t.Fatalf("%s was typed and not played:\n%s", move, mover.emu.String())
			}
			zoe.waitFor(move)
		}
		for _, e := range []*terminal{ana, guest, zoe} {
			if !e.shows("You win") && !e.shows(" wins: ") {
				h.t.Errorf("a terminal does not show the result:\n%s", e.emu.String())
			}
		}
		ana.keys("q", "q")
		<-ana.done
		if ana.exit.Dropped || ana.exit.Err != nil {
			h.t.Errorf("ana left as %+v", ana.exit)
		}
		if raw := string(ana.raw); !strings.HasSuffix(raw, "Goodbye, ana.\r\n") || !strings.Contains(raw, "\x1b[?1049l") {
			h.t.Errorf("the terminal was left with %q", raw[max(len(raw)-80, 0):])
		}
		zoe.in.CloseWithError(errors.New("broken"))
		<-zoe.done
		if !zoe.exit.Dropped || zoe.exit.Err != nil {
			h.t.Errorf("zoe left as %+v", zoe.exit)
		}
		guest.stop()
		<-guest.done
		if !guest.exit.Dropped {
			h.t.Error("the end of the context is no drop")
		}
	})
}

// running returns the only public match.
func (h *harness) running() *lobby.Match {
	h.t.Helper()
	v := h.View()
	if len(v.Matches) != 1 {
		h.t.Fatalf("%d matches are running", len(v.Matches))
	}
	m, err := h.Match(v.Matches[0].ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// stalledWriter is an output whose writes block until it is closed.
type stalledWriter struct {
	once   sync.Once
	closed chan struct{}
}

func (d *stalledWriter) Write([]byte) (int, error) {
	<-d.closed
	return 0, io.ErrClosedPipe
}

func (d *stalledWriter) Close() { d.once.Do(func() { close(d.closed) }) }

func TestStalledTerminalDelaysNobody(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		h.account("carol")
		d := &stalledWriter{closed: make(chan struct{})}
		in, _ := io.Pipe()
		stalled := make(chan struct{})
		gone := make(chan client.Exit, 1)
		go func() {
			gone <- Run(h.t.Context(), &Terminal{In: in, Out: d, Width: 80, Height: 24, OnStall: func() { close(stalled); d.Close() }},
				&Config{Config: client.Config{Games: gametest.Games, Lobby: h.Lobby, Key: keyOfName("carol"), Destination: client.Destination{Kind: client.ToMatch, ID: m.Info.ID}}})
		}()
		synctest.Wait()
		h.play(m, "b1-b2", "a2-a3", "d1-d2") // the players are not delayed
		if n := m.SpectatorCount(); n != 1 {
			h.t.Errorf("%d spectators", n)
		}
		begin := time.Now()
		<-stalled
		if waited := time.Since(begin); waited > time.Minute {
			h.t.Errorf("the stall was noticed after %v", waited)
		}
		left := <-gone
		in.Close()
		advance(time.Second)
		if !left.Dropped {
			h.t.Error("a stalled terminal is no drop")
		}
		if n := m.SpectatorCount(); n != 0 {
			h.t.Errorf("%d spectators are left", n)
		}
	})
}

func TestResizeIsFollowed(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		in, out := io.Pipe()
		ctx, cancel := context.WithCancel(h.t.Context())
		sizes := make(chan Size, 1)
		gone := make(chan client.Exit, 1)
		e := &terminal{t: h.t}
		go func() {
			gone <- Run(ctx, &Terminal{In: in, Out: rawWriter{e}, Width: 80, Height: 24, Resize: sizes}, &Config{Config: client.Config{Games: gametest.Games, Lobby: h.Lobby, Key: keyOfName("ana")}})
		}()
		synctest.Wait()
		for _, s := range []Size{{40, 10}, {120, 40}, {1, 1}, {500, 200}} {
			sizes <- s
			synctest.Wait()
		}
		e.mu.Lock()
		raw := string(e.raw)
		e.mu.Unlock()
		if !strings.Contains(raw, "40×10") {
			h.t.Error("the message about a small window was not drawn")
		}
		cancel()
		<-gone
		out.Close()
		advance(time.Second)
	})
}

// TestSizesArePaced tests that a size right after another one waits, and that the newest one is used
// then.
func TestSizesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sizes := make(chan Size, 1)
		a := &app{Window: screen.Window{Shell: &screen.Shell{Context: t.Context()}}, client: &Terminal{Resize: sizes}}
		begun := time.Now()
		if got := a.debounceResize(Size{70, 20}, begun.Add(-time.Hour)); got != resizeMsg(Size{70, 20}) || time.Since(begun) != 0 {
			t.Errorf("the first size is %v after %v", got, time.Since(begun))
		}
		sizes <- Size{90, 30}
		if got := a.debounceResize(Size{80, 25}, begun); got != resizeMsg(Size{90, 30}) || time.Since(begun) != resizeInterval {
			t.Errorf("the next size is %v after %v", got, time.Since(begun))
		}
	})
}

// TestSizesOfAScreenArePaced sends a new size every millisecond: the screen applies at most 20 a
// second, and the last one.
func TestSizesOfAScreenArePaced(t *testing.T) {
	withHarness(t, func(h *harness) {
		sizes := make(chan Size, 1)
		h.account("ana")
		d := h.visit(setting{name: "ana", resize: sizes})
		d.advance(time.Second)
		taken, last, size := 0, d.resizedAt, Size{}
		for i := range 1000 {
			size = Size{80 + i%2, 24 + i%3}
			select {
			case <-sizes: // the server keeps the newest size only
			default:
			}
			sizes <- size
			advance(time.Millisecond)
			if d.drainMessages(); d.resizedAt != last {
				taken, last = taken+1, d.resizedAt
			}
		}
		if taken < 10 || taken > 21 {
			h.t.Errorf("%d sizes were drawn in a second, want about 20", taken)
		}
		if d.advance(time.Second); d.Width != size.Width || d.Height != size.Height {
			h.t.Errorf("the screen has %d×%d, want %v", d.Width, d.Height, size)
		}
	})
}

// faultyReader is an input that panics after some bytes.
type faultyReader struct{ text string }

func (f *faultyReader) Read(p []byte) (int, error) {
	if f.text == "" {
		panic("a fault in the reader")
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

// TestPanicOfTheReaderEndsItsSession panics in the goroutine that reads input: the session ends with
// that error, and the process continues.
func TestPanicOfTheReaderEndsItsSession(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		v := Config{Config: client.Config{Games: gametest.Games, Lobby: h.Lobby, Key: keyOfName("ana")}}
		left := Run(h.t.Context(), &Terminal{In: &faultyReader{"?"}, Out: io.Discard, Width: 80, Height: 24}, &v)
		if !left.Dropped || left.Err == nil || !strings.Contains(left.Err.Error(), "a fault in the reader") {
			h.t.Errorf("the session ended as %+v", left)
		}
		advance(time.Second) // until Bubble Tea's goroutines have ended
	})
}

// TestPanicOfTheInputTimerIsReported panics while the timer delivers an Escape key.
func TestPanicOfTheInputTimerIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := make(chan error, 1)
		in, out := io.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			readInput(t.Context(), in, func(msg tea.Msg) {
				fault, ok := msg.(screen.ErrorMsg)
				if !ok {
					panic("a fault in what takes keys")
				}
				faults <- fault.Err
			}, nil)
		}()
		_, _ = out.Write([]byte("\x1b"))
		if err := <-faults; !strings.Contains(err.Error(), "a fault in what takes keys") {
			t.Error(err)
		}
		out.Close()
		<-ended
	})
}

// rawWriter records a terminal's output without emulating it.
type rawWriter struct{ *terminal }

func (w rawWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.raw = append(w.raw, p...)
	return len(p), nil
}
