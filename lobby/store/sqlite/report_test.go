package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store/sqlite/sqlitetest"
	"ayumu/lobby/store/storetest"
)

// TestEveryFailureIsReportedOnce breaks a file by dropping its tables.
func TestEveryFailureIsReportedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	storetest.RunBroken(t, openFile(t, path), func() error { return sqlitetest.DropTables(t.Context(), path) })
}

// TestAnOutageIsReportedWithItsEnd: however many changes fail, and at most once a minute if some succeed meanwhile.
func TestAnOutageIsReportedWithItsEnd(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		var log storetest.Reported
		s.ReportFailures(log.Add)
		ana := newAccount(t, s, "ana")
		fail := func(refused bool) {
			t.Helper()
			if _, err := s.write.Exec(fmt.Sprint("PRAGMA query_only = ", refused)); err != nil {
				t.Fatal(err)
			}
			if err := s.SaveSettings(t.Context(), ana.ID, nil); (err != nil) != refused {
				t.Errorf("a change: %v", err)
			}
		}
		reported := func(when string, wanted ...string) {
			t.Helper()
			all := log.Take()
			for i, want := range wanted {
				if len(all) != len(wanted) || !strings.Contains(all[i], want) {
					t.Errorf("%s: reported %q, want %q", when, all, wanted)
					return
				}
			}
			if len(all) != len(wanted) {
				t.Errorf("%s: reported %q", when, all)
			}
		}
		for range 3 {
			fail(true)
			<-time.After(10 * time.Second)
		}
		reported("an outage", "read-only")
		fail(false)
		reported("its end", "data file can be written again [after 30s failed 3]")
		for range 4 { // now and then a change succeeds
			fail(true)
			fail(false)
		}
		reported("soon after")
		<-time.After(time.Minute)
		fail(true)
		fail(true)
		fail(false)
		reported("later", "read-only", "failed 6]")
	})
}

// TestAPanicOfAReportStopsTheWriter: the change after which it was is answered, and those that follow.
func TestAPanicOfAReportStopsTheWriter(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		s.ReportFailures(func(msg string, _ ...any) {
			if strings.Contains(msg, "can be written again") {
				panic("fault")
			}
		})
		s.outage.fail(time.Now())
		for range 2 {
			checkMessage(t, s.SaveSettings(t.Context(), 1, nil), "nothing is written any more", "panic: fault")
		}
	})
}

// TestWhatIsNoFailureIsNotReported: of the errors on which callers act, and of the end of a store, none is
// reported (storetest has most of them); a change that takes too long is.
func TestWhatIsNoFailureIsNotReported(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		var log storetest.Reported
		s.ReportFailures(log.Add)
		ana := newAccount(t, s, "ana")
		_, err := s.CreateAccount(t.Context(), "ana", []byte("another key"), start)
		want(t, "taken", err, errcode.ErrTaken)
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
		} else {
			checkMessage(t, err, "it took too long", "disk is overloaded")
		}
		release()
		synctest.Wait()
		want(t, "close", s.Close(), nil)
		want(t, "when it is closed", s.SaveSettings(t.Context(), ana.ID, nil), errcode.ErrClosed)
		if all := log.Take(); len(all) > 0 {
			t.Errorf("closing: reported %q", all)
		}
	})
}
