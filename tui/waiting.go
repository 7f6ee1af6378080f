package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// waiting returns the person's matches in which it is his turn, in a lasting order, those after
// the match that is shown first and that one left out.
func (a *app) waiting() []*lobby.Match {
	me := a.session.Account().ID
	var before, after []*lobby.Match
	shown := ""
	if at, ok := a.at.(*matchView); ok {
		shown = at.snap.Info.ID
	}
	past := false
	for _, m := range a.session.Seated() {
		s := a.session.Snapshot(m)
		switch {
		case m.Info.ID == shown:
			past = true
		case s.Over() || s.Frozen || seatOf(m.Info, me) != s.Position.Turn():
		case past:
			after = append(after, m)
		default:
			before = append(before, m)
		}
	}
	return append(after, before...)
}

// nextWaiting goes to the next game that waits for the person.
func (a *app) nextWaiting() tea.Cmd {
	list := a.waiting()
	if len(list) == 0 {
		a.tell("No other game waits for you.")
		return nil
	}
	next := list[0]
	open := func() tea.Cmd {
		a.tell("Your game %s; it is your turn.", words.Versus(next.Info, a.session.Account().ID))
		return a.watch(next.Info.ID, "")
	}
	if at, ok := a.at.(*matchView); ok && at.player != nil && !at.snap.Over() && at.snap.Info.Control.Live() {
		return a.confirm(yes("This game goes on and your clock runs. To the next game?", "to the next", "stay", open))
	}
	return open()
}
