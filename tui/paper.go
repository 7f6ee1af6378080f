package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/board"
	"ayumu/tui/paint"
)

// paperView shows a text over the screen from which it came.
type paperView struct {
	plain
	app               *app
	title, text, note string
	last              bool // its end is in view
	dated             bool // its lines begin with a time and two spaces
	top, rows, end    int  // the first row that is shown, how many are, and the first one when the last is
}

func (v *paperView) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.String() == "q" || key.String() == "esc":
		v.app.over = nil
	default:
		v.last = false
		v.top += map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -v.rows, "pgdown": v.rows,
			"space": v.rows, "home": -len(v.text), "end": len(v.text)}[key.String()]
	}
	return nil
}

func (v *paperView) draw(c paint.Canvas) {
	v.app.header(c, v.title, "", "")
	w, h := c.Size()
	t := v.app.look.Theme
	rows := v.lay(w)
	v.rows = h - 3
	v.end = max(len(rows)-v.rows, 0)
	if v.last {
		v.top = v.end
	}
	v.top = max(min(v.top, v.end), 0)
	for y, r := range rows[v.top:min(v.top+v.rows, len(rows))] {
		c.Text(3, y+2, t.Dim, r.time)
		c.Text(r.x, y+2, t.Text, r.text)
	}
}

// paperRow is one row of a paper: a text that begins in column x, and a time on its left, if it has
// one.
type paperRow struct {
	x          int
	time, text string
}

// lay breaks the text for a width. What was done at a time stands in a column of its own.
func (v *paperView) lay(w int) (rows []paperRow) {
	for l := range strings.Lines(v.text) {
		x, time := 3, ""
		if v.dated {
			time, l, _ = strings.Cut(l, "  ")
			x += paint.Width(time) + 2
			l = strings.TrimRight(l, ": \n") // where no reason was given
		}
		parts := wrap(l, w-x-3)
		if strings.HasPrefix(l, "  ") && len(parts) > 1 { // a long command
			x, parts = 1, wrapCommand(l, w-2)
		}
		for _, part := range parts {
			rows = append(rows, paperRow{x, time, part})
			time = ""
		}
		if strings.TrimSpace(l) == "" {
			rows = append(rows, paperRow{})
		}
	}
	return rows
}

func (v *paperView) hint() (string, paint.Style) { return v.note, v.app.look.Theme.Note }

func (v *paperView) keys() []board.Key {
	back := board.Key{Key: "q", Does: "back"}
	if v.end == 0 {
		return []board.Key{back}
	}
	return []board.Key{{Key: "↑↓ Space", Does: "scroll"}, back}
}

func (v *paperView) help() helpPage { return helpPage{} }
