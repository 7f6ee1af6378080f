package board

import "sync"

// Cache keeps what is made once and shown by many sessions, such as the rows of a board. It is
// bounded: the oldest goes first. The zero value is empty; any goroutine may use it.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	byKey map[K]*entry[V]
	order [cached]K // a ring; the oldest stands at next
	next  int
	made  int
}

const cached = 256

type entry[V any] struct {
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

// Made returns how many values have been made: what many show should be made once.
func (c *Cache[K, V]) Made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

func (c *Cache[K, V]) entry(key K) *entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		return e
	}
	if c.byKey == nil {
		c.byKey = make(map[K]*entry[V], cached)
	}
	if len(c.byKey) == cached {
		delete(c.byKey, c.order[c.next])
	}
	e := new(entry[V])
	c.byKey[key], c.order[c.next] = e, key
	c.next = (c.next + 1) % cached
	c.made++
	return e
}
