package widget

import (
	"strings"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/words"
)

// DrawHeader draws the first line: a title and details on the left, and right at the right edge.
func DrawHeader(c paint.Canvas, t *theme.Theme, left, middle, right string) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	right = paint.Cut(right, w/2)
	rw := paint.Width(right)
	c.Text(w-rw-1, 0, t.Bar, right)
	n := c.Text(1, 0, t.Bar.With(paint.Bold), paint.Cut(left, w-rw-3))
	if space := w - rw - n - 5; space > 8 {
		c.Text(n+3, 0, t.BarDim, paint.Cut(middle, space))
	}
}

// DrawRule draws a horizontal line in row y with a title in it, in style s; "" for none.
func DrawRule(c paint.Canvas, t *theme.Theme, y int, title string, s paint.Style) {
	w, _ := c.Size()
	c.Fill(0, y, w, 1, t.Rule, '─')
	if title != "" {
		c.Text(1, y, s, " "+paint.Cut(title, w-4)+" ")
	}
}

// MaxStatusRows is the height above the status bar for which texts are written. A paragraph that is longer, in a narrow window or
// because of what people have written in it, has up to twice as many rows.
const MaxStatusRows = 3

// StatusRows returns the number of rows that DrawStatus needs for a text in w columns.
func StatusRows(w int, text string) int { return len(statusLines(w, text)) }

// statusLines returns the rows of paragraphs, separated by line breaks.
func statusLines(w int, text string) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = append(lines, cutLines(Wrap(paragraph, w-2), 2*MaxStatusRows, w-2)...)
	}
	return lines
}

// cutLines returns at most limit lines of w columns. The last one ends in "…" if there are more.
func cutLines(lines []string, limit, w int) []string {
	if len(lines) <= limit || limit < 1 {
		return lines
	}
	return append(lines[:limit-1], paint.Cut(strings.Join(lines[limit-1:], " "), w))
}

// DrawStatus draws paragraphs, separated by line breaks, in the last rows of a canvas and returns their number.
func DrawStatus(c paint.Canvas, s paint.Style, text string) (rows int) {
	w, h := c.Size()
	lines := cutLines(statusLines(w, text), h, w-2)
	for i, l := range lines {
		y := h - len(lines) + i
		c.Fill(0, y, w, 1, paint.Style{}, ' ')
		c.Text(1, y, s, l)
	}
	return len(lines)
}

// ChatZone follows the title of a chat: the times of its lines are in UTC.
const ChatZone = " · UTC"

// DrawChat draws the newest chat lines that fit, with their times, the last one at the bottom; without lines it draws
// empty.
func DrawChat(c paint.Canvas, t *theme.Theme, lines []lobby.ChatLine, empty string) {
	w, h := c.Size()
	if len(lines) == 0 {
		for y, l := range Wrap(empty, w) {
			c.Text(0, y, t.Dim, l)
		}
		return
	}
	type row struct{ time, from, text string }
	var rows []row // newest first
	for i := len(lines) - 1; i >= 0 && len(rows) < h; i-- {
		l := lines[i]
		at := words.TimeOfDay(l.At)
		parts := Wrap(at+" "+words.Author(l)+": "+l.Text, w)
		for j := len(parts) - 1; j >= 0 && len(rows) < h; j-- {
			r := row{text: parts[j]}
			if j == 0 {
				r.time, r.from = at, words.Author(l)+":"
			}
			rows = append(rows, r)
		}
	}
	for i, r := range rows {
		y := len(rows) - 1 - i
		c.Text(0, y, t.Text, r.text)
		n := c.Text(0, y, t.Dim, r.time)
		c.Text(n+1, y, t.Strong, r.from)
	}
}

// TextColumn is a centred column of text.
type TextColumn struct {
	Canvas paint.Canvas // of the column
	Width  int
}

// ColumnWidth is the maximum width of a text column.
const ColumnWidth = 64

// NewTextColumn returns a column below the header.
func NewTextColumn(c paint.Canvas) TextColumn {
	w, h := c.Size()
	width := min(ColumnWidth, w-4)
	top := 1
	if h > 20 {
		top = 3
	}
	return TextColumn{c.Sub((w-width)/2, top, width, h-top), width}
}

// Draw draws wrapped text from row y on and returns the next row.
func (t TextColumn) Draw(y int, s paint.Style, text string) int {
	for _, l := range Wrap(text, t.Width) {
		t.Canvas.Text(0, y, s, l)
		y++
	}
	return y
}
