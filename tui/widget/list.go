package widget

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// ListCursor is a cursor in a list of rows, of which a window is drawn. The zero value is at the first row.
type ListCursor struct {
	Index int // of the selected row

	top     int
	y, rows int // where the window was drawn, for clicks
}

// Key moves the cursor among n rows and reports whether key is one of its keys.
func (l *ListCursor) Key(key string, n int) bool {
	by, ok := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": 1 - l.rows, "pgdown": l.rows - 1, "home": -n, "end": n}[key]
	if ok {
		l.Move(by, n)
	}
	return ok
}

// Move moves the cursor by a number of rows, backwards if negative, among n rows.
func (l *ListCursor) Move(by, n int) { l.Index = max(min(l.Index+by, n-1), 0) }

// Window returns the range of rows to draw from screen row y on, where that many of n rows fit.
func (l *ListCursor) Window(y, rows, n int) (from, to int) {
	l.y, l.rows = y, max(rows, 1)
	l.Index = max(min(l.Index, n-1), 0)
	l.top = max(min(l.top, l.Index, n-l.rows), l.Index-l.rows+1, 0)
	return l.top, min(l.top+l.rows, n)
}

// RowStyles returns the styles of a row of the list, those of its text and of its less important text. In the selected row
// it fills row, which is one row high, and draws the mark in column x.
func (l *ListCursor) RowStyles(row paint.Canvas, t *theme.Theme, i, x int) (style, dim paint.Style) {
	if i != l.Index {
		return t.Text, t.Dim
	}
	w, _ := row.Size()
	row.Fill(0, 0, w, 1, t.Selected, ' ')
	row.Text(x, 0, t.Selected, "›")
	return t.Selected, t.Selected
}

// Click moves the cursor to the row at screen row y; again reports that it was there already, ok that
// there is a row.
func (l *ListCursor) Click(y, n int) (again, ok bool) {
	i := l.top + y - l.y
	if y < l.y || y >= l.y+l.rows || i >= n {
		return false, false
	}
	again = i == l.Index
	l.Index = i
	return again, true
}

// Input returns the name of the pressed key, or of the key that matches the mouse event: the wheel moves
// the cursor, a click moves it, and a click on its row is Enter. "" means none.
func (l *ListCursor) Input(msg tea.Msg, n int) string {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String()
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return "up"
		}
		return "down"
	case tea.MouseClickMsg:
		if again, ok := l.Click(msg.Y, n); ok && again {
			return "enter"
		}
	}
	return ""
}
