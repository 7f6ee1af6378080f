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

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/store"
	"ayumu/tui/paint"
)

// house is a lobby that lasts as long as a test, whose time is synctest's.
type house struct {
	*lobby.Lobby
	t        *testing.T
	store    *store.SQLite
	sessions map[string]*lobby.Session
}

func inHouse(t *testing.T, f func(h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := store.OpenMemory()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Store: s, Report: func(msg string, kv ...any) { t.Error(msg, kv) }})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f(&house{Lobby: l, t: t, store: s, sessions: make(map[string]*lobby.Session)})
	})
}

// pass lets time go by, which in a house is synctest's.
func pass(d time.Duration) { <-time.After(d) }

func keyOfName(name string) []byte { return []byte("key of " + name) }

// member lets somebody in who has no terminal.
func (h *house) member(name string) *lobby.Session {
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

func (h *house) account(name string) lobby.Account {
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

// match starts a game in which black has the first move, and plays turns.
func (h *house) match(black, white, options string, control clock.Control, turns ...string) *lobby.Match {
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
		// The seats are drawn; what is not wanted is given up and drawn again.
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *house) player(m *lobby.Match, seat int) *lobby.Player {
	h.t.Helper()
	p, err := h.member(m.Info.Seats[seat].Name).Sit(m.Info.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// play makes turns, each by the seat whose turn it is.
func (h *house) play(m *lobby.Match, turns ...string) {
	h.t.Helper()
	for _, turn := range turns {
		s := m.Snapshot()
		if _, err := h.player(m, s.Position.Turn()).Act(h.t.Context(), s.Version, []string{turn}); err != nil {
			h.t.Fatalf("%s: %v", turn, err)
		}
	}
}

// screen drives the model of one session as Bubble Tea would, without a terminal.
type screen struct {
	*app
	t    *testing.T
	msgs chan tea.Msg
	end  context.CancelFunc
	quit bool
	seen int // messages that the model was given
}

type setting struct {
	name    string // of the key; "" for a guest
	w, h    int
	profile paint.Profile
	open    string
	hint    string
	bots    *bots.Company
	office  Office
	resize  chan Size
	idle    func(time.Duration)
	club    Visit // whose club, message, picture and looks are the host's
}

// visit opens a session's screens; its size is 80×24 unless said otherwise.
func (h *house) visit(s setting) *screen {
	h.t.Helper()
	if s.w == 0 {
		s.w, s.h = 80, 24
	}
	ctx, cancel := context.WithCancel(h.t.Context())
	v := Visit{Lobby: h.Lobby, Host: "play.example.org", Open: s.open, Hint: s.hint, Bots: s.bots, Office: s.office, Idle: s.idle}
	v.Club, v.Message, v.Picture, v.Looks = s.club.Club, s.club.Message, s.club.Picture, s.club.Looks
	if s.name != "" {
		v.Key = keyOfName(s.name)
	}
	if s.resize == nil {
		s.resize = make(chan Size)
	}
	d := &screen{t: h.t, msgs: make(chan tea.Msg, 1000), end: cancel}
	d.app = newApp(ctx, &Terminal{Width: s.w, Height: s.h, Profile: s.profile, Resize: s.resize}, &v)
	d.app.screen = paint.NewScreen(io.Discard, s.w, s.h, paint.Options{Profile: s.profile})
	d.app.release = func() error { return nil }
	d.run(d.app.Init())
	d.settle()
	h.t.Cleanup(d.close)
	return d
}

// close ends the session; goroutines that wait must end before the bubble does.
func (d *screen) close() {
	if d.session != nil {
		d.session.Close(!d.left)
	}
	d.end()
}

func (d *screen) run(cmd tea.Cmd) {
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

// settle gives the model its messages until there are no more without time passing.
func (d *screen) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.give(msg)
		default:
			if d.fault != nil {
				d.t.Fatal(d.fault)
			}
			return
		}
	}
}

func (d *screen) give(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	d.seen++
	_, cmd := d.Update(msg)
	d.run(cmd)
}

// pass lets time go by.
func (d *screen) pass(t time.Duration) {
	d.t.Helper()
	end := time.Now().Add(t)
	for time.Now().Before(end) {
		// In small steps, since ticks are to be answered when they come.
		pass(min(10*time.Millisecond, time.Until(end)))
		d.settle()
	}
}

// press presses keys, by their names as Bubble Tea gives them, separated by spaces.
func (d *screen) press(keys string) {
	d.t.Helper()
	for _, name := range strings.Fields(keys) {
		d.give(key(name))
		d.settle()
	}
}

// write types a text.
func (d *screen) write(text string) {
	for _, r := range text {
		d.give(tea.KeyPressMsg{Code: r, Text: string(r)})
		d.settle()
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

// fill answers a question of a form.
func (d *screen) fill(label, answer string) {
	d.t.Helper()
	v := d.at.(*tableView)
	for _, r := range v.rows() {
		if r.label != label {
			d.press("down")
			continue
		}
		for range r.answers {
			d.press("left")
		}
		for _, a := range r.answers {
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
	d.t.Fatalf("the form does not ask for %s:\n%s", label, d.text())
}

// text is what the screen shows, without colours.
func (d *screen) text() string {
	d.settle()
	return paint.Draw(nil, d.w, d.h, d.draw).String()
}

// has fails the test unless the screen shows all of these.
func (d *screen) has(parts ...string) {
	d.t.Helper()
	shown := d.text()
	for _, p := range parts {
		if !strings.Contains(shown, p) {
			d.t.Errorf("the screen lacks %q:\n%s", p, shown)
		}
	}
}

// lacks fails the test if the screen shows one of these.
func (d *screen) lacks(parts ...string) {
	d.t.Helper()
	shown := d.text()
	for _, p := range parts {
		if strings.Contains(shown, p) {
			d.t.Errorf("the screen has %q:\n%s", p, shown)
		}
	}
}

// terminal is a whole session: Run with a pipe for its input, and an emulator that reads its output.
type terminal struct {
	t    *testing.T
	in   *io.PipeWriter
	emu  vt10x.Terminal
	mu   sync.Mutex
	raw  []byte
	left Departure     // once gone is closed
	gone chan struct{} // closed when Run has returned
	stop context.CancelFunc
}

func (h *house) terminal(s setting) *terminal {
	h.t.Helper()
	if s.w == 0 {
		s.w, s.h = 80, 24
	}
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(h.t.Context())
	e := &terminal{t: h.t, in: w, emu: vt10x.New(vt10x.WithSize(s.w, s.h)), gone: make(chan struct{}), stop: stop}
	v := Visit{Lobby: h.Lobby, Host: "play.example.org", Open: s.open}
	if s.name != "" {
		v.Key = keyOfName(s.name)
	}
	go func() {
		e.left = Run(ctx, &Terminal{In: r, Out: e, Width: s.w, Height: s.h, Profile: s.profile}, &v)
		r.Close()
		close(e.gone)
	}()
	h.t.Cleanup(func() {
		stop()
		<-e.gone
		pass(time.Second) // Bubble Tea's goroutines end a little later
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

// got reports whether the terminal was ever sent some bytes.
func (e *terminal) got(bytes string) bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(string(e.raw), bytes)
}

func (e *terminal) must(part string) {
	e.t.Helper()
	if !e.shows(part) {
		e.t.Fatalf("the terminal lacks %q:\n%s", part, e.emu.String())
	}
}
