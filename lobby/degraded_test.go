package lobby_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestNodeWithoutItsStoreRefusesTurns: a node that is cut off says so once, refuses turns, ends none because of its
// time, and recovers by itself. The other node goes on.
func TestNodeWithoutItsStoreRefusesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		a := c.node("a")
		defer a.Close()
		b, cut := c.separableNode("b")
		defer b.Close()
		ana, bob := a.member("ana"), a.member("bob")
		seats := a.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: time.Minute}})
		c.settle()
		onB, err := b.member("bob").AsPlayer(seats[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		seats[onB.Seat()] = onB
		bob.Close(false)
		for onTurn(seats) != onB || onB.Snapshot().Version < 2 {
			turn(t, [2]*lobby.Player{onTurn(seats), onTurn(seats)})
			c.settle()
		}
		told := func(h harness) (n int) {
			for _, l := range h.Chat.Since(0) {
				if strings.Contains(l.Text, "database") {
					n++
				}
			}
			return n
		}
		lastIs := func(text string) bool {
			lines := b.Chat.Since(0)
			return strings.Contains(lines[len(lines)-1].Text, text)
		}
		before := onB.Snapshot()
		cut.cut.Store(true)
		advance(8 * time.Second)
		act := func() error {
			_, err := onB.Act(t.Context(), before.Version, before.Position.Legal()[:1])
			return err
		}
		wantCode(t, "while the node is cut off", act(), errcode.Unavailable)
		advance(2 * time.Minute)
		if s := onB.Snapshot(); s.IsOver() || s.Version != before.Version {
			t.Fatalf("while the node is cut off: version %d, %+v", s.Version, s.Result)
		}
		if told(b) != 1 || told(a) != 0 || !lastIs("cannot reach") {
			t.Errorf("the node has said it %d times, the other %d times", told(b), told(a))
		}
		cut.cut.Store(false)
		advance(10 * time.Second)
		if told(b) != 2 || !lastIs("again") {
			t.Errorf("afterwards the node has said it %d times", told(b))
		}
		cut.cut.Store(true)
		advance(8 * time.Second)
		cut.cut.Store(false)
		advance(10 * time.Second)
		if told(b) != 2 {
			t.Errorf("after two outages within a minute the node has said it %d times", told(b))
		}
		// For the other node the player's node has died: the seat got some time, and lost after it.
		s := onB.Snapshot()
		if log := s.Log[before.Version:]; len(log) != 2 || log[0].Reason != match.CreditNodeDied || !s.IsOver() || s.Result.Reason != engine.ReasonTime {
			t.Errorf("the log has %+v", log)
		}
	})
}
