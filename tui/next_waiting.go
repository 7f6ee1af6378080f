package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// waitingMatches returns the other matches in which it is the user's turn, in a stable cyclic order
// that starts after the match that is shown.
func (a *Model) waitingMatches() []*lobby.Match {
	me := a.Session.Account().ID
	var before, after []*lobby.Match
	shown := a.Current().Traits().Match
	past := false
	for _, m := range a.Session.SeatedMatches() {
		s := a.Session.Snapshot(m)
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
func (a *Model) openNextWaiting() tea.Cmd {
	list := a.waitingMatches()
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
