package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// waitingMatches returns the other matches in which it is the user's turn, in a stable cyclic order
// that starts after the match that is shown.
func (a *app) waitingMatches() []*lobby.Match {
	me := a.session.Account().ID
	var before, after []*lobby.Match
	shown := ""
	if screen, ok := a.current.(*matchScreen); ok {
		shown = screen.snapshot.Info.ID
	}
	past := false
	for _, m := range a.session.SeatedMatches() {
		s := a.session.Snapshot(m)
		switch {
		case m.Info.ID == shown:
			past = true
		case s.IsOver() || s.Frozen || seatOf(m.Info, me) != s.Position.Turn():
		case past:
			after = append(after, m)
		default:
			before = append(before, m)
		}
	}
	return append(after, before...)
}

// openNextWaiting opens the next match in which it is the user's turn.
func (a *app) openNextWaiting() tea.Cmd {
	list := a.waitingMatches()
	if len(list) == 0 {
		a.notify("It is not your turn in any other game.")
		return nil
	}
	next := list[0]
	open := func() tea.Cmd {
		a.notify("Your game %s: it is your turn.", words.WithOpponents(next.Info, a.session.Account().ID))
		return a.watch(next.Info.ID, "")
	}
	if screen, ok := a.current.(*matchScreen); ok && screen.player != nil && !screen.snapshot.IsOver() && screen.snapshot.Info.Control.IsLive() {
		return a.confirm(yesNo("Your clock keeps running. Go to the next game?", "next game", "stay", open))
	}
	return open()
}
