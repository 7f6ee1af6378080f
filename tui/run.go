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
	"ayumu/lobby/limit"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// Size is a terminal's size in cells. It is an alias of an unnamed type, so that a channel of sizes may
// come from a package that does not import this one.
type Size = struct{ Width, Height int }

// Terminal is the terminal of a session.
type Terminal struct {
	// In is read by one goroutine until it returns an error. Run does not wait for that goroutine: the
	// owner of In closes it after Run has returned.
	In            io.Reader
	Out           io.Writer
	Width, Height int
	Resize        <-chan Size // delivers the newest size after a change; nil: the size is fixed
	Profile       paint.Profile
	// OnStall is called once, from another goroutine, when the terminal has read nothing for 30 s while
	// there was output. It should close the connection behind Out. May be nil.
	OnStall func()
}

// Config describes the visitor and the server to a session.
type Config struct {
	Lobby    *lobby.Lobby
	Games    game.List  // the games of Lobby, in the same order
	Key      []byte     // in SSH wire format; nil for a guest
	NameHint string     // a name to suggest at the first visit; it grants nothing
	Addr     netip.Addr // the visitor's address, for the limits by address
	// Account is the account of Key if it is already known, or a guest who returned with a return code;
	// nil: Run looks Key up.
	Account *lobby.Account
	// Bots are the built-in players; nil: none.
	Bots *bots.Bots
	// OnEnter is called with the lobby's session once the user has signed in. May be nil.
	OnEnter func(*lobby.Session)
	// Moderation reports and moderates on behalf of the user; nil: not available.
	Moderation Moderation
	// SetIdleLimit is called whenever the time changes for which the session may stay without input; 0:
	// unlimited. It is not called before the sign-in. Run enforces nothing itself. May be nil.
	SetIdleLimit func(time.Duration)
	// Lag returns the connection's round-trip time; nil: unknown.
	Lag func() time.Duration
	// Destination is the first screen: "watch MATCH" or "join TABLE", either followed by a code if it
	// is private, "replay MATCH", or "" for the lobby.
	Destination string
	// SiteName is the server's name, at most 30 characters; "": Ayumu. Message is shown to every user
	// at sign-in, one line; "": none. Both must be clean text.
	SiteName, Message string
	// Picture is the operator's picture as ReadPicture returns it; nil: none.
	Picture []string
	// Themes are the server's colours, shared by all sessions; nil: theme.DefaultSet.
	Themes *theme.ThemeSet

	SSHTarget string // arguments for ssh to connect here: "play.example.org", "-p 2222 localhost"
}

func (c *Config) siteName() string { return cmp.Or(c.SiteName, "Ayumu") }

// Exit describes how a session ended.
type Exit struct {
	// Dropped reports that the connection broke or the context ended; otherwise the user quit.
	Dropped bool
	// Err is an internal error, such as a panic, that the caller should log; nil: none.
	Err error
}

// Run shows the screens to one user until they quit or the connection drops. When it returns, it has
// closed the lobby's session and, if the terminal still reads, restored the terminal. t and c must not
// be changed while it runs: it keeps the pointers instead of copies, because its stack is most of the
// memory of a waiting session.
func Run(ctx context.Context, t *Terminal, c *Config) Exit {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := newApp(ctx, t, c)
	_, err := a.program(cancel).Run()
	return a.end(err)
}

// program creates the screen and the event loop. cancel ends the session's context.
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

// end closes the session and restores the terminal. err is the error of the event loop.
func (a *app) end(err error) Exit {
	exit := Exit{Dropped: !a.leaving, Err: a.err}
	if errors.Is(err, tea.ErrProgramPanic) && exit.Err == nil {
		exit.Err = err
	}
	a.config.Lobby.Alarms.Set(a.alarm, time.Time{})
	if a.session != nil {
		a.session.Close(exit.Dropped)
	}
	if a.screen.Close() == nil && a.leaving {
		fmt.Fprintf(a.terminal.Out, "%s\r\n", a.exitMessage())
	}
	return exit
}

// InputPace returns the inputPace of one session, which follows the lobby's limits for keys.
func InputPace(l *lobby.Lobby) func(n int) time.Duration {
	var bucket limit.Bucket
	return func(n int) time.Duration {
		limits := l.Limits()
		wait := bucket.Reserve(time.Now(), n, limit.Rate{Refill: limits.KeyRate, Burst: limits.KeyBurst})
		if wait > 0 {
			l.LimitHits.Add(lobby.HitKeys)
		}
		return wait
	}
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
