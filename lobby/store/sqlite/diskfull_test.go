package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

func TestOnlySyncFailuresAndDamageAreFatal(t *testing.T) {
	for code, want := range map[int]bool{
		0:                                false,
		sqlite3.SQLITE_FULL:              false,
		sqlite3.SQLITE_BUSY:              false,
		sqlite3.SQLITE_READONLY:          false,
		sqlite3.SQLITE_IOERR:             false,
		sqlite3.SQLITE_IOERR_WRITE:       false, // also an exceeded quota
		sqlite3.SQLITE_IOERR_SHMSIZE:     false, // also a full disk
		sqlite3.SQLITE_IOERR_SHMMAP:      false,
		sqlite3.SQLITE_IOERR_READ:        false,
		sqlite3.SQLITE_IOERR_SHORT_READ:  false,
		sqlite3.SQLITE_IOERR_TRUNCATE:    false,
		sqlite3.SQLITE_IOERR_FSYNC:       true,
		sqlite3.SQLITE_IOERR_DIR_FSYNC:   true,
		sqlite3.SQLITE_IOERR_CORRUPTFS:   true,
		sqlite3.SQLITE_CORRUPT:           true,
		sqlite3.SQLITE_CORRUPT_INDEX:     true,
		sqlite3.SQLITE_NOTADB:            true,
		sqlite3.SQLITE_CONSTRAINT_UNIQUE: false,
	} {
		if got := failureOfCode(code).Kind == store.FailureDamage; got != want {
			t.Errorf("code %d: fatal is %v", code, got)
		}
	}
}

func TestWriteFailureLastsUntilAWriteSucceeds(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		healthy := func(when string, failed uint64) {
			t.Helper()
			if since, err := s.WriteFailure(); err != nil || !since.IsZero() || s.FailedWrites() != failed {
				t.Errorf("%s: %v since %v, %d failed", when, err, since, s.FailedWrites())
			}
		}
		healthy("at first", 0)
		refused := errors.New("refused")
		want(t, "a refused change", s.update(t.Context(), "", func(*tx) error { return refused }), refused)
		healthy("after a refused change", 0)

		if _, err := s.write.Exec("PRAGMA query_only = 1"); err != nil {
			t.Fatal(err)
		}
		first := time.Now()
		for n := range uint64(3) {
			if err := s.update(t.Context(), "writing", insertAccount("a")); err == nil {
				t.Fatal("a read-only file is written")
			}
			since, err := s.WriteFailure()
			if err == nil || !since.Equal(first) || s.FailedWrites() != n+1 {
				t.Errorf("%v since %v, %d failed, after %d", err, since.Sub(first), s.FailedWrites(), n+1)
			}
			<-time.After(time.Second)
			synctest.Wait()
		}
		if _, err := s.write.Exec("PRAGMA query_only = 0"); err != nil {
			t.Fatal(err)
		}
		want(t, "once it can be written", s.update(t.Context(), "writing", insertAccount("a")), nil)
		healthy("after a success", 3)
	})
}

// frames returns the number of frames in the write-ahead log of a file that was not checkpointed.
func frames(t *testing.T, path string) int64 {
	t.Helper()
	const header, frame = 32, 4096 + 24
	info := must[os.FileInfo](t)(os.Stat(path + "-wal"))
	return (info.Size() - header) / frame
}

// The index of the write-ahead log grows with frame 4063, the first that does not fit into its first page
// of 32 KiB. If the disk is full then, SQLITE_IOERR_SHMSIZE is returned, not SQLITE_FULL.
func TestFullDiskIsOnlyAPause(t *testing.T) {
	for _, at := range []int64{100, 4063} {
		t.Run(fmt.Sprint("frame ", at), func(t *testing.T) {
			dir := smallDisk(t, 40<<20)
			path, ballast := filepath.Join(dir, FileName), filepath.Join(dir, "ballast")
			s := openFile(t, path)
			m := newMatch(t, "m", "", newAccount(t, s, "ana"), newAccount(t, s, "bob"))
			want(t, "create", s.CreateMatch(t.Context(), m, lobby.MatchStart{}), nil)
			version := 0
			record := func() error {
				err := s.Append(t.Context(), m.ID, after(version), match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: start})
				if err == nil {
					version++
				}
				return err
			}
			for frames(t, path) < at-20 {
				if err := record(); err != nil || version > 2*int(at) {
					t.Fatalf("%d turns made %d frames of the log, %v", version, frames(t, path), err)
				}
			}
			fill(t, ballast, (at-frames(t, path))*(4096+24)+3*4096)
			var err error
			for range 100 {
				if err = record(); err != nil {
					break
				}
			}
			t.Logf("after %d frames: %v", frames(t, path), err)
			if _, failing := s.WriteFailure(); err == nil || failing == nil {
				t.Fatalf("a full disk: %v, health %v", err, failing)
			}
			if at == 4063 && extendedCode(err) != sqlite3.SQLITE_IOERR_SHMSIZE {
				t.Errorf("code %d is not that of an index that cannot grow", extendedCode(err))
			}
			checkMessage(t, err, "free some space", "play continues by itself")
			want(t, "free the disk", os.Remove(ballast), nil)
			for range 10 {
				want(t, "a turn once there is space", record(), nil)
			}
			if _, failing := s.WriteFailure(); failing != nil {
				t.Error("health after a success:", failing)
			}
			_, log, err := s.Match(t.Context(), "m")
			if want(t, "read", err, nil); len(log) != version {
				t.Errorf("%d entries are kept of %d", len(log), version)
			}
			found, err := s.Check(t.Context())
			if want(t, "check", err, nil); len(found) > 0 {
				t.Error(found)
			}
		})
	}
}
