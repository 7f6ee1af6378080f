package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store/sqlite/sqlitetest"
)

// TestHealthFailsWhileNothingCanBeWritten fills the disk: the store is unhealthy from the first change that
// fails until there is space, whether or not anything is written meanwhile.
func TestHealthFailsWhileNothingCanBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	turns := makeStartedMatch(t, path)
	s := openFile(t, path)
	room := func(pages int) {
		t.Helper()
		if _, err := s.write.Exec(fmt.Sprint("PRAGMA max_page_count = ", pages)); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "at first", s.Health(t.Context()), nil)
	want(t, "a change that is refused", s.Append(t.Context(), "m", after(7), turns[3]), errcode.ErrVersionConflict)
	want(t, "after a change that was refused", s.Health(t.Context()), nil)
	room(1) // SQLite raises it to the current number of pages
	fill := turns[3]
	for range 200 {
		fill.Actions = append(fill.Actions, "move -12,-12 3 nw after a long walk")
	}
	checkMessage(t, s.Append(t.Context(), "m", after(3), fill), path, "disk is full")
	if n := s.FailedWrites(); n != 1 {
		t.Errorf("%d write failures, want 1", n)
	}
	for range 2 {
		checkMessage(t, s.Health(t.Context()), path, "disk is full", "free some space")
	}
	room(1_000_000)
	want(t, "once there is room", s.Health(t.Context()), nil)
	n := s.FailedWrites()
	want(t, "a turn", s.Append(t.Context(), "m", after(3), fill), nil)
	want(t, "after it", s.Health(t.Context()), nil)
	if s.FailedWrites() != n {
		t.Errorf("%d write failures, want %d", s.FailedWrites(), n)
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %v, %v", found, err)
	}
}

// TestRemoveDatabaseLeavesNothing removes the files of a backup that failed on a full disk.
func TestRemoveDatabaseLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"copy", "copy-journal", "copy-wal", "copy-shm", "copy-else"} {
		want(t, name, os.WriteFile(filepath.Join(dir, name), nil, 0o600), nil)
	}
	removeDatabase(filepath.Join(dir, "copy"))
	left := must[[]os.DirEntry](t)(os.ReadDir(dir))
	if len(left) != 1 || left[0].Name() != "copy-else" {
		t.Errorf("left: %v", left)
	}
}

// TestHealthFailsOnceNothingCanBeRead, although no change has failed.
func TestHealthFailsOnceNothingCanBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	want(t, "drop the tables", sqlitetest.DropTables(t.Context(), path), nil)
	if err := s.Health(t.Context()); err == nil {
		t.Error("a store without its tables is healthy")
	}
}

// TestHealthIsThatOfTheLastWrite: where nothing was written, it stays as it was.
func TestHealthIsThatOfTheLastWrite(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		s.recordWrites(nil, errInjected) // the transaction did not begin
		s.recordWrites(nil, nil)         // nobody waited for its changes
		if _, err := s.WriteFailure(); err == nil {
			t.Error("a store is healthy in which nothing could be written")
		}
		want(t, "a change", s.submit(t.Context(), &job{do: insertAccount("a")}), nil)
		if err := s.submit(t.Context(), &job{do: insertAccount("a")}); err == nil {
			t.Error("a name is used twice")
		}
		if _, err := s.WriteFailure(); err != nil || s.FailedWrites() != 0 {
			t.Errorf("after a change that the file cannot have: %v, %d failures", err, s.FailedWrites())
		}
		err := s.submit(t.Context(), &job{do: func(t *tx) error {
			_, on := t.Exec("PRAGMA query_only = 1")
			refused := insertAccount("b")(t)
			_, off := t.Exec("PRAGMA query_only = 0")
			return errors.Join(on, refused, off)
		}})
		if _, failure := s.WriteFailure(); err == nil || failure == nil || s.FailedWrites() != 1 {
			t.Errorf("after a change that could not be written: %v, health %v, %d failures", err, failure, s.FailedWrites())
		}
	})
}
