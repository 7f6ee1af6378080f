package palette

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// list is the panel with the result of an operation: sentences, and rows of which some can be chosen.
type list struct {
	sh       *screen.Shell
	title    string
	text     op.Text
	selected int // the index of a row, or their number for the one that continues the list

	lines      []line
	laidWidth  int // for which lines were made
	top        int // index into lines of the first visible one
	area, rows image.Rectangle
}

// line is one line of a list.
type line struct {
	text    string
	isFirst bool // of a row or a paragraph
	row     int  // index into Rows of the list, its length for the row that continues it; -1: none
	isTitle bool
}

// openList opens the panel with a result, unless something is asked.
func openList(sh *screen.Shell, title string, text op.Text) {
	if sh.IsAsking() {
		return
	}
	sh.OpenPanel(&list{sh: sh, title: title, text: text, laidWidth: -1})
}

// layOut breaks the list into lines of a width.
func (l *list) layOut(width int) {
	if l.laidWidth == width {
		return
	}
	l.laidWidth, l.lines = width, nil
	for _, paragraph := range l.text.Lines {
		l.add(paragraph, width, -1)
	}
	if b := l.text.Board; b != nil {
		for row := range strings.Lines("\n" + words.Diagram(b.Position)) {
			l.lines = append(l.lines, line{text: paint.Cut(strings.TrimRight(row, "\n"), width), row: -1})
		}
	}
	rows := l.text.Rows
	if rows == nil {
		return
	}
	if len(rows.Rows) == 0 {
		l.add(rows.Empty, width, -1)
	}
	titles, table := tableOf(rows, width-2)
	if titles != "" {
		l.lines = append(l.lines, line{text: "  " + titles, row: -1, isTitle: true}) // above the columns of the rows
	}
	for i, r := range rows.Rows {
		if r.Heading != "" {
			l.lines = append(l.lines, line{text: paint.Cut(r.Heading, width), row: -1, isTitle: true})
		}
		if table != nil {
			l.lines = append(l.lines, line{text: table[i], isFirst: true, row: i})
			continue
		}
		l.add(rows.Sentence(r), width-2, i)
	}
	if rows.Next != "" {
		l.add("More …", width-2, len(rows.Rows))
	}
}

// add adds the lines of a text.
func (l *list) add(text string, width, row int) {
	parts := widget.Wrap(text, width)
	if strings.Contains(strings.TrimSpace(text), "  ") { // a drawing or a table
		parts = []string{paint.Cut(text, width)}
	}
	for i, part := range parts {
		l.lines = append(l.lines, line{text: part, isFirst: i == 0, row: row})
	}
	if len(parts) == 0 {
		l.lines = append(l.lines, line{row: -1})
	}
}

// tableOf returns the rows of a list in columns, and the titles of those, "" if they have none; all is nil if they are wider
// than width.
func tableOf(rows *op.Rows, width int) (titles string, all []string) {
	widths, names := make([]int, len(rows.Columns)), make([]string, len(rows.Columns))
	total := 0
	for i, c := range rows.Columns {
		for _, r := range rows.Rows {
			if i < len(r.Values) && !c.TableOnly {
				widths[i] = max(widths[i], paint.Width(r.Values[i]))
			}
		}
		if widths[i] > 0 {
			names[i] = c.Title
			widths[i] = max(widths[i], paint.Width(c.Title))
			total += widths[i] + 2
		}
	}
	if total-2 > width {
		return "", nil
	}
	inColumns := func(values []string) (text string) {
		for i, v := range values {
			if i < len(widths) && widths[i] > 0 {
				text += v + strings.Repeat(" ", widths[i]-paint.Width(v)+2)
			}
		}
		return strings.TrimRight(text, " ")
	}
	for _, r := range rows.Rows {
		all = append(all, inColumns(r.Values))
	}
	return inColumns(names), all
}

// chooses returns what choosing a row does; nil: nothing.
func (l *list) chooses(row int) func() tea.Cmd {
	rows := l.text.Rows
	switch {
	case rows == nil:
		return nil
	case row < len(rows.Rows):
	case rows.Next != "":
		return l.more
	default:
		return nil
	}
	id := rows.Rows[row].ID
	to, ok := map[op.RowKind]dest.Destination{
		op.RowTable: dest.Table{ID: id}, op.RowMatch: dest.Match{ID: id}, op.RowFinished: dest.Replay{ID: id}, op.RowTournament: dest.Tournament{ID: id},
	}[rows.Kind]
	if !ok || id == "" {
		return nil
	}
	return func() tea.Cmd {
		l.sh.ClosePanel()
		return l.sh.Open(to)
	}
}

// more lists what follows.
func (l *list) more() tea.Cmd {
	name, args, _ := strings.Cut(l.text.Rows.Next, " ")
	o := l.sh.Visit.Operations.Named(name)
	if o == nil {
		return nil
	}
	call, _, err := parse(l.sh, o, name, args)
	l.sh.ClosePanel()
	if err != nil {
		l.sh.NotifyFailure(err)
		return nil
	}
	return start(l.sh, call, l.title, l.sh.NotifyFailure)
}

// Handle implements screen.Panel.
func (l *list) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		return l.click(msg)
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			l.move(-1)
		} else {
			l.move(1)
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "esc", "q":
			l.sh.ClosePanel()
		case "enter", "space":
			return l.enter()
		case "up", "k":
			l.move(-1)
		case "down", "j":
			l.move(1)
		case "pgup":
			l.move(1 - l.rows.Dy())
		case "pgdown":
			l.move(l.rows.Dy() - 1)
		case "home":
			l.move(-len(l.lines))
		case "end":
			l.move(len(l.lines))
		case ":", "ctrl+p":
			return l.sh.Open(dest.Palette{})
		}
	}
	return nil
}

// click selects a row, or chooses the one that is selected; beside the list it closes it.
func (l *list) click(msg tea.MouseClickMsg) tea.Cmd {
	at := image.Pt(msg.X, msg.Y)
	if !at.In(l.area) {
		l.sh.ClosePanel()
		return nil
	}
	i := l.top + at.Y - l.rows.Min.Y
	if !at.In(l.rows) || msg.Button != tea.MouseLeft || i >= len(l.lines) || l.lines[i].row < 0 {
		return nil
	}
	if l.lines[i].row == l.selected {
		return l.enter()
	}
	l.selected = l.lines[i].row
	return nil
}

// rowCount returns the number of rows that can be selected.
func (l *list) rowCount() int {
	switch rows := l.text.Rows; {
	case rows == nil:
		return 0
	case rows.Next != "":
		return len(rows.Rows) + 1
	default:
		return len(rows.Rows)
	}
}

// move selects another row; a text without rows is scrolled. Draw bounds the first visible line.
func (l *list) move(by int) {
	n := l.rowCount()
	if n == 0 {
		l.top += by
		return
	}
	l.selected = max(min(l.selected+by, n-1), 0)
	first, last := -1, 0
	for i, line := range l.lines {
		if line.row != l.selected {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	for first > 0 && l.lines[first-1].row < 0 { // with what is above it
		first--
	}
	l.top = min(max(l.top, last-l.rows.Dy()+1), first)
}

// enter chooses the selected row.
func (l *list) enter() tea.Cmd {
	if choose := l.chooses(l.selected); choose != nil {
		return choose()
	}
	return nil
}

// canChoose reports whether a row can be chosen.
func (l *list) canChoose() bool { return l.chooses(l.selected) != nil }

// Draw implements screen.Panel.
func (l *list) Draw(c paint.Canvas) {
	t := l.sh.Style.Theme
	note := ""
	if rest := len(l.lines) - l.top - l.rows.Dy(); rest > 0 {
		note = fmt.Sprintf("%d more ↓", rest)
	}
	content, at, area := drawFrame(l.sh, c, l.title, note)
	l.area, l.rows = area, at
	w, h := content.Size()
	l.layOut(w)
	l.top = max(min(l.top, len(l.lines)-h), 0)
	for y, line := range l.lines[l.top:min(l.top+h, len(l.lines))] {
		switch {
		case line.isTitle:
			content.Text(0, y, t.Strong, line.text)
		case line.row < 0:
			content.Text(0, y, t.Text, line.text)
		case line.row != l.selected:
			content.Text(2, y, t.Text, line.text)
		default:
			content.Fill(0, y, w, 1, t.Selected, ' ')
			if line.isFirst {
				content.Text(0, y, t.Selected, "›")
			}
			content.Text(2, y, t.Selected, line.text)
		}
	}
}

// StatusKeys implements screen.Panel.
func (l *list) StatusKeys() []game.Key {
	var keys []game.Key
	if l.canChoose() {
		keys = append(keys, game.Key{Key: "Enter", Help: "choose"})
	}
	return append(keys, game.Key{Key: "↑↓", Help: "select"}, game.Key{Key: "PgUp PgDn", Help: "scroll"}, game.Key{Key: "Esc", Help: "close"})
}
