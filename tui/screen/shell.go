package screen

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// Shell is the session as its screens see it: the visit, the style and the settings, with notices, questions and the
// history of screens. [Window] has the methods with which package tui runs the screens and draws them.
type Shell struct {
	Context context.Context // ends with the session
	Config  *Config
	Shared  *Shared        // Config's, or the session's own
	Visit   *op.Visit      // nil until the user has signed in
	Session *lobby.Session // Visit's; nil until the user has signed in
	Profile paint.Profile  // of the terminal, without the settings
	// LightBackground is what the terminal reported. UpdateStyle applies a change of it, of Profile and of
	// Settings.
	LightBackground bool
	Settings        Settings
	Style           game.Style // derived from Settings and Profile
	Width, Height   int        // of the window
	ReturnCode      string     // gives a guest the seats back after reconnecting
	// AwayNews is what happened while the user was away. The lobby shows it until the user presses Esc there; "": nothing.
	AwayNews string
	// Title is the window's title.
	Title string
	// IsBehind reports whether the terminal takes long to receive the last frame, or has been slow lately. It is never nil.
	IsBehind func() bool
	// HasQuit reports that the user quit; otherwise a session that ends has lost its connection.
	HasQuit bool

	router     Router
	remembered map[string]string // answers in forms, by Field.Remember
	shown      paint.Profile     // Profile with the settings
	rings      bool              // Bell was called since the last TakeBell
	current    Screen
	history    []earlier // newest last
	overlays
	notices
	dialog
	timing
}

// Router is what package tui adds to a Shell.
type Router interface {
	// Open opens the screen of a destination, or notifies why it cannot be opened.
	Open(d dest.Destination) tea.Cmd
	// Refresh updates the session and the screen after a change in the lobby.
	Refresh() tea.Cmd
	// Enter signs in with an account and opens the first screen.
	Enter(a account.Account) tea.Cmd
}

// NewShell returns the shell of a session without a screen. c must not change while the shell is used.
func NewShell(ctx context.Context, c *Config, p paint.Profile, r Router) *Shell {
	shared := c.Shared
	if shared == nil {
		shared = new(Shared)
	}
	s := &Shell{Context: ctx, Config: c, Shared: shared, Profile: p, Settings: DefaultSettings, Title: Title, IsBehind: func() bool { return false }, router: r}
	s.UpdateStyle()
	return s
}

// UpdateStyle derives the style from the settings and the terminal's profile.
func (s *Shell) UpdateStyle() {
	light := s.LightBackground
	if s.Settings.Background != BackgroundAuto {
		light = s.Settings.Background == BackgroundLight
	}
	p := s.Profile
	p.ASCII = p.ASCII || s.Settings.ASCII
	if s.Settings.Plain {
		p.Colors = paint.NoColor
	}
	themes := cmp.Or(s.Config.Themes, theme.DefaultSet)
	if s.Settings.RedGreen {
		themes = themes.ForRedGreenBlind()
	}
	s.Style = game.Style{Theme: themes.For(p.Colors, light), ASCII: p.ASCII, Console: p.Console}
	s.shown = p
}

// ShownProfile returns the terminal's profile with the settings, by which frames are shown.
func (s *Shell) ShownProfile() paint.Profile { return s.shown }

// Title is that of the window, unless a screen sets another one.
const Title = "Ayumu"

// Bell has the bell rung after the message that is being processed, if the settings allow it.
func (s *Shell) Bell() { s.rings = s.rings || s.Settings.Bell }

// TakeBell reports whether the bell is to be rung, once.
func (s *Shell) TakeBell() bool {
	rings := s.rings
	s.rings = false
	return rings
}

// Refresh updates the session and the screen after a change in the lobby.
func (s *Shell) Refresh() tea.Cmd { return s.router.Refresh() }

// Enter signs in with an account and opens the first screen.
func (s *Shell) Enter(a account.Account) tea.Cmd { return s.router.Enter(a) }

// ErrorMsg reports an internal error, which ends the session.
type ErrorMsg struct{ Err error }

// callDoneMsg reports the end of a call into the lobby; then runs in Update.
type callDoneMsg struct{ then func() tea.Cmd }

// Try runs f in a goroutine of its own, with a context that ends after op.CallTimeout, and then in Update
// then, with what f returned. It shows nothing itself; without an error it removes an earlier one if input has caused the
// call. A panic of f ends the session.
func Try[R any](sh *Shell, f func(context.Context) (R, error), then func(R, error) tea.Cmd) tea.Cmd {
	isOfInput := sh.isInput
	return sh.Command(func() tea.Msg {
		ctx, cancel := context.WithTimeout(sh.Context, op.CallTimeout)
		defer cancel()
		r, err := f(ctx)
		return callDoneMsg{func() tea.Cmd {
			if isOfInput && err == nil {
				sh.succeed()
			}
			return then(r, err)
		}}
	})
}

// Load is Try for a then that runs only if f returns no error. An error is shown, and the screen is refreshed.
func Load[R any](sh *Shell, f func(context.Context) (R, error), then func(R) tea.Cmd) tea.Cmd {
	return Try(sh, f, func(r R, err error) tea.Cmd {
		if err != nil {
			sh.NotifyFailure(err)
			return sh.Refresh()
		}
		return then(r)
	})
}

// Run is Load for an operation.
func Run[A, R any](sh *Shell, o *op.Op[A, R], in A, then func(R) tea.Cmd) tea.Cmd {
	return Load(sh, func(ctx context.Context) (R, error) { return o.Run(ctx, sh.Visit, in) }, then)
}

// Call is Load for an f without a result. A nil then refreshes the screen.
func (s *Shell) Call(f func(context.Context) error, then func() tea.Cmd) tea.Cmd {
	if then == nil {
		then = s.Refresh
	}
	return Load(s, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) }, func(struct{}) tea.Cmd { return then() })
}

// Command returns f as a command in which a panic becomes an ErrorMsg.
func (s *Shell) Command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = ErrorMsg{fmt.Errorf("tui: %v\n%s", r, debug.Stack())}
			}
		}()
		return f()
	}
}

// Quit ends the session, after a confirmation if the user's clock is running in a match.
func (s *Shell) Quit() tea.Cmd {
	if s.Visit == nil || s.question != nil {
		return s.Exit()
	}
	if m := s.Visit.LiveMatch(); m != nil && !s.Config.IsOffline() { // where the clock stops
		return s.Ask(YesNo("Your game "+words.WithOpponents(m.Info, s.Session.Account().ID)+" continues and your clock keeps running. Leave anyway?",
			"leave", "stay", s.Exit))
	}
	return s.Exit()
}

// AskQuit ends the session after a confirmation, which no setting switches off: the key is also the one that leaves
// a match for the lobby.
func (s *Shell) AskQuit() tea.Cmd {
	if s.Visit.LiveMatch() != nil && !s.Config.IsOffline() {
		return s.Quit()
	}
	return s.Ask(YesNo("Leave "+s.Config.Site()+"?", "leave", "stay", s.Exit))
}

// Exit ends the session.
func (s *Shell) Exit() tea.Cmd {
	s.HasQuit = true
	return tea.Quit
}

// SignedIn sets Visit and Session.
func (s *Shell) SignedIn(v *op.Visit) { s.Visit, s.Session = v, v.Session }
