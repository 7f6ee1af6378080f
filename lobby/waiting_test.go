package lobby_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
)

// correspondence stores matches with three days for each turn, between absent players.
func correspondence(t testing.TB, s lobby.Store, matches int, started time.Time) {
	t.Helper()
	options, err := ayu.Game{}.ParseOptions(smallOptions)
	if err != nil {
		t.Fatal(err)
	}
	var people []match.Seat
	for i := range 40 {
		a, err := s.CreateAccount(t.Context(), fmt.Sprint("player ", i), fmt.Append(nil, "key ", i), started)
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, match.Seat{Account: a.ID, Name: a.Name})
	}
	for i := range matches {
		info := &match.Info{
			ID: fmt.Sprintf("m%d", i), Game: "ayu", Options: options, Control: clock.Control{Days: 3},
			Started: started, Seats: people[i%20*2 : i%20*2+2],
		}
		if err := s.CreateMatch(t.Context(), info, lobby.MatchStart{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyMatchesWaitWithOneTimer: a thousand matches wait for a turn: each has an alarm, none ends before
// its time, and all end at it.
func TestManyMatchesWaitWithOneTimer(t *testing.T) {
	const matches = 1000
	synctest.Test(t, func(t *testing.T) {
		s := memoryStore(t)
		began := time.Now()
		correspondence(t, s, matches, began)
		h := open(t, s)
		defer h.Close()
		advance(time.Second)
		if set, _ := h.Alarms.Count(); set != matches {
			t.Errorf("%d of %d matches wait for their time", set, matches)
		}
		advance(time.Minute) // until the absences are published
		_, before := h.Alarms.Count()
		advance(2 * 24 * time.Hour)
		if _, after := h.Alarms.Count(); after != before {
			t.Errorf("the timer ran out %d times though nothing was due", after-before)
		}
		over := func() (n int) {
			for i := range matches {
				if m, err := h.Match(fmt.Sprintf("m%d", i)); err != nil {
					t.Fatal(err)
				} else if r := m.Snapshot().Result; r != nil && r.Reason == engine.ReasonTime {
					n++
				}
			}
			return n
		}
		advance(time.Until(began.Add(3 * 24 * time.Hour)))
		if n := over(); n > 0 {
			t.Errorf("%d matches ended before their time", n)
		}
		advance(time.Second)
		if n := over(); n < matches {
			t.Errorf("%d of %d matches ended in time", n, matches)
		}
		if _, after := h.Alarms.Count(); after != before+1 {
			t.Errorf("the timer ran out %d times for what was due at once", after-before)
		}
		advance(time.Hour)
		if set, _ := h.Alarms.Count(); set != 0 {
			t.Errorf("%d alarms are set though all matches are over and forgotten", set)
		}
	})
}

// BenchmarkWaitingMatches measures a match that waits for a turn.
func BenchmarkWaitingMatches(b *testing.B) {
	const matches = 2000
	var heap, stacks float64
	measure := func() (uint64, uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, m.StackInuse
	}
	s := memoryStore(b)
	correspondence(b, s, matches, time.Now())
	for b.Loop() {
		heapBefore, stacksBefore := measure()
		l, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: s})
		if err != nil {
			b.Fatal(err)
		}
		<-time.After(6 * time.Second) // until the absences are published
		heapAfter, stacksAfter := measure()
		heap += float64(heapAfter) - float64(heapBefore)
		stacks += float64(stacksAfter) - float64(stacksBefore)
		l.Close()
	}
	n := float64(b.N) * matches
	b.ReportMetric(heap/n, "heap-B/match")
	b.ReportMetric(stacks/n, "stack-B/match")
	b.ReportMetric(0, "ns/op")
}
