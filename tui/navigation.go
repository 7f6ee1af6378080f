package tui

import tea "charm.land/bubbletea/v2"

// maxHistory bounds the number of screens to which pop can return.
const maxHistory = 8

// push opens a screen from which pop returns to the current one.
func (a *app) push(v Screen) tea.Cmd {
	history := append(a.history, a.restorer())
	if len(history) > maxHistory {
		history = history[1:]
	}
	cmd := a.setView(v)
	a.history = history
	return cmd
}

// restorer returns a function that reopens the current screen. Screens that watch matches are created
// anew.
func (a *app) restorer() func() tea.Cmd {
	switch screen := a.current.(type) {
	case *matchScreen:
		if screen.match != nil {
			id, code := screen.match.Info.ID, screen.snapshot.Code
			return func() tea.Cmd { return a.watch(id, code) }
		}
	case *gridScreen:
		return func() tea.Cmd { return a.setView(newGridScreen(a)) }
	}
	screen := a.current
	return func() tea.Cmd { return a.setView(screen) }
}

// pop returns to the previous screen, or else to the lobby.
func (a *app) pop() tea.Cmd {
	n := len(a.history)
	if n == 0 {
		return a.toLobby()
	}
	back, rest := a.history[n-1], a.history[:n-1]
	cmd := back()
	a.history = rest
	return cmd
}

// backText returns the label of the key for pop.
func (a *app) backText() string {
	if len(a.history) > 0 {
		return "back"
	}
	return "lobby"
}
