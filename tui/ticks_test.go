package tui

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
)

func (t *Ticks) state() (waiting, runs int) {
	synctest.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue), t.runs
}

// TestOneTimerForAllClocks has many watch a running clock: one timer runs out once a second for all
// of them, and not at all once nothing runs.
func TestOneTimerForAllClocks(t *testing.T) {
	inHouse(t, func(h *house) {
		const watchers, seconds = 40, 10
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		h.ticks = new(Ticks)
		for i := range watchers {
			h.account(fmt.Sprintf("w%d", i))
			h.terminal(setting{name: fmt.Sprintf("w%d", i), open: "watch " + m.Info.ID})
		}
		if waiting, _ := h.ticks.state(); waiting != watchers {
			t.Errorf("%d of %d screens wait for the clock", waiting, watchers)
		}
		_, before := h.ticks.state()
		<-time.After(seconds * time.Second)
		if _, runs := h.ticks.state(); runs-before < seconds-1 || runs-before > seconds+1 {
			t.Errorf("the timer ran out %d times in %d s", runs-before, seconds)
		}
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		if waiting, _ := h.ticks.state(); waiting != 0 {
			t.Errorf("%d screens wait though nothing changes any more", waiting)
		}
		_, before = h.ticks.state()
		<-time.After(time.Hour)
		if _, runs := h.ticks.state(); runs != before {
			t.Errorf("the timer ran out %d times in an idle hour", runs-before)
		}
	})
}

// TestIdleLobbyDoesNotTick has a screen wait in a lobby in which nothing has a time.
func TestIdleLobbyDoesNotTick(t *testing.T) {
	inHouse(t, func(h *house) {
		h.ticks = new(Ticks)
		h.account("ana")
		h.terminal(setting{name: "ana"})
		<-time.After(20 * time.Minute)
		if waiting, runs := h.ticks.state(); waiting != 0 || runs != 0 {
			t.Errorf("%d screens wait, and the timer ran out %d times", waiting, runs)
		}
	})
}

// TestAlarmsRingInOrder sets, moves and takes back alarms.
func TestAlarmsRingInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ticks Ticks
		begin := time.Now()
		alarms := make([]*alarm, 6)
		for i := range alarms {
			alarms[i] = newAlarm()
			ticks.set(alarms[i], begin.Add(time.Duration(7-i)*time.Second))
		}
		ticks.set(alarms[0], begin.Add(time.Second))   // before all others
		ticks.set(alarms[3], begin.Add(9*time.Second)) // after them
		ticks.set(alarms[4], time.Time{})
		for i, want := range map[int]time.Duration{0: 1, 1: 6, 2: 5, 3: 9, 5: 2} {
			defer func() {
				select {
				case at := <-alarms[i].rings:
					if at.Sub(begin) != want*time.Second {
						t.Errorf("alarm %d rang after %v, not %d s", i, at.Sub(begin), want)
					}
				default:
					t.Errorf("alarm %d did not ring", i)
				}
			}()
		}
		<-time.After(time.Minute)
		synctest.Wait()
		select {
		case <-alarms[4].rings:
			t.Error("an alarm rang that was taken back")
		default:
		}
		if waiting, runs := ticks.state(); waiting != 0 || runs != 5 {
			t.Errorf("%d wait after %d runs, want 5", waiting, runs)
		}
	})
}
