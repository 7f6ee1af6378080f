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
	errClosed = errors.New("the store is closed")
	errEnd    = errors.New("an end, and nothing else, has a result with the turns and sides of all seats, and nothing follows it")
)

// failure returns SQLite's primary result code; 0 if the error is not SQLite's.
func failure(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// fatal reports whether nothing that the file says can be relied on after a failed write.
func fatal(err error) bool {
	switch failure(err) {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// expected are the errors that a caller provokes and acts on.
var expected = []error{
	lobby.ErrVersion, lobby.ErrTaken, lobby.ErrUnknown, lobby.ErrLastKey, lobby.ErrDamaged,
	context.Canceled, context.DeadlineExceeded, errClosed,
}

// acted reports whether an error is none, or one that callers act on.
func acted(err error) bool {
	return err == nil || slices.ContainsFunc(expected, func(e error) bool { return errors.Is(err, e) })
}

// explain returns what went wrong while the store was doing something, for the host: the file,
// what happened, what to do. Errors that callers act on stay as they are.
func (s *SQLite) explain(doing string, err error) error {
	if acted(err) {
		return err
	}
	advice := ""
	switch failure(err) {
	case sqlite3.SQLITE_FULL:
		advice = "the disk is full and nothing was kept; free some space, play then goes on by itself"
	case sqlite3.SQLITE_IOERR:
		advice = "the disk failed; look at the system's log, put it right, and start the server again"
	case sqlite3.SQLITE_CORRUPT:
		advice = "the file is damaged; stop the server, keep the file, and restore the newest backup"
	case sqlite3.SQLITE_NOTADB:
		advice = "this is no data file of ayumu, or its beginning is damaged; restore a backup, or choose another folder with --data"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		advice = "the file is read-only; give the server's user the right to write it and its folder"
	case sqlite3.SQLITE_CANTOPEN:
		advice = "the file, or the -wal and -shm files beside it, cannot be opened; give the server's user the right to write the folder"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		advice = "another program keeps the file locked; end it and try again"
	default:
		return fmt.Errorf("%s %s: %w", doing, s.name, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", doing, s.name, advice, err)
}
