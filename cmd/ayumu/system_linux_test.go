package main

import (
	"os/exec"
	"syscall"
)

// The signals that stop a process and have it go on.
const (
	signalStop     = syscall.SIGSTOP
	signalContinue = syscall.SIGCONT
)

// makeFIFO makes a named pipe.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }

// inOwnGroup gives a program that is not started yet a process group of its own.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endWithTests has a program that is not started yet end with the process of the tests, however that ends.
func endWithTests(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// setNiceness gives this process a niceness.
func setNiceness(niceness int) error { return syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness) }

// setGroupNiceness gives the process group of this process a niceness.
func setGroupNiceness(niceness int) error { return syscall.Setpriority(syscall.PRIO_PGRP, 0, niceness) }

// socketError returns the pending error of a socket.
func socketError(fd uintptr) error {
	n, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err == nil && n != 0 {
		err = syscall.Errno(n)
	}
	return err
}
