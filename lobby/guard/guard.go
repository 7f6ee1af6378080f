// Package guard keeps a panic within the goroutine in which it happens, since a panic that is not
// recovered ends the process with the sessions and matches of everybody.
//
// It imports only the standard library. A test in cmd/ayumu requires every goroutine of the server to
// recover, by this package or by a deferred function of its own.
package guard

import (
	"fmt"
	"runtime/debug"
	"time"
)

// Recover recovers a panic and passes it to report, as an error with the stack. It works only where it
// is deferred directly. report may be called from any goroutine and must not panic.
func Recover(report func(error)) {
	if r := recover(); r != nil {
		report(fmt.Errorf("panic: %v\n%s", r, debug.Stack()))
	}
}

// Go runs f on a goroutine of its own. A panic ends f, and is reported.
func Go(report func(error), f func()) {
	go func() {
		defer Recover(report)
		f()
	}()
}

// AfterFunc is time.AfterFunc with a panic of f reported.
func AfterFunc(d time.Duration, report func(error), f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		defer Recover(report)
		f()
	})
}

// Call runs f and returns its panic, or nil.
func Call(f func()) (err error) {
	defer Recover(func(p error) { err = p })
	f()
	return nil
}
