package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// textView shows a text as an overlay.
type textView struct {
	screen.Base
	app               *Model
	title, text, note string
	atEnd             bool // scrolled to the end
	hasTimes          bool // lines begin with a time and two spaces
	top, rows, end    int  // the first visible row, the number of visible rows, and the maximum of top
}

func (v *textView) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.String() == "q" || key.String() == "esc":
		v.app.CloseOverlay()
	default:
		v.atEnd = false
		v.top += map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -v.rows, "pgdown": v.rows,
			"space": v.rows, "home": -len(v.text), "end": len(v.text)}[key.String()]
	}
	return nil
}

func (v *textView) Draw(c paint.Canvas) {
	widget.DrawHeader(c, v.app.Style.Theme, v.title, "", "")
	w, h := c.Size()
	t := v.app.Style.Theme
	rows := v.layOut(w)
	v.rows = h - 3
	v.end = max(len(rows)-v.rows, 0)
	if v.atEnd {
		v.top = v.end
	}
	v.top = max(min(v.top, v.end), 0)
	for y, r := range rows[v.top:min(v.top+v.rows, len(rows))] {
		c.Text(3, y+2, t.Dim, r.time)
		c.Text(r.x, y+2, t.Text, r.text)
	}
}

// textRow is one row: a text that begins in column x, and a time on its left, if any.
type textRow struct {
	x          int
	time, text string
}

// layOut breaks the text into rows for a width; times are in a column of their own.
func (v *textView) layOut(w int) (rows []textRow) {
	for l := range strings.Lines(v.text) {
		x, time := 3, ""
		if v.hasTimes {
			time, l, _ = strings.Cut(l, "  ")
			x += paint.Width(time) + 2
			l = strings.TrimRight(l, ": \n") // left where no reason was given
		}
		parts := widget.Wrap(l, w-x-3)
		if strings.HasPrefix(l, "  ") && len(parts) > 1 { // a long command
			x, parts = 1, widget.WrapCommand(l, w-2)
		}
		for _, part := range parts {
			rows = append(rows, textRow{x, time, part})
			time = ""
		}
		if strings.TrimSpace(l) == "" {
			rows = append(rows, textRow{})
		}
	}
	return rows
}

func (v *textView) StatusLine() (string, paint.Style) { return v.note, v.app.Style.Theme.Notice }

func (v *textView) StatusKeys() []game.Key {
	back := game.Key{Key: "q", Help: "back"}
	if v.end == 0 {
		return []game.Key{back}
	}
	return []game.Key{{Key: "↑↓ Space", Help: "scroll"}, back}
}

func (v *textView) Help() screen.Help { return screen.Help{} }

// openText shows a text over the current screen.
func (a *Model) openText(d dest.Text) tea.Cmd {
	a.OpenOverlay(&textView{app: a, title: d.Title, text: d.Body, note: d.Note, atEnd: d.AtEnd, hasTimes: d.HasTimes})
	return nil
}
