package tui

import tea "charm.land/bubbletea/v2"

// maxTrail bounds how many screens lie behind the one that is shown.
const maxTrail = 8

// deeper shows another screen, from which up leads back to the present one.
func (a *app) deeper(v view) tea.Cmd {
	trail := append(a.trail, a.wayBack())
	if len(trail) > maxTrail {
		trail = trail[1:]
	}
	cmd := a.show(v)
	a.trail = trail
	return cmd
}

// wayBack returns what shows the present screen again. What watches a match has to begin anew.
func (a *app) wayBack() func() tea.Cmd {
	switch at := a.at.(type) {
	case *matchView:
		if at.match != nil {
			id, code := at.match.Info.ID, at.snap.Code
			return func() tea.Cmd { return a.watch(id, code) }
		}
	case *gridView:
		return func() tea.Cmd { return a.show(newGridView(a)) }
	}
	at := a.at
	return func() tea.Cmd { return a.show(at) }
}

// up goes back to where deeper came from, or else to the lobby.
func (a *app) up() tea.Cmd {
	n := len(a.trail)
	if n == 0 {
		return a.toLobby()
	}
	back, rest := a.trail[n-1], a.trail[:n-1]
	cmd := back()
	a.trail = rest
	return cmd
}

// behind says where up leads.
func (a *app) behind() string {
	if len(a.trail) > 0 {
		return "back"
	}
	return "lobby"
}
