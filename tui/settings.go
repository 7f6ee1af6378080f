package tui

import (
	"context"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// settingsScreen edits the settings. It is an overlay.
type settingsScreen struct {
	screen.Base
	app    *Model
	before screen.Settings
	row    int
}

func (a *Model) openSettings() tea.Cmd {
	a.OpenOverlay(&settingsScreen{app: a, before: a.Settings})
	return nil
}

func (v *settingsScreen) rows() []widget.FormRow {
	a, s := v.app, &v.app.Settings
	toggle := func(label string, b *bool, off, on, about string) widget.FormRow {
		r := widget.FormRow{Label: label, Answers: []string{off, on}, Help: about, Set: func(n int) { *b = n == 1; a.UpdateStyle() }}
		if *b {
			r.Index = 1
		}
		return r
	}
	pace := widget.FormRow{Label: "Replay speed", Index: s.ReplaySpeed, Set: func(n int) { s.ReplaySpeed = n }, Help: "The speed of autoplay (P) and of turns with many steps."}
	for _, p := range screen.ReplaySpeeds {
		pace.Answers = append(pace.Answers, p.Name)
	}
	return []widget.FormRow{
		toggle("Bell", &s.Bell, "off", "on", "Rings when it is your turn, a game starts, or someone challenges you."),
		{Label: "Background", Answers: []string{"auto", "dark", "light"}, Index: s.Background,
			Set: func(n int) { s.Background = n; a.UpdateStyle() }, Help: "The background of your terminal. Auto: ask the terminal."},
		toggle("Colours", &s.Plain, "on", "off", "Off: shapes alone distinguish everything."),
		toggle("Characters", &s.ASCII, "Unicode", "ASCII", "ASCII: for terminals and fonts that show nothing else."),
		toggle("Confirmations", &s.Confirm, "fewer", "all", "Fewer: no question before a draw offer or before you leave a game. Resigning always asks."),
		pace,
	}
}

func (v *settingsScreen) Handle(msg tea.Msg) tea.Cmd {
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
		r.Set(max(r.Index-1, 0))
	case "right", "l":
		r.Set(min(r.Index+1, len(r.Answers)-1))
	case "space", "enter":
		r.Set((r.Index + 1) % len(r.Answers))
	case "a":
		return tea.Batch(v.save(), v.app.openAccount())
	case "?":
		return v.app.OpenHelp()
	case "q", "esc", "o":
		v.app.CloseOverlay()
		return v.save()
	}
	return nil
}

// save stores the settings with the account if they have changed.
func (v *settingsScreen) save() tea.Cmd {
	a := v.app
	if a.Settings == v.before || a.Session == nil || a.Session.Account().IsGuest() {
		return nil
	}
	raw, err := json.Marshal(a.Settings)
	if err != nil {
		panic(err) // cannot happen: a struct of numbers and booleans
	}
	return a.Call(func(ctx context.Context) error { return a.Session.SaveSettings(ctx, raw) }, nil)
}

func (v *settingsScreen) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.app.Style.Theme, "Settings", "", "")
	for i, r := range v.rows() {
		r.Draw(c, v.app.Style.Theme, 2+i*2, i == v.row)
	}
}

func (v *settingsScreen) StatusLine() (string, paint.Style) {
	return v.rows()[v.row].Help, v.app.Style.Theme.Dim
}

func (v *settingsScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "↑↓", Help: "setting"}, {Key: "←→", Help: "change"}, {Key: "a", Help: "account and keys"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
}

func (v *settingsScreen) Help() screen.Help {
	p := screen.Help{Title: "Settings", About: "How Ayumu looks and when it asks. Changes apply at once. They are kept with your account; a guest's are lost at the end of the visit.",
		Keys: []game.Key{{Key: "↑ ↓", Help: "select a setting"}, {Key: "← →", Help: "change it"},
			{Key: "a", Help: "your account: name, SSH keys, blocked players"}, {Key: "q", Help: "back"}}}
	for _, r := range v.rows() {
		p.Keys = append(p.Keys, game.Key{Key: r.Label, Help: r.Help})
	}
	return p
}
