package widget

import (
	"strings"

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

// layOutLegend arranges entries in as many columns as fit into w, and returns the number of rows used. An entry with
// a word that is too long for a column takes two.
func layOutLegend(w int, entries []game.LegendEntry) (all []legendEntry, rows int) {
	columns := max(w/minLegendColumns, 1)
	width := w / columns
	column, height := 0, 0 // in the current row of entries
	for _, e := range entries {
		sw, sh := e.Sample.Size()
		span := 1
		if longestWord(e.Text) > width-sw-2 {
			span = min(2, columns)
		}
		if column+span > columns {
			rows, column, height = rows+height, 0, 0
		}
		lines := Wrap(e.Text, span*width-sw-2)
		all = append(all, legendEntry{e, column * width, rows, lines})
		column += span
		height = max(height, sh, len(lines))
	}
	return all, rows + height
}

// longestWord returns the width of the longest word of a text.
func longestWord(text string) int {
	longest := 0
	for word := range strings.FieldsSeq(text) {
		longest = max(longest, paint.Width(word))
	}
	return longest
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
