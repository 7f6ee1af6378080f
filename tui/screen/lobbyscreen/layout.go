package lobbyscreen

import (
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// Sizes of the layout.
const (
	// From wideColumns on, users and chat are beside the lists, in which no column is missing. In the widest lists
	// no name is cut.
	wideColumns                    = minListColumns + 2 + minSideColumns
	minListColumns, maxListColumns = 82, 106
	minSideColumns, maxSideColumns = 36, 48

	usersColumn   = 26 // width of the users below the lists
	narrowColumns = 60 // below this width, the users are shown in place of the chat while one is selected
	narrowRows    = 4  // below the lists, with a title
)

// area is a part of a canvas; the zero value is empty.
type area struct{ x, y, w, h int }

// of returns the part of a canvas.
func (a area) of(c paint.Canvas) paint.Canvas { return c.Sub(a.x, a.y, a.w, a.h) }

// layout has the areas of the lobby's parts below the header. An empty one is not shown.
type layout struct{ list, users, chat area }

// layOut returns the layout of a canvas of w columns and h rows with a number of users online. Where there is space
// for the users or the chat only, usersFocused decides.
func layOut(w, h, users int, usersFocused bool) layout {
	h-- // the header
	if w >= wideColumns {
		list := min(w-minSideColumns-2, maxListColumns)
		side := min(w-list-2, maxSideColumns)
		x := (w - list - 2 - side) / 2
		rows := max(min(users+1, h/3), 5)
		beside := x + list + 2
		return layout{area{x, 1, list, h}, area{beside, 1, side, rows}, area{beside, 1 + rows, side, h - rows}}
	}
	x := max(w-widget.ListWidth, 0) / 2
	w = min(w, widget.ListWidth)
	if w < narrowColumns {
		rows := max((h+1)/3, narrowRows)
		l, below := layout{list: area{x, 1, w, h - rows}}, area{x, 1 + h - rows, w, rows}
		if usersFocused {
			l.users = below
		} else {
			l.chat = below
		}
		return l
	}
	rows := 7
	if h > 21 {
		rows = (h + 1) / 3
	}
	y := 1 + h - rows
	return layout{area{x, 1, w, h - rows}, area{x + w - usersColumn, y, usersColumn, rows}, area{x, y, w - usersColumn - 1, rows}}
}
