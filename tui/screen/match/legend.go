package match

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// keyLegend is the key that shows and hides the legend.
const keyLegend = "L"

// minChatRows is the height of a chat that has lines: its title and two rows.
const minChatRows = 3

// legend explains the signs on the board of a view, in the panel.
type legend struct {
	view    *view
	isShown bool
}

// toggle shows or hides the legend.
func (l *legend) toggle() tea.Cmd {
	l.isShown = !l.isShown
	return nil
}

// label returns what the key of the legend does.
func (l *legend) label() string {
	if l.isShown {
		return "hide legend"
	}
	return ""
}

// draw draws the legend, if it is shown, and returns the number of rows used. It leaves the last rest rows free.
func (l *legend) draw(c paint.Canvas, rest int) int {
	w, h := c.Size()
	if !l.isShown || h-rest < 2 {
		return 0
	}
	t := l.view.Shell.Style.Theme
	entries := l.view.board.Legend(l.view.Shell.Style)
	rows := min(1+widget.LegendRows(w, entries), h-rest)
	widget.DrawRule(c, t, 0, "Legend ("+keyLegend+" hides it)", t.Dim)
	widget.DrawLegend(c.Sub(0, 1, w, rows-1), t, entries)
	return rows
}
