package sqlite

import (
	"context"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// health records whether writes succeed. The writer updates it; any goroutine may read it. mu guards all
// fields and is a leaf.
type health struct {
	mu       sync.Mutex
	err      error     // of the last write; nil if it succeeded
	since    time.Time // of the first failure after the last success
	failures uint64    // number of changes that failed
}

// WriteFailure implements lobby.Store. It never waits for the disk.
func (s *Store) WriteFailure() (since time.Time, err error) {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.since, s.health.err
}

// FailedWrites implements store.Maintenance.
func (s *Store) FailedWrites() uint64 {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.failures
}

// Health implements store.Maintenance. The test write needs 64 KiB of space. Its failure is not reported,
// because that of the change was.
func (s *Store) Health(ctx context.Context) error {
	if _, err := s.AuditLog(ctx, 1); err != nil {
		return err
	}
	if _, err := s.WriteFailure(); err == nil {
		return nil
	}
	return s.describeError("writing a test to", s.submit(ctx, &job{do: func(t *tx) error {
		for _, query := range []string{
			"CREATE TABLE health (filler BLOB)",
			"INSERT INTO health VALUES (zeroblob(65536))", // 16 pages
			"DROP TABLE health",
		} {
			if _, err := t.sql.Exec(query); err != nil {
				return err
			}
		}
		return nil
	}}))
}

// record updates the health after a transaction. txErr is the error that undid the transaction, or nil.
func (h *health) record(answers []jobResult, txErr error) {
	last, failed := txErr, 0
	for _, a := range answers {
		switch {
		case txErr != nil:
			failed++
		case isWriteFailure(a.err):
			last = a.err
			failed++
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures += uint64(failed)
	switch {
	case len(answers) == 0 && txErr == nil: // nothing was written
	case last == nil:
		h.since, h.err = time.Time{}, nil
	case h.err == nil:
		h.since, h.err = time.Now(), last
	default:
		h.err = last
	}
}

// isWriteFailure reports whether a change failed because the file could not be written, and not because of
// its content.
func isWriteFailure(err error) bool {
	switch primaryCode(err) {
	case 0, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_TOOBIG:
		return false
	}
	return true
}
