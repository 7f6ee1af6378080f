// Package settings is the overlay that edits the user's settings.
package settings

import (
	"context"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// settings is the screen.
type settings struct {
	screen.Base
	before screen.Settings
	row    int
}

// Open shows the settings over the current screen.
func Open(sh *screen.Shell, _ dest.Settings) tea.Cmd {
	sh.OpenOverlay(&settings{Base: screen.Base{Shell: sh}, before: sh.Settings})
	return nil
}

var bindings = screen.Bindings[*settings]{
	{Key: screen.Keys("up k shift+tab", "↑ ↓", "select a setting"), Label: "setting", Do: func(v *settings) tea.Cmd { return v.move(-1) }},
	{Key: screen.Keys("down j tab", "", ""), Do: func(v *settings) tea.Cmd { return v.move(1) }},
	{Key: screen.Keys("left h", "← →", "change it"), Label: "change", Do: func(v *settings) tea.Cmd { return v.change(-1) }},
	{Key: screen.Keys("right l", "", ""), Do: func(v *settings) tea.Cmd { return v.change(1) }},
	{Key: screen.Keys("space enter", "", ""), Do: (*settings).changeInCircle},
	{Key: screen.Keys("a", "a", "your account: name, SSH keys, blocked players"), Label: "account and keys",
		Do: func(v *settings) tea.Cmd { return tea.Batch(v.save(), v.Shell.Open(dest.Account{})) }},
	screen.HelpKey[*settings](),
	{Key: screen.Keys("q esc o", "q", "back"), Label: "back", Rank: screen.LastRank, Do: (*settings).close},
}

func (v *settings) rows() []widget.FormRow {
	sh, s := v.Shell, &v.Shell.Settings
	toggle := func(label string, b *bool, off, on, about string) widget.FormRow {
		r := widget.FormRow{Label: label, Answers: []string{off, on}, Help: about, Set: func(n int) { *b = n == 1; sh.UpdateStyle() }}
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
			Set: func(n int) { s.Background = n; sh.UpdateStyle() }, Help: "The background of your terminal. Auto: ask the terminal."},
		toggle("Colours", &s.Plain, "on", "off", "Off: shapes alone distinguish everything."),
		toggle("Characters", &s.ASCII, "Unicode", "ASCII", "ASCII: for terminals and fonts that show nothing else."),
		toggle("Confirmations", &s.Confirm, "fewer", "all", "Fewer: no question before a draw offer or before you leave a game. Resigning always asks."),
		pace,
	}
}

func (v *settings) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	cmd, _ := bindings.Handle(v, key.String())
	return cmd
}

// move selects another row.
func (v *settings) move(by int) tea.Cmd {
	v.row = max(min(v.row+by, len(v.rows())-1), 0)
	return nil
}

// change chooses another answer of the selected row.
func (v *settings) change(by int) tea.Cmd {
	r := v.rows()[v.row]
	r.Set(max(min(r.Index+by, len(r.Answers)-1), 0))
	return nil
}

// changeInCircle chooses the next answer, after the last one the first.
func (v *settings) changeInCircle() tea.Cmd {
	r := v.rows()[v.row]
	r.Set((r.Index + 1) % len(r.Answers))
	return nil
}

func (v *settings) close() tea.Cmd {
	v.Shell.CloseOverlay()
	return v.save()
}

// save stores the settings with the account if they have changed.
func (v *settings) save() tea.Cmd {
	sh := v.Shell
	if sh.Settings == v.before || sh.Session == nil || sh.Session.Account().IsGuest() {
		return nil
	}
	raw, err := json.Marshal(sh.Settings)
	if err != nil {
		panic(err) // cannot happen: a struct of numbers and booleans
	}
	return sh.Call(func(ctx context.Context) error { return sh.Session.SaveSettings(ctx, raw) }, nil)
}

func (v *settings) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.Shell.Style.Theme, "Settings", "", "")
	for i, r := range v.rows() {
		r.Draw(c, v.Shell.Style.Theme, 2+i*2, i == v.row)
	}
}

func (v *settings) StatusLine() (string, paint.Style) {
	return v.rows()[v.row].Help, v.Shell.Style.Theme.Dim
}

func (v *settings) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *settings) Help() screen.Help {
	p := screen.Help{
		Title: "Settings",
		About: "How Ayumu looks and when it asks. Changes apply at once. They are kept with your account; a guest's are lost at the end of the visit.",
		Keys:  bindings.Help(v),
	}
	for _, r := range v.rows() {
		p.Keys = append(p.Keys, game.Key{Key: r.Label, Help: r.Help})
	}
	return p
}
