package tui

import (
	"context"
	"encoding/json"
	"io"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/hinshun/vt10x"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/sqlite"
	"ayumu/tui/client"
	"ayumu/tui/game/gametest"
	"ayumu/tui/paint"
)

// harness is a lobby in a synctest bubble, which lasts as long as the test.
type harness struct {
	*lobby.Lobby
	t        *testing.T
	store    *sqlite.Store
	sessions map[string]*lobby.Session
}

func withHarness(t *testing.T, f func(h *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: func(msg string, kv ...any) { t.Error(msg, kv) }})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f(&harness{Lobby: l, t: t, store: s, sessions: make(map[string]*lobby.Session)})
	})
}

// advance sleeps; in a harness the time is synctest's.
func advance(d time.Duration) { <-time.After(d) }

func keyOfName(name string) []byte { return []byte("key of " + name) }

// member returns the session of a user without a terminal, registering the account if needed.
func (h *harness) member(name string) *lobby.Session {
	h.t.Helper()
	if s := h.sessions[name]; s != nil {
		return s
	}
	a := h.account(name)
	s, err := h.Enter(a, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.sessions[name] = s
	return s
}

func (h *harness) account(name string) lobby.Account {
	h.t.Helper()
	a, known, err := h.AccountByKey(h.t.Context(), keyOfName(name))
	if err == nil && !known {
		a, err = h.Register(h.t.Context(), name, keyOfName(name), netip.Addr{})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// match starts a match in which black has seat 0, and plays turns.
func (h *harness) match(black, white, options string, control clock.Control, turns ...string) *lobby.Match {
	h.t.Helper()
	casual := false
	p := lobby.Proposal{Game: "ayu", Options: json.RawMessage(options), Clock: &control, Rated: &casual}
	for {
		table, err := h.member(black).Open(h.t.Context(), p)
		if err != nil {
			h.t.Fatal(err)
		}
		id, err := h.member(white).Join(h.t.Context(), table.ID, "")
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.t.Fatal(err)
		}
		if m.Info.Seats[0].Name == black {
			h.play(m, turns...)
			return m
		}
		// Seats are drawn at random: resign and draw again.
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *harness) player(m *lobby.Match, seat int) *lobby.Player {
	h.t.Helper()
	p, err := h.member(m.Info.Seats[seat].Name).Sit(m.Info.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// play plays turns, each by the seat to move.
func (h *harness) play(m *lobby.Match, turns ...string) {
	h.t.Helper()
	for _, turn := range turns {
		s := m.Snapshot()
		if _, err := h.player(m, s.Position.Turn()).Act(h.t.Context(), s.Version, []string{turn}); err != nil {
			h.t.Fatalf("%s: %v", turn, err)
		}
	}
}

// testScreen drives the model of one session as Bubble Tea would, without a terminal.
type testScreen struct {
	*app
	t    *testing.T
	msgs chan tea.Msg
	end  context.CancelFunc
	quit bool
	seen int // number of messages given to the model
}

type setting struct {
	name       string // of the key; "" for a guest
	w, h       int
	profile    paint.Profile
	open       string
	hint       string
	bots       *bots.Bots
	moderation client.Moderation
	resize     chan Size
	idle       func(time.Duration)
	club       Config // SiteName, Message, Picture and Themes are used
}

// destinationOf parses a destination: "watch MATCH".
func destinationOf(text string) client.Destination {
	d, ok := client.ParseDestination(strings.Fields(text))
	if !ok {
		panic("no destination: " + text)
	}
	return d
}

// visit opens a session's screens, 80×24 by default.
func (h *harness) visit(s setting) *testScreen {
	h.t.Helper()
	if s.w == 0 {
		s.w, s.h = 80, 24
	}
	ctx, cancel := context.WithCancel(h.t.Context())
	v := Config{Config: client.Config{Games: gametest.Games, Lobby: h.Lobby, SSHTarget: "play.example.org", Destination: destinationOf(s.open), NameHint: s.hint, Bots: s.bots, Moderation: s.moderation, SetIdleLimit: s.idle}}
	v.SiteName, v.Message, v.Picture, v.Themes = s.club.SiteName, s.club.Message, s.club.Picture, s.club.Themes
	if s.name != "" {
		v.Key = keyOfName(s.name)
	}
	if s.resize == nil {
		s.resize = make(chan Size)
	}
	d := &testScreen{t: h.t, msgs: make(chan tea.Msg, 1000), end: cancel}
	d.app = newApp(ctx, &Terminal{Width: s.w, Height: s.h, Profile: s.profile, Resize: s.resize}, &v)
	d.app.Terminal = paint.NewScreen(io.Discard, s.w, s.h, paint.Options{Profile: s.profile})
	d.app.restore = func() error { return nil }
	d.run(d.app.Init())
	d.drainMessages()
	h.t.Cleanup(d.close)
	return d
}

// close ends the session. Its goroutines must end before the synctest bubble does.
func (d *testScreen) close() {
	if d.Session != nil {
		d.Session.Close(!d.HasQuit)
	}
	d.end()
}

func (d *testScreen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.msgs <- msg
		}
	}()
}

// drainMessages delivers messages to the model until none are left without time passing.
func (d *testScreen) drainMessages() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.send(msg)
		default:
			if d.err != nil {
				d.t.Fatal(d.err)
			}
			return
		}
	}
}

func (d *testScreen) send(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	d.seen++
	_, cmd := d.Update(msg)
	d.run(cmd)
}

// advance lets time pass and delivers the messages of that time.
func (d *testScreen) advance(t time.Duration) {
	d.t.Helper()
	end := time.Now().Add(t)
	for time.Now().Before(end) {
		// In small steps, because ticks must be answered when they fire.
		advance(min(10*time.Millisecond, time.Until(end)))
		d.drainMessages()
	}
}

// press presses keys, given by their Bubble Tea names and separated by spaces.
func (d *testScreen) press(keys string) {
	d.t.Helper()
	for _, name := range strings.Fields(keys) {
		d.send(key(name))
		d.drainMessages()
	}
}

// typeText types a text.
func (d *testScreen) typeText(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		d.drainMessages()
	}
}

var keyCodes = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
	"esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

func key(name string) tea.KeyPressMsg {
	if code, ok := keyCodes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// fillField selects an answer in a row of the form.
func (d *testScreen) fillField(label, answer string) {
	d.t.Helper()
	v := d.Current().(*tableForm)
	for _, r := range v.rows() {
		if r.Label != label {
			d.press("down")
			continue
		}
		for range r.Answers {
			d.press("left")
		}
		for _, a := range r.Answers {
			if a == answer {
				break
			}
			d.press("right")
		}
		for range v.rows() {
			d.press("up")
		}
		return
	}
	d.t.Fatalf("the form has no row %s:\n%s", label, d.text())
}

// text returns the screen as text, without colours.
func (d *testScreen) text() string {
	d.drainMessages()
	return paint.Draw(nil, d.Width, d.Height, d.Draw).String()
}

// wantText fails the test unless the screen contains all parts.
func (d *testScreen) wantText(parts ...string) {
	d.t.Helper()
	shown := d.text()
	for _, p := range parts {
		if !strings.Contains(shown, p) {
			d.t.Errorf("the screen lacks %q:\n%s", p, shown)
		}
	}
}

// wantNoText fails the test if the screen contains one of the parts.
func (d *testScreen) wantNoText(parts ...string) {
	d.t.Helper()
	shown := d.text()
	for _, p := range parts {
		if strings.Contains(shown, p) {
			d.t.Errorf("the screen has %q:\n%s", p, shown)
		}
	}
}

// terminal is a complete session: Run with a pipe as its input, and an emulator that reads its output.
type terminal struct {
	t    *testing.T
	in   *io.PipeWriter
	emu  vt10x.Terminal
	mu   sync.Mutex
	raw  []byte
	exit client.Exit   // valid once done is closed
	done chan struct{} // closed when Run has returned
	stop context.CancelFunc
}

func (h *harness) terminal(s setting) *terminal {
	h.t.Helper()
	if s.w == 0 {
		s.w, s.h = 80, 24
	}
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(h.t.Context())
	e := &terminal{t: h.t, in: w, emu: vt10x.New(vt10x.WithSize(s.w, s.h)), done: make(chan struct{}), stop: stop}
	v := Config{Config: client.Config{Games: gametest.Games, Lobby: h.Lobby, SSHTarget: "play.example.org", Destination: destinationOf(s.open)}}
	if s.name != "" {
		v.Key = keyOfName(s.name)
	}
	go func() {
		e.exit = Run(ctx, &Terminal{In: r, Out: e, Width: s.w, Height: s.h, Profile: s.profile}, &v)
		r.Close()
		close(e.done)
	}()
	h.t.Cleanup(func() {
		stop()
		<-e.done
		advance(time.Second) // until Bubble Tea's goroutines have ended
	})
	synctest.Wait()
	return e
}

func (e *terminal) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.raw = append(e.raw, p...)
	return e.emu.Write(p)
}

// keys sends bytes as a terminal does, one key after the other.
func (e *terminal) keys(keys ...string) {
	for _, k := range keys {
		io.WriteString(e.in, k)
		synctest.Wait()
	}
}

func (e *terminal) shows(part string) bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(e.emu.String(), part)
}

// received reports whether the terminal has ever received these bytes.
func (e *terminal) received(bytes string) bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(string(e.raw), bytes)
}

func (e *terminal) waitFor(part string) {
	e.t.Helper()
	if !e.shows(part) {
		e.t.Fatalf("the terminal lacks %q:\n%s", part, e.emu.String())
	}
}
