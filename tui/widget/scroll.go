package widget

import tea "charm.land/bubbletea/v2"

// Scroll is the position in a text of which a window is drawn. The zero value is at its beginning.
type Scroll struct {
	Top int // the first visible row; Window bounds it

	rows, count int // visible rows, and all
}

// wheelRows is the number of rows by which the wheel scrolls.
const wheelRows = 3

// Window returns the range of rows to draw where that many of n rows fit.
func (s *Scroll) Window(rows, n int) (from, to int) {
	s.rows, s.count = max(rows, 1), n
	s.Top = max(min(s.Top, n-s.rows), 0)
	return s.Top, min(s.Top+s.rows, n)
}

// Move scrolls by a number of rows, backwards if negative.
func (s *Scroll) Move(by int) {
	s.Top += by
	s.Window(s.rows, s.count)
}

// Rest returns the number of rows below the window.
func (s *Scroll) Rest() int { return max(s.count-s.rows-s.Top, 0) }

// CanMove reports whether the text is longer than the window.
func (s *Scroll) CanMove() bool { return s.count > s.rows }

// Key scrolls by a key and reports whether it is one that does.
func (s *Scroll) Key(key string) bool {
	by, ok := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -s.rows, "pgdown": s.rows, "space": s.rows, "home": -s.count, "end": s.count,
	}[key]
	if ok {
		s.Move(by)
	}
	return ok
}

// Input returns the name of the pressed key; the wheel scrolls. "" means none.
func (s *Scroll) Input(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String()
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			s.Move(-wheelRows)
		} else {
			s.Move(wheelRows)
		}
	}
	return ""
}
