package lobbyscreen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen/lists"
)

// cursor is what is selected in the lobby: a row, or a user online.
type cursor struct {
	view         *lobby.View
	rows         lists.Cursor
	usersFocused bool               // the cursor is in the list of users
	user         *lobby.UserListing // the selected user, as view has them; nil: nobody is online
}

// selected returns the selected row; ok is false while the cursor is in the list of users.
func (c *cursor) selected() (r lists.Row, ok bool) {
	if c.usersFocused {
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
		c.rows.Key(key)
	}
	return nil
}

func (c *cursor) switchLists() tea.Cmd {
	c.usersFocused = !c.usersFocused
	return nil
}

func (c *cursor) leaveUsers() tea.Cmd {
	c.usersFocused = false
	return nil
}
