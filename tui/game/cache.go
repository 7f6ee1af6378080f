package game

import "sync"

// Cache keeps values that many sessions share, such as drawn boards. When it is full it drops the oldest
// value. The zero value is empty and ready. Any goroutine may use it.
type Cache[K comparable, V any] struct {
	// Capacity is the maximum number of values; 0 means 128. It must not change after the first Get.
	Capacity int

	mu    sync.Mutex
	byKey map[K]*cacheEntry[V]
	order []K // a ring when full; next is the index of the oldest key
	next  int
	made  int
}

const defaultCapacity = 128

type cacheEntry[V any] struct {
	once   sync.Once
	value  V
	isMade bool // false after once if makeValue panicked
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
					c.reset(key, e)
				}
			}()
			e.value = makeValue()
			e.isMade = true
		})
		if e.isMade {
			return e.value
		}
	}
}

// reset replaces the entry of a key by one without a value, unless it was dropped meanwhile.
func (c *Cache[K, V]) reset(key *K, e *cacheEntry[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[*key] == e {
		c.byKey[*key] = new(cacheEntry[V])
	}
}

// MadeCount returns how many entries have been created since the start.
func (c *Cache[K, V]) MadeCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

func (c *Cache[K, V]) entry(key *K) *cacheEntry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[*key]; e != nil {
		return e
	}
	capacity := c.Capacity
	if capacity == 0 {
		capacity = defaultCapacity
	}
	if c.byKey == nil {
		c.byKey = make(map[K]*cacheEntry[V])
	}
	e := new(cacheEntry[V])
	c.byKey[*key] = e
	c.made++
	if len(c.order) < capacity {
		c.order = append(c.order, *key)
		return e
	}
	delete(c.byKey, c.order[c.next])
	c.order[c.next] = *key
	c.next = (c.next + 1) % capacity
	return e
}
