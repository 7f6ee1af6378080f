//go:build unix

package searchtest

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time of this thread, so that a busy machine affects both sides of a
// game equally. The goroutine must stay on its thread.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	const thisThread = 1
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
