package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

func TestFirstTurnRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memory(t))
		defer h.Close()
		seats := h.pair(h.member("ana"), h.member("bob"), lobby.Proposal{Clock: &clock.Default})
		m := seats[0].Match()
		<-time.After(20 * time.Second)
		if left, ok := m.Snapshot().FirstTurn(time.Now()); !ok || left != 40*time.Second {
			t.Errorf("after 20 s the first turn has %v left, %v", left, ok)
		}
		for i, turn := range []string{"b1-b2", "a2-a3"} {
			if _, ok := m.Snapshot().FirstTurn(time.Now()); !ok {
				t.Errorf("turn %d is no first turn", i)
			}
			if _, err := seats[i].Act(t.Context(), i, []string{turn}); err != nil {
				t.Fatal(err)
			}
		}
		if _, ok := m.Snapshot().FirstTurn(time.Now()); ok {
			t.Error("the third turn is a first turn")
		}
	})
}
