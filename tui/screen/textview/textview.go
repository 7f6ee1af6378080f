// Package textview is the overlay that shows a text.
package textview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// textView is the screen.
type textView struct {
	screen.Base
	title, text, note string
	isNoteDim         bool // as in dest.Text
	hasTimes          bool // lines begin with a time and two spaces
	scroll            widget.Scroll
}

// Open shows the text over the current screen.
func Open(sh *screen.Shell, d dest.Text) tea.Cmd {
	v := &textView{Base: screen.Base{Shell: sh}, title: d.Title, text: d.Body, note: d.Note, isNoteDim: d.IsNoteDim, hasTimes: d.HasTimes}
	if d.AtEnd {
		v.scroll.Top = len(d.Body) // Window bounds it
	}
	sh.OpenOverlay(v)
	return nil
}

var bindings = screen.Bindings[*textView]{
	screen.ScrollKeys(func(v *textView) *widget.Scroll { return &v.scroll }),
	{Key: screen.Keys("q esc", "q", ""), Label: "back", Do: (*textView).close},
}

func (v *textView) Handle(msg tea.Msg) tea.Cmd {
	return bindings.HandleLast(v, v.scroll.Input(msg))
}

func (v *textView) close() tea.Cmd {
	v.Shell.CloseOverlay()
	return nil
}

func (v *textView) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, v.title, "", "")
	rows := v.layOut(w)
	from, to := v.scroll.Window(h-3, len(rows))
	for y, r := range rows[from:to] {
		c.Text(3, y+2, t.Dim, r.time)
		c.Text(r.x, y+2, t.Text, r.text)
	}
}

// row is a text that begins in column x, and a time on its left, if any.
type row struct {
	x          int
	time, text string
}

// layOut breaks the text into rows for a width; times are in a column of their own.
func (v *textView) layOut(w int) (rows []row) {
	for l := range strings.Lines(v.text) {
		x, time := 3, ""
		if v.hasTimes {
			time, l, _ = strings.Cut(l, "  ")
			x += paint.Width(time) + 2
			l = strings.TrimRight(l, ": \n") // left where no reason was given
		}
		l = strings.TrimRight(l, "\n")
		parts := widget.Wrap(l, w-x-3)
		if strings.Contains(strings.TrimSpace(l), "  ") { // a row of a table
			parts = []string{paint.Cut(l, w-x)}
		}
		if strings.HasPrefix(l, " ") && len(parts) == 1 { // a row of a board, or a short command
			parts[0] = paint.Cut(l, w-x)
		}
		if strings.HasPrefix(l, "  ") && len(parts) > 1 { // a long command
			x, parts = 1, widget.WrapCommand(l, w-2)
		}
		for _, part := range parts {
			rows = append(rows, row{x, time, part})
			time = ""
		}
		if strings.TrimSpace(l) == "" {
			rows = append(rows, row{})
		}
	}
	return rows
}

func (v *textView) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if v.isNoteDim {
		return v.note, t.Dim
	}
	return v.note, t.Notice
}

func (v *textView) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *textView) Help() screen.Help { return screen.Help{} }
