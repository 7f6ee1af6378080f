package guard

import "runtime/debug"

// Reporter reports internal errors to the operator: a message and key-value pairs. It may be called from any
// goroutine.
type Reporter func(msg string, keyvals ...any)

// RecoverPanic calls do and reports a panic in it, so that the goroutine goes on.
func (r Reporter) RecoverPanic(where string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			r("panic", "where", where, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// PanicIn returns a function that reports the panic which ended a goroutine.
func (r Reporter) PanicIn(where string) func(error) {
	return func(err error) { r("panic", "where", where, "err", err) }
}
