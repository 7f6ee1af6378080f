package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// further takes the lobby's keys that lead to other screens.
func (v *lobbyView) further(key string) tea.Cmd {
	a := v.app
	switch key {
	case "N":
		return a.nextWaiting()
	case "a":
		return a.openArchive()
	case "g":
		return a.openGrid()
	case "r":
		return a.openLeaders()
	case "i":
		return v.profile()
	case "B":
		if p, ok := v.selectedPerson(); ok {
			return a.toggleBlock(p.ID, p.Name)
		}
		a.tell("Choose somebody among the people first (Tab).")
	case "R":
		if p, ok := v.selectedPerson(); ok {
			return a.report(p.Name)
		}
		a.tell("Choose somebody among the people first (Tab).")
	case "M":
		if p, ok := v.selectedPerson(); ok && p.ID != a.session.Account().ID {
			return a.openModerate(p.Name, nil)
		}
		return a.openOffice()
	}
	return nil
}

// profile shows the profile of who is chosen; of nobody in particular, one's own.
func (v *lobbyView) profile() tea.Cmd {
	a := v.app
	if p, ok := v.selectedPerson(); ok {
		return a.openProfileOf(p.ID)
	}
	it, _ := v.selected()
	switch {
	case it.match != nil:
		return a.profileOf(it.match.Info)
	case it.own != nil:
		return a.profileOf(it.own.Info)
	case it.table != nil:
		return a.openProfile(it.table.Owner)
	}
	return a.openProfileOf(a.session.Account().ID)
}

// hint tells of the games that wait, else of the screens that the last line has no room for.
func (v *lobbyView) hint() (string, paint.Style) {
	t := v.app.look.Theme
	if n := len(v.app.waiting()); n > 1 {
		return fmt.Sprintf("It is your turn in %s; N goes to the next.", words.Plural(n, "game")), t.Note
	}
	return "a finished games · r ratings · i profile · g many at once", t.Dim
}
