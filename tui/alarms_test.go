package tui

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
)

// alarmCounts returns how many wait for a time, and how often the timer has run out.
func (h *harness) alarmCounts() (set, runs int) {
	synctest.Wait()
	return h.Alarms.Count()
}

// TestOneTimerForAllClocks has many watch a running clock: one timer runs out once a second for all
// of them, and not at all once nothing runs.
func TestOneTimerForAllClocks(t *testing.T) {
	withHarness(t, func(h *harness) {
		const watchers, seconds = 40, 10
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		matches, _ := h.alarmCounts()
		for i := range watchers {
			h.account(fmt.Sprintf("w%d", i))
			h.terminal(setting{name: fmt.Sprintf("w%d", i), open: "watch " + m.Info.ID})
		}
		if set, _ := h.alarmCounts(); set != matches+watchers {
			t.Errorf("%d of %d screens wait for the clock", set-matches, watchers)
		}
		_, before := h.alarmCounts()
		<-time.After(seconds * time.Second)
		if _, runs := h.alarmCounts(); runs-before < seconds-1 || runs-before > seconds+1 {
			t.Errorf("the timer ran out %d times in %d s", runs-before, seconds)
		}
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		if set, _ := h.alarmCounts(); set > matches { // matches that are over may have gone to rest meanwhile
			t.Errorf("%d screens wait though nothing changes any more", set-matches)
		}
		_, before = h.alarmCounts()
		<-time.After(9 * time.Minute)
		if _, runs := h.alarmCounts(); runs != before {
			t.Errorf("the timer ran out %d times in nine idle minutes", runs-before)
		}
	})
}

// TestIdleLobbyDoesNotTick has a screen wait in a lobby in which nothing has a time.
func TestIdleLobbyDoesNotTick(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.terminal(setting{name: "ana"})
		<-time.After(20 * time.Minute)
		if set, runs := h.alarmCounts(); set != 0 || runs != 0 {
			t.Errorf("%d wait, and the timer ran out %d times", set, runs)
		}
	})
}
