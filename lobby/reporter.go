package lobby

import "runtime/debug"

// reporter reports internal errors to the operator: a message and key-value pairs. It may be called from any
// goroutine.
type reporter func(msg string, keyvals ...any)

// recoverPanic calls do and reports a panic in it, so that the goroutine goes on.
func (r reporter) recoverPanic(where string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			r("panic", "where", where, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// panicIn returns a function that reports the panic which ended a goroutine.
func (r reporter) panicIn(where string) func(error) {
	return func(err error) { r("panic", "where", where, "err", err) }
}
