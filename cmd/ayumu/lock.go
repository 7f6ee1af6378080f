package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockName is the file in the data folder that a server keeps locked while it runs.
const lockName = "serve.lock"

// lockData takes the data folder for one server, since two would each have the people of one half and
// disagree on every match. The operating system drops the lock when the process ends, however it does.
// The tools that read and write the data file beside a server do not take it.
func lockData(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("there is no data folder %s; make it, or choose another with --data", dir)
	case err != nil:
		return nil, fmt.Errorf("the data folder cannot be locked: %w; give the server's user the right to write %s", err, dir)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { f.Close() }, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("another server is running on the data folder %s; stop it, or choose another folder with --data", dir)
	}
	return nil, fmt.Errorf("the data folder %s cannot be locked: %w", dir, err)
}
