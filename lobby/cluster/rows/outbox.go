package rows

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Sizes and times of an Outbox.
const (
	outboxBatch   = 100              // rows in one write
	outboxTimeout = 10 * time.Second // for one call of the store
	outboxRetry   = time.Second      // between two attempts after a failure
	outboxClosing = 2 * time.Second  // for what is left when Run ends
)

// Outbox writes rows behind: whoever changes one does not wait for the store. It is for rows that only this
// process writes, with its name in their ids, and whose loss costs little. NewOutbox is the constructor; its
// methods may be called from any goroutine, Run by one.
type Outbox struct {
	// Interval is the minimum time between two writes: of a row that changes more often only some states are
	// written. It is set before Run.
	Interval time.Duration

	store   Store
	wrote   func()
	puts    chan struct{}
	written map[Key]writtenRow // the rows that Run has written and that exist

	mu      sync.Mutex
	pending map[Key][]byte
	order   []Key // of pending, the oldest first
	isLossy bool  // the rows that were written may be lost
}

// writtenRow is a row as it was last written.
type writtenRow struct {
	version int64
	data    []byte
}

// NewOutbox returns an Outbox for rows of a store. wrote is called by Run after each write that has succeeded, and
// must not block; nil: nothing is called.
func NewOutbox(store Store, wrote func()) *Outbox {
	if wrote == nil {
		wrote = func() {}
	}
	return &Outbox{
		store: store, wrote: wrote, puts: make(chan struct{}, 1),
		written: make(map[Key]writtenRow), pending: make(map[Key][]byte),
	}
}

// Put has a row written, or deleted if data is nil. It replaces what has not been written of the same row, so that
// an Outbox has at most one state of each. It never blocks, and panics if no Store takes the row (Check). data must
// not be changed afterwards.
func (o *Outbox) Put(k Key, data []byte) {
	if err := Check([]Write{{Key: k, Data: data}}); err != nil {
		panic(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(k, data)
	o.signal()
}

// WriteAgain has all rows written again that exist, because the store may have lost some. It never blocks.
func (o *Outbox) WriteAgain() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isLossy = true
	o.signal()
}

func (o *Outbox) signal() {
	select {
	case o.puts <- struct{}{}:
	default:
	}
}

// add makes a row pending. The caller holds o.mu.
func (o *Outbox) add(k Key, data []byte) {
	if _, known := o.pending[k]; !known {
		o.order = append(o.order, k)
	}
	o.pending[k] = data
}

// Run writes rows until ctx ends, and then once more what is left. It repeats what fails; the store has reported it.
func (o *Outbox) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			o.close(context.WithoutCancel(ctx))
			return
		case <-o.puts:
		}
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = o.writeBatch(ctx); err != nil {
				select {
				case <-ctx.Done():
				case <-time.After(outboxRetry):
				}
			}
		}
		if o.Interval > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(o.Interval):
			}
		}
	}
}

// close writes what is left, as far as the store takes it soon.
func (o *Outbox) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, outboxClosing)
	defer cancel()
	_ = o.Flush(ctx) // the store has reported it
}

// Flush writes what is pending, and returns the error of the store, after which the rest is pending still. Whoever has
// called Run does not call it.
func (o *Outbox) Flush(ctx context.Context) error {
	for {
		if more, err := o.writeBatch(ctx); !more || err != nil {
			return err
		}
	}
}

// writeBatch writes the oldest rows, and reports whether there are more. After an error they are pending again,
// unless they have been replaced.
func (o *Outbox) writeBatch(ctx context.Context) (more bool, err error) {
	batch, more := o.take()
	if len(batch) == 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, outboxTimeout)
	defer cancel()
	rows, err := o.write(ctx, batch)
	if errors.Is(err, ErrConflict) { // rows of an earlier process, or of a write with an unclear outcome
		if err = o.readVersions(ctx, batch); err == nil {
			rows, err = o.write(ctx, batch)
		}
	}
	if err != nil {
		o.putBack(batch)
		return true, err
	}
	for _, r := range rows {
		if o.written[r.Key] = (writtenRow{r.Version, r.Data}); r.IsDeleted() {
			delete(o.written, r.Key)
		}
	}
	o.wrote()
	return more, nil
}

func (o *Outbox) write(ctx context.Context, batch []Write) ([]Row, error) {
	for i := range batch {
		batch[i].Replaces = o.written[batch[i].Key].version
	}
	return o.store.Write(ctx, batch...)
}

// readVersions reads which versions the rows of a batch have.
func (o *Outbox) readVersions(ctx context.Context, batch []Write) error {
	keys := make([]Key, len(batch))
	for i, w := range batch {
		keys[i] = w.Key
	}
	rows, err := o.store.Read(ctx, keys...)
	if err != nil {
		return err
	}
	for _, k := range keys {
		delete(o.written, k)
	}
	for _, r := range rows {
		o.written[r.Key] = writtenRow{r.Version, r.Data}
	}
	return nil
}

// take removes the oldest rows from those that are pending.
func (o *Outbox) take() (batch []Write, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isLossy {
		o.isLossy = false
		for k, w := range o.written {
			if _, newer := o.pending[k]; !newer {
				o.add(k, w.data)
			}
		}
	}
	n := min(len(o.order), outboxBatch)
	for _, k := range o.order[:n] {
		batch = append(batch, Write{Key: k, Data: o.pending[k]})
		delete(o.pending, k)
	}
	if o.order = o.order[n:]; len(o.order) == 0 {
		o.order = nil // its memory
	}
	return batch, len(o.order) > 0
}

// putBack makes rows pending again, before the others, unless a newer state is.
func (o *Outbox) putBack(batch []Write) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var order []Key
	for _, w := range batch {
		if _, newer := o.pending[w.Key]; !newer {
			o.pending[w.Key] = w.Data
			order = append(order, w.Key)
		}
	}
	o.order = append(order, o.order...)
}
