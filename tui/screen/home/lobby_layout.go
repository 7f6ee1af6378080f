package home

import (
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// Sizes of the layout.
const (
	minBoardWindow = 80 // columns; a narrower window has no board
	narrowRows     = 4  // of the chat or the users in the narrowest windows, with a title

	maxListColumns = 110 // with the borders
	usersColumns   = 27  // of the users below the lists, with the borders
	minChatRows    = 7   // of the chat below the users, with the borders
	minBelowRows   = 4   // of the users and the chat below the board, in a row each, with the borders between
	sideColumns    = 36  // of the board in the smallest window that has one, with the borders

	// From wideColumns and wideRows on, the board is larger, and what is else has a strip below.
	wideColumns, wideRows = 112, 34
	minStripRows          = 11
	minMiddleColumns      = 68 // of the lists beside the board
	stripColumns          = 28 // of a small board in the strip
	stripUsers            = 32 // of the users in the strip

	// From hugeColumns and hugeRows on, the board has the whole height.
	hugeColumns, hugeRows = 180, 52
	hugeBoard             = 94
	hugeStripRows         = 17 // at least, and at most maxStripRows
	maxStripRows          = 29
	minUsersBelow         = 5
)

// layout has the panes of the lobby below the header. The zero Pane is not shown.
type layout struct {
	list, board, users, chat widget.Pane
	more                     [maxMoreBoards]widget.Pane // of further boards, the puzzle first
}

// maxMoreBoards is the maximum number of boards beside the first one.
const maxMoreBoards = 4

// boardSpace is what a layout asks of the boards that can be shown.
type boardSpace interface {
	// rows returns the number of rows that the content of the first board's pane takes in w columns and at most h rows; 0:
	// no board fits.
	rows(w, h int) int
	// more returns the number of further boards that there are for panes with w columns and h rows inside.
	more(w, h int) int
}

// contents is what a layout depends on, beside the size of the window.
type contents struct {
	users, rows  int  // the numbers of users online and of rows of the lists
	usersFocused bool // decides where there is space for the users or something else only
	boards       boardSpace
}

// layOut returns the layout of a canvas of w columns and h rows.
func layOut(w, h int, in contents) layout {
	h-- // the header
	switch {
	case w < widget.MinBordered:
		return narrowLayout(w, h, in)
	case w < minBoardWindow:
		return columnLayout(w, h)
	case w >= hugeColumns && h >= hugeRows:
		return hugeLayout(w, h, in)
	case w >= wideColumns && h >= wideRows:
		return wideLayout(w, h, in)
	}
	return besideLayout(w, h, in)
}

// narrowLayout has the lists, and below them the users or the chat.
func narrowLayout(w, h int, in contents) layout {
	rows := max((h+1)/4, narrowRows)
	below := widget.Pane{Y: 1 + h - rows, W: w, H: rows, NoBorder: true}
	l := layout{list: widget.Pane{Y: 1, W: w, H: h - rows, NoBorder: true}}
	if in.usersFocused {
		l.users = below
	} else {
		l.chat = below
	}
	return l
}

// columnLayout has the lists, and below them the chat beside the users.
func columnLayout(w, h int) layout {
	rows := max((h+1)/3, 6)
	y := 1 + h - rows
	return layout{
		list:  widget.Pane{Y: 1, W: w, H: h - rows + 1},
		chat:  widget.Pane{Y: y, W: w - usersColumns + 1, H: rows},
		users: widget.Pane{X: w - usersColumns, Y: y, W: usersColumns, H: rows},
	}
}

// besideLayout has the lists, and beside them the board, the users and the chat, as far as there is space for them in this
// order.
func besideLayout(w, h int, in contents) layout {
	side := sideColumns
	if w > minBoardWindow {
		side = min(max(w*2/5, sideColumns), 52)
	}
	x := w - side
	l := layout{list: widget.Pane{Y: 1, W: x + 1, H: h}}
	at := widget.Pane{X: x, Y: 1, W: side, H: h}
	if in.usersFocused { // in the place of the board
		l.users, l.chat = at, at
		l.users.H = h - minChatRows + 1
		l.chat.Y, l.chat.H = 1+h-minChatRows, minChatRows
		return l
	}
	rows := in.boards.rows(side-2, h-2-minBelowRows)
	if rows == 0 {
		rows = in.boards.rows(side-2, h-2)
	}
	if rows > 0 {
		l.board = at
		if rest := h - rows - 2; rest < 2 {
			return l
		}
		l.board.H = rows + 2
		at.Y, at.H = at.Y+rows+1, h-rows-1
	}
	l.users = at
	if rest := at.H - 3; rest < 2 { // with one row of users
		return l
	} else if l.board.IsShown() && rest < 8 {
		l.users.H = 3
	} else {
		l.users.H = max(min(in.users+2, at.H/2), 3)
	}
	l.chat = at
	l.chat.Y, l.chat.H = at.Y+l.users.H-1, at.H-l.users.H+1
	return l
}

// wideLayout has the lists and the board, and a strip below them with another board, the users and the chat.
func wideLayout(w, h int, in contents) layout {
	side := min(max(w-maxListColumns, w*43/100), w-minMiddleColumns)
	rows := in.boards.rows(side-2, h-minStripRows-1)
	top := min(h-minStripRows+1, max(rows+2, h*3/5))
	l := layout{list: widget.Pane{Y: 1, W: w, H: top}}
	if rows > 0 {
		x := w - side
		l.list.W = x + 1
		l.board = widget.Pane{X: x, Y: 1, W: side, H: top}
	}
	l.strip(widget.Pane{Y: top, W: w, H: h - top + 1}, in.boards)
	return l
}

// strip divides a pane among a board, the users and the chat.
func (l *layout) strip(at widget.Pane, boards boardSpace) {
	if boards.more(stripColumns-2, at.H-2) > 0 {
		l.more[0] = at
		l.more[0].W = stripColumns
		at.X, at.W = at.X+stripColumns-1, at.W-stripColumns+1
	}
	l.users, l.chat = at, at
	l.users.W = stripUsers
	l.chat.X, l.chat.W = at.X+stripUsers-1, at.W-stripUsers+1
}

// hugeLayout has the board at full height with the users below it, and beside it the lists and the chat, and below these
// further boards, which are larger if the lists are short.
func hugeLayout(w, h int, in contents) layout {
	side := hugeBoard + max(w-hugeColumns-20, 0)/2
	rows := in.boards.rows(side-2, h-minUsersBelow-1)
	if rows == 0 {
		return wideLayout(w, h, in)
	}
	x := w - side
	l := layout{board: widget.Pane{X: x, Y: 1, W: side, H: min(rows+2, h-minUsersBelow+1)}}
	l.users = widget.Pane{X: x, Y: l.board.H, W: side, H: h - l.board.H + 1}
	left := x + 1
	listColumns, listRows := left-left*2/5, h
	n := min(in.boards.more(stripColumns-2, hugeStripRows-2), maxMoreBoards, (left-1)/(stripColumns-1))
	if n > 0 {
		strip := max(hugeStripRows, min(h-max(in.rows+2, h/2)+1, maxStripRows))
		listRows = h - strip + 1
		width := (left - 1) / n
		for i := range n {
			l.more[i] = widget.Pane{X: i * width, Y: 1 + h - strip, W: width + 1, H: strip}
		}
		l.more[n-1].W = left - (n-1)*width
		if n == 1 { // the chat is beside it
			l.more[0].W = listColumns
		}
	}
	l.list = widget.Pane{Y: 1, W: listColumns, H: listRows}
	l.chat = widget.Pane{X: listColumns - 1, Y: 1, W: left - listColumns + 1, H: listRows}
	if n < 2 {
		l.chat.H = h
	}
	return l
}

// area is a part of a canvas; the zero value is empty.
type area struct{ x, y, w, h int }

// inside returns the area that is inside of a pane.
func inside(p widget.Pane) area {
	if !p.IsShown() {
		return area{}
	}
	var a area
	a.x, a.y, a.w, a.h = p.Inside()
	return a
}

// of returns the part of a canvas.
func (a area) of(c paint.Canvas) paint.Canvas { return c.Sub(a.x, a.y, a.w, a.h) }
