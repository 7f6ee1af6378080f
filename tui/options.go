package tui

import (
	"context"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/board"
	"ayumu/tui/paint"
)

// settings are what a person has chosen for the screens. They are kept with the account; a guest's
// last as long as the session.
type settings struct {
	Bell    bool `json:"bell"`
	Ground  int  `json:"ground"`
	Plain   bool `json:"plain"` // no colours
	ASCII   bool `json:"ascii"`
	Confirm bool `json:"confirm"`
	Pace    int  `json:"pace"` // of replays, an index of paces
}

// The ground for which colours are chosen.
const (
	groundAuto = iota // as the terminal says
	groundDark
	groundLight
)

var usualSettings = settings{Bell: true, Confirm: true, Pace: usualPace}

// readSettings reads what was kept; what it does not understand stays as usual.
func readSettings(raw []byte) settings {
	s := usualSettings
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return usualSettings
	}
	s.Ground = max(min(s.Ground, groundLight), groundAuto)
	s.Pace = max(min(s.Pace, len(paces)-1), 0)
	return s
}

// optionsView is the settings, over the screen from which they were opened.
type optionsView struct {
	app    *app
	before settings
	row    int
}

func (a *app) openOptions() tea.Cmd {
	a.over = &optionsView{app: a, before: a.settings}
	return nil
}

func (v *optionsView) rows() []formRow {
	a, s := v.app, &v.app.settings
	toggle := func(label string, b *bool, off, on, about string) formRow {
		r := formRow{label: label, answers: []string{off, on}, about: about, set: func(n int) { *b = n == 1; a.setLook() }}
		if *b {
			r.at = 1
		}
		return r
	}
	pace := formRow{label: "Replay", at: s.Pace, set: func(n int) { s.Pace = n }, about: "How fast a game is played through (P), and a turn of many steps is shown."}
	for _, p := range paces {
		pace.answers = append(pace.answers, p.name)
	}
	return []formRow{
		toggle("Bell", &s.Bell, "off", "on", "Rings when it is your turn, a game begins, or somebody challenges you."),
		{label: "Background", answers: []string{"as the terminal says", "dark", "light"}, at: s.Ground,
			set: func(n int) { s.Ground = n; a.setLook() }, about: "Which colours suit your terminal."},
		toggle("Colours", &s.Plain, "on", "off", "Everything can be told apart without them."),
		toggle("Characters", &s.ASCII, "all", "ASCII", "ASCII is for terminals and fonts that show nothing else."),
		toggle("Questions", &s.Confirm, "few", "usual", "Few: nobody asks before a draw offer or before you leave a game; resigning always asks."),
		pace,
	}
}

func (v *optionsView) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	rows := v.rows()
	r := rows[v.row]
	switch key.String() {
	case "up", "k", "shift+tab":
		v.row = max(v.row-1, 0)
	case "down", "j", "tab":
		v.row = min(v.row+1, len(rows)-1)
	case "left", "h":
		r.set(max(r.at-1, 0))
	case "right", "l":
		r.set(min(r.at+1, len(r.answers)-1))
	case "space", "enter":
		r.set((r.at + 1) % len(r.answers))
	case "a":
		return tea.Batch(v.save(), v.app.openAccount())
	case "?":
		return v.app.openHelp()
	case "q", "esc", "o":
		v.app.over = nil
		return v.save()
	}
	return nil
}

// save keeps the settings with the account, if they have changed.
func (v *optionsView) save() tea.Cmd {
	a := v.app
	if a.settings == v.before || a.session == nil || a.session.Account().Guest() {
		return nil
	}
	raw, err := json.Marshal(a.settings)
	if err != nil {
		panic(err) // a struct of numbers
	}
	return a.call(func(ctx context.Context) error { return a.session.SaveSettings(ctx, raw) }, nil)
}

func (v *optionsView) draw(c paint.Canvas) {
	v.app.header(c, "Settings", "", "")
	for i, r := range v.rows() {
		v.app.drawFormRow(c, 2+i*2, r, i == v.row)
	}
}

func (v *optionsView) hint() (string, paint.Style) {
	return v.rows()[v.row].about, v.app.look.Theme.Dim
}

func (v *optionsView) keys() []board.Key {
	return []board.Key{{Key: "↑↓", Does: "setting"}, {Key: "←→", Does: "change"}, {Key: "a", Does: "account and keys"}, {Key: "?", Does: "help"}, {Key: "q", Does: "back"}}
}

func (v *optionsView) help() helpPage {
	p := helpPage{title: "Settings", about: "How Ayumu looks and when it asks. What is changed holds at once; it is kept with your account, and for a guest until the end of the visit.",
		keys: []board.Key{{Key: "↑ ↓", Does: "go from setting to setting"}, {Key: "← →", Does: "change it"},
			{Key: "a", Does: "your account: name, SSH keys, blocked people"}, {Key: "q", Does: "back"}}}
	for _, r := range v.rows() {
		p.keys = append(p.keys, board.Key{Key: r.label, Does: r.about})
	}
	return p
}

func (v *optionsView) refresh() tea.Cmd        { return nil }
func (v *optionsView) due(time.Time) time.Time { return time.Time{} }
func (v *optionsView) leave()                  {}
