package lobbyscreen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen/lists"
)

// cursor is what is selected in the lobby: a row, or a user online.
type cursor struct {
	view         *lobby.View
	rows         lists.Cursor
	usersFocused bool // the cursor is in the list of users
	userID       lobby.AccountID
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
	return slices.IndexFunc(c.view.Users, func(p lobby.UserListing) bool { return p.ID == c.userID })
}

// selectedUser returns the selected user; ok is false while the cursor is in the rows.
func (c *cursor) selectedUser() (p lobby.UserListing, ok bool) {
	if i := c.userIndex(); i >= 0 && c.usersFocused {
		return c.view.Users[i], true
	}
	return lobby.UserListing{}, false
}

// move moves the cursor by a key.
func (c *cursor) move(key string) tea.Cmd {
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -1000, "end": 1000}[key]
	switch n := len(c.view.Users); {
	case !c.usersFocused:
		c.rows.Move(by)
	case n > 0:
		c.userID = c.view.Users[max(min(c.userIndex()+by, n-1), 0)].ID
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
