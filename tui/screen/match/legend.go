package match

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
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
	last    *[]game.LegendEntry // that was shown
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

// shownLegend is the legend that is shown.
type shownLegend struct {
	isShown bool
	entries *[]game.LegendEntry // the same pointer for the same entries of a session
}

// shown returns the legend for the content of the screen, after the board has been drawn.
func (l *legend) shown() (s shownLegend) {
	if l.isShown {
		now := l.view.board.Legend(l.view.Shell.Style)
		if l.last == nil || !slices.Equal(*l.last, now) {
			l.last = &now
		}
		s.isShown, s.entries = true, l.last
	}
	return s
}

// drawLegend draws the legend, if it is shown, and returns the number of rows used. It leaves space for a chat that
// has lines.
func (v drawing) drawLegend(c paint.Canvas) int {
	w, h := c.Size()
	rest := 0
	if v.below.chat != nil {
		rest = minChatRows
	}
	if !v.legend.isShown || h-rest < 2 {
		return 0
	}
	t := v.Style.Theme
	entries := *v.legend.entries
	rows := min(1+widget.LegendRows(w, entries), h-rest)
	widget.DrawRule(c, t, 0, "Legend ("+keyLegend+" hides it)", t.Dim)
	widget.DrawLegend(c.Sub(0, 1, w, rows-1), t, entries)
	return rows
}
