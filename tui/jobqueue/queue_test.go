package jobqueue

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// count returns the number of goroutines of q, and how many of them are blocked.
func count(q *Queue) (all, blocked int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.workers), len(q.workers) - q.running
}

func TestJobsRunOnceForEachTimeTheyAreAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		var runs [100]atomic.Int64
		var jobs [100]*Job
		for i := range jobs {
			jobs[i] = NewJob(func() { runs[i].Add(1) }, nil)
		}
		for round := range 3 {
			for _, job := range jobs {
				q.Add(job)
			}
			synctest.Wait()
			for i := range runs {
				if n := runs[i].Load(); n != int64(round+1) {
					t.Fatalf("job %d ran %d times after it was added %d times", i, n, round+1)
				}
			}
		}
		if all, _ := count(&q); all != 0 {
			t.Errorf("%d goroutines without a job", all)
		}
	})
}

func TestJobIsQueuedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		runs, open := 0, make(chan struct{})
		var job *Job
		job = NewJob(func() {
			if runs++; runs == 1 { // it waits while it is not blocked for long enough to be replaced
				q.Add(job)
				q.Add(job)
				<-open
			}
		}, nil)
		var busy []*Job
		for range 64 {
			busy = append(busy, NewJob(func() { <-open }, nil))
		}
		q.Add(job)
		for _, b := range busy {
			q.Add(b)
		}
		time.Sleep(time.Second)
		close(open)
		synctest.Wait()
		if runs != 2 {
			t.Errorf("a job that was added before, and twice while it ran, ran %d times", runs)
		}
	})
}

// TestBlockedJobsDelayNobody has 50 jobs block between others.
func TestBlockedJobsDelayNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		open := make(chan struct{})
		var done, took atomic.Int64
		began := time.Now()
		for i := range 1000 {
			if i%20 == 0 {
				q.Add(NewJob(func() { <-open }, nil))
			} else {
				q.Add(NewJob(func() {
					if done.Add(1) == 950 {
						took.Store(int64(time.Since(began)))
					}
				}, nil))
			}
		}
		time.Sleep(time.Minute)
		if n, took := done.Load(), time.Duration(took.Swap(-1)); n != 950 || took > 50*2*blockedAfter {
			t.Errorf("%d of the 950 others ran, after %v", n, took)
		}
		// The last ones to block are found when something waits for them.
		if all, blocked := count(&q); all != 50 || all-blocked > runtime.GOMAXPROCS(0) {
			t.Errorf("%d goroutines, %d of them blocked; 50 jobs block", all, blocked)
		}
		began = time.Now()
		q.Add(NewJob(func() { took.Store(int64(time.Since(began))) }, nil))
		time.Sleep(time.Minute)
		if took := time.Duration(took.Load()); took < 0 || took > 2*blockedAfter {
			t.Errorf("a job ran %v after it was added to blocked ones", took)
		}
		close(open)
		synctest.Wait()
		if all, blocked := count(&q); all != 0 || blocked != 0 {
			t.Errorf("%d goroutines are left, %d of them blocked", all, blocked)
		}
	})
}

func TestPanicOfAJobIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		reported, ran := make(chan error, 1), make(chan struct{})
		q.Add(NewJob(func() { panic(errors.New("a fault")) }, func(err error) { reported <- err }))
		q.Add(NewJob(func() { close(ran) }, nil))
		if err := <-reported; !strings.Contains(err.Error(), "a fault") {
			t.Error(err)
		}
		<-ran
	})
}
