package game

import (
	"cmp"
	"slices"
	"sync"
)

// Cache keeps values that many sessions share, such as drawn boards. When it is full it drops the oldest
// values. Of values with a method Bytes() int, which drawings have because users choose the size of their windows, it keeps
// a quarter of a mebibyte, or one larger value. The zero value is empty and ready. Any goroutine may use it.
type Cache[K comparable, V any] struct {
	// Capacity is the maximum number of values; 0 means 128. It must not change after the first Get.
	Capacity int

	mu    sync.Mutex
	byKey map[K]*cacheEntry[K, V]
	order []*cacheEntry[K, V] // the oldest first
	bytes int
	made  int
}

const (
	defaultCapacity = 128
	maxBytes        = 1 << 18
)

type cacheEntry[K comparable, V any] struct {
	key    K
	once   sync.Once
	value  V
	isMade bool // false after once if makeValue panicked
	bytes  int  // guarded by the mutex of the cache
}

// Get returns the value of a key and calls makeValue for it if it is missing. Concurrent callers with the
// same key share one call. No lock is held during the call. If makeValue panics, the panic reaches only the
// caller whose makeValue it is, and the next caller makes the value again.
func (c *Cache[K, V]) Get(key K, makeValue func() V) V { return c.Lookup(&key, makeValue) }

// Lookup is Get for a large key, which it copies only if it is missing.
func (c *Cache[K, V]) Lookup(key *K, makeValue func() V) V {
	for {
		e := c.entry(key)
		e.once.Do(func() {
			defer func() {
				if !e.isMade {
					c.forget(e)
				}
			}()
			e.value = makeValue()
			e.isMade = true
			c.count(e)
		})
		if e.isMade {
			return e.value
		}
	}
}

// MadeCount returns how many entries have been created since the start.
func (c *Cache[K, V]) MadeCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

func (c *Cache[K, V]) entry(key *K) *cacheEntry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[*key]; e != nil {
		return e
	}
	if c.byKey == nil {
		c.byKey = make(map[K]*cacheEntry[K, V])
	}
	if len(c.order) == cmp.Or(c.Capacity, defaultCapacity) {
		c.drop(0)
	}
	e := &cacheEntry[K, V]{key: *key}
	c.byKey[e.key] = e
	c.order = append(c.order, e)
	c.made++
	return e
}

// count adds the bytes of a new value, and drops the oldest values if they are too many now.
func (c *Cache[K, V]) count(e *cacheEntry[K, V]) {
	sized, ok := any(e.value).(interface{ Bytes() int })
	if !ok {
		return
	}
	n := sized.Bytes()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[e.key] != e {
		return // dropped meanwhile
	}
	e.bytes = n
	c.bytes += n
	for c.bytes > maxBytes && len(c.order) > 1 {
		c.drop(0)
	}
}

// forget drops an entry without a value, unless it was dropped meanwhile.
func (c *Cache[K, V]) forget(e *cacheEntry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.order, e); i >= 0 {
		c.drop(i)
	}
}

// drop drops the i-th entry. The caller holds the lock.
func (c *Cache[K, V]) drop(i int) {
	e := c.order[i]
	delete(c.byKey, e.key)
	c.order = slices.Delete(c.order, i, i+1)
	c.bytes -= e.bytes
}
