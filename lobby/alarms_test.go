package lobby

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// testAlarm is an alarm that records when it fires.
type testAlarm struct {
	*Alarm
	mu    sync.Mutex
	fired []time.Time
}

func newTestAlarm() *testAlarm {
	b := new(testAlarm)
	b.Alarm = NewAlarm(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.fired = append(b.fired, time.Now())
	})
	return b
}

func (b *testAlarm) times() []time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fired
}

// TestAlarmsRingInOrder sets, moves and cancels alarms.
func TestAlarmsRingInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var alarms Alarms
		begin := time.Now()
		alarmList := make([]*testAlarm, 7)
		for i := range alarmList {
			alarmList[i] = newTestAlarm()
			alarms.Set(alarmList[i].Alarm, begin.Add(time.Duration(8-i)*time.Second))
		}
		alarms.Set(alarmList[0].Alarm, begin.Add(time.Second))   // before all others
		alarms.Set(alarmList[3].Alarm, begin.Add(9*time.Second)) // after them
		alarms.Set(alarmList[4].Alarm, time.Time{})
		alarms.Set(alarmList[5].Alarm, begin.Add(-time.Hour)) // fires at once
		<-time.After(time.Minute)
		synctest.Wait()
		for i, want := range []string{"[1s]", "[7s]", "[6s]", "[9s]", "[]", "[0s]", "[2s]"} {
			var after []time.Duration
			for _, at := range alarmList[i].times() {
				after = append(after, at.Sub(begin))
			}
			if got := fmt.Sprint(after); got != want {
				t.Errorf("alarm %d rang at %s, not %s", i, got, want)
			}
		}
		if set, runs := alarms.Count(); set != 0 || runs != 6 {
			t.Errorf("%d are set after %d runs, want 6", set, runs)
		}
	})
}

// TestEveryAlarmRingsOnce: goroutines set and move their alarms concurrently, some to the past: each fires
// once, at the last time that was set, and none remains. It runs on one processor, because Go 1.26's race detector crashes
// where two threads run timers of one bubble at the same time: they share its context of the detector.
func TestEveryAlarmRingsOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		var alarms Alarms
		var work sync.WaitGroup
		for i := range 200 {
			work.Go(func() {
				chance := rand.New(rand.NewPCG(uint64(i), 0))
				b := newTestAlarm()
				for range 50 {
					<-time.After(time.Duration(chance.IntN(20)) * time.Millisecond)
					alarms.Set(b.Alarm, time.Now().Add(time.Duration(chance.IntN(30)-3)*time.Millisecond))
				}
				last := time.Now().Add(time.Duration(1+chance.IntN(60)) * time.Second)
				alarms.Set(b.Alarm, last)
				before := b.times() // the next time is the last one
				<-time.After(2 * time.Minute)
				if after := b.times()[len(before):]; len(after) != 1 || !after[0].Equal(last) {
					t.Errorf("alarm %d, set for %v, rang at %v", i, last, after)
				}
			})
		}
		work.Wait()
		if set, _ := alarms.Count(); set != 0 {
			t.Errorf("%d are still set", set)
		}
	})
}

// TestPanicOfAnAlarmStopsNoOther: one of three alarms panics.
func TestPanicOfAnAlarmStopsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var faults []error
		alarms := Alarms{OnPanic: func(err error) { faults = append(faults, err) }}
		now := time.Now()
		before, after := newTestAlarm(), newTestAlarm()
		alarms.Set(before.Alarm, now.Add(time.Second))
		alarms.Set(NewAlarm(func() { panic("a fault in a ring") }), now.Add(time.Second))
		alarms.Set(after.Alarm, now.Add(2*time.Second))
		<-time.After(time.Minute)
		synctest.Wait()
		if len(before.times()) != 1 || len(after.times()) != 1 {
			t.Errorf("the others rang %d and %d times", len(before.times()), len(after.times()))
		}
		if len(faults) != 1 || !strings.Contains(faults[0].Error(), "a fault in a ring") {
			t.Errorf("reported: %v", faults)
		}
	})
}
