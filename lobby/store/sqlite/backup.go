package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ayumu/lobby/store"
)

// Backup implements store.Maintenance. The copy is a data file.
func (s *Store) Backup(ctx context.Context, file string) (err error) {
	// An empty file reserves the name until the copy replaces it, so that no file created meanwhile is
	// overwritten.
	placeholder, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; choose another name for the backup", file)
	}
	if err != nil {
		return fmt.Errorf("the backup cannot be written: %w", err)
	}
	placeholder.Close()
	defer func() {
		if err != nil {
			os.Remove(file)
		}
	}()
	copied, err := os.CreateTemp(filepath.Dir(file), ".ayumu-backup-*")
	if err != nil {
		return fmt.Errorf("the backup cannot be written: %w", err)
	}
	defer removeDatabase(copied.Name())
	defer copied.Close()
	if err := copyDatabase(ctx, s.read, copied); err != nil {
		return s.describeError("copying", err)
	}
	if err := os.Rename(copied.Name(), file); err != nil {
		return fmt.Errorf("the backup cannot be written: %w", err)
	}
	return syncDir(filepath.Dir(file))
}

// copyDatabase writes one state of a database to an empty file, and to the disk.
func copyDatabase(ctx context.Context, db *sql.DB, to *os.File) error {
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?1", to.Name()); err != nil {
		return err
	}
	if err := to.Sync(); err != nil { // VACUUM INTO does not
		return fmt.Errorf("the copy is not on the disk: %w", err)
	}
	return nil
}

// removeDatabase removes a file and the files that SQLite leaves beside it when it fails, for example on a
// full disk.
func removeDatabase(file string) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		os.Remove(file + suffix)
	}
}

// syncDir makes a rename in a folder durable.
func syncDir(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// Check implements store.Maintenance with SQLite's own checks.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	found, err := store.All(ctx, s.read, "PRAGMA integrity_check", nil, store.Value[string])
	if err != nil {
		return nil, s.describeError("checking", err)
	}
	if slices.Equal(found, []string{"ok"}) {
		found = nil
	}
	orphans, err := store.All(ctx, s.read, "PRAGMA foreign_key_check", nil, func(from store.RowScanner) (string, error) {
		var table, to string
		var row, key sql.NullInt64
		err := from.Scan(&table, &row, &to, &key)
		return fmt.Sprintf("a row of %s belongs to none of %s", table, to), err
	})
	if err != nil {
		return nil, s.describeError("checking", err)
	}
	return append(found, orphans...), nil
}
