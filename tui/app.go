package tui

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// The minimum size of a window.
const (
	minWidth  = 60
	minHeight = 20
)

// Screen is one full-window view or overlay. Only the session's event loop calls its methods.
type Screen interface {
	// handle processes a key, a click, a paste, or a message of one of the screen's own commands.
	handle(msg tea.Msg) tea.Cmd
	// refresh is called when the state of the lobby may have changed.
	refresh() tea.Cmd
	// draw draws all but the last two lines.
	draw(c paint.Canvas)
	// statusLine returns the line above the status bar, for when there is no notice.
	statusLine() (string, paint.Style)
	// statusKeys returns the keys that work now for the status bar, most important first.
	statusKeys() []game.Key
	// help returns the screen's help page.
	help() helpPage
	// nextChange returns when time alone will change the screen; zero: never.
	nextChange(now time.Time) time.Time
	// close is called when another screen replaces this one.
	close()
}

// app is one session: the model of Bubble Tea. Its methods run in the event loop unless noted.
type app struct {
	ctx       context.Context
	terminal  *Terminal
	config    *Config
	screen    *paint.Screen
	restore   func() error
	profile   paint.Profile
	w, h      int
	resizedAt time.Time // the time of the last change of w and h

	session           *lobby.Session // nil until signed in
	account           atomic.Int64   // the session's account id, 0 until signed in; read by other goroutines
	returnCode        string         // gives a guest the seats back after reconnecting
	current           Screen
	history           []func() tea.Cmd // reopen the previous screens, newest last
	overlay           Screen           // drawn instead of current: help, settings, account; nil: none
	question          *question
	prompt            *prompt // the open input line; nil: none
	style             game.Style
	settings          settings
	lightBackground   bool // as the terminal reported it
	notice            notice
	news              words.Tracker   // events at the user's tables and in matches that are not shown
	knownMatches      map[string]bool // own matches that were opened or announced
	knownChallenges   map[string]bool // challenges that were announced
	usersRevision     uint64          // the lobby's UsersRevision at the last check for challenges
	follow            followTarget
	lastBotForm       *tableForm    // the form of the last game against a bot; nil: none yet
	lastHint          time.Time     // the time of the last request for a hint
	inputBlockedUntil time.Time     // keys are ignored until then
	sessionReady      chan struct{} // closed when session is set
	alarm             *clock.Alarm  // fires when time alone changes the screen
	alarmC            chan struct{} // capacity 1: the alarm has fired
	idle              time.Duration // the last value given to config.SetIdleLimit; -1: none yet
	leaving           bool          // the user quit; otherwise the connection dropped
	err               error

	// startReading reads input. It is set until the first frame has been drawn: earlier keys would have
	// no screen.
	startReading func()
}

// notice is a message in the line above the status bar, shown until the next key.
type notice struct {
	text    string // paragraphs, separated by line breaks
	isError bool
	expires time.Time // removed at that time; zero: only by a key
}

// noticeDuration is how long a notice stays on the screen of a match, whose spectators may press no key
// for hours.
const noticeDuration = time.Minute

// newNotice returns a notice, which expires if the current screen is a match.
func (a *app) newNotice(text string, bad bool) notice {
	n := notice{text: text, isError: bad}
	if _, ok := a.current.(*matchScreen); ok {
		n.expires = time.Now().Add(noticeDuration)
	}
	return n
}

// dropNotice removes the notice at a key or click, unless a question or a prompt has hidden it so far.
func (a *app) dropNotice() {
	if a.question == nil && a.prompt == nil {
		a.notice = notice{}
	}
}

// notifyEvents shows what others did. The notice has no expiry.
func (a *app) notifyEvents(texts ...string) {
	if len(texts) > 0 {
		a.notice = notice{text: strings.Join(texts, " ")}
	}
}

// expireNotice removes a notice whose time is up.
func (a *app) expireNotice(now time.Time) {
	if u := a.notice.expires; !u.IsZero() && !now.Before(u) {
		a.notice = notice{}
	}
}

func newApp(ctx context.Context, t *Terminal, v *Config) *app {
	a := &app{
		ctx: ctx, terminal: t, config: v, profile: t.Profile, w: t.Width, h: t.Height,
		settings: defaultSettings, idle: -1, knownMatches: make(map[string]bool), knownChallenges: make(map[string]bool),
		news: words.Tracker{Games: v.Games}, sessionReady: make(chan struct{}), alarmC: make(chan struct{}, 1),
	}
	a.alarm = clock.NewAlarm(func() {
		select {
		case a.alarmC <- struct{}{}:
		default:
		}
	})
	a.setStyle()
	return a
}

// setStyle derives the style from the settings and the terminal's profile.
func (a *app) setStyle() {
	light := a.lightBackground
	if a.settings.Background != backgroundAuto {
		light = a.settings.Background == backgroundLight
	}
	p := a.profile
	p.ASCII = p.ASCII || a.settings.ASCII
	if a.settings.Plain {
		p.Colors = paint.NoColor
	}
	a.style = game.Style{Theme: cmp.Or(a.config.Themes, theme.DefaultSet).For(p.Colors, light), ASCII: p.ASCII}
	if a.screen != nil {
		a.screen.SetProfile(p)
	}
}

// Init implements tea.Model.
func (a *app) Init() tea.Cmd { return func() tea.Msg { return signInMsg{} } }

// stopRenderer releases Bubble Tea's renderer, whose ticker would otherwise run in every session. It
// takes half a second, because Bubble Tea waits for an input reader that does not exist. It may be
// called from any goroutine.
func (a *app) stopRenderer() {
	defer func() { _ = recover() }() // on failure the renderer keeps ticking once a second
	_ = a.restore()
}

// View implements tea.Model. It returns nothing, since tui/paint writes the frames.
func (a *app) View() tea.View { return tea.View{} }

// Messages of the session itself.
type (
	signInMsg struct{}
	wakeMsg   struct{}
	tickMsg   time.Time
	resizeMsg Size
	errorMsg  struct{ err error }
	// callDoneMsg reports the end of a call into the lobby; then runs in the event loop if err is nil.
	callDoneMsg struct {
		err  error
		then func() tea.Cmd
	}
)

// Update implements tea.Model: it processes a message and draws the screen. A panic ends this session
// only.
func (a *app) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			a.err = fmt.Errorf("tui: %v\n%s", r, debug.Stack())
			cmd = tea.Quit
		}
	}()
	cmd = a.update(msg)
	if a.current != nil {
		a.screen.Draw(a.draw)
		a.chargeDraw(msg)
		if a.startReading != nil {
			go a.startReading() // reports a panic as errorMsg
			a.startReading = nil
		}
	}
	a.setIdleLimit()
	a.setAlarm()
	return a, cmd
}

func (a *app) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case signInMsg:
		go a.stopRenderer()
		return tea.Batch(a.signIn(), a.listen())
	case wakeMsg:
		return tea.Batch(a.refresh(), a.listen())
	case tickMsg:
		a.expireNotice(time.Now())
		if a.current == nil {
			return a.listen()
		}
		cmd := a.current.handle(msg)
		if a.follow.isSet() {
			cmd = tea.Batch(cmd, a.refresh())
		}
		return tea.Batch(cmd, a.listen())
	case resizeMsg:
		a.w, a.h, a.resizedAt = msg.Width, msg.Height, time.Now()
		a.screen.Resize(a.w, a.h)
		return tea.Batch(a.refresh(), a.listen())
	case errorMsg:
		a.err = msg.err
		return tea.Quit
	case callDoneMsg:
		return a.callDone(msg)
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			a.lightBackground = !msg.IsDark()
			a.setStyle()
		}
		return nil
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset {
			a.profile.Sync = true
			a.setStyle()
		}
		return nil
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return a.quit()
		case key == "ctrl+l":
			a.screen.Redraw()
			return nil
		case time.Now().Before(a.inputBlockedUntil):
			return nil
		}
		a.dropNotice()
	case tea.MouseClickMsg:
		a.dropNotice()
	}
	switch {
	case a.current == nil:
		return nil
	case a.question != nil:
		return a.answerQuestion(msg)
	case a.prompt != nil:
		return a.handlePrompt(msg)
	case a.overlay != nil:
		return a.overlay.handle(msg)
	}
	return a.current.handle(msg)
}

// callDone shows the error of a call, or continues with its then.
func (a *app) callDone(msg callDoneMsg) tea.Cmd {
	if msg.err != nil {
		_, text := lobby.PublicError(msg.err)
		a.notifyError("%s", text)
		return a.refresh()
	}
	if msg.then != nil {
		return msg.then()
	}
	return a.refresh()
}

// call runs f in a goroutine of its own, with a context that ends after client.CallTimeout. then runs in the
// event loop if f returns nil; a nil then refreshes the screen.
func (a *app) call(f func(ctx context.Context) error, then func() tea.Cmd) tea.Cmd {
	return a.command(func() tea.Msg {
		ctx, cancel := context.WithTimeout(a.ctx, client.CallTimeout)
		defer cancel()
		return callDoneMsg{f(ctx), then}
	})
}

// command wraps f so that a panic becomes an errorMsg.
func (a *app) command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = errorMsg{fmt.Errorf("tui: %v\n%s", r, debug.Stack())}
			}
		}()
		return f()
	}
}

// listen waits for the lobby's wake, a new window size, or the alarm. Exactly one such command is
// running; each of its messages starts the next.
func (a *app) listen() tea.Cmd {
	var wake <-chan struct{} = a.sessionReady
	if a.session != nil {
		wake = a.session.Wakeups()
	}
	last := a.resizedAt
	return a.command(func() tea.Msg {
		select {
		case <-wake:
			return wakeMsg{}
		case s := <-a.terminal.Resize:
			a.awaitDraw()
			return a.debounceResize(s, last)
		case <-a.alarmC:
			return tickMsg(time.Now())
		case <-a.ctx.Done():
			return nil
		}
	})
}

// resizeInterval is the minimum time between two sizes that are drawn, because each redraws the whole
// screen. Dragging a window stays smooth, and endless size changes do not occupy a core.
const resizeInterval = 50 * time.Millisecond

// debounceResize waits until resizeInterval has passed since last and returns the newest size by then.
func (a *app) debounceResize(s Size, last time.Time) tea.Msg {
	select {
	case <-time.After(resizeInterval - time.Since(last)):
	case <-a.ctx.Done():
		return nil
	}
	select {
	case s = <-a.terminal.Resize:
	default:
	}
	return resizeMsg(s)
}

// setAlarm schedules a tick for when time alone changes the screen.
func (a *app) setAlarm() {
	var due time.Time
	if a.current != nil {
		due = a.current.nextChange(time.Now())
	}
	if u := a.notice.expires; !u.IsZero() && (due.IsZero() || u.Before(due)) {
		due = u
	}
	a.config.Lobby.Alarms.Set(a.alarm, due)
}

// setView replaces the current screen and clears the history, the overlay, the question and the prompt.
func (a *app) setView(v Screen) tea.Cmd {
	if a.current != nil {
		a.current.close()
	}
	a.current, a.history, a.overlay, a.question, a.prompt = v, nil, nil, nil, nil
	if a.session != nil {
		a.session.IgnoreLists(!a.showsLists())
	}
	return v.refresh()
}

// showsLists reports whether the current screen depends on the lobby's lists.
func (a *app) showsLists() bool {
	switch a.current.(type) {
	case *lobbyScreen, *gridScreen:
		return true
	case *matchScreen:
		return a.follow.isSet()
	}
	return false
}

// notify shows complete sentences as a notice.
func (a *app) notify(format string, args ...any) {
	a.notice = a.newNotice(fmt.Sprintf(format, args...), false)
}

// notifyMore adds a paragraph to the notice; "" adds nothing.
func (a *app) notifyMore(text string) {
	switch {
	case text == "":
	case a.notice.text == "":
		a.notify("%s", text)
	default:
		a.notice.text += "\n" + text
	}
}

// notifyError shows as an error why something was refused; the text is a clause.
func (a *app) notifyError(format string, args ...any) {
	a.notice = a.newNotice(words.Sentence(fmt.Sprintf(format, args...)), true)
}

// quit ends the session, after a confirmation if the user's clock is running in a game.
func (a *app) quit() tea.Cmd {
	if m := a.liveMatch(); m != nil && a.question == nil {
		return a.ask(yesNo("Your game "+words.WithOpponents(m.Info, a.session.Account().ID)+" continues and your clock keeps running. Leave anyway?",
			"leave", "stay", a.exit))
	}
	return a.exit()
}

func (a *app) exit() tea.Cmd {
	a.leaving = true
	return tea.Quit
}

// liveMatch returns an unfinished live match in which the user has a seat; nil: none.
func (a *app) liveMatch() *lobby.Match {
	if a.session == nil {
		return nil
	}
	for _, m := range a.session.SeatedMatches() {
		if a.session.IsPlaying(m) && !a.session.Snapshot(m).Frozen && m.Info.Control.IsLive() {
			return m
		}
	}
	return nil
}

func (a *app) exitMessage() string {
	if a.session == nil {
		return "Goodbye."
	}
	name := a.session.Account().Name
	if m := a.liveMatch(); m != nil {
		return "Goodbye, " + name + ". Your game " + words.WithOpponents(m.Info, a.session.Account().ID) + " continues; reconnect soon."
	}
	return "Goodbye, " + name + "."
}
