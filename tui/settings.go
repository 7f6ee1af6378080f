package tui

import (
	"context"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// settings are a user's settings for the screens. They are kept with the account; a guest's last as
// long as the session.
type settings struct {
	Bell        bool `json:"bell"`
	Background  int  `json:"ground"`
	Plain       bool `json:"plain"` // no colours
	ASCII       bool `json:"ascii"`
	Confirm     bool `json:"confirm"`
	ReplaySpeed int  `json:"pace"` // of replays, an index into replaySpeeds
}

// The background for which colours are chosen.
const (
	backgroundAuto = iota // as the terminal reports
	backgroundDark
	backgroundLight
)

var defaultSettings = settings{Bell: true, Confirm: true, ReplaySpeed: defaultSpeed}

// readSettings parses stored settings. Unknown fields are ignored and values out of range are clamped;
// text that cannot be parsed gives the defaults.
func readSettings(raw []byte) settings {
	s := defaultSettings
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return defaultSettings
	}
	s.Background = max(min(s.Background, backgroundLight), backgroundAuto)
	s.ReplaySpeed = max(min(s.ReplaySpeed, len(replaySpeeds)-1), 0)
	return s
}

// settingsScreen edits the settings. It is an overlay.
type settingsScreen struct {
	app    *app
	before settings
	row    int
}

func (a *app) openSettings() tea.Cmd {
	a.overlay = &settingsScreen{app: a, before: a.settings}
	return nil
}

func (v *settingsScreen) rows() []formRow {
	a, s := v.app, &v.app.settings
	toggle := func(label string, b *bool, off, on, about string) formRow {
		r := formRow{label: label, answers: []string{off, on}, help: about, set: func(n int) { *b = n == 1; a.setStyle() }}
		if *b {
			r.index = 1
		}
		return r
	}
	pace := formRow{label: "Replay speed", index: s.ReplaySpeed, set: func(n int) { s.ReplaySpeed = n }, help: "The speed of autoplay (P) and of turns with many steps."}
	for _, p := range replaySpeeds {
		pace.answers = append(pace.answers, p.name)
	}
	return []formRow{
		toggle("Bell", &s.Bell, "off", "on", "Rings when it is your turn, a game starts, or someone challenges you."),
		{label: "Background", answers: []string{"auto", "dark", "light"}, index: s.Background,
			set: func(n int) { s.Background = n; a.setStyle() }, help: "The background of your terminal. Auto: ask the terminal."},
		toggle("Colours", &s.Plain, "on", "off", "Off: shapes alone distinguish everything."),
		toggle("Characters", &s.ASCII, "Unicode", "ASCII", "ASCII: for terminals and fonts that show nothing else."),
		toggle("Confirmations", &s.Confirm, "fewer", "all", "Fewer: no question before a draw offer or before you leave a game. Resigning always asks."),
		pace,
	}
}

func (v *settingsScreen) handle(msg tea.Msg) tea.Cmd {
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
		r.set(max(r.index-1, 0))
	case "right", "l":
		r.set(min(r.index+1, len(r.answers)-1))
	case "space", "enter":
		r.set((r.index + 1) % len(r.answers))
	case "a":
		return tea.Batch(v.save(), v.app.openAccount())
	case "?":
		return v.app.openHelp()
	case "q", "esc", "o":
		v.app.overlay = nil
		return v.save()
	}
	return nil
}

// save stores the settings with the account if they have changed.
func (v *settingsScreen) save() tea.Cmd {
	a := v.app
	if a.settings == v.before || a.session == nil || a.session.Account().IsGuest() {
		return nil
	}
	raw, err := json.Marshal(a.settings)
	if err != nil {
		panic(err) // cannot happen: a struct of numbers and booleans
	}
	return a.call(func(ctx context.Context) error { return a.session.SaveSettings(ctx, raw) }, nil)
}

func (v *settingsScreen) draw(c paint.Canvas) {
	v.app.drawHeader(c, "Settings", "", "")
	for i, r := range v.rows() {
		v.app.drawFormRow(c, 2+i*2, r, i == v.row)
	}
}

func (v *settingsScreen) statusLine() (string, paint.Style) {
	return v.rows()[v.row].help, v.app.style.Theme.Dim
}

func (v *settingsScreen) statusKeys() []game.Key {
	return []game.Key{{Key: "↑↓", Help: "setting"}, {Key: "←→", Help: "change"}, {Key: "a", Help: "account and keys"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
}

func (v *settingsScreen) help() helpPage {
	p := helpPage{title: "Settings", about: "How Ayumu looks and when it asks. Changes apply at once. They are kept with your account; a guest's are lost at the end of the visit.",
		keys: []game.Key{{Key: "↑ ↓", Help: "select a setting"}, {Key: "← →", Help: "change it"},
			{Key: "a", Help: "your account: name, SSH keys, blocked players"}, {Key: "q", Help: "back"}}}
	for _, r := range v.rows() {
		p.keys = append(p.keys, game.Key{Key: r.label, Help: r.help})
	}
	return p
}

func (v *settingsScreen) refresh() tea.Cmd               { return nil }
func (v *settingsScreen) nextChange(time.Time) time.Time { return time.Time{} }
func (v *settingsScreen) close()                         {}
