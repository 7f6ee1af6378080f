package tui

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
)

// alarmCounts returns how many alarms are set, and how often the timer has fired.
func (h *harness) alarmCounts() (set, runs int) {
	synctest.Wait()
	return h.Alarms.Count()
}

// TestOneTimerForAllClocks has many sessions watch a running clock: one timer fires once a second for
// all of them, and not at all once no clock runs.
func TestOneTimerForAllClocks(t *testing.T) {
	withHarness(t, func(h *harness) {
		const spectators, seconds = 40, 10
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		matches, _ := h.alarmCounts()
		for i := range spectators {
			h.account(fmt.Sprintf("w%d", i))
			h.terminal(setting{name: fmt.Sprintf("w%d", i), open: "watch " + m.Info.ID})
		}
		if set, _ := h.alarmCounts(); set != matches+spectators {
			t.Errorf("%d of %d screens wait for the clock", set-matches, spectators)
		}
		_, before := h.alarmCounts()
		<-time.After(seconds * time.Second)
		if _, runs := h.alarmCounts(); runs-before < seconds-1 || runs-before > seconds+1 {
			t.Errorf("the timer fired %d times in %d s", runs-before, seconds)
		}
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		if set, _ := h.alarmCounts(); set > matches { // finished matches may have left memory meanwhile
			t.Errorf("%d screens wait though nothing changes any more", set-matches)
		}
		_, before = h.alarmCounts()
		<-time.After(9 * time.Minute)
		if _, runs := h.alarmCounts(); runs != before {
			t.Errorf("the timer fired %d times in nine idle minutes", runs-before)
		}
	})
}

// TestIdleLobbyDoesNotTick keeps a screen in a lobby whose lists show no ages.
func TestIdleLobbyDoesNotTick(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.terminal(setting{name: "ana"})
		<-time.After(20 * time.Minute)
		if set, runs := h.alarmCounts(); set != 0 || runs != 0 {
			t.Errorf("%d wait, and the timer fired %d times", set, runs)
		}
	})
}
