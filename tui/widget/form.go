package widget

import (
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// FormRow is one line of a form: a question with its answers, an input field, or both.
type FormRow struct {
	Label   string
	Answers []string
	Index   int        // of the chosen answer
	Set     func(int)  // chooses an answer; nil without answers
	Field   *TextField // an input field after the answers; nil: none
	Help    string     // one line for the status bar
}

// Toggle returns a row of two answers that sets b: the first answer is false.
func Toggle(label, off, on string, b *bool, help string) FormRow {
	r := FormRow{Label: label, Answers: []string{off, on}, Set: func(n int) { *b = n == 1 }, Help: help}
	if *b {
		r.Index = 1
	}
	return r
}

// Move chooses another answer: the one by places further, at most the first or last.
func (r FormRow) Move(by int) { r.Set(max(min(r.Index+by, len(r.Answers)-1), 0)) }

// Cycle chooses the next answer, after the last one the first.
func (r FormRow) Cycle() { r.Set((r.Index + 1) % len(r.Answers)) }

// FormCursor selects a row of a form. The zero value selects the first one.
type FormCursor struct {
	Index int // of the selected row
}

// In returns the selected row; it selects the last one if the form now has fewer rows.
func (c *FormCursor) In(rows []FormRow) FormRow {
	c.Index = min(c.Index, len(rows)-1)
	return rows[c.Index]
}

// Move selects another row of a form of n rows: the one by rows further, at most the first or last.
func (c *FormCursor) Move(by, n int) { c.Index = max(min(c.Index+by, n-1), 0) }

// labelColumns is the width of the form's labels.
const labelColumns = 16

// DrawForm draws rows below the header, scrolled so that the selected one is visible. There is an empty line after each
// row if all fit with them.
func DrawForm(c paint.Canvas, t *theme.Theme, rows []FormRow, cursor *FormCursor) {
	cursor.In(rows)
	selected := cursor.Index
	w, h := c.Size()
	c = c.Sub(0, 1, w, h-1)
	gap, lines := 1, 1
	for _, r := range rows {
		lines += r.height(w) + gap
	}
	if lines > h-1 {
		gap = 0
	}
	skip, used := 0, 1
	for i := range selected + 1 {
		for used += rows[i].height(w) + gap; used > h-1 && skip < i; skip++ {
			used -= rows[skip].height(w) + gap
		}
	}
	y := 1
	for i, r := range rows[skip:] {
		r.Draw(c, t, y, i+skip == selected)
		y += r.height(w) + gap
	}
}

// point is the position of an answer or a field, relative to the row's first line.
type point struct{ x, y int }

// layOut returns the positions of the answers and the field in a form of width w.
func (r FormRow) layOut(w int) []point {
	const left = 3 + labelColumns
	var places []point
	at := point{x: left}
	put := func(width int) {
		if at.x > left && at.x+width > w {
			at = point{left, at.y + 1}
		}
		places = append(places, at)
		at.x += width
	}
	for _, an := range r.Answers {
		put(paint.Width(an) + 2)
	}
	if r.Field != nil {
		put(r.Field.Limit + 2)
	}
	return places
}

// height returns the number of lines of a row.
func (r FormRow) height(w int) int {
	places := r.layOut(w)
	return places[len(places)-1].y + 1
}

// Draw draws the row with its answers and its field from screen row y on.
func (r FormRow) Draw(c paint.Canvas, t *theme.Theme, y int, selected bool) {
	w, _ := c.Size()
	label := t.Dim
	if selected {
		label = t.Notice
		c.Text(1, y, t.Notice, "▸")
	}
	c.Text(3, y, label, r.Label)
	places := r.layOut(w)
	for j, an := range r.Answers {
		style, text := t.Text, " "+an+" "
		if j == r.Index {
			style, text = t.Selected, "["+an+"]"
		}
		c.Text(places[j].x, y+places[j].y, style, text)
	}
	if r.Field == nil {
		return
	}
	at := places[len(places)-1]
	box := c.Sub(at.x+1, y+at.y, r.Field.Limit+1, 1)
	bw, _ := box.Size()
	box.Fill(0, 0, bw, 1, t.Field, ' ')
	box.Text(0, 0, t.Field, r.Field.Text())
	if selected {
		r.Field.Draw(box, t.Field)
	}
}
