package jobqueue

import (
	"runtime"
	"sync"
	"time"

	"ayumu/lobby/guard"
)

// blockedAfter is the time after which a job is regarded as blocked, and at most twice that: its goroutine no longer
// counts among those that run jobs.
const blockedAfter = 5 * time.Millisecond

// Job is a function that a Queue runs. NewJob is the constructor. A job belongs to one queue.
type Job struct {
	run    func()
	report func(error)

	// Guarded by Queue.mu.
	isQueued bool
	next     *Job
}

// NewJob returns a job. run may run on several goroutines at once if the job is added while it runs. report is
// called with a panic of run, on the goroutine of the queue.
func NewJob(run func(), report func(error)) *Job { return &Job{run: run, report: report} }

// Queue runs jobs in the order in which they were added. The zero value is empty and ready. It must not be copied.
// Its methods may be called from any goroutine. It has goroutines only while there are jobs.
type Queue struct {
	mu          sync.Mutex
	first, last *Job // that wait
	workers     map[*worker]struct{}
	running     int // number of workers that are not blocked
	period      int // number of times the timer has fired
	timer       *time.Timer
	timerRuns   bool
}

// worker is a goroutine that runs jobs. Queue.mu guards its fields.
type worker struct {
	period    int // in which its job began
	isBlocked bool
}

// Add has a job run soon, once, unless it waits already. It never blocks, and may be called with locks held that no
// job takes.
func (q *Queue) Add(t *Job) {
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

// startWorkers starts the goroutines that the waiting jobs need, and the timer that finds blocked ones. The caller
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

// work runs jobs until none waits.
func (q *Queue) work(w *worker) {
	for t := q.take(w); t != nil; t = q.take(w) {
		if err := guard.Call(t.run); err != nil {
			t.report(err)
		}
	}
}

// take returns the next job for a worker; nil if there is none or others run them, so that the worker ends.
func (q *Queue) take(w *worker) *Job {
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

// findBlocked replaces the workers whose jobs are blocked. The timer calls it while jobs wait.
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
