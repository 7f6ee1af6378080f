package linemode

import "ayumu/tui/op"

// watch opens a match: of the last list, by its id or code, or the one that a user plays.
func (t *session) watch(args string) {
	if args == "" {
		t.list(op.Matches)
		return
	}
	to := op.StartPoint{Kind: op.ToMatch}
	var err error
	if to.ID, _ = t.visit.Numbered(op.RowMatch, args); to.ID == "" {
		if to, err = t.visit.Watched(args); err != nil {
			t.printError(err)
			return
		}
	}
	t.visit.Unfollow()
	t.open(to)
}

// play opens one of the user's games: the one with the number args, or the only one.
func (t *session) play(args string) {
	if id, ok := t.visit.Numbered(op.RowMatch, args); ok {
		t.openMatch(id, "")
		return
	}
	own := t.visit.OwnMatches()
	if len(own.Rows) == 0 {
		t.printf("You have no games in progress.")
		return
	}
	t.printRows(own)
	if len(own.Rows) == 1 {
		t.openMatch(own.Rows[0].ID, "")
	}
}

// openNextWaiting opens the next game in which it is the user's turn, after the open one.
func (t *session) openNextWaiting(string) {
	shown := ""
	if m := t.current(); m != nil {
		shown = m.InLobby.Info.ID
	}
	list := t.visit.Waiting(shown)
	if len(list) == 0 {
		t.printf("It is not your turn in any other game.")
		return
	}
	if m := t.current(); m != nil && m.ClockRuns() {
		t.printf("The game you are leaving continues and your clock keeps running.")
	}
	t.openMatch(list[0].Info.ID, "")
}

// toLobby closes the match or the review.
func (t *session) toLobby(string) {
	m := t.current()
	live := m != nil && m.ClockRuns()
	t.closeMatch()
	t.visit.Unfollow()
	t.visit.SkipChat()
	if live {
		t.printf("You are in the lobby. Your game continues and your clock keeps running. Type play to return.")
		return
	}
	t.printf("You are in the lobby.")
}
