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
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// The least size with which the screens work.
const (
	minWidth  = 60
	minHeight = 20
)

// view is one screen. Its methods are called by the session's event loop only.
type view interface {
	// handle takes a key, a click, a paste, or a message that one of its own commands made.
	handle(msg tea.Msg) tea.Cmd
	// refresh is called when something in the lobby may have changed.
	refresh() tea.Cmd
	// draw draws everything but the last two lines.
	draw(c paint.Canvas)
	// hint is what the line above the keys says while there is nothing else to tell.
	hint() (string, paint.Style)
	// keys are what works now, most important first, for the last line.
	keys() []board.Key
	// help is what the help says of the screen.
	help() helpPage
	// due returns when the screen will look different because of time alone; zero: never.
	due(now time.Time) time.Time
	// leave is called when another screen takes its place.
	leave()
}

// app is the session: Bubble Tea's model.
type app struct {
	ctx      context.Context
	terminal *Terminal
	visit    *Visit
	screen   *paint.Screen
	release  func() error
	profile  paint.Profile
	w, h     int
	resized  time.Time // when that was last another

	session  *lobby.Session // nil until there is a name
	account  atomic.Int64   // the session's, 0 until there is one; for other goroutines
	code     string         // with which a guest comes back
	at       view
	trail    []func() tea.Cmd // that show the screens behind it again
	over     view             // on top of at: help or settings
	asking   *question
	line     *line // where something is being typed
	look     board.Look
	settings settings
	light    bool // the terminal's ground, as far as is known
	note     note
	news     words.Tracker   // what others do to the person's tables and in matches that are not shown
	known    map[string]bool // own matches that have been shown or told of
	invited  map[string]bool // challenges that have been told of
	crowd    uint64          // the lobby's Crowd when challenges were last looked for
	follow   follow
	botGame  *tableView    // the form of the last game begun with a bot; nil: none yet
	hintAt   time.Time     // when the engine was asked last
	deaf     time.Time     // until then keys do nothing
	entered  chan struct{} // closed when there is a session
	alarm    *clock.Alarm  // when the screen will look different by itself
	rung     chan struct{} // of one place: the alarm has rung
	idle     time.Duration // what visit.Idle was last told; -1: nothing yet
	left     bool          // on purpose
	fault    error

	// read reads input; nil once it has begun, which is not before there is a view: what was typed
	// until then would be lost.
	read func()
}

// note is what the line above the keys tells until the next key.
type note struct {
	text  string // paragraphs, with a line break between two
	bad   bool
	until time.Time // then it goes by itself; zero: at the next key
}

// noteShown is how long a note stands on the screen of a match, where somebody may look on for hours
// without a key.
const noteShown = time.Minute

// newNote makes a note that goes by itself where the screen is a match's.
func (a *app) newNote(text string, bad bool) note {
	n := note{text: text, bad: bad}
	if _, ok := a.at.(*matchView); ok {
		n.until = time.Now().Add(noteShown)
	}
	return n
}

// nextNote drops the note at a key or click. One that is hidden by a question or by a text that is
// being typed has not been seen yet and stays.
func (a *app) nextNote() {
	if a.asking == nil && a.line == nil {
		a.note = note{}
	}
}

// tellEvents shows what others did. It stays until the next key, however long that takes.
func (a *app) tellEvents(texts ...string) {
	if len(texts) > 0 {
		a.note = note{text: strings.Join(texts, " ")}
	}
}

// expireNote drops a note whose time is up.
func (a *app) expireNote(now time.Time) {
	if u := a.note.until; !u.IsZero() && !now.Before(u) {
		a.note = note{}
	}
}

func newApp(ctx context.Context, t *Terminal, v *Visit) *app {
	a := &app{
		ctx: ctx, terminal: t, visit: v, profile: t.Profile, w: t.Width, h: t.Height,
		settings: usualSettings, idle: -1, known: make(map[string]bool), invited: make(map[string]bool),
		entered: make(chan struct{}), rung: make(chan struct{}, 1),
	}
	a.alarm = clock.NewAlarm(func() {
		select {
		case a.rung <- struct{}{}:
		default:
		}
	})
	a.setLook()
	return a
}

// setLook makes the look that the settings and the terminal call for.
func (a *app) setLook() {
	light := a.light
	if a.settings.Ground != groundAuto {
		light = a.settings.Ground == groundLight
	}
	p := a.profile
	p.ASCII = p.ASCII || a.settings.ASCII
	if a.settings.Plain {
		p.Colors = paint.NoColor
	}
	a.look = board.Look{Theme: cmp.Or(a.visit.Looks, theme.House).For(p.Colors, light), ASCII: p.ASCII}
	if a.screen != nil {
		a.screen.SetProfile(p)
	}
}

// Init is called by Bubble Tea once.
func (a *app) Init() tea.Cmd { return func() tea.Msg { return beginMsg{} } }

// hush takes the terminal from Bubble Tea, which never had it, so that its renderer's ticker ends.
// It takes half a second, for Bubble Tea waits for a reader that there is not.
func (a *app) hush() {
	defer func() { _ = recover() }() // then it ticks, once a second
	_ = a.release()
}

// View shows nothing, since frames go to the terminal another way.
func (a *app) View() tea.View { return tea.View{} }

// Messages of the session itself.
type (
	beginMsg  struct{}
	wakeMsg   struct{}
	tickMsg   time.Time
	resizeMsg Size
	faultMsg  struct{ err error }
	// doneMsg is how a call into the lobby ended; then runs in the event loop if it went well.
	doneMsg struct {
		err  error
		then func() tea.Cmd
	}
)

// Update is called by Bubble Tea for each message. A panic ends this session and no other.
func (a *app) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			a.fault = fmt.Errorf("tui: %v\n%s", r, debug.Stack())
			cmd = tea.Quit
		}
	}()
	cmd = a.update(msg)
	if a.at != nil {
		a.screen.Draw(a.draw)
		a.chargeDraw(msg)
		if a.read != nil {
			go a.read() // which sends its panic as a faultMsg
			a.read = nil
		}
	}
	a.setPatience()
	a.remind()
	return a, cmd
}

func (a *app) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case beginMsg:
		go a.hush()
		return tea.Batch(a.begin(), a.listen())
	case wakeMsg:
		return tea.Batch(a.refresh(), a.listen())
	case tickMsg:
		a.expireNote(time.Now())
		if a.at == nil {
			return a.listen()
		}
		cmd := a.at.handle(msg)
		if a.follow.any() {
			cmd = tea.Batch(cmd, a.refresh())
		}
		return tea.Batch(cmd, a.listen())
	case resizeMsg:
		a.w, a.h, a.resized = msg.Width, msg.Height, time.Now()
		a.screen.Resize(a.w, a.h)
		return tea.Batch(a.refresh(), a.listen())
	case faultMsg:
		a.fault = msg.err
		return tea.Quit
	case doneMsg:
		return a.done(msg)
	case tea.BackgroundColorMsg:
		if msg.Color != nil {
			a.light = !msg.IsDark()
			a.setLook()
		}
		return nil
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset {
			a.profile.Sync = true
			a.setLook()
		}
		return nil
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return a.quit()
		case key == "ctrl+l":
			a.screen.Redraw()
			return nil
		case time.Now().Before(a.deaf):
			return nil
		}
		a.nextNote()
	case tea.MouseClickMsg:
		a.nextNote()
	}
	switch {
	case a.at == nil:
		return nil
	case a.asking != nil:
		return a.answer(msg)
	case a.line != nil:
		return a.typeLine(msg)
	case a.over != nil:
		return a.over.handle(msg)
	}
	return a.at.handle(msg)
}

// done says what became of a call.
func (a *app) done(msg doneMsg) tea.Cmd {
	if msg.err != nil {
		_, text := lobby.Explain(msg.err)
		a.complain("%s", text)
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
	return a.do(func() tea.Msg {
		ctx, cancel := context.WithTimeout(a.ctx, callTimeout)
		defer cancel()
		return doneMsg{f(ctx), then}
	})
}

// do makes a command of f that survives a panic.
func (a *app) do(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = faultMsg{fmt.Errorf("tui: %v\n%s", r, debug.Stack())}
			}
		}()
		return f()
	}
}

// listen waits for the lobby's wake, for another size, or for the alarm, which remind sets. There is
// always one such command; each of its messages starts the next.
func (a *app) listen() tea.Cmd {
	var wake <-chan struct{} = a.entered
	if a.session != nil {
		wake = a.session.Wake()
	}
	last := a.resized
	return a.do(func() tea.Msg {
		select {
		case <-wake:
			return wakeMsg{}
		case s := <-a.terminal.Resize:
			a.awaitDraw()
			return a.settle(s, last)
		case <-a.rung:
			return tickMsg(time.Now())
		case <-a.ctx.Done():
			return nil
		}
	})
}

// resizePause is the least time between two sizes that are drawn, since each is a new screen: who drags
// a window sees it follow, and who sends sizes without end does not keep a core busy.
const resizePause = 50 * time.Millisecond

// settle waits until another size may be drawn after the last, and returns the newest there is then.
func (a *app) settle(s Size, last time.Time) tea.Msg {
	select {
	case <-time.After(resizePause - time.Since(last)):
	case <-a.ctx.Done():
		return nil
	}
	select {
	case s = <-a.terminal.Resize:
	default:
	}
	return resizeMsg(s)
}

// remind has the listener woken when the screen will look different by itself.
func (a *app) remind() {
	var due time.Time
	if a.at != nil {
		due = a.at.due(time.Now())
	}
	if u := a.note.until; !u.IsZero() && (due.IsZero() || u.Before(due)) {
		due = u
	}
	a.visit.Lobby.Alarms.Set(a.alarm, due)
}

// show puts another screen in the place of the present one.
func (a *app) show(v view) tea.Cmd {
	if a.at != nil {
		a.at.leave()
	}
	a.at, a.trail, a.over, a.asking, a.line = v, nil, nil, nil, nil
	if a.session != nil {
		a.session.LookAway(!a.looksAtLists())
	}
	return v.refresh()
}

// looksAtLists reports whether changes of the lobby's lists concern the screen that is shown.
func (a *app) looksAtLists() bool {
	switch a.at.(type) {
	case *lobbyView, *gridView:
		return true
	case *matchView:
		return a.follow.any()
	}
	return false
}

// tell says something, whole sentences, in the line above the keys.
func (a *app) tell(format string, args ...any) {
	a.note = a.newNote(fmt.Sprintf(format, args...), false)
}

// tellMore says something below what is said already.
func (a *app) tellMore(text string) {
	switch {
	case text == "":
	case a.note.text == "":
		a.tell("%s", text)
	default:
		a.note.text += "\n" + text
	}
}

// complain says there why something was refused; it takes a clause.
func (a *app) complain(format string, args ...any) {
	a.note = a.newNote(words.Sentence(fmt.Sprintf(format, args...)), true)
}

// quit ends the session, after asking if a game is going on.
func (a *app) quit() tea.Cmd {
	if m := a.liveMatch(); m != nil && a.asking == nil {
		return a.ask(yes("Your game "+words.Versus(m.Info, a.session.Account().ID)+" goes on and your clock runs. Leave Ayumu all the same?",
			"leave", "stay", a.leaveNow))
	}
	return a.leaveNow()
}

func (a *app) leaveNow() tea.Cmd {
	a.left = true
	return tea.Quit
}

// liveMatch returns an unfinished match with a running clock in which the person has a seat.
func (a *app) liveMatch() *lobby.Match {
	if a.session == nil {
		return nil
	}
	for _, m := range a.session.Seated() {
		if a.session.Plays(m) && !a.session.Snapshot(m).Frozen && m.Info.Control.Live() {
			return m
		}
	}
	return nil
}

func (a *app) farewell() string {
	if a.session == nil {
		return "Goodbye."
	}
	name := a.session.Account().Name
	if m := a.liveMatch(); m != nil {
		return "Goodbye, " + name + ". Your game " + words.Versus(m.Info, a.session.Account().ID) + " goes on: come back soon."
	}
	return "Goodbye, " + name + "."
}
