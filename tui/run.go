package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/tui/jobqueue"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/program"
	"ayumu/tui/screen"
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
	// Stock has a tea.Program of its own run the session instead of the runtime that all sessions share.
	Stock bool
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
	m := NewModel(ctx, t.Width, t.Height, t.Profile, c)
	if t.Stock {
		return m.runStock(t, cancel)
	}
	s := t.newScreen(m, cancel)
	return m.end(t, s, m.newProgram(t, s, cancel).Run())
}

// newScreen returns the screen of a model. cancel ends the session's context.
func (t *Terminal) newScreen(m *Model, cancel func()) *paint.Screen {
	return paint.NewScreen(t.Out, t.Width, t.Height, paint.Options{
		Profile: t.Profile, QueryTerminal: true,
		OnPanic: m.fault,
		OnFail: func(err error) {
			cancel()
			if errors.Is(err, paint.ErrStalled) && t.OnStall != nil {
				t.OnStall()
			}
		},
	})
}

// newProgram returns the program of package program that runs the model. cancel ends the session's context.
func (m *Model) newProgram(t *Terminal, s *paint.Screen, cancel func()) *program.Program {
	p := program.New(m.Context, m, s)
	m.IsBehind = s.IsBehind
	m.connect(p.Send)
	m.attach(t, cancel)
	return p
}

// connect connects the model to what runs it, to which send gives a message.
func (m *Model) connect(send func(tea.Msg)) {
	job := jobqueue.NewJob(func() { send(DueMsg{}) }, m.fault)
	m.SetRuntime(Runtime{Send: send, Schedule: func() { m.Shared.Updates.Add(job) }})
}

// attach has the model's terminal read as soon as there is a screen. cancel ends the session's context.
func (m *Model) attach(t *Terminal, cancel func()) {
	m.OnFirstFrame = func() {
		go func() {
			defer cancel() // after a panic has been reported
			defer guard.Recover(m.fault)
			m.read(t.In)
		}()
		m.followSizes(t)
	}
}

// read sends what is read from a terminal, each message when its screen is within the budget.
func (m *Model) read(in io.Reader) {
	deferInput := limit.DeferInput(in)
	send := func(msg tea.Msg) {
		if m.awaitDraw(int(m.cells.Load()), deferInput) == nil {
			m.runtime.Send(msg)
		}
	}
	readInput(m.Context, in, send, op.InputPace(m.Config.Lobby))
}

// end closes the session and restores the terminal. s is the screen that has shown the model; nil if the terminal has
// been restored. err is the error of what ran the model.
func (m *Model) end(t *Terminal, s *paint.Screen, err error) op.Exit {
	m.updates.end()
	exit := op.Exit{Dropped: !m.HasQuit, Err: cmp.Or(m.err, err)}
	var goodbye []string
	if m.HasQuit {
		goodbye = m.Goodbye()
	}
	if m.Session != nil {
		m.Session.Close(exit.Dropped)
	}
	isGone := t.IsGone != nil && t.IsGone()
	switch {
	case isGone && s != nil:
		s.Abandon()
	case isGone:
	case (s == nil || s.Close() == nil) && m.HasQuit:
		fmt.Fprintf(t.Out, "%s\r\n", strings.Join(goodbye, "\r\n"))
	}
	return exit
}
