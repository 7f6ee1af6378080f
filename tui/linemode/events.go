package linemode

import (
	"context"
	"time"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// saveShownConditions stores which conditional moves of the user the session has shown, if there are new ones.
func (t *session) saveShownConditions() {
	if at := t.visit.ShownConditions(); !at.IsZero() {
		t.call(func(ctx context.Context) error {
			t.visit.SaveShownConditions(ctx, at)
			return nil
		})
	}
}

// printAway prints what has happened since the user was online before.
func (t *session) printAway() {
	if t.visit.LastVisit == nil {
		return
	}
	t.call(func(ctx context.Context) error {
		text, err := t.visit.Away(ctx)
		if err == nil && text != "" { // it is only help
			t.printf("%s", text)
		}
		return nil
	})
}

// printEvents prints what has happened since the last call, and opens new and followed matches.
func (t *session) printEvents() {
	shown := ""
	if m := t.current(); m != nil {
		shown = m.InLobby.Info.ID
	}
	for _, text := range t.visit.News(shown, "to", "Type next to go there.") {
		t.printf("%s", text)
	}
	t.saveShownConditions()
	t.printNotices()
	t.openNewMatches()
	for _, table := range t.visit.NewChallenges() {
		t.printf("%s. Type tables, then join or decline and its number.", t.visit.DescribeTable(table))
	}
	if m := t.current(); m == nil {
		t.visit.ReadChat(t.printChat)
	} else {
		m.ReadChat(func(_ lobby.Room, l lobby.ChatLine) { t.printChat(l) })
		t.printChanges()
	}
	t.reportAnalysis()
	t.openFollowed()
}

// printChat prints a line of chat with its time.
func (t *session) printChat(l lobby.ChatLine) {
	t.printf("%s %s says: %s", words.TimeOfDay(l.At), words.Author(l), l.Text)
}

// nextWarning returns when the user's turn in the open match becomes urgent; zero: never.
func (t *session) nextWarning() time.Time {
	m := t.current()
	if m == nil {
		return time.Time{}
	}
	return m.NextWarning(time.Now())
}

// printWarning prints that the user's turn in the open match has become urgent.
func (t *session) printWarning() {
	m := t.current()
	if m == nil {
		return
	}
	if text := m.Warn(time.Now()); text != "" {
		t.printf("%s", text)
	}
}

// openNewMatches opens a match that has just started, unless the user is playing another one.
func (t *session) openNewMatches() {
	for m := t.visit.NextStarted(); m != nil; m = t.visit.NextStarted() {
		t.printf("Your game %s has started.", words.WithOpponents(m.Info, t.visit.Session.Account().ID))
		if open := t.current(); open != nil && open.Player != nil && !open.Snapshot.IsOver() {
			t.printf("To go to it, type games, then play and its number.")
			continue
		}
		t.openMatch(m.Info.ID, "")
	}
}

// openFollowed opens the next match of the followed user, or the next featured one, unless the user plays, or
// watches a game that is not over.
func (t *session) openFollowed() {
	m := t.current()
	if !t.visit.IsFollowing() || t.review != nil || m != nil && !m.Snapshot.IsOver() {
		return
	}
	next := t.visit.NextFollowed()
	if next == "" || m != nil && (m.Player != nil || m.InLobby.Info.ID == next) {
		return
	}
	t.openMatch(next, "")
}
