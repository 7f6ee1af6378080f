package sqlite

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/store"
)

const (
	maxQueuedJobs = 1024 // capacity of the queue
	maxBatch      = 512  // changes in one transaction
	maxLogEnds    = 1 << 14
)

// job is a change for the writer.
type job struct {
	do              func(*tx) error
	singleStatement bool        // it changes the file with one statement, so that it needs no savepoint
	claimed         atomic.Bool // by the writer, which will answer, or by a caller that no longer waits
	done            chan error  // receives exactly one result; has room for it
}

// jobResult is the result of a job, which its caller gets once the transaction is on the disk.
type jobResult struct {
	*job
	err error
}

// update has the writer call do in a transaction, in which nothing remains of it if it fails. The end of
// ctx ends waiting in the queue; a change that the writer has begun is completed. op names the operation in
// errors.
func (s *Store) update(ctx context.Context, op string, do func(*tx) error) error {
	return s.explainError(op, s.submit(ctx, &job{do: do}))
}

func (s *Store) submit(ctx context.Context, j *job) error {
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

// enqueue adds a job to the queue. The writer answers every queued job. It holds queueMu for reading, so
// that Close waits until the job is queued.
func (s *Store) enqueue(ctx context.Context, j *job) error {
	s.queueMu.RLock()
	defer s.queueMu.RUnlock()
	if s.queueClosed {
		return errcode.ErrClosed
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
func (s *Store) writer() {
	defer close(s.stopped)
	for j := range s.queue {
		if err := guard.Call(func() { s.commit(j) }); err != nil {
			s.fatalErr = fmt.Errorf("%w: %w", errStopped, err)
			select {
			case j.done <- s.fatalErr:
			default: // already answered
			}
		}
	}
}

// nextJob returns a queued job, or nil. If there is none it first lets other goroutines run that are about
// to queue one: fewer and larger transactions are worth more than an early start.
func (s *Store) nextJob() *job {
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

// commit does a job and all queued ones in one transaction, and answers them once it is on the disk.
func (s *Store) commit(first *job) {
	var answers []jobResult
	err := s.fatalErr
	if err == nil {
		answers, err = s.transact(first)
	} else if first.claimed.CompareAndSwap(false, true) {
		answers = []jobResult{{first, err}}
	}
	if err != nil || len(s.logEnds) > maxLogEnds {
		clear(s.logEnds)
	}
	if err != nil && s.fatalErr == nil && isFatal(err) {
		s.fatalErr = fmt.Errorf("%w: %w", errStopped, err)
	}
	s.recordWrites(answers, err)
	for _, a := range answers {
		if err != nil {
			a.err = err
		}
		a.done <- a.err
	}
}

// transact does jobs in one transaction and commits it. The error is one that undid them all, including a
// panic outside of the jobs' own functions.
func (s *Store) transact(first *job) (answers []jobResult, err error) {
	var t *tx
	defer guard.Recover(func(p error) {
		err = p
		if t != nil {
			t.sql.Rollback()
		}
	})
	t, err = s.begin()
	for j := first; j != nil; j = s.nextJob() {
		if !j.claimed.CompareAndSwap(false, true) {
			continue // its caller no longer waits
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
		t.sql.Rollback()
	default:
		err = t.sql.Commit()
	}
	return answers, err
}

// attempt does one job completely or not at all. jobErr is the error of that job; txErr means that the
// whole transaction is lost.
func (t *tx) attempt(j *job) (jobErr, txErr error) {
	if j.singleStatement {
		if jobErr = recoverPanic(t, j.do); !store.IsExpected(jobErr) {
			txErr = jobErr
		}
		return jobErr, txErr
	}
	if err := t.flush(); err != nil {
		return nil, err
	}
	if _, err := t.Exec("SAVEPOINT one"); err != nil {
		return nil, err
	}
	if jobErr = recoverPanic(t, j.do); jobErr == nil {
		jobErr = t.flush()
	}
	if jobErr != nil {
		t.staged = nil
		clear(t.logEnds) // some are wrong now
		// SQLite itself undoes the whole transaction after some failures; then the savepoint no longer
		// exists, and the failure is what the other changes are told.
		if _, err := t.Exec("ROLLBACK TO SAVEPOINT one"); err != nil {
			if store.IsExpected(jobErr) {
				return jobErr, err
			}
			return jobErr, jobErr
		}
	}
	if _, err := t.Exec("RELEASE SAVEPOINT one"); err != nil {
		return jobErr, err
	}
	if isFatal(jobErr) {
		return jobErr, jobErr
	}
	return jobErr, nil
}

// recoverPanic returns a panic as an error, so that a bug in one change affects neither the server nor the
// other changes.
func recoverPanic(t *tx, do func(*tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do(t)
}
