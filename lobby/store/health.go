package store

import (
	"sync"
	"time"
)

// WriteHealth records whether the changes of a store succeed. The zero value has recorded nothing. Any goroutine
// may use it.
type WriteHealth struct {
	mu       sync.Mutex // a leaf
	err      error      // of the last change; nil if it succeeded
	since    time.Time  // of the first failure after the last success
	failures uint64     // number of changes that failed
}

// RecordWrite records the outcome of changes made together: the number of those that failed because the store
// could not be written, and the error of the last of them, or nil.
func (h *WriteHealth) RecordWrite(failed int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures += uint64(failed)
	switch {
	case err == nil:
		h.since, h.err = time.Time{}, nil
	case h.err == nil:
		h.since, h.err = time.Now(), err
	default:
		h.err = err
	}
}

// WriteFailure implements lobby.Store. It never waits for the store.
func (h *WriteHealth) WriteFailure() (since time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.since, h.err
}

// FailedWrites implements Maintenance.
func (h *WriteHealth) FailedWrites() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failures
}
