package tui_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// alarmCounts returns how many alarms are set, and how often the timer has fired.
func alarmCounts(h *screentest.Harness) (set, runs int) {
	synctest.Wait()
	return h.Alarms.Count()
}

// TestOneTimerForAllClocks has many sessions watch a running clock: one timer fires once a second for
// all of them, and not at all once no clock runs.
func TestOneTimerForAllClocks(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		const spectators, seconds = 40, 10
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		matches, _ := alarmCounts(h)
		for i := range spectators {
			h.Account(fmt.Sprintf("w%d", i))
			h.Terminal(screentest.Setting{Name: fmt.Sprintf("w%d", i), Open: "watch " + m.Info.ID})
		}
		if set, _ := alarmCounts(h); set != matches+spectators {
			t.Errorf("%d of %d screens wait for the clock", set-matches, spectators)
		}
		_, before := alarmCounts(h)
		<-time.After(seconds * time.Second)
		if _, runs := alarmCounts(h); runs-before < seconds-1 || runs-before > seconds+1 {
			t.Errorf("the timer fired %d times in %d s", runs-before, seconds)
		}
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			t.Fatal(err)
		}
		if set, _ := alarmCounts(h); set > matches { // finished matches may have left memory meanwhile
			t.Errorf("%d screens wait though nothing changes any more", set-matches)
		}
		_, before = alarmCounts(h)
		<-time.After(9 * time.Minute)
		if _, runs := alarmCounts(h); runs != before {
			t.Errorf("the timer fired %d times in nine idle minutes", runs-before)
		}
	})
}

// TestIdleLobbyDoesNotTick keeps a screen in a lobby whose lists show no ages.
func TestIdleLobbyDoesNotTick(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Terminal(screentest.Setting{Name: "ana"})
		<-time.After(20 * time.Minute)
		if set, runs := alarmCounts(h); set != 0 || runs != 0 {
			t.Errorf("%d wait, and the timer fired %d times", set, runs)
		}
	})
}
