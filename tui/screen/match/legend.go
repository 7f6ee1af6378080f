package match

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// minChatRows is the height of a chat that has lines: its title and two rows.
const minChatRows = 3

// legend explains the signs on the board of a view, in the panel. Players see it in their first games until they
// hide it, where the panel has room for all of it.
type legend struct {
	view    *view
	isShown bool                // the user wants to see it
	isSet   bool                // the user has chosen isShown
	last    *[]game.LegendEntry // that was shown
}

// toggle shows or hides the legend.
func (l *legend) toggle() tea.Cmd {
	l.isShown, l.isSet = !l.isDrawn(), true
	return nil
}

// isDrawn reports whether the last frame has a legend.
func (l *legend) isDrawn() (drawn bool) {
	if last := l.view.last; last != nil {
		paint.Draw(nil, last.w, last.h, func(c paint.Canvas) { drawn = last.frameInput.drawPanel(last.panel.of(c)) })
	}
	return drawn
}

// isOffered reports whether the legend is shown although the user has not asked for it.
func (l *legend) isOffered() bool {
	v := l.view
	return !l.isSet && v.isPlaying() && v.Shell.Visit.Experience.NeedsLegend(v.Game.Name())
}

// shownLegend is the legend that is shown.
type shownLegend struct {
	isShown   bool
	isOffered bool                // only where there is room for all entries but the last, the least useful one
	entries   *[]game.LegendEntry // the same pointer for the same entries of a session
}

// shown returns the legend for the input of the frame, after the board has been drawn.
func (l *legend) shown() (s shownLegend) {
	s.isOffered = l.isOffered()
	if s.isShown = l.isShown || s.isOffered; s.isShown {
		now := l.view.board.Legend(l.view.Shell.Style)
		if l.last == nil || !slices.Equal(*l.last, now) {
			l.last = &now
		}
		s.entries = l.last
	}
	return s
}

// drawLegend draws the legend, if it is shown, and returns the number of rows used. It leaves space for a chat that
// has lines.
func (f *frameInput) drawLegend(c paint.Canvas) int {
	w, h := c.Size()
	rest := 0
	if f.footer.chat != nil {
		rest = minChatRows
	}
	if !f.legend.isShown || h-rest < 2 {
		return 0
	}
	t := f.Style.Theme
	entries := *f.legend.entries
	rows := 1 + widget.LegendRows(w, entries)
	if f.legend.isOffered && 1+widget.LegendRows(w, entries[:max(len(entries)-1, 0)]) > h-rest {
		return 0
	}
	rows = min(rows, h-rest)
	widget.DrawRule(c, t, 0, "Legend (: legend)", t.Dim)
	widget.DrawLegend(c.Sub(0, 1, w, rows-1), t, entries)
	return rows
}
