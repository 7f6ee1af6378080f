package clock

import (
	"container/heap"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Alarms are one timer for everybody who waits for a time: a match for its deadline, a screen for
// the next second of the clock that it shows. It runs only while somebody waits, and rings those
// whose time has come together. The zero value is ready; its methods may be called from any
// goroutine, with any lock held that no ring takes.
type Alarms struct {
	// OnPanic is told of a panic of a ring, after which the other alarms go on; nil: nobody is. It is
	// set before the first alarm.
	OnPanic func(error)

	mu    sync.Mutex
	queue alarmQueue
	timer *time.Timer // nil until somebody waits
	next  time.Time   // when the timer runs out; zero: it stands
	runs  int         // how often it has run out
}

// Alarm is what one waits with. Make it with NewAlarm.
type Alarm struct {
	fn    func()
	at    time.Time // zero: not set
	index int       // in the queue
}

// NewAlarm returns an alarm that is not set. ring is called when its time has come, from the timer's
// goroutine with Alarms locked: it must not wait, nor call Alarms.
func NewAlarm(ring func()) *Alarm { return &Alarm{fn: ring} }

// Set has the alarm ring once at a time, or now if that has passed, and not at the time set before;
// zero: not at all. A ring that has begun is not taken back.
func (t *Alarms) Set(a *Alarm, at time.Time) {
	if !at.IsZero() {
		now := time.Now()
		at = now.Add(at.Sub(now)) // so that all are told by the clock that nobody sets
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	queued := !a.at.IsZero()
	if at.Equal(a.at) {
		return
	}
	a.at = at
	switch {
	case !queued:
		heap.Push(&t.queue, a)
	case at.IsZero():
		heap.Remove(&t.queue, a.index)
	default:
		heap.Fix(&t.queue, a.index)
	}
	t.reset()
}

// Count returns how many alarms are set, and how often the timer has run out.
func (t *Alarms) Count() (set, runs int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue), t.runs
}

// reset sets the timer to the next alarm. mu must be held.
func (t *Alarms) reset() {
	var next time.Time
	if len(t.queue) > 0 {
		next = t.queue[0].at
	}
	switch {
	case next.Equal(t.next):
		return
	case next.IsZero():
		t.timer.Stop()
	case t.timer == nil:
		t.timer = time.AfterFunc(time.Until(next), t.fire)
	default:
		t.timer.Reset(time.Until(next))
	}
	t.next = next
}

// fire rings the alarms whose time has come. It waits for nobody.
func (t *Alarms) fire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.recoverAlarm()
	t.runs++
	t.next = time.Time{}
	for now := time.Now(); len(t.queue) > 0 && !t.queue[0].at.After(now); {
		a := heap.Pop(&t.queue).(*Alarm)
		a.at = time.Time{}
		a.fn()
	}
	t.reset()
}

// recoverAlarm ends a panic of a ring. The alarms behind it are due at once. mu must be held.
func (t *Alarms) recoverAlarm() {
	r := recover()
	if r == nil {
		return
	}
	if t.OnPanic != nil {
		t.OnPanic(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
	}
	t.reset()
}

// alarmQueue is a heap, the next one first.
type alarmQueue []*Alarm

func (q alarmQueue) Len() int           { return len(q) }
func (q alarmQueue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q alarmQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *alarmQueue) Push(x any) {
	a := x.(*Alarm)
	a.index = len(*q)
	*q = append(*q, a)
}

func (q *alarmQueue) Pop() any {
	old := *q
	a := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return a
}
