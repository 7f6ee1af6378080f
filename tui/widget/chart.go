package widget

import (
	"slices"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// Chart is a bar chart of shares over the turns of a game.
type Chart struct {
	Shares []float64 // 0 to 1, one before the first turn and one after each turn, as far as they are known
	All    int       // the number of shares that there will be, at least 1
	At     int       // the index of the share that is marked
	Noted  []int     // indices of shares with a sign below their bars
	ASCII  bool
}

// The layout of a chart.
const (
	chartLabels   = 5 // columns to the left of the bars
	maxChartWidth = 3 // columns of a bar
)

// Draw draws the chart. The last row has the sign ^ below the marked bar, and ? below those that are noted. If there are
// fewer columns than shares, a bar stands for several, and shows the marked or noted one of them if there is one,
// otherwise the last.
func (ch Chart) Draw(c paint.Canvas, t *theme.Theme) {
	w, h := c.Size()
	rows, columns := h-1, w-chartLabels
	if rows < 1 || columns < 1 {
		return
	}
	full, half := '█', '▄'
	if ch.ASCII {
		full, half = '#', '.'
	}
	c.Text(0, 0, t.Dim, "100%")
	c.Text(0, rows-1, t.Dim, "  0%")
	if rows > 2 {
		c.Text(0, rows/2, t.Dim, " 50%")
		c.Fill(chartLabels, rows/2, ch.bars(columns)*ch.barWidth(columns), 1, t.Rule, '─')
	}
	width := ch.barWidth(columns)
	for bar := range ch.bars(columns) {
		i, sign := ch.shown(bar, columns)
		x := chartLabels + bar*width
		style := t.Link
		if sign == "^" {
			style = t.Notice
		}
		c.Text(x, rows, t.Notice, sign)
		if i >= len(ch.Shares) {
			continue
		}
		halves := max(int(ch.Shares[i]*float64(2*rows)+0.5), 1)
		c.Fill(x, rows-halves/2, width, halves/2, style, full)
		if halves%2 == 1 {
			c.Fill(x, rows-halves/2-1, width, 1, style, half)
		}
	}
}

// bars returns the number of bars in so many columns.
func (ch Chart) bars(columns int) int { return min(ch.All, columns) }

// barWidth returns the columns of a bar.
func (ch Chart) barWidth(columns int) int { return min(max(columns/ch.All, 1), maxChartWidth) }

// shown returns the index of the share that a bar shows, and the sign below it.
func (ch Chart) shown(bar, columns int) (index int, sign string) {
	bars := ch.bars(columns)
	from, to := bar*ch.All/bars, (bar+1)*ch.All/bars
	if ch.At >= from && ch.At < to {
		return ch.At, "^"
	}
	for i := from; i < to; i++ {
		if slices.Contains(ch.Noted, i) {
			return i, "?"
		}
	}
	return to - 1, ""
}
