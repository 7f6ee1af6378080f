package lobby

import (
	"container/heap"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Alarms is one timer for all that wait for a time: a match for its deadline, a screen for the next second
// of a clock. The timer runs only while an alarm is set. The zero value is ready for use. Its methods may
// be called from any goroutine, also with locks held that no alarm's function takes.
type Alarms struct {
	// OnPanic is called with a panic of an alarm's function, after which the other alarms go on. It runs
	// with mu held. Set it before the first alarm; nil discards the panic.
	OnPanic func(error)

	mu    sync.Mutex
	queue alarmQueue
	timer *time.Timer // nil until the first alarm is set
	next  time.Time   // when the timer fires; zero: it is stopped
	runs  int         // number of times the timer has fired
}

// Alarm is one waiting function. NewAlarm is the constructor; Alarms.mu guards it.
type Alarm struct {
	fn    func()
	at    time.Time // zero: not set
	index int       // in the queue
}

// NewAlarm returns an alarm that is not set. fn is called when its time has come, on the timer's goroutine
// with Alarms.mu held: it must not block or call Alarms.
func NewAlarm(fn func()) *Alarm { return &Alarm{fn: fn} }

// Set sets the time at which the alarm fires once, at once if it has passed, instead of an earlier setting;
// zero: never. A call of its function that has begun is not stopped.
func (t *Alarms) Set(a *Alarm, at time.Time) {
	if !at.IsZero() {
		now := time.Now()
		at = now.Add(at.Sub(now)) // on the monotonic clock
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

// Count returns the number of alarms that are set, and how often the timer has fired.
func (t *Alarms) Count() (set, runs int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue), t.runs
}

// reset sets the timer to the next alarm. The caller holds t.mu.
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

// fire calls the functions of the alarms that are due. It never blocks.
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

// recoverAlarm recovers a panic of an alarm's function. The remaining alarms are due at once. The caller
// holds t.mu.
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

// alarmQueue is a heap by time.
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
