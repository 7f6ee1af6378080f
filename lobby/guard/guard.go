// Package guard recovers panics at the end of a goroutine. A panic that is not recovered ends the process
// with all sessions and matches.
//
// A test in cmd/ayumu requires every goroutine of the server to recover, by this package or by a deferred function of
// its own.
package guard

import (
	"fmt"
	"runtime/debug"
	"time"
)

// Recover recovers a panic and passes it to report, as an error with the stack. It must be deferred
// directly. report runs on the panicking goroutine and must not panic.
func Recover(report func(error)) {
	if r := recover(); r != nil {
		report(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
	}
}

// Go runs f on a new goroutine. A panic ends f and is reported.
func Go(report func(error), f func()) {
	go func() {
		defer Recover(report)
		f()
	}()
}

// AfterFunc is time.AfterFunc; a panic of f is reported.
func AfterFunc(d time.Duration, report func(error), f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		defer Recover(report)
		f()
	})
}

// Call runs f and returns its panic as an error, or nil.
func Call(f func()) (err error) {
	defer Recover(func(p error) { err = p })
	f()
	return nil
}
