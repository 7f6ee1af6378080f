package matchpicture

import (
	"context"
	"sync"
	"time"
)

// Bounds of the work and of the memory of pictures.
const (
	maxWorking    = 2                // pictures that are made at the same time
	maxWaiting    = 64               // pictures that wait for that
	maxCached     = 48 << 20         // bytes
	renderTimeout = 30 * time.Second // for one picture
)

// key identifies a picture.
type key struct {
	match   string
	names   string // of the players, in a line each: that of a deleted account is not shown any more
	version int
	over    bool
	request Request
}

// cache keeps pictures, the least recently used of which it drops when they take too much memory.
type cache struct {
	slots chan struct{} // holds a value for each picture that is being made

	mu       sync.Mutex
	entries  map[key]*entry
	bytes    int
	uses     int // counts requests
	waiting  int
	made     int
	rejected int
}

// entry is a picture that is made or being made.
type entry struct {
	done    chan struct{} // closed when the fields below are set
	picture []byte
	err     error
	used    int // the value of cache.uses at its last use
}

// get returns a picture, which it makes if it is missing. Requests for one that is being made wait for it. An error is not
// kept.
func (c *cache) get(ctx context.Context, k key, render func(context.Context) ([]byte, error)) ([]byte, error) {
	e, isNew, err := c.entry(k)
	if err != nil {
		return nil, err
	}
	if isNew {
		c.make(ctx, k, e, render)
	}
	select {
	case <-e.done:
		return e.picture, e.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// entry returns the entry of a picture, and whether the caller has to make it.
func (c *cache) entry(k key) (e *entry, isNew bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses++
	if e = c.entries[k]; e != nil {
		e.used = c.uses
		return e, false, nil
	}
	if c.waiting >= maxWaiting {
		c.rejected++
		return nil, false, ErrBusy
	}
	c.waiting++
	e = &entry{done: make(chan struct{}), used: c.uses}
	c.entries[k] = e
	return e, true, nil
}

// make makes a picture. It goes on after its caller has left, because others can wait for the same one, but not for longer
// than renderTimeout.
func (c *cache) make(ctx context.Context, k key, e *entry, render func(context.Context) ([]byte, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderTimeout)
	defer cancel()
	e.err = ErrBusy
	defer func() { c.finish(k, e) }() // also after a panic, so that nobody waits for ever
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-c.slots }()
	e.picture, e.err = render(ctx)
}

// finish publishes a picture that was made, and drops others if there is too little memory.
func (c *cache) finish(k key, e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	close(e.done)
	if e.err != nil {
		delete(c.entries, k)
		return
	}
	c.made++
	c.bytes += len(e.picture)
	for c.bytes > maxCached {
		c.dropOldest()
	}
}

// dropOldest drops the picture that was not used for the longest time. The caller holds mu.
func (c *cache) dropOldest() {
	var oldest key
	used := c.uses + 1
	for k, e := range c.entries {
		if len(e.picture) > 0 && e.used < used {
			oldest, used = k, e.used
		}
	}
	e := c.entries[oldest]
	if e == nil {
		c.bytes = 0
		return
	}
	c.bytes -= len(e.picture)
	delete(c.entries, oldest)
}

func (c *cache) counts() (made, rejected int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made, c.rejected
}
