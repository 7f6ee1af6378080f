package home

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen/lists"
)

// cursor is what is selected in the lobby: a row, a user online, or the board.
type cursor struct {
	view         *lobby.View
	rows         lists.Cursor
	usersFocused bool               // the cursor is in the list of users
	boardFocused bool               // it is on the board; not together with usersFocused
	hasBoard     bool               // there is a board for it
	user         *lobby.UserListing // the selected user, as view has them; nil: nobody is online
}

// selected returns the selected row; ok is false while the cursor is not in the rows.
func (c *cursor) selected() (r lists.Row, ok bool) {
	if c.usersFocused || c.boardFocused {
		return lists.Row{}, false
	}
	return c.rows.Selected()
}

// userIndex returns the index of the selected user; -1: none.
func (c *cursor) userIndex() int {
	if c.user == nil {
		return -1
	}
	return c.view.Users.Index(c.user.ID, c.user.Name)
}

// selectUser selects the user with an index, or the nearest one.
func (c *cursor) selectUser(i int) {
	if c.user = nil; c.view.Users.Len() > 0 {
		c.user = c.view.Users.At(max(min(i, c.view.Users.Len()-1), 0))
	}
}

// setView replaces the lists. If the selected user is gone, the first one is selected.
func (c *cursor) setView(v *lobby.View) {
	c.view = v
	c.selectUser(c.userIndex())
}

// selectedUser returns the selected user; ok is false while the cursor is in the rows.
func (c *cursor) selectedUser() (p *lobby.UserListing, ok bool) {
	if c.user == nil || !c.usersFocused {
		return nil, false
	}
	return c.user, true
}

// move moves the cursor by a key.
func (c *cursor) move(key string) tea.Cmd {
	if c.usersFocused {
		c.selectUser(c.userIndex() + lists.KeyRows[key])
	} else {
		c.boardFocused = false
		c.rows.Key(key)
	}
	return nil
}

// switchLists moves the cursor from the rows to the users, from there to the board, if there is one, and back to the rows.
func (c *cursor) switchLists() tea.Cmd {
	switch {
	case c.usersFocused:
		c.usersFocused, c.boardFocused = false, c.hasBoard
	case c.boardFocused:
		c.boardFocused = false
	default:
		c.usersFocused = true
	}
	return nil
}

// switchBack is switchLists in the other direction.
func (c *cursor) switchBack() tea.Cmd {
	switch {
	case c.usersFocused:
		c.usersFocused = false
	case c.boardFocused:
		c.usersFocused, c.boardFocused = true, false
	case c.hasBoard:
		c.boardFocused = true
	default:
		c.usersFocused = true
	}
	return nil
}

// focusRows moves the cursor to the rows.
func (c *cursor) focusRows() tea.Cmd {
	c.usersFocused, c.boardFocused = false, false
	return nil
}
