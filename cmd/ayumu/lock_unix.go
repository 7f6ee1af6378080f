//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file until it is closed. Without an error, locked is false if another process has locked it.
func tryLock(f *os.File) (locked bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
