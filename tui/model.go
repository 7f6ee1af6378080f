package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/program"
	"ayumu/tui/screen"
	"ayumu/tui/screen/club"
	"ayumu/tui/screen/palette"
)

// Model is the Bubble Tea model of one session, and the Router of its Shell. Two runtimes run it: package program, and
// stock Bubble Tea. Its methods and those of the screens are called one at a time unless noted.
type Model struct {
	screen.Window
	runtime   Runtime
	frame     *paint.Frame // the view; nil until there is a screen
	resizedAt time.Time    // the time of the last change of the window's size
	cells     atomic.Int64 // the window's size; read by other goroutines

	account           atomic.Int64 // the session's account id, 0 until signed in; read by other goroutines
	paletteMemory     palette.Memory
	inputBlockedUntil time.Time // keys and clicks are ignored until then
	canSuspend        bool      // Ctrl+Z suspends the program
	updates           updates
	err               error

	// OnFirstFrame is called once, when there is a screen that keys can be for. nil: nothing is.
	OnFirstFrame func()
}

// Runtime is what a Model uses of what runs it.
type Runtime struct {
	// Send has a message processed. It may block until it has been, or the session has ended. Update does not call it.
	Send func(tea.Msg)
	// Schedule has a DueMsg processed soon, on another goroutine. It may be called with locks held, and must not block
	// or call the lobby.
	Schedule func()
}

// NewModel returns the model of a session that has not signed in, in a window of that size. c must not be changed while
// it is used. SetRuntime is called before anything else.
func NewModel(ctx context.Context, width, height int, p paint.Profile, c *Config) *Model {
	m := new(Model)
	m.Shell = screen.NewShell(ctx, c, p, m)
	m.Width, m.Height = width, height
	m.cells.Store(int64(m.Width * m.Height))
	m.updates.model, m.updates.alarm = m, lobby.NewAlarm(m.updates.alarmFired)
	return m
}

// SetRuntime sets what runs the model.
func (m *Model) SetRuntime(r Runtime) { m.runtime = r }

// Err returns the internal error that ended the session; nil: none.
func (m *Model) Err() error { return m.err }

// Init implements tea.Model: it signs in and draws the first screen.
func (m *Model) Init() tea.Cmd { return m.handle(signInMsg{}) }

// View implements tea.Model.
func (m *Model) View() tea.View {
	p := m.Picture()
	v := p.View
	if p.Frame == nil {
		return v
	}
	v.SetContent(p.Frame.Styled(p.Profile))
	if x, y, visible := p.Frame.Cursor(); visible {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}

// Picture implements program.Model. The frame has been drawn by Update, because a click is for what was drawn last.
func (m *Model) Picture() program.Picture {
	return program.Picture{Frame: m.frame, Profile: m.ShownProfile(), View: tea.View{
		WindowTitle: m.Title, AltScreen: true, MouseMode: tea.MouseModeCellMotion,
	}}
}

// Messages of the session itself.
type (
	signInMsg struct{}
	wakeMsg   struct{} // the lobby has changed
	// DueMsg has the model process what others and time have caused.
	DueMsg struct{}
)

// Update implements tea.Model: it processes a message and draws the screen.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, isDue := msg.(DueMsg); isDue {
		return m, m.updates.run()
	}
	return m, m.handle(normalized(msg))
}

// bell is the command that rings the bell.
var bell = tea.Raw("\a")

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
		club.ShowAnnouncement(m.Shell)
	}
	if m.Current() != nil {
		m.frame = m.Frame(m.frame, m.Width, m.Height)
		m.chargeDraw(msg)
		if m.OnFirstFrame != nil {
			m.OnFirstFrame()
			m.OnFirstFrame = nil
		}
	}
	if m.Visit != nil && m.Current() != nil {
		m.Visit.SetIdle(m.Current().Traits().IsWatching)
	}
	m.updates.ownChange = m.NextChange(time.Now())
	m.updates.setAlarm()
	if m.TakeBell() {
		cmd = tea.Batch(cmd, bell)
	}
	return cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		msg = m.ResolveClick(click)
	}
	switch msg := msg.(type) {
	case signInMsg:
		return m.signIn()
	case wakeMsg:
		return m.Refresh()
	case screen.TickMsg:
		cmd := m.Handle(msg)
		if m.Visit != nil && m.Visit.IsFollowing() {
			cmd = tea.Batch(cmd, m.Refresh())
		}
		return cmd
	case tea.WindowSizeMsg:
		m.Width, m.Height, m.resizedAt = msg.Width, msg.Height, time.Now()
		m.cells.Store(int64(m.Width * m.Height))
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
			return tea.ClearScreen
		case key == "ctrl+z" && m.canSuspend && (m.Current() == nil || m.Current().Traits().Board.Empty()):
			return tea.Suspend
		case time.Now().Before(m.inputBlockedUntil):
			return nil
		}
	}
	return m.Handle(msg)
}
