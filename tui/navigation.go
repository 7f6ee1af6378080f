package tui

import tea "charm.land/bubbletea/v2"

// maxHistory bounds how many screens lie behind the one that is shown.
const maxHistory = 8

// push shows another screen, from which up leads back to the present one.
func (a *app) push(v Screen) tea.Cmd {
	history := append(a.history, a.restorer())
	if len(history) > maxHistory {
		history = history[1:]
	}
	cmd := a.setView(v)
	a.history = history
	return cmd
}

// restorer returns what shows the present screen again. What watches a match has to begin anew.
func (a *app) restorer() func() tea.Cmd {
	switch at := a.current.(type) {
	case *matchScreen:
		if at.match != nil {
			id, code := at.match.Info.ID, at.snapshot.Code
			return func() tea.Cmd { return a.watch(id, code) }
		}
	case *gridScreen:
		return func() tea.Cmd { return a.setView(newGridScreen(a)) }
	}
	at := a.current
	return func() tea.Cmd { return a.setView(at) }
}

// pop goes back to where deeper came from, or else to the lobby.
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

// backText says where up leads.
func (a *app) backText() string {
	if len(a.history) > 0 {
		return "back"
	}
	return "lobby"
}
