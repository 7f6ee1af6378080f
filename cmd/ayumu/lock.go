package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// lockName is the file in the data folder that a running server keeps locked.
const lockName = "serve.lock"

// errInUse is an error of lockData.
var errInUse = errors.New("another server is using the data folder")

// lockData locks the data folder for one server. Two servers on one folder would each have half of the
// sessions and conflict on every match. The operating system releases the lock when the process ends.
// Tools that use the data file beside a server do not take the lock.
func lockData(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("the data folder %s does not exist; create it, or choose another with --data", dir)
	case err != nil:
		return nil, fmt.Errorf("cannot lock the data folder: %w; make %s writable for the server's user", err, dir)
	}
	switch locked, err := tryLock(f); {
	case locked:
		return func() { f.Close() }, nil
	case err == nil:
		f.Close()
		return nil, fmt.Errorf("%w %s; stop it, or choose another folder with --data", errInUse, dir)
	default:
		f.Close()
		return nil, fmt.Errorf("cannot lock the data folder %s: %w", dir, err)
	}
}

// isSameFolder reports whether two paths lead to the same existing folder.
func isSameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
