package limit

import (
	"maps"
	"sync"
)

// Hits counts how often limits were exceeded, by their identifiers, which are constants of the
// program, so that there are few. The zero value has counted nothing. Its methods may be called from
// any goroutine.
type Hits struct {
	mu     sync.Mutex
	counts map[string]uint64
}

// Add counts one more.
func (h *Hits) Add(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = make(map[string]uint64)
	}
	h.counts[id]++
}

// All returns a copy of the counts, which is never nil.
func (h *Hits) All() map[string]uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		return map[string]uint64{}
	}
	return maps.Clone(h.counts)
}
