package tui_test

import (
	"context"
	"errors"
	"io"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
	"ayumu/tui/theme"
)

// Two users play a match to its end using only their terminals, and a third one watches.
func TestWholeGameOnTerminals(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for _, name := range []string{"ana", "zoe"} {
			h.Account(name)
		}
		ana, guest := h.Terminal(screentest.Setting{Name: "ana"}), h.Terminal(screentest.Setting{Profile: paint.Profile{Colors: paint.TrueColor}})
		guest.WaitFor("ssh-keygen -t ed25519")
		guest.Keys("\r")
		guest.WaitFor("Open tables")
		ana.Keys("n")
		ana.WaitFor("New table")
		ana.Keys("j", "\x1b[D", "\x1b[D", "\x1b[D", "\x1b[B", "\x1b[C", "\r") // 5×5, no pie
		ana.WaitFor("Your table is open")
		screentest.Advance(time.Second)
		guest.WaitFor("ana")
		guest.Keys("\x1b[F", "\r")
		guest.WaitFor("Ayu 5×5")
		ana.WaitFor("Ayu 5×5")
		screentest.Advance(time.Second)
		zoe := h.Terminal(screentest.Setting{Name: "zoe"})
		zoe.Keys("\x1b[F", "\r")
		zoe.WaitFor("1 spectator (you)")
		m := h.Running()
		for turns := 0; !m.Snapshot().IsOver(); turns++ {
			if turns > 100 {
				h.T.Fatal("the game does not end")
			}
			mover := guest
			if s := m.Snapshot(); s.Info.Seats[s.Position.Turn()].Name == "ana" {
				mover = ana
			}
			mover.WaitFor("Your move")
			move := m.Snapshot().Position.Legal()[0]
			mover.Keys(strings.Split(strings.ReplaceAll(move, "-", "")+"\r", "")...)
			if got := m.Snapshot().Turns; got != turns+1 {
				h.T.Fatalf("%s was typed and not played:\n%s", move, mover.Screen())
			}
			zoe.WaitFor(move)
		}
		for _, e := range []*screentest.Terminal{ana, guest, zoe} {
			if !e.Shows("You win: ") && !e.Shows("You lose: ") && !e.Shows(" wins: ") {
				h.T.Errorf("a terminal does not show the result:\n%s", e.Screen())
			}
		}
		ana.Keys("q", "q", "y")
		<-ana.Done
		if ana.Exit.Dropped || ana.Exit.Err != nil {
			h.T.Errorf("ana left as %+v", ana.Exit)
		}
		if raw := ana.Raw(); !strings.HasSuffix(raw, "Goodbye, ana.\r\n") || !strings.Contains(raw, "\x1b[?1049l") {
			h.T.Errorf("the terminal was left with %q", raw[max(len(raw)-80, 0):])
		}
		zoe.Break(errors.New("broken"))
		<-zoe.Done
		if !zoe.Exit.Dropped || zoe.Exit.Err != nil {
			h.T.Errorf("zoe left as %+v", zoe.Exit)
		}
		guest.Stop()
		<-guest.Done
		if !guest.Exit.Dropped {
			h.T.Error("the end of the context is no drop")
		}
	})
}

// TestSessionsHaveNoGoroutinesOfBubbleTea: a session shows what others do and what keys do, and can end, without those
// of a stock program. One that asks for a stock program has them.
func TestSessionsHaveNoGoroutinesOfBubbleTea(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		running := func() bool {
			synctest.Wait()
			stacks := make([]byte, 1<<20)
			return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "bubbletea/v2.(*Program)")
		}
		a := h.Account("ana")
		visit := func(stock bool) (in *io.PipeWriter, e *rawWriter, stop func() op.Exit) {
			r, in := io.Pipe()
			ctx, cancel := context.WithCancel(h.T.Context())
			gone := make(chan op.Exit, 1)
			e = new(rawWriter)
			go func() {
				gone <- tui.Run(ctx, &tui.Terminal{In: r, Out: e, Width: 80, Height: 24, Stock: stock}, &tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Account: &a}})
				r.Close()
			}()
			synctest.Wait()
			return in, e, func() op.Exit { cancel(); return <-gone }
		}
		in, e, stop := visit(false)
		h.Account("bob")
		bob := h.Visit(screentest.Setting{Name: "bob"})
		screentest.Advance(time.Second)
		if !strings.Contains(e.text(), "quick match") || !strings.Contains(e.text(), "bob") || running() {
			t.Errorf("before the first key a program of Bubble Tea runs, or not everything is shown: %q", e.text())
		}
		_, _ = io.WriteString(in, "o")
		if running() || !strings.Contains(e.text(), "Settings") {
			t.Errorf("after a key a program of Bubble Tea runs, or it shows nothing: %q", e.text())
		}
		if left := stop(); !left.Dropped || left.Err != nil || running() {
			t.Errorf("the session ended as %+v", left)
		}
		bob.Close()
		in, e, stop = visit(true)
		_, _ = io.WriteString(in, "o")
		screentest.Advance(100 * time.Millisecond)
		if !running() || !strings.Contains(e.text(), "Settings") {
			t.Errorf("a stock program does not run, or it shows nothing: %q", e.text())
		}
		if left := stop(); !left.Dropped || left.Err != nil {
			t.Errorf("the session ended as %+v", left)
		}
		screentest.Advance(time.Second) // until Bubble Tea's goroutines have ended
	})
}

// TestPaletteReadsATerminal opens the palette with the bytes of a terminal: what is pasted into it does not run, and
// what is pasted without it does nothing.
func TestPaletteReadsATerminal(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		a := h.Account("ana")
		r, in := io.Pipe()
		ctx, cancel := context.WithCancel(h.T.Context())
		gone := make(chan op.Exit, 1)
		e := new(rawWriter)
		go func() {
			gone <- tui.Run(ctx, &tui.Terminal{In: r, Out: e, Width: 80, Height: 24}, &tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Account: &a}})
			r.Close()
		}()
		synctest.Wait()
		for _, step := range []struct {
			typed, shown string
			not          string
		}{
			{"\x1b[200~:settings\r\x1b[201~", "quick match", "Commands"},
			{":\x1b[200~settings\r\x1b[201~", "change colours, characters and sounds", "Bell"},
			{"\r", "Bell", ""},
			{"\x1b", "", ""},
			{"\x10vac", "take a vacation", ""},
		} {
			_, _ = io.WriteString(in, step.typed)
			screentest.Advance(time.Second)
			if text := e.text(); !strings.Contains(text, step.shown) || step.not != "" && strings.Contains(text, step.not) {
				t.Errorf("after %q the terminal shows %q", step.typed, text)
			}
		}
		cancel()
		<-gone
		screentest.Advance(time.Second) // until Bubble Tea's goroutines have ended
	})
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
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		h.Account("carol")
		d := &stalledWriter{closed: make(chan struct{})}
		in, _ := io.Pipe()
		stalled := make(chan struct{})
		gone := make(chan op.Exit, 1)
		go func() {
			gone <- tui.Run(h.T.Context(), &tui.Terminal{In: in, Out: d, Width: 80, Height: 24, OnStall: func() { close(stalled); d.Close() }},
				&tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Key: screentest.KeyOf("carol"), StartPoint: op.StartPoint{Kind: op.ToMatch, ID: m.Info.ID}}})
		}()
		synctest.Wait()
		h.Play(m, "b1-b2", "a2-a3", "d1-d2") // the players are not delayed
		if n := m.SpectatorCount(); n != 1 {
			h.T.Errorf("%d spectators", n)
		}
		begin := time.Now()
		<-stalled
		if waited := time.Since(begin); waited > time.Minute {
			h.T.Errorf("the stall was noticed after %v", waited)
		}
		left := <-gone
		in.Close()
		screentest.Advance(time.Second)
		if !left.Dropped {
			h.T.Error("a stalled terminal is no drop")
		}
		if n := m.SpectatorCount(); n != 0 {
			h.T.Errorf("%d spectators are left", n)
		}
	})
}

func TestResizeIsFollowed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		in, out := io.Pipe()
		ctx, cancel := context.WithCancel(h.T.Context())
		sizes := make(chan tui.Size, 1)
		gone := make(chan op.Exit, 1)
		e := new(rawWriter)
		go func() {
			gone <- tui.Run(ctx, &tui.Terminal{In: in, Out: e, Width: 80, Height: 24, Resize: sizes}, &tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Key: screentest.KeyOf("ana")}})
		}()
		synctest.Wait()
		for _, s := range []tui.Size{{40, 10}, {120, 40}, {1, 1}, {500, 200}} {
			sizes <- s
			synctest.Wait()
		}
		if !strings.Contains(e.text(), "40×10") {
			h.T.Error("the message about a small window was not drawn")
		}
		cancel()
		<-gone
		out.Close()
		screentest.Advance(time.Second)
	})
}

// TestSizesOfAScreenArePaced sends a new size every millisecond: the screen applies at most 20 a
// second, and the last one.
func TestSizesOfAScreenArePaced(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		sizes := make(chan tui.Size, 1)
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Resize: sizes})
		d.Advance(time.Second)
		taken, last, size := 0, d.ResizedAt(), tui.Size{}
		for i := range 1000 {
			size = tui.Size{80 + i%2, 24 + i%3}
			select {
			case <-sizes: // the server keeps the newest size only
			default:
			}
			sizes <- size
			screentest.Advance(time.Millisecond)
			if d.Drain(); d.ResizedAt() != last {
				taken, last = taken+1, d.ResizedAt()
			}
		}
		if taken < 10 || taken > 21 {
			h.T.Errorf("%d sizes were drawn in a second, want about 20", taken)
		}
		if d.Advance(time.Second); d.Width != size.Width || d.Height != size.Height {
			h.T.Errorf("the screen has %d×%d, want %v", d.Width, d.Height, size)
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
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		v := tui.Config{Config: op.Config{Games: gametest.Games, Lobby: h.Lobby, Key: screentest.KeyOf("ana")}}
		left := tui.Run(h.T.Context(), &tui.Terminal{In: &faultyReader{"?"}, Out: io.Discard, Width: 80, Height: 24}, &v)
		if !left.Dropped || left.Err == nil || !strings.Contains(left.Err.Error(), "a fault in the reader") {
			h.T.Errorf("the session ended as %+v", left)
		}
		screentest.Advance(time.Second) // until Bubble Tea's goroutines have ended
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
			tui.ReadInput(t.Context(), in, func(msg tea.Msg) {
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
type rawWriter struct {
	mu  sync.Mutex
	raw []byte
}

func (w *rawWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.raw = append(w.raw, p...)
	return len(p), nil
}

func (w *rawWriter) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.raw)
}

func TestAccentIsSharedByAllSessions(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		themes := theme.WithAccent(paint.RGB(0x80, 0, 0x20))
		club := tui.Config{Themes: themes}
		one := h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{Colors: paint.TrueColor}})
		two := h.Visit(screentest.Setting{Site: club, Profile: paint.Profile{Colors: paint.TrueColor}})
		if one.Style.Theme != two.Style.Theme || one.Style.Theme.BuiltIn() != &theme.Dark || one.Style.Theme == &theme.Dark {
			t.Errorf("two themes: %v %v", one.Style.Theme.Name, two.Style.Theme.Name)
		}
		if plain := h.Visit(screentest.Setting{Site: club}); plain.Style.Theme != &theme.Plain {
			t.Error("without colours there is an accent")
		}
	})
}

// A guest who leaves a running game finds the command that returns to the seat on the restored terminal, alone on
// its line.
func TestGuestsFindTheWayBackOnTheirTerminal(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		guest := h.Terminal(screentest.Setting{})
		guest.Keys("\r")
		guest.WaitFor("Open tables")
		control := clock.Default
		if _, err := h.Member("bob").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Clock: &control}); err != nil {
			h.T.Fatal(err)
		}
		<-time.After(time.Second)
		guest.Keys("\x1b[F", "\r")
		guest.WaitFor("● ")
		guest.Keys("q", "y", "q", "y")
		<-guest.Done
		_, after, _ := strings.Cut(guest.Raw(), "\x1b[?1049l")
		if !regexp.MustCompile(`Goodbye, guest-\S+\. Your game with bob continues; reconnect soon\.\r\nTo return to your seat:\r\nssh -l \S+ play\.example\.org\r\n$`).MatchString(after) {
			h.T.Errorf("the terminal was left with %q", after)
		}
	})
}
