package taskqueue

import (
	"runtime"
	"sync"
	"time"

	"ayumu/lobby/guard"
)

// blockedAfter is the time after which a task is regarded as blocked, and at most twice that: its goroutine no longer
// counts among those that run tasks.
const blockedAfter = 5 * time.Millisecond

// Task is a function that a Queue runs. NewTask is the constructor. A task belongs to one queue.
type Task struct {
	run    func()
	report func(error)

	// Guarded by Queue.mu.
	isQueued bool
	next     *Task
}

// NewTask returns a task. run may run on several goroutines at once if the task is added while it runs. report is
// called with a panic of run, on the goroutine of the queue.
func NewTask(run func(), report func(error)) *Task { return &Task{run: run, report: report} }

// Queue runs tasks in the order in which they were added. The zero value is empty and ready. It must not be copied.
// Its methods may be called from any goroutine. It has goroutines only while there are tasks.
type Queue struct {
	mu          sync.Mutex
	first, last *Task // that wait
	workers     map[*worker]struct{}
	running     int // number of workers that are not blocked
	period      int // number of times the timer has fired
	timer       *time.Timer
	timerRuns   bool
}

// worker is a goroutine that runs tasks. Queue.mu guards its fields.
type worker struct {
	period    int // in which its task began
	isBlocked bool
}

// Add has a task run soon, once, unless it waits already. It never blocks, and may be called with locks held that no
// task takes.
func (q *Queue) Add(t *Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.isQueued {
		return
	}
	t.isQueued = true
	if q.last == nil {
		q.first = t
	} else {
		q.last.next = t
	}
	q.last = t
	q.startWorkers()
}

// startWorkers starts the goroutines that the waiting tasks need, and the timer that finds blocked ones. The caller
// holds q.mu.
func (q *Queue) startWorkers() {
	waiting := q.first
	for ; waiting != nil && q.running < runtime.GOMAXPROCS(0); waiting = waiting.next {
		w := new(worker)
		if q.workers == nil {
			q.workers = make(map[*worker]struct{})
		}
		q.workers[w] = struct{}{}
		q.running++
		go q.work(w)
	}
	if q.timerRuns || q.first == nil {
		return
	}
	q.timerRuns = true
	if q.timer == nil {
		q.timer = time.AfterFunc(blockedAfter, q.findBlocked)
	} else {
		q.timer.Reset(blockedAfter)
	}
}

// work runs tasks until none waits.
func (q *Queue) work(w *worker) {
	for t := q.take(w); t != nil; t = q.take(w) {
		if err := guard.Call(t.run); err != nil {
			t.report(err)
		}
	}
}

// take returns the next task for a worker; nil if there is none or others run them, so that the worker ends.
func (q *Queue) take(w *worker) *Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w.isBlocked && q.running < runtime.GOMAXPROCS(0) {
		w.isBlocked = false
		q.running++
	}
	t := q.first
	if t == nil || w.isBlocked {
		delete(q.workers, w)
		if !w.isBlocked {
			q.running--
		}
		return nil
	}
	if q.first = t.next; q.first == nil {
		q.last = nil
	}
	t.next, t.isQueued = nil, false
	w.period = q.period
	return t
}

// findBlocked replaces the workers whose tasks are blocked. The timer calls it while tasks wait.
func (q *Queue) findBlocked() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.timerRuns = false
	q.period++
	for w := range q.workers {
		if !w.isBlocked && q.period-w.period > 1 {
			w.isBlocked = true
			q.running--
		}
	}
	q.startWorkers()
}
