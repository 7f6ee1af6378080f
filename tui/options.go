package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/board"
	"ayumu/tui/paint"
)

// optionsView is the settings, over the screen from which they were opened. They last as long as
// the session.
type optionsView struct {
	app *app
	row int
}

func (a *app) openOptions() tea.Cmd {
	a.over = &optionsView{app: a}
	return nil
}

func (v *optionsView) rows() []formRow {
	a := v.app
	toggle := func(label string, b *bool, off, on, about string) formRow {
		r := formRow{label: label, answers: []string{off, on}, about: about, set: func(n int) { *b = n == 1; a.setLook() }}
		if *b {
			r.at = 1
		}
		return r
	}
	ground := toggle("Ground", &a.light, "dark", "light", "The colours that suit your terminal's background.")
	set := ground.set
	ground.set = func(n int) { a.chosen = true; set(n) }
	return []formRow{
		toggle("Bell", &a.bell, "off", "on", "Rings when it is your turn, a game begins, or somebody challenges you."),
		ground,
		toggle("Characters", &a.ascii, "all", "ASCII", "ASCII is for terminals and fonts that show nothing else."),
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
	case "up", "k":
		v.row = max(v.row-1, 0)
	case "down", "j", "tab":
		v.row = min(v.row+1, len(rows)-1)
	case "left", "h", "right", "l", "space", "enter":
		r.set(1 - r.at)
	case "q", "esc", "o", "?":
		v.app.over = nil
	}
	return nil
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
	return []board.Key{{Key: "↑↓", Does: "setting"}, {Key: "←→", Does: "change"}, {Key: "q", Does: "back"}}
}

func (v *optionsView) help() helpPage          { return helpPage{} }
func (v *optionsView) refresh() tea.Cmd        { return nil }
func (v *optionsView) due(time.Time) time.Time { return time.Time{} }
func (v *optionsView) leave()                  {}
