package tui

import (
	"container/heap"
	"sync"
	"time"
)

// Ticks is one timer for the clocks on all screens. It runs only while there is a screen that time
// alone will change, and wakes those whose time has come together: the sessions that watch one match
// have the same. The zero value is ready; its methods may be called from any goroutine.
type Ticks struct {
	mu    sync.Mutex
	queue alarms
	timer *time.Timer // nil until somebody waits
	runs  int         // how often it has run out
}

// alarm is when one screen will look different. Ticks owns all but the channel.
type alarm struct {
	rings chan time.Time // of one place
	at    time.Time      // zero: never
	index int            // in the queue
}

func newAlarm() *alarm { return &alarm{rings: make(chan time.Time, 1)} }

// set has the alarm ring at a time, and not at the one before; zero: not at all.
func (t *Ticks) set(a *alarm, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.Equal(a.at) {
		return
	}
	select {
	case <-a.rings: // not taken yet, and old now
	default:
	}
	queued := !a.at.IsZero()
	a.at = at
	switch {
	case !queued:
		heap.Push(&t.queue, a)
	case at.IsZero():
		heap.Remove(&t.queue, a.index)
	default:
		heap.Fix(&t.queue, a.index)
	}
	t.wind()
}

// wind sets the timer to the next alarm. mu must be held.
func (t *Ticks) wind() {
	switch {
	case len(t.queue) == 0:
		if t.timer != nil {
			t.timer.Stop()
		}
	case t.timer == nil:
		t.timer = time.AfterFunc(time.Until(t.queue[0].at), t.ring)
	default:
		t.timer.Reset(time.Until(t.queue[0].at))
	}
}

// ring rings the alarms whose time has come. It waits for nobody.
func (t *Ticks) ring() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	now := time.Now()
	for len(t.queue) > 0 && !t.queue[0].at.After(now) {
		a := heap.Pop(&t.queue).(*alarm)
		a.at = time.Time{}
		select {
		case a.rings <- now:
		default:
		}
	}
	t.wind()
}

// alarms is a heap, the next one first.
type alarms []*alarm

func (q alarms) Len() int           { return len(q) }
func (q alarms) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q alarms) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *alarms) Push(x any) {
	a := x.(*alarm)
	a.index = len(*q)
	*q = append(*q, a)
}

func (q *alarms) Pop() any {
	old := *q
	a := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return a
}
