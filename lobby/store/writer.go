package store

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"ayumu/lobby"
	"ayumu/lobby/guard"
)

const (
	maxQueuedJobs = 1024 // changes that wait for the writer
	maxBatch      = 512  // changes in one transaction
	maxLengths    = 1 << 14
)

// job is a change that waits for the writer.
type job struct {
	do              func(*tx) error
	singleStatement bool        // it changes the file with one statement, which needs no savepoint
	claimed         atomic.Bool // by the writer, or by a caller who waits no longer
	done            chan error  // of one
}

// jobResult is what a job's caller is told once its transaction is on the disk.
type jobResult struct {
	*job
	err error
}

// update has the writer do something in a transaction. Nothing of it is kept if it fails. ctx ends
// the wait in the queue; what the writer has begun is waited for.
func (s *SQLite) update(ctx context.Context, doing string, do func(*tx) error) error {
	return s.explainError(doing, s.submit(ctx, &job{do: do}))
}

func (s *SQLite) submit(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.done = make(chan error, 1)
	if err := s.enqueue(ctx, j); err != nil {
		return err
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.claimed.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.done
	}
}

// enqueue hands a job to the writer, which answers every one that it is handed.
func (s *SQLite) enqueue(ctx context.Context, j *job) error {
	s.queueMu.RLock()
	defer s.queueMu.RUnlock()
	if s.queueClosed {
		return lobby.ErrClosed
	}
	select {
	case s.queue <- j:
		return nil
	default:
	}
	select {
	case s.queue <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writer makes all changes, one transaction after the other, until the queue is closed and empty.
func (s *SQLite) writer() {
	defer close(s.stopped)
	for j := range s.queue {
		if err := guard.Call(func() { s.commit(j) }); err != nil {
			s.fatalErr = fmt.Errorf("nothing is written any more since an earlier failure: %w", err)
			select {
			case j.done <- s.fatalErr:
			default: // it has its answer
			}
		}
	}
}

// nextJob returns a job that waits, or nil. Before it gives up it lets those run who are about to
// send one: fewer and larger transactions are worth more than an early start.
func (s *SQLite) nextJob() *job {
	if len(s.queue) == 0 {
		runtime.Gosched()
	}
	select {
	case j := <-s.queue:
		return j
	default:
		return nil
	}
}

// commit does a job and whatever waits behind it in one transaction, and answers them all once it
// is on the disk.
func (s *SQLite) commit(first *job) {
	var answers []jobResult
	err := s.fatalErr
	if err == nil {
		answers, err = s.transact(first)
	} else if first.claimed.CompareAndSwap(false, true) {
		answers = []jobResult{{first, err}}
	}
	if err != nil || len(s.logLengths) > maxLengths {
		clear(s.logLengths)
	}
	if err != nil && s.fatalErr == nil && isFatal(err) {
		s.fatalErr = fmt.Errorf("nothing is written any more since an earlier failure: %w", err)
	}
	s.health.record(answers, err)
	for _, a := range answers {
		if err != nil {
			a.err = err
		}
		a.done <- a.err
	}
}

// transact does jobs in one transaction and commits it. The error is one that undid them all.
// A panic outside of the jobs' own functions is such an error as well.
func (s *SQLite) transact(first *job) (answers []jobResult, err error) {
	var t *tx
	defer guard.Recover(func(p error) {
		err = p
		if t != nil {
			t.Rollback()
		}
	})
	t, err = s.begin()
	for j := first; j != nil; j = s.nextJob() {
		if !j.claimed.CompareAndSwap(false, true) {
			continue // its caller has gone
		}
		answers = append(answers, jobResult{job: j})
		if err == nil {
			answers[len(answers)-1].err, err = t.attempt(j)
		}
		if err != nil || len(answers) == maxBatch {
			break
		}
	}
	if err == nil {
		err = t.flush()
	}
	switch {
	case t == nil:
	case err != nil:
		t.Rollback()
	default:
		err = t.Commit()
	}
	return answers, err
}

// attempt does one job, wholly or not at all. own is what refused that job; lost says that the
// whole transaction is gone.
func (t *tx) attempt(j *job) (own, lost error) {
	if j.singleStatement {
		if own = recoverPanic(t, j.do); !isExpected(own) {
			lost = own
		}
		return own, lost
	}
	if err := t.flush(); err != nil {
		return nil, err
	}
	if _, err := t.exec("SAVEPOINT one"); err != nil {
		return nil, err
	}
	if own = recoverPanic(t, j.do); own == nil {
		own = t.flush()
	}
	if own != nil {
		t.staged = nil
		clear(t.logLengths) // of which some are now wrong
		// SQLite itself undoes the whole transaction after some failures; then there is no
		// savepoint to go back to.
		if _, err := t.exec("ROLLBACK TO SAVEPOINT one"); err != nil {
			return own, own
		}
	}
	if _, err := t.exec("RELEASE SAVEPOINT one"); err != nil {
		return own, err
	}
	if isFatal(own) {
		return own, own
	}
	return own, nil
}

// recoverPanic turns a panic into an error, so that a fault in one change ends neither the server nor
// the other changes.
func recoverPanic(t *tx, do func(*tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do(t)
}
