package screen

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The layout of a List.
const (
	listLeft          = 2  // the column in which the first cell begins, after the mark of the selected row
	narrowList        = 60 // windows with fewer columns have Column.Narrow
	minListPane       = 70 // minimum width of a list with a pane beside it
	minCommandColumns = 16 // of the commands of an empty list
	minListRows       = 3  // minimum number of rows above a detail
	minDetailRows     = 3  // minimum number of rows of a detail

	commandMark = ": " // before a command of an empty list
)

// Draw implements Screen.
func (l *List[R]) Draw(c paint.Canvas) {
	l.updateLive()
	t, subtitle := l.Shell.Style.Theme, ""
	if l.Subtitle != nil {
		subtitle = l.Subtitle()
	}
	widget.DrawHeader(c, t, l.Title, subtitle, l.right())
	c, origin := l.frame(c)
	w, h := c.Size()
	y := l.drawAbove(c, origin)
	message, style := "", t.Dim
	switch {
	case len(l.rows) > 0:
	case l.failure != "":
		message, style = words.Sentence(l.failure), t.Bad
	case !l.isLoaded:
		message = "Loading …"
	case l.loaded.Empty != "":
		message = l.loaded.Empty
	case l.Empty != nil:
		message = l.Empty()
	}
	lines := widget.Wrap(message, min(w-2*listLeft, widget.ColumnWidth))
	for i, text := range lines {
		c.Text(listLeft, y+l.titleRows()+i, style, text)
	}
	if len(l.rows) == 0 {
		l.drawCommands(c, y+l.titleRows()+len(lines)+1)
	}
	if r, ok := l.Selected(); ok {
		h = l.drawDetail(c, r, h-y-l.titleRows()-min(minListRows, len(l.rows)))
		l.drawRows(c.Sub(0, y, w, h-y), origin.Y+y)
	}
}

// drawCommands draws from row y on, in the space that an empty list leaves, the commands of the list that have no key.
func (l *List[R]) drawCommands(c paint.Canvas, y int) {
	t := l.Shell.Style.Theme
	w, _ := c.Size()
	var commands []RowAction[R]
	columns := minCommandColumns
	for _, a := range l.Actions {
		if a.Label == "" || len(a.Key.Keys()) > 0 || !l.works(a) {
			continue
		}
		commands = append(commands, a)
		columns = max(columns, paint.Width(commandMark+a.Label)+2)
	}
	for i, a := range commands {
		c.Text(listLeft, y+i, t.Link, commandMark+a.Label)
		c.Text(listLeft+columns, y+i, t.Dim, paint.Cut(a.Key.Help().Desc, w-2*listLeft-columns))
	}
}

// frame draws the pane of the list and the one beside it, if the window has the space for them. It returns the part of the
// canvas that the list has, whose first row is free, and where that begins in the window.
func (l *List[R]) frame(c paint.Canvas) (paint.Canvas, image.Point) {
	all, h := c.Size()
	width := cmp.Or(l.MaxWidth, widget.ListWidth)
	if all < minPaned || h < minPanedRows {
		c = widget.Middle(c, width)
		w, _ := c.Size()
		return c, image.Pt((all-w)/2, 0)
	}
	list := widget.Pane{W: min(all, width+2), H: h - 1}
	var beside Beside
	if r, ok := l.Selected(); ok && l.Beside != nil {
		if beside = l.Beside(r); beside.Draw != nil {
			list.W = min(list.W, max(minListPane, all*6/10))
		}
	}
	list = beside.drawPanes(c, l.Shell.Style.Theme, list)
	x, y, w, _ := list.Inside()
	return c.Sub(x, y-1, w, list.H-1), image.Pt(x, y-1)
}

// drawAbove draws what is between the header and the list, and returns the row of the titles of the columns. origin is where
// c begins in the window, for clicks.
func (l *List[R]) drawAbove(c paint.Canvas, origin image.Point) (y int) {
	t := l.Shell.Style.Theme
	w, _ := c.Size()
	if l.DrawAbove != nil {
		return l.DrawAbove(c)
	}
	y = 1
	if l.Tabs != nil {
		l.tabs = l.tabs[:0]
		x := listLeft - 1
		for _, tab := range l.Tabs() {
			style, text := t.Dim, " "+tab.Title+" "
			if tab.Of == l.Of {
				style, text = t.Selected, "["+tab.Title+"]"
			}
			n := c.Text(x, 2, style, text)
			l.tabs = append(l.tabs, tabTarget{image.Rect(x, 2, x+n, 3).Add(origin), tab.Of})
			x += n
		}
		y = 3
	}
	if l.Note != "" {
		for _, text := range widget.Wrap(l.Note, w-2*listLeft) {
			y++
			c.Text(listLeft, y, t.Dim, text)
		}
		y++
	}
	if y == 1 && origin.Y == 0 && l.titleRows() == 0 {
		y++ // without colours a selected row is reversed like the header
	}
	return y
}

// drawDetail draws the detail of a row at the bottom in at most most rows below a rule, and returns the number of rows
// above it.
func (l *List[R]) drawDetail(c paint.Canvas, r R, most int) (above int) {
	t := l.Shell.Style.Theme
	w, h := c.Size()
	most--
	if l.Detail == nil || most < 1 {
		return h
	}
	status, _ := l.StatusLine()
	hidden := max(widget.StatusRows(l.Shell.Width, status)-1, 0) // rows at the end that the line above the status bar covers
	most -= hidden
	width := w - 2*listLeft
	about, text := l.Detail(r)
	var lines []string
	if about != "" {
		lines = append(lines, paint.Cut(about, width))
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = append(lines, widget.Wrap(paragraph, width)...)
	}
	if l.Log != nil {
		log := l.Log(r)
		for _, line := range log[max(0, len(log)-max(0, most-len(lines))):] {
			lines = append(lines, paint.Cut(line, width))
		}
	}
	rows := min(max(len(lines), minDetailRows), max(most, 1))
	if len(lines) > rows {
		lines = append(lines[:rows-1], paint.Cut(strings.Join(lines[rows-1:], " "), width))
	}
	above = h - hidden - rows - 1
	widget.DrawRule(c, t, above, "", t.Dim)
	for i, line := range lines {
		style := t.Text
		if i == 0 && about != "" {
			style = t.Dim
		}
		c.Text(listLeft, above+1+i, style, line)
	}
	return above
}

// cell is the place of a column.
type cell struct{ x, width int }

// layOut returns the places of the columns in w columns, in their order; those that do not fit have no width.
func (l *List[R]) layOut(w int) []cell {
	isNarrow := l.Shell.Width < narrowList
	cells, x := make([]cell, len(l.Columns)), listLeft
	widthOf := func(c Column[R]) int {
		if isNarrow && c.Narrow > 0 {
			return c.Narrow
		}
		return c.Width
	}
	fills := slices.IndexFunc(l.Columns, func(c Column[R]) bool { return c.Fills })
	for i, c := range l.Columns[:fills] {
		cells[i] = cell{x, widthOf(c) - 1}
		x += widthOf(c)
	}
	var after []widget.Column
	for _, c := range l.Columns[fills+1:] {
		after = append(after, widget.Column{Width: widthOf(c), Rank: c.Rank})
	}
	columns := widget.LayOut(after, widthOf(l.Columns[fills]), w-x)
	cells[fills] = cell{x, columns.First - 1}
	for i, at := range columns.Places() {
		if at >= 0 {
			cells[fills+1+i] = cell{x + at, after[i].Width - 1}
		}
	}
	return cells
}

// titleRows returns the number of rows that the titles of the columns take.
func (l *List[R]) titleRows() int {
	if slices.ContainsFunc(l.Columns, func(c Column[R]) bool { return c.Title != "" }) {
		return 1
	}
	return 0
}

// drawRows draws the titles of the columns and the rows that fit below them. top is the row of the window where c begins,
// for clicks.
func (l *List[R]) drawRows(c paint.Canvas, top int) {
	t := l.Shell.Style.Theme
	w, h := c.Size()
	cells := l.layOut(w)
	for i, column := range l.Columns {
		style := t.Dim
		if column.IsMarked != nil && column.IsMarked() {
			style = t.Strong
		}
		if cells[i].width > 0 {
			c.Text(cells[i].x, 0, style, paint.Cut(column.Title, cells[i].width))
		}
	}
	titles := l.titleRows()
	from, to := l.cursor.Window(top+titles, h-titles, len(l.rows))
	for i := from; i < to; i++ {
		row, r := c.Sub(0, titles+i-from, w, 1), l.rows[i]
		primary, secondary := l.cursor.RowStyles(row, t, i, 0)
		for n, column := range l.Columns {
			at := cells[n]
			if at.width <= 0 {
				continue
			}
			style := secondary
			switch {
			case i == l.cursor.Index:
			case column.Style != nil:
				style = column.Style(r)
			case column.Fills:
				style = primary
			}
			row.Text(at.x, 0, style, column.cellOf(r, at.width))
		}
	}
}

// cellOf returns the text of a cell.
func (c Column[R]) cellOf(r R, width int) string {
	if c.Fit != nil {
		return c.Fit(r, width)
	}
	return paint.Cut(c.Text(r), width)
}
