package widget

import (
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// minLegendColumns is the minimum width of a column of a legend: a sample and a short word.
const minLegendColumns = game.MaxSampleColumns + 7

// legendEntry is an entry of a legend in its place.
type legendEntry struct {
	game.LegendEntry
	x, y  int
	lines []string // Text
}

// layOutLegend arranges entries in as many columns as fit into w, and returns the number of rows used.
func layOutLegend(w int, entries []game.LegendEntry) (all []legendEntry, rows int) {
	columns := max(w/minLegendColumns, 1)
	width := w / columns
	height := 0 // of the current row of entries
	for i, e := range entries {
		if i%columns == 0 {
			rows, height = rows+height, 0
		}
		sw, sh := e.Sample.Size()
		lines := Wrap(e.Text, width-sw-2)
		all = append(all, legendEntry{e, i % columns * width, rows, lines})
		height = max(height, sh, len(lines))
	}
	return all, rows + height
}

// LegendRows returns the number of rows that DrawLegend needs in w columns.
func LegendRows(w int, entries []game.LegendEntry) int {
	_, rows := layOutLegend(w, entries)
	return rows
}

// DrawLegend draws the entries of a legend, as far as they fit.
func DrawLegend(c paint.Canvas, t *theme.Theme, entries []game.LegendEntry) {
	w, h := c.Size()
	all, _ := layOutLegend(w, entries)
	for _, e := range all {
		sw, sh := e.Sample.Size()
		if e.y+max(sh, len(e.lines)) > h {
			return
		}
		c.Blit(e.x, e.y, e.Sample)
		for i, l := range e.lines {
			c.Text(e.x+sw+1, e.y+i, t.Text, l)
		}
	}
}
