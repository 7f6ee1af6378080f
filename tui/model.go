package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ayumu/lobby"
	"ayumu/lobby/guard"
	"ayumu/tui/screen"
	"ayumu/tui/screen/announcement"
	"ayumu/tui/screen/newtable"
	"ayumu/tui/screen/palette"
)

// Model is the Bubble Tea model of one session, and the Router of its Shell. Run drives it with a terminal's
// input, in the event loop, and a queue of all sessions with what others and time cause. Its methods and those of the
// screens run with mu held unless noted.
type Model struct {
	mu   sync.Mutex
	Loop Loop
	screen.Window
	tty       *Terminal    // what the user types and sees; Shell.Terminal draws on it
	resizedAt time.Time    // the time of the last change of the window's size
	cells     atomic.Int64 // the window's size; read by other goroutines

	listensToSize atomic.Bool // ListenToSizes has been started

	account           atomic.Int64 // the session's account id, 0 until signed in; read by other goroutines
	tableMemory       newtable.Memory
	paletteMemory     palette.Memory
	inputBlockedUntil time.Time // keys and clicks are ignored until then
	updates           updates
	err               error

	// startReading reads input. It is set until the first frame has been drawn: earlier keys would have
	// no screen.
	startReading func()
}

// NewModel returns the model of a session that has not signed in. The caller sets its Terminal and its Loop. t and c
// must not be changed while it is used.
func NewModel(ctx context.Context, t *Terminal, c *Config) *Model {
	m := &Model{tty: t}
	m.Shell = screen.NewShell(ctx, c, t.Profile, m)
	m.Width, m.Height = t.Width, t.Height
	m.cells.Store(int64(m.Width * m.Height))
	m.updates.model, m.updates.alarm = m, lobby.NewAlarm(m.updates.alarmFired)
	return m
}

// Err returns the internal error that ended the session; nil: none.
func (m *Model) Err() error { return m.err }

// Init implements tea.Model: it signs in, and draws and writes the first screen, on the goroutine that runs the event
// loop next. Only a client that does not read blocks it. mu must not be held.
func (m *Model) Init() (cmd tea.Cmd) {
	m.Terminal.WriteAfter(func() {
		m.mu.Lock()
		defer m.unlock()
		cmd = m.handle(signInMsg{})
	})
	return cmd
}

// View implements tea.Model. It returns nothing, since tui/paint writes the frames.
func (m *Model) View() tea.View { return tea.View{} }

// Messages of the session itself.
type (
	signInMsg  struct{}
	wakeMsg    struct{}
	resizeMsg  Size
	commandMsg struct{ cmd tea.Cmd } // to be run
)

// Update implements tea.Model: it processes a message and draws the screen. mu must not be held.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.mu.Lock()
	defer m.unlock()
	return m, m.handle(msg)
}

// handle processes a message and draws the screen. A panic ends this session only.
func (m *Model) handle(msg tea.Msg) (cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			m.err = fmt.Errorf("tui: %v\n%s", r, debug.Stack())
			cmd = tea.Quit
		}
	}()
	m.BeginMessage()
	before := m.Current()
	cmd = m.update(msg)
	if m.Visit != nil && m.Current() != before {
		announcement.Show(m.Shell)
	}
	if m.Current() != nil {
		m.Terminal.Show(m.Frame(m.Terminal.Frame()))
		m.chargeDraw(msg)
		if m.startReading != nil {
			go m.startReading() // reports a panic as screen.ErrorMsg
			m.startReading = nil
		}
	}
	if m.Visit != nil && m.Current() != nil {
		m.Visit.SetIdle(m.Current().Traits().IsWatching)
	}
	m.updates.ownChange = m.NextChange(time.Now())
	m.updates.setAlarm()
	return cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		msg = m.ResolveClick(click)
	}
	switch msg := msg.(type) {
	case signInMsg:
		return m.signIn()
	case commandMsg:
		return msg.cmd
	case wakeMsg:
		return m.Refresh()
	case screen.TickMsg:
		cmd := m.Handle(msg)
		if m.Visit != nil && m.Visit.IsFollowing() {
			cmd = tea.Batch(cmd, m.Refresh())
		}
		return cmd
	case resizeMsg:
		m.Width, m.Height, m.resizedAt = msg.Width, msg.Height, time.Now()
		m.cells.Store(int64(m.Width * m.Height))
		m.Terminal.Resize(m.Width, m.Height)
		return m.Refresh()
	case screen.ErrorMsg:
		m.err = msg.Err
		return tea.Quit
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			m.LightBackground = !msg.IsDark()
			m.Profile = m.Profile.HasAnswered()
			m.UpdateStyle()
		}
		return nil
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset {
			m.Profile.Sync = true
			m.UpdateStyle()
		}
		return nil
	case tea.MouseClickMsg:
		if time.Now().Before(m.inputBlockedUntil) {
			return nil
		}
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return m.Quit()
		case key == "ctrl+l":
			m.Terminal.Redraw()
			return nil
		case time.Now().Before(m.inputBlockedUntil):
			return nil
		}
	}
	return m.Handle(msg)
}

// startListening starts ListenToSizes, once. It may be called from any goroutine, and does not block.
func (m *Model) startListening() {
	if !m.listensToSize.Swap(true) {
		go m.ListenToSizes()
	}
}

// ListenToSizes sends a message for each of the window's new sizes, until the session ends. mu must not be held.
func (m *Model) ListenToSizes() {
	defer guard.Recover(m.fault)
	var resizedAt time.Time
	for {
		select {
		case s := <-m.tty.Resize:
			if m.awaitDraw(s.Width*s.Height, nil) != nil {
				return
			}
			s, ok := debounceResize(m.Context, m.tty.Resize, s, resizedAt)
			if !ok {
				return
			}
			m.Loop.Send(resizeMsg(s))
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
