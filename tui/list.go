package tui

// listCursor is a cursor in a list of rows, of which a window is drawn.
type listCursor struct {
	index, top int
	y, rows    int // where the window was drawn, for clicks
}

// key moves the cursor among n rows and reports whether key is one of its keys.
func (l *listCursor) key(key string, n int) bool {
	by, ok := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": 1 - l.rows, "pgdown": l.rows - 1, "home": -n, "end": n}[key]
	if ok {
		l.move(by, n)
	}
	return ok
}

func (l *listCursor) move(by, n int) { l.index = max(min(l.index+by, n-1), 0) }

// window returns the range of rows to draw from screen row y on, where that many rows fit.
func (l *listCursor) window(y, rows, n int) (from, to int) {
	l.y, l.rows = y, max(rows, 1)
	l.index = max(min(l.index, n-1), 0)
	l.top = max(min(l.top, l.index, n-l.rows), l.index-l.rows+1, 0)
	return l.top, min(l.top+l.rows, n)
}

// click moves the cursor to the row at screen row y; again reports that it was there already, ok that
// there is a row.
func (l *listCursor) click(y, n int) (again, ok bool) {
	i := l.top + y - l.y
	if y < l.y || y >= l.y+l.rows || i >= n {
		return false, false
	}
	again = i == l.index
	l.index = i
	return again, true
}
