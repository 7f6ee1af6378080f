package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// TestLegendHasColumnsAndIsCut draws legends into canvases of several sizes: entries stand in columns, none is
// drawn in part, and the rows are as many as LegendRows says.
func TestLegendHasColumnsAndIsCut(t *testing.T) {
	var entries []game.LegendEntry
	for i := range 5 {
		entries = append(entries, game.LegendEntry{Text: fmt.Sprintf("word%d next", i), Sample: paint.Draw(nil, 4, 2, func(c paint.Canvas) {
			c.Fill(0, 0, 4, 2, paint.Style{}, '#')
		})})
	}
	for _, c := range []struct{ w, rows int }{{14, 10}, {30, 6}, {45, 4}, {80, 2}} {
		if rows := widget.LegendRows(c.w, entries); rows != c.rows {
			t.Errorf("%d columns: %d rows, want %d", c.w, rows, c.rows)
		}
		text := legendText(c.w, c.rows, entries)
		for i := range 5 {
			if !strings.Contains(text, fmt.Sprintf("#### word%d", i)) {
				t.Errorf("%d columns: entry %d is missing:\n%s", c.w, i, text)
			}
		}
		if cut := legendText(c.w, c.rows-1, entries); strings.Contains(cut, "word4") || strings.Count(cut, "####") != 2*strings.Count(cut, "word") {
			t.Errorf("%d columns, a row too few:\n%s", c.w, cut)
		}
	}
}

// TestLongWordsOfALegendTakeTwoColumns checks that no word is broken where there is space for it.
func TestLongWordsOfALegendTakeTwoColumns(t *testing.T) {
	sample := paint.Draw(nil, 2, 1, func(c paint.Canvas) { c.Text(0, 0, paint.Style{}, "##") })
	entries := []game.LegendEntry{{Sample: sample, Text: "short"}, {Sample: sample, Text: "Commonwealth"}, {Sample: sample, Text: "Wall"}}
	for _, c := range []struct{ w, rows int }{{30, 3}, {45, 2}, {60, 1}, {14, 4}} {
		text := legendText(c.w, c.rows, entries)
		if rows := widget.LegendRows(c.w, entries); rows != c.rows || strings.Contains(text, "Commonwealth") != (c.w > 14) {
			t.Errorf("%d columns: %d rows, want %d:\n%s", c.w, rows, c.rows, text)
		}
	}
}

func legendText(w, h int, entries []game.LegendEntry) string {
	return paint.Draw(nil, w, h, func(c paint.Canvas) { widget.DrawLegend(c, &theme.Plain, entries) }).String()
}
