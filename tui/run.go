package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/guard"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// Size is a terminal's size in cells. It has no name of its own, so that a channel of them may come
// from a package that does not know this one.
type Size = struct{ Width, Height int }

// Terminal is where a session's screens are shown.
type Terminal struct {
	// In is read by one goroutine until it returns an error. Run does not wait for that
	// goroutine: whoever owns In closes it after Run has returned.
	In            io.Reader
	Out           io.Writer
	Width, Height int
	Resize        <-chan Size // the newest size after a change; nil: it never changes
	Profile       paint.Profile
	// OnStall is called once, from another goroutine, when the terminal has read nothing for 30 s
	// while there was something to write. It should close what Out writes to. May be nil.
	OnStall func()
}

// Config is who comes, and what for.
type Config struct {
	Lobby    *lobby.Lobby
	Games    game.List  // those of the Lobby, in the same order
	Key      []byte     // in SSH wire format; nil for a guest
	NameHint string     // a name to suggest at a first visit; it gives no right to anything
	Addr     netip.Addr // from where he comes, for the limits by address
	// Account is whose Key it is, where that is known already, or a guest who has come back with his
	// return code; nil: Key says who it is.
	Account *lobby.Account
	// Bots are the built-in players, who play at once; nil: there are none.
	Bots *bots.Bots
	// OnEnter is told of the session with which the person is in the lobby; nil: nobody needs to
	// know.
	OnEnter func(*lobby.Session)
	// Moderation is where the person reports and moderates others; nil: nobody does.
	Moderation Moderation
	// SetIdleLimit is told how long the session may stay without input from now on, 0 for ever, and nothing
	// before the person is in the lobby; nil: it is not needed. Run enforces nothing itself.
	SetIdleLimit func(time.Duration)
	// Lag returns the connection's round trip; nil: it is not known.
	Lag func() time.Duration
	// Destination is where to begin: "watch MATCH", "join TABLE", either with a code after it where it is
	// private, "replay MATCH", or "" for the lobby.
	Destination string
	// SiteName is the host's name for his server, at most 30 characters; "": Ayumu. Message is what he
	// tells everybody who comes in, one line; "": nothing. Both are clean text.
	SiteName, Message string
	// Picture is the host's, as ReadPicture returns it; nil: he has none.
	Picture []string
	// Themes are the host's colours; nil: those of the house. They are shared by all sessions.
	Themes *theme.ThemeSet

	SSHTarget string // what people type after ssh to come here: "play.example.org", "-p 2222 localhost"
}

func (v *Config) siteName() string { return cmp.Or(v.SiteName, "Ayumu") }

// Exit is how a session ended.
type Exit struct {
	// Dropped: the connection broke or the context ended; otherwise the person left on purpose.
	Dropped bool
	// Err is a failure of this package (a panic, caught) that the host should hear of.
	Err error
}

// Run shows the screens to one person until he leaves or the connection drops. It has closed the
// lobby's session and restored the terminal, as far as that still reads, when it returns. Neither t
// nor v may be changed while it runs: they are kept, not copied, because the stack below it is what a
// session that waits has in memory.
func Run(ctx context.Context, t *Terminal, v *Config) Exit {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := newApp(ctx, t, v)
	_, err := a.program(cancel).Run()
	return a.end(err)
}

// program prepares the screen and the event loop. cancel ends the session's context.
func (a *app) program(cancel func()) *tea.Program {
	t := a.terminal
	var p *tea.Program
	fault := func(err error) { p.Send(errorMsg{err}) }
	a.screen = paint.NewScreen(t.Out, t.Width, t.Height, paint.Options{
		Profile: t.Profile, Modes: paint.Mouse | paint.Paste, Title: "Ayumu", QueryTerminal: true,
		OnPanic: fault,
		OnFail: func(err error) {
			cancel()
			if errors.Is(err, paint.ErrStalled) && t.OnStall != nil {
				t.OnStall()
			}
		},
	})
	p = tea.NewProgram(a,
		tea.WithContext(a.ctx),
		tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithFPS(1),
		tea.WithoutSignalHandler(), tea.WithEnvironment([]string{}), tea.WithColorProfile(colorprofile.NoTTY),
		tea.WithFilter(filterMsg),
	)
	a.restore = p.ReleaseTerminal
	a.startReading = func() {
		defer cancel()
		defer guard.Recover(fault)
		send := func(msg tea.Msg) {
			a.awaitDraw()
			p.Send(msg)
		}
		readInput(a.ctx, t.In, send, InputPace(a.config.Lobby))
	}
	return p
}

// end leaves the lobby and the terminal. err is how the event loop ended.
func (a *app) end(err error) Exit {
	d := Exit{Dropped: !a.leaving, Err: a.err}
	if errors.Is(err, tea.ErrProgramPanic) && d.Err == nil {
		d.Err = err
	}
	a.config.Lobby.Alarms.Set(a.alarm, time.Time{})
	if a.session != nil {
		a.session.Close(d.Dropped)
	}
	if a.screen.Close() == nil && a.leaving {
		fmt.Fprintf(a.terminal.Out, "%s\r\n", a.exitMessage())
	}
	return d
}

// InputPace bounds how fast somebody's keys are taken, for one session.
func InputPace(l *lobby.Lobby) func(n int) time.Duration {
	allowed := float64(l.Limits().KeyBurst) // at once, as of the last time
	at := time.Now()
	return func(n int) time.Duration {
		limits, now := l.Limits(), time.Now()
		allowed = min(float64(limits.KeyBurst), allowed+now.Sub(at).Seconds()*limits.KeyRate) - float64(n)
		at = now
		if allowed >= 0 {
			return 0
		}
		l.LimitHits.Add(lobby.HitKeys)
		return time.Duration(-allowed / limits.KeyRate * float64(time.Second))
	}
}

// filterMsg leaves out what Bubble Tea tells a program at its start, and sizes, which a terminal
// could make up: they come from the connection.
func filterMsg(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.ColorProfileMsg, tea.EnvMsg, tea.WindowSizeMsg, tea.SuspendMsg, tea.InterruptMsg:
		return nil
	}
	return msg
}
