package tui

import (
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"ayumu/lobby/guard"
)

// eventLoop runs a session: it draws the first screen, and starts Bubble Tea's event loop for the first message or
// command. A session that only watches, or ends before the first key, pays for none of Bubble Tea's goroutines: the
// queue of updates changes its screen. newEventLoop is the constructor.
type eventLoop struct {
	*Model
	first  tea.Cmd       // of the first screen; may be nil
	wanted chan struct{} // has room for one signal, that there is a message
	ready  chan struct{} // closed once program is set

	program       *tea.Program
	rendererTimer *time.Timer // calls stopRenderer; nil before the event loop has started
}

// stopRendererAfter is the time after the start of the event loop at which Bubble Tea's renderer is stopped. Sessions
// that end before do not pay for it.
const stopRendererAfter = time.Second

func newEventLoop(m *Model) *eventLoop {
	return &eventLoop{Model: m, wanted: make(chan struct{}, 1), ready: make(chan struct{})}
}

// send gives a message to the event loop, and has it started. It blocks until the event loop has taken the message, or
// the session has ended. Any goroutine but that of run may call it.
func (l *eventLoop) send(msg tea.Msg) {
	select {
	case l.wanted <- struct{}{}:
	default:
	}
	select {
	case <-l.ready:
		l.program.Send(msg)
	case <-l.Context.Done():
	}
}

// run draws the first screen on the goroutine that calls it, and runs the session until it ends. It returns the error
// of Bubble Tea, or a panic.
func (l *eventLoop) run() (err error) {
	defer guard.Recover(func(p error) { err = fmt.Errorf("%w: %w", tea.ErrProgramPanic, p) })
	if l.first = l.Model.Init(); l.first == nil && !l.await() {
		return nil
	}
	return l.runProgram()
}

// await waits for the first message. It returns false if the session has ended before.
func (l *eventLoop) await() bool {
	select {
	case <-l.wanted:
		return true
	case <-l.Context.Done():
		return false
	}
}

// runProgram runs Bubble Tea's event loop.
func (l *eventLoop) runProgram() error {
	l.program = tea.NewProgram(l,
		tea.WithContext(l.Context),
		tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithFPS(1),
		tea.WithoutSignalHandler(), tea.WithEnvironment([]string{}), tea.WithColorProfile(colorprofile.NoTTY),
		tea.WithFilter(filterMsg),
	)
	close(l.ready)
	_, err := l.program.Run()
	if l.rendererTimer != nil {
		l.rendererTimer.Stop()
	}
	return err
}

// Init implements tea.Model, for the event loop: the first screen has been drawn.
func (l *eventLoop) Init() tea.Cmd {
	l.rendererTimer = time.AfterFunc(stopRendererAfter, l.stopRenderer)
	return l.first
}

// stopRenderer releases Bubble Tea's renderer, whose ticker would otherwise run in every session. It
// takes half a second, because Bubble Tea waits for an input reader that does not exist. It may be
// called from any goroutine.
func (l *eventLoop) stopRenderer() {
	defer func() { _ = recover() }() // on failure the renderer keeps ticking once a second
	_ = l.program.ReleaseTerminal()
}

// filterMsg drops Bubble Tea's start messages, and window sizes, which a terminal could forge in its
// input: sizes come from the connection.
func filterMsg(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.ColorProfileMsg, tea.EnvMsg, tea.WindowSizeMsg, tea.SuspendMsg, tea.InterruptMsg:
		return nil
	}
	return msg
}
