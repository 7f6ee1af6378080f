package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ayumu/lobby/clock"
	"ayumu/tui/screen"
	"ayumu/tui/screen/newtable"
)

// Model is the Bubble Tea model of one session, and the Router of its Shell. Run drives it with a terminal's
// input. Its methods run in the event loop unless noted.
type Model struct {
	screen.Window
	client    *Terminal
	restore   func() error // releases the renderer of Bubble Tea; nil: there is none
	resizedAt time.Time    // the time of the last change of the window's size
	cells     atomic.Int64 // the window's size; read by other goroutines

	account           atomic.Int64 // the session's account id, 0 until signed in; read by other goroutines
	lastBotGame       newtable.LastBotGame
	inputBlockedUntil time.Time     // keys are ignored until then
	sessionReady      chan struct{} // closed when Client is set
	alarm             *clock.Alarm  // fires when time alone changes the screen
	alarmC            chan struct{} // capacity 1: the alarm has fired
	err               error

	// startReading reads input. It is set until the first frame has been drawn: earlier keys would have
	// no screen.
	startReading func()
}

// NewModel returns the model of a session that has not signed in. The caller sets its Terminal. t and c must
// not be changed while it is used.
func NewModel(ctx context.Context, t *Terminal, c *Config) *Model {
	a := &Model{client: t, sessionReady: make(chan struct{}), alarmC: make(chan struct{}, 1)}
	a.Shell = screen.NewShell(ctx, c, t.Profile, a)
	a.Width, a.Height = t.Width, t.Height
	a.cells.Store(int64(a.Width * a.Height))
	a.alarm = clock.NewAlarm(func() {
		select {
		case a.alarmC <- struct{}{}:
		default:
		}
	})
	return a
}

// Err returns the internal error that ended the session; nil: none.
func (a *Model) Err() error { return a.err }

// Init implements tea.Model.
func (a *Model) Init() tea.Cmd { return func() tea.Msg { return signInMsg{} } }

// stopRenderer releases Bubble Tea's renderer, whose ticker would otherwise run in every session. It
// takes half a second, because Bubble Tea waits for an input reader that does not exist. It may be
// called from any goroutine.
func (a *Model) stopRenderer() {
	defer func() { _ = recover() }() // on failure the renderer keeps ticking once a second
	if a.restore != nil {
		_ = a.restore()
	}
}

// View implements tea.Model. It returns nothing, since tui/paint writes the frames.
func (a *Model) View() tea.View { return tea.View{} }

// Messages of the session itself.
type (
	signInMsg struct{}
	wakeMsg   struct{}
	resizeMsg Size
)

// Update implements tea.Model: it processes a message and draws the screen. A panic ends this session
// only.
func (a *Model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			a.err = fmt.Errorf("tui: %v\n%s", r, debug.Stack())
			cmd = tea.Quit
		}
	}()
	a.BeginMessage()
	cmd = a.update(msg)
	if a.Current() != nil {
		a.Terminal.Draw(a.Draw)
		a.chargeDraw(msg)
		if a.startReading != nil {
			go a.startReading() // reports a panic as screen.ErrorMsg
			a.startReading = nil
		}
	}
	if a.Client != nil && a.Current() != nil {
		a.Client.SetIdle(a.Current().Traits().IsWatching)
	}
	a.Config.Lobby.Alarms.Set(a.alarm, a.NextChange(time.Now()))
	return a, cmd
}

func (a *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case signInMsg:
		go a.stopRenderer()
		return tea.Batch(a.signIn(), a.listen())
	case wakeMsg:
		return tea.Batch(a.Refresh(), a.listen())
	case screen.TickMsg:
		cmd := a.Handle(msg)
		if a.Client != nil && a.Client.IsFollowing() {
			cmd = tea.Batch(cmd, a.Refresh())
		}
		return tea.Batch(cmd, a.listen())
	case resizeMsg:
		a.Width, a.Height, a.resizedAt = msg.Width, msg.Height, time.Now()
		a.cells.Store(int64(a.Width * a.Height))
		a.Terminal.Resize(a.Width, a.Height)
		return tea.Batch(a.Refresh(), a.listen())
	case screen.ErrorMsg:
		a.err = msg.Err
		return tea.Quit
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			a.LightBackground = !msg.IsDark()
			a.Profile = a.Profile.HasAnswered()
			a.UpdateStyle()
		}
		return nil
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset {
			a.Profile.Sync = true
			a.UpdateStyle()
		}
		return nil
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return a.Quit()
		case key == "ctrl+l":
			a.Terminal.Redraw()
			return nil
		case time.Now().Before(a.inputBlockedUntil):
			return nil
		}
	}
	return a.Handle(msg)
}

// listen waits for the lobby's wake, a new window size, or the alarm. Exactly one such command is
// running; each of its messages starts the next.
func (a *Model) listen() tea.Cmd {
	var wake <-chan struct{} = a.sessionReady
	if a.Session != nil {
		wake = a.Session.Wakeups()
	}
	last := a.resizedAt
	return a.Command(func() tea.Msg {
		select {
		case <-wake:
			if a.awaitOthersDraw() != nil {
				return nil
			}
			return wakeMsg{}
		case s := <-a.client.Resize:
			if a.awaitDraw(s.Width*s.Height, nil) != nil {
				return nil
			}
			return a.debounceResize(s, last)
		case <-a.alarmC:
			return screen.TickMsg(time.Now())
		case <-a.Context.Done():
			return nil
		}
	})
}

// resizeInterval is the minimum time between two sizes that are drawn, because each redraws the whole
// screen. Dragging a window stays smooth, and endless size changes do not occupy a core.
const resizeInterval = 50 * time.Millisecond

// debounceResize waits until resizeInterval has passed since last and returns the newest size by then.
func (a *Model) debounceResize(s Size, last time.Time) tea.Msg {
	select {
	case <-time.After(resizeInterval - time.Since(last)):
	case <-a.Context.Done():
		return nil
	}
	select {
	case s = <-a.client.Resize:
	default:
	}
	return resizeMsg(s)
}
