package game

import "sync"

// Cache keeps what is made once and shown by many sessions, such as the rows of a board. It is
// bounded: the oldest goes first. The zero value is empty; any goroutine may use it.
type Cache[K comparable, V any] struct {
	// Capacity is how many values are kept, 0 for 256: fewer where they are large and only the newest
	// are asked for. It must not change.
	Capacity int

	mu    sync.Mutex
	byKey map[K]*cacheEntry[V]
	order []K // a ring once it is full; the oldest stands at next
	next  int
	made  int
}

const defaultCapacity = 256

type cacheEntry[V any] struct {
	once  sync.Once
	value V
}

// Get returns the value of a key, which f makes if it is not there. Of several sessions that want
// it at once, one makes it.
func (c *Cache[K, V]) Get(key K, f func() V) V {
	e := c.entry(key)
	e.once.Do(func() { e.value = f() })
	return e.value
}

// MadeCount returns how many values have been made: what many show should be made once.
func (c *Cache[K, V]) MadeCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

func (c *Cache[K, V]) entry(key K) *cacheEntry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		return e
	}
	keep := c.Capacity
	if keep == 0 {
		keep = defaultCapacity
	}
	if c.byKey == nil {
		c.byKey = make(map[K]*cacheEntry[V])
	}
	e := new(cacheEntry[V])
	c.byKey[key] = e
	c.made++
	if len(c.order) < keep {
		c.order = append(c.order, key)
		return e
	}
	delete(c.byKey, c.order[c.next])
	c.order[c.next] = key
	c.next = (c.next + 1) % keep
	return e
}
