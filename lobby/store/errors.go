package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"ayumu/lobby"
)

var (
	errEnd = errors.New("an end, and nothing else, has a result with the turns and sides of all seats, and nothing follows it")
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

// isFatal reports whether nothing may be written after an error until the file has been opened
// again. After a failed sync the kernel may have dropped pages that it reports as written, and a
// damaged file must not be written further. Any other failure, such as a full disk, an exceeded
// quota or a failed write, leaves the file as the last transaction left it, so that a later write
// may succeed.
func isFatal(err error) bool { return isFatalCode(extendedCode(err)) }

// isFatalCode is fatal for an extended result code.
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

// expectedErrors are the errors that a caller provokes and acts on.
var expectedErrors = []error{
	lobby.ErrVersionConflict, lobby.ErrTaken, lobby.ErrNotFound, lobby.ErrLastKey, lobby.ErrCorrupt, lobby.ErrClosed,
	context.Canceled,
}

// isExpected reports whether an error is none, or one that callers act on.
func isExpected(err error) bool {
	return err == nil || slices.ContainsFunc(expectedErrors, func(e error) bool { return errors.Is(err, e) })
}

// ReportFailures sets the function that tells the operator about failures: a message and key-value
// pairs. It may be called from any goroutine and must not block. Until it is set, failures are only
// returned.
func (s *SQLite) ReportFailures(report func(msg string, keyvals ...any)) { s.report.Store(&report) }

// explainError describes a failure as describe does, and reports it to the operator. Every method that
// a running server calls passes its error through here exactly once, so that no caller needs to
// report it.
func (s *SQLite) explainError(doing string, err error) error {
	if isExpected(err) {
		return err
	}
	err = s.describeError(doing, err)
	if report := s.report.Load(); report != nil {
		(*report)("data file", "err", err)
	}
	return err
}

// describeError returns what went wrong while the store was doing something, for the operator: the
// file, what happened, what to do. Errors that callers act on stay as they are.
func (s *SQLite) describeError(doing string, err error) error {
	if isExpected(err) {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: it took too long; look whether the disk is overloaded (%w)", doing, s.name, err)
	}
	advice := ""
	switch kind := primaryCode(err); {
	case kind == sqlite3.SQLITE_FULL:
		advice = "the disk is full and nothing was kept; free some space, play then goes on by itself"
	case kind == sqlite3.SQLITE_IOERR && isFatal(err):
		advice = "the disk failed; look at the system's log, put it right, and start the server again"
	case kind == sqlite3.SQLITE_IOERR:
		advice = "the disk is full, its quota is used up, or it failed, and nothing was kept; free some space or look at the system's log, play then goes on by itself"
	case kind == sqlite3.SQLITE_CORRUPT:
		advice = "the file is damaged; stop the server, keep the file, and restore the newest backup"
	case kind == sqlite3.SQLITE_NOTADB:
		advice = "this is no data file of ayumu, or its beginning is damaged; restore a backup, or choose another folder with --data"
	case kind == sqlite3.SQLITE_READONLY, kind == sqlite3.SQLITE_PERM:
		advice = "the file is read-only; give the server's user the right to write it and its folder"
	case kind == sqlite3.SQLITE_CANTOPEN:
		advice = "the file, or the -wal and -shm files beside it, cannot be opened; give the server's user the right to write the folder"
	case kind == sqlite3.SQLITE_BUSY, kind == sqlite3.SQLITE_LOCKED:
		advice = "another program keeps the file locked; end it and try again"
	default:
		return fmt.Errorf("%s %s: %w", doing, s.name, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", doing, s.name, advice, err)
}
