package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestAFullServerMakesRoom: users start games without a clock and leave, until the server is full, and
// others want to play.
func TestAFullServerMakesRoom(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		limits := h.Limits()
		limits.Matches = 2
		h.SetLimits(limits)
		begin := func(s, other *lobby.Session) (string, error) {
			return s.StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, other)
		}
		ana, bob, carol, dave := h.member("ana"), h.member("bob"), h.member("carol"), h.member("dave")
		eve, finn, gus, hal := h.member("eve"), h.member("finn"), h.member("gus"), h.member("hal")
		played := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		turn(t, played)
		empty := h.pair(eve, finn, table.Proposal{Options: smallOptions})
		if _, err := begin(carol, dave); err == nil {
			t.Fatal("there is a third of two games")
		}
		for _, s := range []*lobby.Session{ana, bob, eve, finn} {
			s.Close(true)
		}
		advance(4 * time.Minute)
		if _, err := begin(carol, dave); err == nil {
			t.Error("a game whose players may come back soon is broken off")
		}
		advance(2 * time.Minute)
		first, err := begin(carol, dave)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		_, log, err := h.Archive.MatchLog(t.Context(), 0, empty[0].Match().Info.ID)
		if err != nil || len(log) != 1 || log[0].Kind != match.EntryEnd || log[0].Result.Reason != engine.ReasonAbort {
			t.Errorf("the game without a turn has the log %v, %v", log, err)
		}
		if s := played[0].Snapshot(); s.IsOver() {
			t.Error("the game with a turn went before the one without")
		}
		// A finished game is evicted before a running one, even within its ten minutes.
		seat, err := carol.AsPlayer(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := seat.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		carol.Close(false)
		dave.Close(false)
		advance(time.Second)
		if _, err := begin(gus, hal); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s := played[0].Snapshot(); s.IsOver() {
			t.Error("a game that could go on went before a finished one")
		}
		if _, err := begin(gus, hal); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s := played[0].Snapshot(); !s.IsOver() || s.Result.Reason != engine.ReasonAbort {
			t.Error("the last abandoned game was not evicted")
		}
		if _, err := begin(gus, hal); err == nil {
			t.Error("games of people who are here were broken off")
		}
	})
}

// TestNoGameIsBrokenOffWhileThereIsRoom: a game that made room is counted until it is gone, and not longer.
func TestNoGameIsBrokenOffWhileThereIsRoom(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		setMatches := func(n int) {
			limits := h.Limits()
			limits.Matches = n
			h.SetLimits(limits)
		}
		begin := func(names ...string) *lobby.Match {
			t.Helper()
			a, b := h.member(names[0]), h.member(names[1])
			id, err := a.StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, b)
			if err != nil {
				t.Fatal(err)
			}
			a.Close(true)
			b.Close(true)
			advance(10 * time.Minute) // nobody is expected back
			return h.mustMatch(id)
		}
		setMatches(1)
		first := begin("ana", "bob")
		second := begin("carol", "dave")
		if !first.IsForgotten() {
			t.Error("the first of two games is there, although there is room for one")
		}
		setMatches(2)
		begin("eve", "finn")
		if second.IsForgotten() {
			t.Error("the second of three games was broken off, although there is room for two")
		}
	})
}
