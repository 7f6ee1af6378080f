package sqlite

import (
	"context"
	"errors"
	"fmt"

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
// server calls passes its error through here exactly once, so that no caller has to report it.
func (s *Store) explainError(op string, err error) error {
	if store.IsExpected(err) {
		return err
	}
	err = s.describeError(op, err)
	if report := s.report.Load(); report != nil {
		(*report)("data file", "err", err)
	}
	return err
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
