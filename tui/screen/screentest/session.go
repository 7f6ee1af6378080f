package screentest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/tui"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
	"ayumu/tui/paint"
)

// Session drives the model of one session as Bubble Tea would, without a terminal.
type Session struct {
	*tui.Model
	// HasEnded reports that the model has ended the session. Seen is the number of messages given to it.
	HasEnded bool
	Seen     int

	t       *testing.T
	msgs    chan tea.Msg  // of commands
	events  chan tea.Msg  // of ListenToSizes
	updates chan struct{} // capacity 1: a DueMsg is to be sent
	screen  *paint.Screen // nil: nobody reads it
	end     context.CancelFunc
}

// Setting is a user and their terminal.
type Setting struct {
	Name          string // of the key; "" for a guest
	Width, Height int    // 80×24 if they are 0
	Profile       paint.Profile
	Open          string // "watch MATCH", "join TABLE", "replay MATCH", or "" for the lobby
	NameHint      string
	IsNew         bool // the user has finished no game; false: many, unless the sign-in asks for a name
	Bots          *bots.Bots
	Puzzles       *puzzles.Collection
	Moderator     club.Moderator
	Manager       club.Manager
	Club          *club.Club // whose bulletin the user sees; nil: none
	Role          club.Role  // in Club, for which it replaces Moderator and Manager; 0: none
	Notify        *notify.Service
	Resize        chan tui.Size
	Stock         bool      // of Terminal: a stock tea.Program runs the session
	Out           io.Writer // of the terminal of Visit; nil: nobody reads it
	SetIdleLimit  func(time.Duration)
	Site          tui.Config // SiteName, Message, WebURL, LastVisit, Picture and Themes are used
}

// operations are those of the server.
var operations = op.NewOperations(append(op.All(), admin.All()...)...)

// config returns the configuration of a session.
func (h *Harness) config(s Setting) *tui.Config {
	to, ok := op.ParseStartPoint(strings.Fields(s.Open))
	if !ok {
		h.T.Fatalf("%q is no destination", s.Open)
	}
	c := s.Site
	c.Config = op.Config{
		Operations: operations,
		Games:      gametest.Games, Lobby: h.Lobby, SSHTarget: "play.example.org", SiteName: s.Site.SiteName, Message: s.Site.Message, WebURL: s.Site.WebURL, LastVisit: s.Site.LastVisit, StartPoint: to, NameHint: s.NameHint,
		Bots: s.Bots, Puzzles: s.Puzzles, Moderator: s.Moderator, Manager: s.Manager, Notify: s.Notify, SetIdleLimit: s.SetIdleLimit,
	}
	if s.Club != nil {
		h.join(&c.Config, s)
	}
	if c.IsOffline() {
		c.Operations, c.SSHTarget = nil, ""
	}
	c.Shared = &h.Shared
	if s.Name != "" {
		c.Key = KeyOf(s.Name)
	}
	return &c
}

// join makes the user of a session one of a club.
func (h *Harness) join(c *op.Config, s Setting) {
	c.Bulletin = &s.Club.Bulletin
	var entered *lobby.Session
	if s.Role != club.RoleNobody {
		actor := club.Actor{Role: s.Role, Account: func() account.Account { return entered.Account() }}
		c.Moderator, c.Manager = s.Club.Moderator(actor), s.Club.Manager(actor)
	}
	c.OnEnter = func(in *lobby.Session) {
		entered = in
		visit := &club.Session{Role: s.Role}
		h.T.Cleanup(s.Club.Sessions.Add(visit))
		s.Club.Sessions.SetAccount(visit, in.Account())
		s.Club.Sessions.SetWake(visit, in.WakeSelf)
	}
}

// NewClub returns a club on the harness's store.
func (h *Harness) NewClub() *club.Club {
	h.T.Helper()
	c, err := club.New(h.T.Context(), h.Store)
	if err != nil {
		h.T.Fatal(err)
	}
	c.SetPolicy(club.PublicPolicy(), nil)
	return c
}

// Visit opens a session's screens. They are closed when the test ends.
func (h *Harness) Visit(s Setting) *Session {
	h.T.Helper()
	if s.Width == 0 {
		s.Width, s.Height = 80, 24
	}
	if s.Resize == nil {
		s.Resize = make(chan tui.Size)
	}
	ctx, cancel := context.WithCancel(h.T.Context())
	d := &Session{t: h.T, msgs: make(chan tea.Msg, 1000), events: make(chan tea.Msg), updates: make(chan struct{}, 1), end: cancel}
	d.Model = tui.NewModel(ctx, s.Width, s.Height, s.Profile, h.config(s))
	if s.Out != nil {
		d.screen = paint.NewScreen(s.Out, s.Width, s.Height, paint.Options{Profile: s.Profile})
	}
	d.SetRuntime(tui.Runtime{
		Send: func(msg tea.Msg) {
			select {
			case d.events <- msg:
			case <-ctx.Done():
			}
		},
		Schedule: func() {
			select {
			case d.updates <- struct{}{}:
			default:
			}
		},
	})
	go d.ListenToSizes(s.Resize)
	d.Start(d.Init())
	d.Drain()
	if d.Visit != nil && !s.IsNew {
		for _, g := range gametest.Games {
			d.Visit.Experience.Set(g.Name(), 100)
		}
		d.Text() // draws without what newcomers see
	}
	h.T.Cleanup(d.Close)
	return d
}

// Close ends the session. Its goroutines must end before the synctest bubble does.
func (d *Session) Close() {
	if d.Session != nil {
		d.Session.Close(!d.HasQuit)
	}
	d.end()
}

// Start runs a command and queues its messages. It may be called from any goroutine.
func (d *Session) Start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.Start(c)
			}
		default:
			d.msgs <- msg
		}
	}()
}

// Drain delivers messages to the model until none are left without time passing.
func (d *Session) Drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.Send(msg)
		case msg := <-d.events:
			d.Send(msg)
		case <-d.updates:
			d.Send(tui.DueMsg{})
		default:
			if d.Err() != nil {
				d.t.Fatal(d.Err())
			}
			return
		}
	}
}

// Send gives a message to the model.
func (d *Session) Send(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.HasEnded = true
		return
	}
	d.Seen++
	if size, ok := msg.(tea.WindowSizeMsg); ok && d.screen != nil {
		d.screen.Resize(size.Width, size.Height)
	}
	_, cmd := d.Update(msg)
	if p := d.Picture(); d.screen != nil && p.Frame != nil {
		if p.Profile != d.screen.Profile() {
			d.screen.SetProfile(p.Profile)
		}
		d.screen.Show(p.Frame)
	}
	d.Start(cmd)
}

// Advance lets time pass and delivers the messages of that time.
func (d *Session) Advance(t time.Duration) {
	d.t.Helper()
	end := time.Now().Add(t)
	for time.Now().Before(end) {
		// In small steps, because ticks must be answered when they fire.
		Advance(min(10*time.Millisecond, time.Until(end)))
		d.Drain()
	}
}

// Press presses keys, given by their Bubble Tea names and separated by spaces. A command after a colon, such as :flip, is
// run in the palette; + stands for a space in it.
func (d *Session) Press(keys string) {
	d.t.Helper()
	for _, name := range strings.Fields(keys) {
		if command, ok := strings.CutPrefix(name, ":"); ok && command != "" {
			d.Press(":")
			d.TypeText(strings.ReplaceAll(command, "+", " "))
			name = "enter"
		}
		d.Send(Key(name))
		d.Drain()
	}
}

// TypeText types a text.
func (d *Session) TypeText(text string) {
	for _, r := range text {
		d.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		d.Drain()
	}
}

var keyCodes = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
	"esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// Key returns the message of a key with that Bubble Tea name.
func Key(name string) tea.KeyPressMsg {
	if code, ok := keyCodes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// FillField selects an answer in the row with that label of the form that is shown, from its first row.
func (d *Session) FillField(label, answer string) {
	d.t.Helper()
	for range 30 {
		if field := d.field(); !strings.HasPrefix(field, label) {
			d.Press("down")
			continue
		}
		d.Press(strings.Repeat("left ", 20))
		for range 20 {
			if strings.Contains(d.field(), "["+answer+"]") {
				d.Press(strings.Repeat("up ", 20))
				return
			}
			d.Press("right")
		}
		d.t.Fatalf("the row %s has no answer %s:\n%s", label, answer, d.Text())
	}
	d.t.Fatalf("the form has no row %s:\n%s", label, d.Text())
}

// field returns the text of the form's selected row: its label and answers.
func (d *Session) field() string {
	var field []string
	for line := range strings.Lines(d.Text()) {
		inside, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(line, " "), "│"), "│") // of its pane, if there is one
		inside = strings.TrimSpace(inside)
		label, isSelected := strings.CutPrefix(inside, "▸ ")
		switch {
		case isSelected:
			field = append(field, label)
		case field == nil:
		case inside == "":
			return strings.Join(field, "\n")
		default:
			field = append(field, inside)
		}
	}
	return strings.Join(field, "\n")
}

// Text returns the screen as text, without colours. The test fails if the session's frame, which may share drawings
// with other sessions and with earlier frames, differs from one that is drawn anew.
func (d *Session) Text() string {
	d.t.Helper()
	d.Drain()
	frame, anew := d.Frame(d.Picture().Frame, d.Width, d.Height), paint.Draw(nil, d.Width, d.Height, d.Draw)
	if !frame.Equal(anew) {
		d.t.Errorf("the frame is\n%s\nnot\n%s", frame, anew)
	}
	return anew.String()
}

// WantText fails the test unless the screen contains all parts.
func (d *Session) WantText(parts ...string) {
	d.t.Helper()
	shown := d.Text()
	for _, p := range parts {
		if !strings.Contains(shown, p) {
			d.t.Errorf("the screen lacks %q:\n%s", p, shown)
		}
	}
}

// HelpText returns the whole help page that is open, one screen after the other.
func (d *Session) HelpText() string {
	d.Press("home")
	text := d.Text()
	for strings.Contains(d.Text(), "more line") {
		d.Press("pgdown")
		text += d.Text()
	}
	return text
}

// WantPanel fails the test if the panel beside the board, without its line breaks, lacks one of the parts.
func (d *Session) WantPanel(parts ...string) {
	d.t.Helper()
	rows := strings.Split(d.Text(), "\n")
	column := -1 // of the left edge, where the rules of the panel begin
	for _, row := range rows {
		if i := strings.Index(row, "─ "); i >= 0 {
			column = max(column, utf8.RuneCountInString(row[:i]))
		}
	}
	if column < 0 {
		d.t.Fatalf("the screen has no panel:\n%s", d.Text())
	}
	var panel []string
	for _, row := range rows[:len(rows)-1] {
		if cells := []rune(row); len(cells) > column {
			panel = append(panel, strings.Fields(string(cells[column:]))...)
		}
	}
	shown := strings.Join(panel, " ")
	for _, p := range parts {
		if !strings.Contains(shown, p) {
			d.t.Errorf("the panel lacks %q:\n%s", p, d.Text())
		}
	}
}

// WantNoText fails the test if the screen contains one of the parts.
func (d *Session) WantNoText(parts ...string) {
	d.t.Helper()
	shown := d.Text()
	for _, p := range parts {
		if strings.Contains(shown, p) {
			d.t.Errorf("the screen has %q:\n%s", p, shown)
		}
	}
}

// ClickOn clicks on the n-th place, from 0, below the header at which a text begins.
func (d *Session) ClickOn(text string, n int) {
	for y, l := range strings.Split(d.Text(), "\n") {
		runes := []rune(l)
		for x := range runes {
			if y > 0 && strings.HasPrefix(string(runes[x:]), text) {
				if n--; n < 0 {
					d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					d.Drain()
					return
				}
			}
		}
	}
	d.t.Fatalf("the screen has too few %q:\n%s", text, d.Text())
}

// PlayingScreen opens the screens of ana, who plays a match against bob with Black.
func (h *Harness) PlayingScreen(turns ...string) (*Session, *lobby.Match) {
	m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, turns...)
	return h.Visit(Setting{Name: "ana"}), m
}

// FirstLegal is a search that lists the first legal actions.
func FirstLegal(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
	legal := p.Legal()
	a := search.Advice{Chances: []float64{0.62, 0.38}}
	for i, action := range legal[:min(len(legal), 5)] {
		a.Choices = append(a.Choices, search.Choice{Actions: []string{action}, Chance: 0.62 - float64(i)/100})
	}
	return a, nil
}

// VisitMany opens the screens of n users, w0 and so on, on two kinds of terminals.
func (h *Harness) VisitMany(n int, open string) (all []*Session) {
	for i := range n {
		s := Setting{Name: fmt.Sprintf("w%d", i), Open: open, Profile: paint.Profile{Colors: paint.Colors256, ASCII: i%2 == 1}}
		h.Account(s.Name)
		all = append(all, h.Visit(s))
	}
	return all
}
