package tui

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
)

// alarms returns how many wait for a time, and how often the timer has run out.
func (h *house) alarms() (set, runs int) {
	synctest.Wait()
	return h.Alarms.Count()
}

// TestOneTimerForAllClocks has many watch a running clock: one timer runs out once a second for all
// of them, and not at all once nothing runs.
func TestOneTimerForAllClocks(t *testing.T) {
	inHouse(t, func(h *house) {
		const watchers, seconds = 40, 10
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		matches, _ := h.alarms()
		for i := range watchers {
			h.account(fmt.Sprintf("w%d", i))
			h.terminal(setting{name: fmt.Sprintf("w%d", i), open: "watch " + m.Info.ID})
		}
		if set, _ := h.alarms(); set != matches+watchers {
			t.Errorf("%d of %d screens wait for the clock", set-matches, watchers)
		}
		_, before := h.alarms()
		<-time.After(seconds * time.Second)
		if _, runs := h.alarms(); runs-before < seconds-1 || runs-before > seconds+1 {
			t.Errorf("the timer ran out %d times in %d s", runs-before, seconds)
		}
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		if set, _ := h.alarms(); set > matches { // matches that are over may have gone to rest meanwhile
			t.Errorf("%d screens wait though nothing changes any more", set-matches)
		}
		_, before = h.alarms()
		<-time.After(9 * time.Minute)
		if _, runs := h.alarms(); runs != before {
			t.Errorf("the timer ran out %d times in nine idle minutes", runs-before)
		}
	})
}

// TestIdleLobbyDoesNotTick has a screen wait in a lobby in which nothing has a time.
func TestIdleLobbyDoesNotTick(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.terminal(setting{name: "ana"})
		<-time.After(20 * time.Minute)
		if set, runs := h.alarms(); set != 0 || runs != 0 {
			t.Errorf("%d wait, and the timer ran out %d times", set, runs)
		}
	})
}
