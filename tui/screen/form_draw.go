package screen

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// labelColumns is the width of the labels of a form, and fieldColumn the column of its answers and texts.
const (
	labelColumns = 16
	fieldColumn  = 3 + labelColumns
)

// formPane is the maximum width of the pane of the fields in a wide window.
const formPane = 68

// formTarget is where a field of a form, or one of its answers, was drawn.
type formTarget struct {
	area   image.Rectangle
	field  int // index
	answer int // index; -1: the field
}

// Draw implements Screen.
func (v *FormScreen) Draw(c paint.Canvas) {
	f, t := v.declare(), v.Shell.Style.Theme
	v.targets = v.targets[:0]
	if f.Draw != nil {
		f.Draw(c, v)
		return
	}
	if f.IsOverlay {
		widget.DrawHeader(c, t, f.Title, "", "")
	} else {
		widget.DrawHeader(c, t, f.Title, v.Shell.Config.SSHCommand(), v.Shell.Session.Account().Name)
	}
	w, h := c.Size()
	covered := max(len(widget.Wrap(v.field(f).Help, w-2))-1, 0) // further lines of the help are drawn over the screen
	if w >= minPaned && h >= minPanedRows {
		v.drawFields(v.drawPanes(c, f), f, max(covered-1, 0))
		return
	}
	v.origin = image.Pt(0, fieldRow)
	v.drawFields(c.Sub(0, fieldRow, w, h-fieldRow), f, covered)
}

// fieldRow is the row of the first field where there are no panes.
const fieldRow = 2

// drawPanes draws the panes of a wide window and what is beside the fields, and returns the inside of the pane of the fields.
func (v *FormScreen) drawPanes(c paint.Canvas, f Form) paint.Canvas {
	w, h := c.Size()
	fields := widget.Pane{W: formPane, H: h - 1}
	if f.Beside.Draw != nil {
		fields.W = min(formPane, w*6/10)
	} else {
		rows := 3 // the borders and an empty row
		for _, field := range f.Fields {
			rows += len(v.failure(field, fields.W-2)) + field.height(fields.W-2) + 1
		}
		fields.H = min(fields.H, rows)
	}
	fields = f.Beside.drawPanes(c, v.Shell.Style.Theme, fields)
	x, y, w, h := fields.Inside()
	v.origin = image.Pt(x, y+1)
	return c.Sub(x, y+1, w, h-1)
}

// drawFields draws the fields, scrolled so that the selected one is visible. There is an empty line after each field if all
// fit with them; otherwise arrows show that there are others above or below. The last covered rows are used by gaps alone.
func (v *FormScreen) drawFields(c paint.Canvas, f Form, covered int) {
	w, h := c.Size()
	heights, lines := make([]int, len(f.Fields)), 0
	for i := range f.Fields {
		heights[i] = len(v.failure(f.Fields[i], w)) + f.Fields[i].height(w)
		lines += heights[i] + 1
	}
	gap := 1
	if lines > h {
		gap = 0
	}
	h -= covered
	skip, used := 0, 0
	for i := range v.cursor + 1 {
		for used += heights[i] + gap; used-gap > h && skip < i; skip++ {
			used -= heights[skip] + gap
		}
	}
	y := 0
	for i := skip; i < len(f.Fields); i++ {
		v.drawField(c, f.Fields[i], i, y)
		y += heights[i] + gap
	}
	t := v.Shell.Style.Theme
	if skip > 0 {
		c.Text(0, 0, t.Notice, "↑")
	}
	if y-gap > h {
		c.Text(0, h-1, t.Notice, "↓")
	}
}

// failure returns the lines of why a field was refused.
func (v *FormScreen) failure(f Field, w int) []string {
	text := v.Refused(f.Label)
	if text == "" {
		return nil
	}
	return widget.Wrap(text, w-fieldColumn-1)
}

// layOut returns the positions of the answers and the text, relative to the field's first line, in a form of width w.
func (f Field) layOut(w int) (places []image.Point) {
	at := image.Pt(fieldColumn, 0)
	put := func(width int) {
		if at.X > fieldColumn && at.X+width > w {
			at = image.Pt(fieldColumn, at.Y+1)
		}
		places = append(places, at)
		at.X += width
	}
	for _, an := range f.Answers {
		put(paint.Width(an) + 2)
	}
	if f.Text != nil {
		put(f.Text.Limit + 2)
	}
	return places
}

// height returns the number of lines of a field.
func (f Field) height(w int) int {
	places := f.layOut(w)
	return places[len(places)-1].Y + 1
}

// drawField draws the field with an index from screen row y on, with its answers, its text, and why it was refused.
func (v *FormScreen) drawField(c paint.Canvas, f Field, i, y int) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	window := image.Rect(0, 0, w, h)
	label := t.Dim
	if i == v.cursor {
		label = t.Notice
		c.Text(1, y, t.Notice, "▸")
	}
	c.Text(3, y, label, f.Label)
	places := f.layOut(w)
	for j, an := range f.Answers {
		style, text := t.Text, " "+an+" "
		if j == f.Index {
			style, text = t.Selected, "["+an+"]"
		}
		at := places[j].Add(image.Pt(0, y))
		n := c.Text(at.X, at.Y, style, text)
		v.targets = append(v.targets, formTarget{image.Rect(at.X, at.Y, at.X+n, at.Y+1).Intersect(window), i, j})
	}
	if f.Text != nil {
		f.drawText(c, t, places[len(places)-1].Add(image.Pt(0, y)), i == v.cursor)
	}
	height := f.height(w)
	v.targets = append(v.targets, formTarget{image.Rect(0, y, w, y+height).Intersect(window), i, -1})
	for j, l := range v.failure(f, w) {
		c.Text(fieldColumn+1, y+height+j, t.Bad, l)
	}
}

// drawText draws the text of a field at a position.
func (f Field) drawText(c paint.Canvas, t *theme.Theme, at image.Point, isSelected bool) {
	box := c.Sub(at.X+1, at.Y, f.Text.Limit+1, 1)
	if isSelected {
		f.Text.Draw(box, t.Field, t.FieldBlank)
	} else {
		f.Text.DrawInactive(box, t.Field, t.FieldBlank)
	}
}

// click selects the field at a click, and chooses the answer there.
func (v *FormScreen) click(f Form, msg tea.MouseClickMsg) {
	if msg.Button != tea.MouseLeft {
		return
	}
	for _, target := range v.targets {
		if !image.Pt(msg.X, msg.Y).Sub(v.origin).In(target.area) || target.field >= len(f.Fields) {
			continue
		}
		v.cursor = target.field
		if field := f.Fields[target.field]; target.answer >= 0 && target.answer < len(field.Answers) {
			v.choose(field, target.answer)
		}
		return
	}
}
