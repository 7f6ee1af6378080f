package store

import (
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// health records whether writes succeed. The writer updates it; any goroutine may read it.
type health struct {
	mu     sync.Mutex
	err    error     // of the last write; nil if it succeeded
	since  time.Time // of the first failure after the last success
	failed uint64    // changes that failed
}

// WriteFailure implements lobby.Store. It never waits for the disk.
func (s *SQLite) WriteFailure() (since time.Time, err error) {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.since, s.health.err
}

// FailedWrites returns the number of changes that failed since the file was opened, without those
// that were refused because of their content.
func (s *SQLite) FailedWrites() uint64 {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.failed
}

// record updates the health after a transaction. lost is the error that undid it as a whole.
func (h *health) record(answers []answer, lost error) {
	last, failed := lost, 0
	for _, a := range answers {
		switch {
		case lost != nil:
			failed++
		case unwritable(a.err):
			last = a.err
			failed++
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed += uint64(failed)
	switch {
	case len(answers) == 0 && lost == nil: // nothing was written
	case last == nil:
		h.since, h.err = time.Time{}, nil
	case h.err == nil:
		h.since, h.err = time.Now(), last
	default:
		h.err = last
	}
}

// unwritable reports whether a change failed because the file could not be written, and not
// because of what the change contains.
func unwritable(err error) bool {
	switch primary(err) {
	case 0, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_TOOBIG:
		return false
	}
	return true
}
