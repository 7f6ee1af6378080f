package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"ayumu/lobby/store"
)

// extendedCode returns SQLite's extended result code; 0 if the error is not SQLite's.
func extendedCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

const (
	readOnlyAdvice = "the file is read-only; give the server's user the right to write it and its folder"
	lockedAdvice   = "another program has locked the file; end it and try again"
	writeAdvice    = "the disk is full, its quota is used up, or it failed, and nothing was stored; free some space or check the system's log, and play continues by itself"
	diskAdvice     = "the disk failed; check the system's log, repair it, and restart the server"
)

// failures are the errors of SQLite by their extended or primary result codes. After a failed sync the kernel may have
// dropped pages that it reports as written, and a corrupt file must not be written further. Any other failure leaves the
// file as the last transaction left it, so that a later write may succeed.
var failures = store.Failures[int]{
	sqlite3.SQLITE_FULL:             {Kind: store.FailureOutage, Advice: "the disk is full and nothing was stored; free some space, and play continues by itself"},
	sqlite3.SQLITE_IOERR:            {Kind: store.FailureOutage, Advice: writeAdvice},
	sqlite3.SQLITE_IOERR_READ:       {Kind: store.FailureOther, Advice: writeAdvice},
	sqlite3.SQLITE_IOERR_SHORT_READ: {Kind: store.FailureOther, Advice: writeAdvice},
	sqlite3.SQLITE_IOERR_FSYNC:      {Kind: store.FailureDamage, Advice: diskAdvice},
	sqlite3.SQLITE_IOERR_DIR_FSYNC:  {Kind: store.FailureDamage, Advice: diskAdvice},
	sqlite3.SQLITE_IOERR_CORRUPTFS:  {Kind: store.FailureDamage, Advice: diskAdvice},
	sqlite3.SQLITE_IOERR_DATA:       {Kind: store.FailureDamage, Advice: diskAdvice},
	sqlite3.SQLITE_CORRUPT:          {Kind: store.FailureDamage, Advice: "the file is damaged; stop the server, keep the file, and restore the newest backup"},
	sqlite3.SQLITE_NOTADB:           {Kind: store.FailureDamage, Advice: "this is not a data file of ayumu, or its beginning is damaged; restore a backup, or choose another folder with --data"},
	sqlite3.SQLITE_READONLY:         {Kind: store.FailureOutage, Advice: readOnlyAdvice},
	sqlite3.SQLITE_PERM:             {Kind: store.FailureOther, Advice: readOnlyAdvice},
	sqlite3.SQLITE_CANTOPEN:         {Kind: store.FailureOther, Advice: "the file, or the -wal and -shm files beside it, cannot be opened; give the server's user the right to write the folder"},
	sqlite3.SQLITE_BUSY:             {Kind: store.FailureOther, Advice: lockedAdvice},
	sqlite3.SQLITE_LOCKED:           {Kind: store.FailureOther, Advice: lockedAdvice},
	sqlite3.SQLITE_ERROR:            {Kind: store.FailureContent},
	sqlite3.SQLITE_CONSTRAINT:       {Kind: store.FailureContent},
	sqlite3.SQLITE_MISMATCH:         {Kind: store.FailureContent},
	sqlite3.SQLITE_RANGE:            {Kind: store.FailureContent},
	sqlite3.SQLITE_TOOBIG:           {Kind: store.FailureContent},
}

// failureOf returns what is known about an error.
func failureOf(err error) store.Failure {
	if errors.Is(err, context.DeadlineExceeded) {
		return store.Failure{Kind: store.FailureTimeout, Advice: "it took too long; check whether the disk is overloaded"}
	}
	return failureOfCode(extendedCode(err))
}

// failureOfCode is failureOf for an extended result code.
func failureOfCode(code int) store.Failure { return failures.Find(code, code&0xff) }

// isFatal reports whether nothing may be written after an error until the file has been opened again.
func isFatal(err error) bool { return failureOf(err).Kind == store.FailureDamage }

// isOutage reports whether an error is one that every change has until the operator has helped.
func isOutage(err error) bool {
	return errors.Is(err, errStopped) || failureOf(err).Kind == store.FailureOutage
}

// isWriteFailure reports whether a change failed because the file could not be written, and not because of its content.
func isWriteFailure(err error) bool {
	return extendedCode(err) != 0 && failureOf(err).Kind != store.FailureContent
}

// ReportFailures implements store.Maintenance.
func (s *Store) ReportFailures(report func(msg string, keyvals ...any)) { s.report.Store(&report) }

// explainError returns describeError(op, err) and reports it to the operator. Every method that a running
// server calls passes its error through here exactly once, so that no caller has to report it. Of an outage the first
// error is reported, and its end with the number of changes that failed.
func (s *Store) explainError(op string, err error) error {
	if store.IsExpected(err) {
		return err
	}
	isNew := !isOutage(err) || s.outage.fail(time.Now())
	err = s.describeError(op, err)
	if report := s.report.Load(); report != nil && isNew {
		(*report)("data file", "err", err)
	}
	return err
}

// errStopped is the error of all changes after one that isFatal.
var errStopped = errors.New("nothing is written any more since an earlier failure")

// quietInterval is the minimum interval between reports that an outage has begun: on a disk that is nearly full some
// changes succeed.
const quietInterval = time.Minute

// outage is a time in which changes fail for one reason, which is reported when it begins and when it ends. The zero
// outage has not begun.
type outage struct {
	mu       sync.Mutex // a leaf
	began    time.Time  // zero: it has not, or it has ended
	reported time.Time  // when the beginning of one was reported last
	failed   int        // changes since the last report of an end
}

// fail counts a failed change, and reports whether it begins an outage that is to be reported.
func (o *outage) fail(now time.Time) (isNew bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed++
	if !o.began.IsZero() {
		return false
	}
	o.began = now
	if !o.reported.IsZero() && now.Sub(o.reported) < quietInterval {
		return false
	}
	o.reported = now
	return true
}

// end ends the outage, and returns how long it lasted and how many changes failed; 0 if there is nothing to report.
func (o *outage) end(now time.Time) (lasted time.Duration, failed int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.began.IsZero() {
		return 0, 0
	}
	if o.began.Equal(o.reported) {
		lasted, failed = now.Sub(o.began), o.failed
		o.failed = 0
	}
	o.began = time.Time{}
	return lasted, failed
}

// reportEnd reports the end of an outage, if there was one.
func (s *Store) reportEnd() {
	lasted, failed := s.outage.end(time.Now())
	if report := s.report.Load(); report != nil && failed > 0 {
		(*report)("data file can be written again", "after", lasted.Round(time.Second), "failed", failed)
	}
}

// describeError returns an error for the operator: the operation, the file, what happened and what to do.
// Expected errors are returned as they are.
func (s *Store) describeError(op string, err error) error {
	return failureOf(err).Describe(op, s.name, err)
}
