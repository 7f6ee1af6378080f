//go:build !linux

package main

import (
	"errors"
	"os/exec"
	"syscall"
)

// Signals that do nothing.
const (
	signalStop     = syscall.Signal(0)
	signalContinue = syscall.Signal(0)
)

// makeFIFO fails.
func makeFIFO(string) error { return errors.ErrUnsupported }

// inOwnGroup does nothing.
func inOwnGroup(*exec.Cmd) {}

// endWithTests does nothing.
func endWithTests(*exec.Cmd) {}

// setNiceness does nothing.
func setNiceness(int) error { return nil }

// setGroupNiceness does nothing.
func setGroupNiceness(int) error { return nil }

// socketError knows no error.
func socketError(uintptr) error { return nil }
