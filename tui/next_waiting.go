package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// openNextWaiting opens the next match in which it is the user's turn.
func (a *Model) openNextWaiting() tea.Cmd {
	list := a.Client.Waiting(a.Current().Traits().Match)
	if len(list) == 0 {
		a.Notify("It is not your turn in any other game.")
		return nil
	}
	next := list[0]
	open := func() tea.Cmd {
		a.Notify("Your game %s: it is your turn.", words.WithOpponents(next.Info, a.Session.Account().ID))
		return a.Open(dest.Match{ID: next.Info.ID})
	}
	if a.Current().Traits().ClockRuns {
		return a.Confirm(screen.YesNo("Your clock keeps running. Go to the next game?", "next game", "stay", open))
	}
	return open()
}
