package sqlite

import (
	"context"
	"errors"
	"fmt"
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

// primaryCode returns SQLite's primary result code; 0 if the error is not SQLite's.
func primaryCode(err error) int { return extendedCode(err) & 0xff }

// isFatal reports whether nothing may be written after an error until the file has been opened again. After
// a failed sync the kernel may have dropped pages that it reports as written, and a corrupt file must not
// be written further. Any other failure, such as a full disk, an exceeded quota or a failed write, leaves
// the file as the last transaction left it, so that a later write may succeed.
func isFatal(err error) bool { return isFatalCode(extendedCode(err)) }

// isFatalCode is isFatal for an extended result code.
func isFatalCode(code int) bool {
	switch code {
	case sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC, sqlite3.SQLITE_IOERR_CORRUPTFS, sqlite3.SQLITE_IOERR_DATA:
		return true
	}
	switch code & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
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

// isOutage reports whether an error is one that every change has until the operator has helped, such as that of a full
// disk.
func isOutage(err error) bool {
	switch code := extendedCode(err); code {
	case sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ:
		return false
	default:
		kind := code & 0xff
		return errors.Is(err, errStopped) || kind == sqlite3.SQLITE_FULL || kind == sqlite3.SQLITE_READONLY || kind == sqlite3.SQLITE_IOERR && !isFatalCode(code)
	}
}

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
	if store.IsExpected(err) {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: it took too long; check whether the disk is overloaded (%w)", op, s.name, err)
	}
	advice := ""
	switch kind := primaryCode(err); {
	case kind == sqlite3.SQLITE_FULL:
		advice = "the disk is full and nothing was stored; free some space, and play continues by itself"
	case kind == sqlite3.SQLITE_IOERR && isFatal(err):
		advice = "the disk failed; check the system's log, repair it, and restart the server"
	case kind == sqlite3.SQLITE_IOERR:
		advice = "the disk is full, its quota is used up, or it failed, and nothing was stored; free some space or check the system's log, and play continues by itself"
	case kind == sqlite3.SQLITE_CORRUPT:
		advice = "the file is damaged; stop the server, keep the file, and restore the newest backup"
	case kind == sqlite3.SQLITE_NOTADB:
		advice = "this is not a data file of ayumu, or its beginning is damaged; restore a backup, or choose another folder with --data"
	case kind == sqlite3.SQLITE_READONLY, kind == sqlite3.SQLITE_PERM:
		advice = "the file is read-only; give the server's user the right to write it and its folder"
	case kind == sqlite3.SQLITE_CANTOPEN:
		advice = "the file, or the -wal and -shm files beside it, cannot be opened; give the server's user the right to write the folder"
	case kind == sqlite3.SQLITE_BUSY, kind == sqlite3.SQLITE_LOCKED:
		advice = "another program has locked the file; end it and try again"
	default:
		return fmt.Errorf("%s %s: %w", op, s.name, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", op, s.name, advice, err)
}
