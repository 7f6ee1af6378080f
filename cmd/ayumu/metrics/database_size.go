package metrics

import (
	"context"
	"sync"
	"time"

	"ayumu/lobby/guard"
)

// Limits of the measurement of the database.
const (
	sizeInterval = 30 * time.Second // between two
	sizeTimeout  = 10 * time.Second // of one
)

// databaseSize keeps the size of the database as it was measured last, so that no request waits for the database. Its
// methods may be called from any goroutine.
type databaseSize struct {
	read   func(ctx context.Context) (int64, error) // nil: there is no database
	report func(msg string, keyvals ...any)

	mu      sync.Mutex // guards the fields below
	running bool       // it is being measured
	begun   time.Time  // when the last measurement began
	bytes   int64      // 0: not measured yet, or the last measurement failed
	failing bool       // the last measurement failed
}

// latest returns the last size; ok is false before the first measurement has ended and after one that failed. It
// begins a new measurement if the last one is older than sizeInterval, and does not wait for it.
func (d *databaseSize) latest(now time.Time) (bytes int64, ok bool) {
	if d.read == nil {
		return 0, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running && (d.begun.IsZero() || now.Sub(d.begun) >= sizeInterval) {
		d.running, d.begun = true, now
		guard.Go(func(err error) { d.store(0, err) }, d.measure)
	}
	return d.bytes, d.bytes > 0
}

// measure reads the size and stores it.
func (d *databaseSize) measure() {
	ctx, cancel := context.WithTimeout(context.Background(), sizeTimeout)
	defer cancel()
	d.store(d.read(ctx))
}

// store stores the result of a measurement. Of several failures in a row it reports the first.
func (d *databaseSize) store(bytes int64, err error) {
	d.mu.Lock()
	wasFailing := d.failing
	d.bytes, d.failing, d.running = bytes, err != nil, false
	d.mu.Unlock()
	if err != nil && !wasFailing {
		d.report("the size of the database is not in the metrics", "err", err)
	}
}
