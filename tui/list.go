package tui

// list is a cursor in rows that are drawn from top on, as many as fit.
type list struct {
	at, top int
	y, rows int // where they were drawn, for clicks
}

// key moves the cursor by a key's name, among n rows. It reports whether the key does that.
func (l *list) key(key string, n int) bool {
	by, ok := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": 1 - l.rows, "pgdown": l.rows - 1, "home": -n, "end": n}[key]
	if ok {
		l.move(by, n)
	}
	return ok
}

func (l *list) move(by, n int) { l.at = max(min(l.at+by, n-1), 0) }

// window returns the rows from and to which are shown where there is room for that many, from a
// row of the screen on.
func (l *list) window(y, rows, n int) (from, to int) {
	l.y, l.rows = y, max(rows, 1)
	l.at = max(min(l.at, n-1), 0)
	l.top = max(min(l.top, l.at, n-l.rows), l.at-l.rows+1, 0)
	return l.top, min(l.top+l.rows, n)
}

// click moves the cursor to the row at a place of the screen; again reports that it was there.
func (l *list) click(y, n int) (again, ok bool) {
	i := l.top + y - l.y
	if y < l.y || y >= l.y+l.rows || i >= n {
		return false, false
	}
	again = i == l.at
	l.at = i
	return again, true
}
