package store

import (
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

const (
	queueLength = 1024 // changes that wait for the writer
	maxBatch    = 512  // changes in one transaction
)

// job is a change that waits for the writer.
type job struct {
	do    func(*tx) error
	taken atomic.Bool // by the writer, or by a caller who waits no longer
	done  chan error  // of one
}

// answer is what a job's caller is told once its transaction is on the disk.
type answer struct {
	*job
	err error
}

// change has the writer do something in a transaction. Nothing of it is kept if it fails. ctx ends
// the wait in the queue; what the writer has begun is waited for.
func (s *SQLite) change(ctx context.Context, doing string, do func(*tx) error) error {
	return s.explain(doing, s.submit(ctx, do))
}

func (s *SQLite) submit(ctx context.Context, do func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{do: do, done: make(chan error, 1)}
	select {
	case s.queue <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.done
	case <-s.stopped:
		select {
		case err := <-j.done:
			return err
		default:
			return errClosed // it came after the writer's last look
		}
	}
}

// writer makes all changes, one transaction after the other, until the store is closed.
func (s *SQLite) writer() {
	defer close(s.stopped)
	for {
		select {
		case j := <-s.queue:
			s.commit(j)
		case <-s.closing:
			for j := s.next(); j != nil; j = s.next() {
				s.commit(j)
			}
			return
		}
	}
}

// next returns a job that waits, or nil.
func (s *SQLite) next() *job {
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
	var answers []answer
	err := s.broken
	if err == nil {
		answers, err = s.transact(first)
	} else if first.taken.CompareAndSwap(false, true) {
		answers = []answer{{first, err}}
	}
	if err != nil && s.broken == nil && fatal(err) {
		s.broken = fmt.Errorf("nothing is written any more since an earlier failure: %w", err)
	}
	for _, a := range answers {
		if err != nil {
			a.err = err
		}
		a.done <- a.err
	}
}

// transact does jobs in one transaction and commits it. The error is one that undid them all.
func (s *SQLite) transact(first *job) ([]answer, error) {
	var answers []answer
	t, err := s.begin()
	for j := first; j != nil; j = s.next() {
		if !j.taken.CompareAndSwap(false, true) {
			continue // its caller has gone
		}
		a := answer{job: j}
		if err == nil {
			a.err, err = t.attempt(j.do)
		}
		answers = append(answers, a)
		if err != nil || len(answers) == maxBatch {
			break
		}
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

// tx is the writer's transaction.
type tx struct {
	*sql.Tx
	insert, savepoint, release *sql.Stmt
}

func (s *SQLite) begin() (*tx, error) {
	ctx := context.Background() // changes that have begun are not interrupted
	t, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &tx{t, t.StmtContext(ctx, s.insert), t.StmtContext(ctx, s.savepoint), t.StmtContext(ctx, s.release)}, nil
}

// attempt does one job, wholly or not at all. own is what refused that job; lost says that the
// whole transaction is gone.
func (t *tx) attempt(do func(*tx) error) (own, lost error) {
	if _, err := t.savepoint.Exec(); err != nil {
		return nil, err
	}
	if own = guarded(t, do); own != nil {
		// SQLite itself undoes the whole transaction after some failures; then there is no
		// savepoint to go back to.
		if _, err := t.Exec("ROLLBACK TO SAVEPOINT one"); err != nil {
			return own, own
		}
	}
	if _, err := t.release.Exec(); err != nil {
		return own, err
	}
	if fatal(own) {
		return own, own
	}
	return own, nil
}

// guarded turns a panic into an error, so that a fault in one change ends neither the server nor
// the other changes.
func guarded(t *tx, do func(*tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do(t)
}

// change makes one statement and returns how many rows it touched.
func (t *tx) change(query string, args ...any) (rows int64, err error) {
	r, err := t.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}
