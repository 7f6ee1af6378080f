package lobby_test

import (
	"testing"

	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

// TestAClosedSessionWatchesNothing, so that it does not speak as a spectator either.
func TestAClosedSessionWatchesNothing(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		m := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})[0].Match()
		eve := h.member("eve")
		if _, err := eve.Watch(m.Info.ID, ""); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "chat of a spectator", eve.SayInMatch(m.Info.ID, "hello"), "")
		eve.Close(false)
		wantCode(t, "chat after the end of the session", eve.SayInMatch(m.Info.ID, "hello"), errcode.NotAllowed)
	})
}
