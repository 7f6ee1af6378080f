package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/store/sqlite/sqlitetest"
	"ayumu/lobby/store/storetest"
)

// TestEveryFailureIsReportedOnce breaks a file by dropping its tables.
func TestEveryFailureIsReportedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	storetest.RunBroken(t, openFile(t, path), func() error { return sqlitetest.DropTables(t.Context(), path) })
}

// TestWhatIsNoFailureIsNotReported: of the errors on which callers act, and of the end of a store, none is
// reported (storetest has most of them); a change that takes too long is.
func TestWhatIsNoFailureIsNotReported(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		var log storetest.Reported
		s.ReportFailures(log.Add)
		ana := account(t, s, "ana")
		_, err := s.CreateAccount(t.Context(), "ana", []byte("another key"), start)
		want(t, "taken", err, lobby.ErrTaken)
		if all := log.Take(); len(all) > 0 {
			t.Errorf("taken: reported %q", all)
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := blockWriter(t, s)
		result := make(chan error)
		go func() { result <- s.SaveSettings(late, ana.ID, nil) }()
		if err := <-result; !errors.Is(err, context.DeadlineExceeded) || len(log.Take()) != 1 {
			t.Errorf("a write that took too long: %v", err)
		}
		release()
		synctest.Wait()
		want(t, "close", s.Close(), nil)
		want(t, "when it is closed", s.SaveSettings(t.Context(), ana.ID, nil), lobby.ErrClosed)
		if all := log.Take(); len(all) > 0 {
			t.Errorf("closing: reported %q", all)
		}
	})
}
