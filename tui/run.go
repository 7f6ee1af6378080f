package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/taskqueue"
)

// Size is a terminal's size in cells. It is an alias of an unnamed type, so that a channel of sizes may
// come from a package that does not import this one.
type Size = struct{ Width, Height int }

// Terminal is the terminal of a session.
type Terminal struct {
	// In is read by one goroutine until it returns an error. Run does not wait for that goroutine: the
	// owner of In closes it after Run has returned. It may be a limit.InputDeferrer.
	In            io.Reader
	Out           io.Writer
	Width, Height int
	Resize        <-chan Size // delivers the newest size after a change; nil: the size is fixed
	// OnResize sets a function that is called when Resize has a size, also one that it has already. The function does
	// not block. Until then no goroutine waits for sizes. nil: one does.
	OnResize func(func())
	Profile  paint.Profile
	// OnStall is called once, from another goroutine, when the terminal has read nothing for 30 s while
	// there was output. It should close the connection behind Out. May be nil.
	OnStall func()
	// IsGone reports whether the terminal can no longer be reached, so that it need not be restored; nil: never.
	IsGone func() bool
}

// Config describes the visitor and the server to a session.
type Config = screen.Config

// Run shows the screens to one user until they quit or the connection drops. When it returns, it has
// closed the lobby's session and, if the terminal still reads, restored the terminal. t and c must not
// be changed while it runs: it keeps the pointers instead of copies, because its stack is most of the
// memory of a waiting session.
func Run(ctx context.Context, t *Terminal, c *Config) op.Exit {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := NewModel(ctx, t, c)
	l := m.newLoop(cancel)
	if t.OnResize != nil {
		t.OnResize(m.startListening)
	} else {
		m.startListening()
	}
	return m.end(l.run())
}

// newLoop creates the screen and the event loop. cancel ends the session's context.
func (m *Model) newLoop(cancel func()) *eventLoop {
	t := m.tty
	m.Terminal = paint.NewScreen(t.Out, t.Width, t.Height, paint.Options{
		Profile: t.Profile, Modes: paint.Mouse | paint.Paste, Title: "Ayumu", QueryTerminal: true,
		OnPanic: m.fault,
		OnFail: func(err error) {
			cancel()
			if errors.Is(err, paint.ErrStalled) && t.OnStall != nil {
				t.OnStall()
			}
		},
	})
	l := newEventLoop(m)
	task := taskqueue.NewTask(m.RunUpdates, m.fault)
	m.Loop = Loop{Send: l.send, Schedule: func() { m.Shared.Updates.Add(task) }}
	m.startReading = func() {
		defer cancel()
		defer guard.Recover(m.fault)
		deferInput := limit.DeferInput(t.In)
		send := func(msg tea.Msg) {
			if m.awaitDraw(int(m.cells.Load()), deferInput) == nil {
				l.send(msg)
			}
		}
		readInput(m.Context, t.In, send, op.InputPace(m.Config.Lobby))
	}
	return l
}

// end closes the session and restores the terminal. err is the error of the event loop.
func (m *Model) end(err error) op.Exit {
	m.updates.end()
	exit := op.Exit{Dropped: !m.HasQuit, Err: m.err}
	if errors.Is(err, tea.ErrProgramPanic) && exit.Err == nil {
		exit.Err = err
	}
	var goodbye []string
	if m.HasQuit {
		goodbye = m.Goodbye()
	}
	if m.Session != nil {
		m.Session.Close(exit.Dropped)
	}
	if m.tty.IsGone != nil && m.tty.IsGone() {
		m.Terminal.Abandon()
	} else if m.Terminal.Close() == nil && m.HasQuit {
		fmt.Fprintf(m.tty.Out, "%s\r\n", strings.Join(goodbye, "\r\n"))
	}
	return exit
}
