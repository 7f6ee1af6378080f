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
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// The least size with which the screens work.
const (
	minWidth  = 60
	minHeight = 20
)

// Screen is one screen. Its methods are called by the session's event loop only.
type Screen interface {
	// handle takes a key, a click, a paste, or a message that one of its own commands made.
	handle(msg tea.Msg) tea.Cmd
	// refresh is called when something in the lobby may have changed.
	refresh() tea.Cmd
	// draw draws everything but the last two lines.
	draw(c paint.Canvas)
	// statusLine is what the line above the keys says while there is nothing else to tell.
	statusLine() (string, paint.Style)
	// statusKeys are what works now, most important first, for the last line.
	statusKeys() []game.Key
	// help is what the help says of the screen.
	help() helpPage
	// nextChange returns when the screen will look different because of time alone; zero: never.
	nextChange(now time.Time) time.Time
	// close is called when another screen takes its place.
	close()
}

// app is the session: Bubble Tea's model.
type app struct {
	ctx       context.Context
	terminal  *Terminal
	config    *Config
	screen    *paint.Screen
	restore   func() error
	profile   paint.Profile
	w, h      int
	resizedAt time.Time // when that was last another

	session           *lobby.Session // nil until there is a name
	account           atomic.Int64   // the session's, 0 until there is one; for other goroutines
	returnCode        string         // with which a guest comes back
	current           Screen
	history           []func() tea.Cmd // that show the screens behind it again
	overlay           Screen           // on top of at: help or settings
	question          *question
	prompt            *prompt // where something is being typed
	style             game.Style
	settings          settings
	lightBackground   bool // the terminal's ground, as far as is known
	notice            notice
	news              words.Tracker   // what others do to the person's tables and in matches that are not shown
	knownMatches      map[string]bool // own matches that have been shown or told of
	knownChallenges   map[string]bool // challenges that have been told of
	usersRevision     uint64          // the lobby's Crowd when challenges were last looked for
	follow            followTarget
	lastBotForm       *tableForm    // the form of the last game begun with a bot; nil: none yet
	lastHint          time.Time     // when the engine was asked last
	inputBlockedUntil time.Time     // until then keys do nothing
	sessionReady      chan struct{} // closed when there is a session
	alarm             *clock.Alarm  // when the screen will look different by itself
	alarmC            chan struct{} // of one place: the alarm has rung
	idle              time.Duration // what visit.Idle was last told; -1: nothing yet
	leaving           bool          // on purpose
	err               error

	// startReading reads input; nil once it has begun, which is not before there is a view: what was typed
	// until then would be lost.
	startReading func()
}

// notice is what the line above the keys tells until the next key.
type notice struct {
	text    string // paragraphs, with a line break between two
	isError bool
	expires time.Time // then it goes by itself; zero: at the next key
}

// noticeDuration is how long a note stands on the screen of a match, where somebody may look on for hours
// without a key.
const noticeDuration = time.Minute

// newNotice makes a note that goes by itself where the screen is a match's.
func (a *app) newNotice(text string, bad bool) notice {
	n := notice{text: text, isError: bad}
	if _, ok := a.current.(*matchScreen); ok {
		n.expires = time.Now().Add(noticeDuration)
	}
	return n
}

// dropNotice drops the note at a key or click. One that is hidden by a question or by a text that is
// being typed has not been seen yet and stays.
func (a *app) dropNotice() {
	if a.question == nil && a.prompt == nil {
		a.notice = notice{}
	}
}

// notifyEvents shows what others did. It stays until the next key, however long that takes.
func (a *app) notifyEvents(texts ...string) {
	if len(texts) > 0 {
		a.notice = notice{text: strings.Join(texts, " ")}
	}
}

// expireNotice drops a note whose time is up.
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

// setStyle makes the look that the settings and the terminal call for.
func (a *app) setStyle() {
	light := a.lightBackground
	if a.settings.Ground != backgroundAuto {
		light = a.settings.Ground == backgroundLight
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

// Init is called by Bubble Tea once.
func (a *app) Init() tea.Cmd { return func() tea.Msg { return signInMsg{} } }

// stopRenderer takes the terminal from Bubble Tea, which never had it, so that its renderer's ticker ends.
// It takes half a second, for Bubble Tea waits for a reader that there is not.
func (a *app) stopRenderer() {
	defer func() { _ = recover() }() // then it ticks, once a second
	_ = a.restore()
}

// View shows nothing, since frames go to the terminal another way.
func (a *app) View() tea.View { return tea.View{} }

// Messages of the session itself.
type (
	signInMsg struct{}
	wakeMsg   struct{}
	tickMsg   time.Time
	resizeMsg Size
	errorMsg  struct{ err error }
	// callDoneMsg is how a call into the lobby ended; then runs in the event loop if it went well.
	callDoneMsg struct {
		err  error
		then func() tea.Cmd
	}
)

// Update is called by Bubble Tea for each message. A panic ends this session and no other.
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
			go a.startReading() // which sends its panic as a faultMsg
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

// callDone says what became of a call.
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

// callTimeout bounds a call into the lobby; a match answers within milliseconds.
const callTimeout = 15 * time.Second

// call runs f beside the event loop. then runs in the loop if f succeeded.
func (a *app) call(f func(ctx context.Context) error, then func() tea.Cmd) tea.Cmd {
	return a.command(func() tea.Msg {
		ctx, cancel := context.WithTimeout(a.ctx, callTimeout)
		defer cancel()
		return callDoneMsg{f(ctx), then}
	})
}

// command makes a command of f that survives a panic.
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

// listen waits for the lobby's wake, for another size, or for the alarm, which remind sets. There is
// always one such command; each of its messages starts the next.
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

// resizeInterval is the least time between two sizes that are drawn, since each is a new screen: who drags
// a window sees it follow, and who sends sizes without end does not keep a core busy.
const resizeInterval = 50 * time.Millisecond

// debounceResize waits until another size may be drawn after the last, and returns the newest there is then.
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

// setAlarm has the listener woken when the screen will look different by itself.
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

// setView puts another screen in the place of the present one.
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

// showsLists reports whether changes of the lobby's lists concern the screen that is shown.
func (a *app) showsLists() bool {
	switch a.current.(type) {
	case *lobbyScreen, *gridScreen:
		return true
	case *matchScreen:
		return a.follow.isSet()
	}
	return false
}

// notify says something, whole sentences, in the line above the keys.
func (a *app) notify(format string, args ...any) {
	a.notice = a.newNotice(fmt.Sprintf(format, args...), false)
}

// notifyMore says something below what is said already.
func (a *app) notifyMore(text string) {
	switch {
	case text == "":
	case a.notice.text == "":
		a.notify("%s", text)
	default:
		a.notice.text += "\n" + text
	}
}

// notifyError says there why something was refused; it takes a clause.
func (a *app) notifyError(format string, args ...any) {
	a.notice = a.newNotice(words.Sentence(fmt.Sprintf(format, args...)), true)
}

// quit ends the session, after asking if a game is going on.
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

// liveMatch returns an unfinished match with a running clock in which the person has a seat.
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
