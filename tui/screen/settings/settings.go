// Package settings is the overlay that edits the user's settings.
package settings

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// settings is the screen.
type settings struct {
	screen.Base
	before screen.Settings
	cursor widget.FormCursor
}

// Open shows the settings over the current screen.
func Open(sh *screen.Shell, _ dest.Settings) tea.Cmd {
	sh.OpenOverlay(&settings{Base: screen.Base{Shell: sh}, before: sh.Settings})
	return nil
}

var bindings = append(screen.FormKeys[*settings]("field"), screen.Bindings[*settings]{
	{Key: screen.Keys("enter", "", ""), Do: (*settings).cycle},
	{Key: screen.Keys("a", "a", "your account: name, SSH keys, blocked players"), Label: "account",
		Do: func(v *settings) tea.Cmd { return tea.Batch(v.save(), v.Shell.Open(dest.Account{})) }},
	{Key: screen.Keys("n", "n", "be notified outside Ayumu, by webhook or mail"), Label: "notify",
		Do: func(v *settings) tea.Cmd { return tea.Batch(v.save(), v.Shell.Open(dest.Notifications{})) }},
	screen.HelpKey[*settings](),
	{Key: screen.Keys("q esc o", "q", "back"), Label: "back", Rank: screen.LastRank, Do: (*settings).close},
}...)

// Form implements screen.Form.
func (v *settings) Form() (*widget.FormCursor, []widget.FormRow) {
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
	bell := "Rings when it is your turn, a game starts, or someone challenges you."
	chat := []widget.FormRow{toggle("Chat input", &s.KeepChat, "close", "keep open", "After sending a message. Keep open: until Esc, or Enter without a text.")}
	if sh.Config.IsOffline() {
		bell, chat = "Rings when it is your turn.", nil
	}
	return &v.cursor, append(append([]widget.FormRow{
		toggle("Bell", &s.Bell, "off", "on", bell),
		{Label: "Background", Answers: []string{"auto", "dark", "light"}, Index: s.Background,
			Set: func(n int) { s.Background = n; sh.UpdateStyle() }, Help: "The background of your terminal. Auto: ask the terminal."},
		toggle("Colours", &s.Plain, "on", "off", "Off: shapes alone distinguish everything."),
		toggle("Characters", &s.ASCII, "Unicode", "ASCII", "ASCII: for terminals and fonts that show nothing else."),
		toggle("Confirmations", &s.Confirm, "fewer", "all", "Fewer: no question before a draw offer or before you leave a game. Resigning always asks."),
		pace,
	}, chat...), toggle("Coaching", &s.Coach, "off", "on", "Advice and warnings in your first games against bots."))
}

func (v *settings) Handle(msg tea.Msg) tea.Cmd { return screen.HandleForm(v, bindings, msg) }

// cycle chooses the next answer of the selected row.
func (v *settings) cycle() tea.Cmd {
	cursor, rows := v.Form()
	cursor.In(rows).Cycle()
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
	s := sh.Settings
	return sh.Call(func(ctx context.Context) error { return op.SaveSettings(ctx, sh.Session, s) }, nil)
}

func (v *settings) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.Shell.Style.Theme, "Settings", "", "")
	cursor, rows := v.Form()
	widget.DrawForm(c, v.Shell.Style.Theme, rows, cursor)
}

func (v *settings) StatusLine() (string, paint.Style) {
	return screen.FormHelp(v), v.Shell.Style.Theme.Dim
}

// Traits implements screen.Screen.
func (v *settings) Traits() screen.Traits { return screen.Traits{Name: "settings"} }

func (v *settings) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *settings) Help() screen.Help {
	p := screen.Help{Title: "Settings", About: "How Ayumu looks and when it asks. Changes apply at once and are kept.", Keys: bindings.Help(v)}
	if !v.Shell.Config.IsOffline() {
		p.About = "How Ayumu looks and when it asks. Changes apply at once. They are kept with your account; a guest's are lost at the end of the visit."
	}
	_, rows := v.Form()
	for _, r := range rows {
		p.Keys = append(p.Keys, game.Key{Key: r.Label, Help: r.Help})
	}
	return p
}
