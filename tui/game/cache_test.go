package game

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestCacheMakesOnceAndIsBounded(t *testing.T) {
	var c Cache[int, int]
	var made atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if v := c.Get(7, func() int { made.Add(1); return 49 }); v != 49 {
				t.Errorf("got %d", v)
			}
		})
	}
	wg.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
	for i := range 3 * defaultCapacity {
		c.Get(i, func() int { return i * i })
		if len(c.byKey) > defaultCapacity {
			t.Fatalf("%d entries are kept", len(c.byKey))
		}
	}
	missing := false
	c.Get(7, func() int { missing = true; return 0 })
	if !missing {
		t.Error("the oldest entry was not dropped")
	}
	missing = false
	c.Get(3*defaultCapacity-1, func() int { missing = true; return 0 })
	if missing {
		t.Error("the newest entry was dropped")
	}
}

func TestCacheKeepsAtMostItsCapacity(t *testing.T) {
	c := Cache[int, int]{Capacity: 2}
	for i := range 5 {
		c.Get(i, func() int { return i })
	}
	if len(c.byKey) != 2 || len(c.order) != 2 {
		t.Errorf("%d values are kept, want 2", len(c.byKey))
	}
	c.Get(3, func() int { t.Error("one of the last two is made again"); return 0 })
}

// TestCacheKeepsNothingOfAPanic has 20 callers wait for a value whose maker panics: only one of them panics, and
// the others get a value that was made again.
func TestCacheKeepsNothingOfAPanic(t *testing.T) {
	var c Cache[int, *int]
	var calls, panics atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			defer func() {
				if recover() != nil {
					panics.Add(1)
				}
			}()
			v := c.Get(7, func() *int {
				if calls.Add(1) == 1 {
					panic("the first call fails")
				}
				n := 49
				return &n
			})
			if v == nil || *v != 49 {
				t.Errorf("got %v", v)
			}
		})
	}
	wg.Wait()
	if calls.Load() != 2 || panics.Load() != 1 || len(c.byKey) != 1 || len(c.order) != 1 {
		t.Errorf("%d calls and %d panics, %d keys in an order of %d", calls.Load(), panics.Load(), len(c.byKey), len(c.order))
	}
}

// drawing is a value that takes a number of bytes.
type drawing int

func (d drawing) Bytes() int { return int(d) }

func TestCacheKeepsAtMostItsBytes(t *testing.T) {
	var c Cache[int, drawing]
	get := func(key, bytes int) (isMade bool) {
		c.Get(key, func() drawing { isMade = true; return drawing(bytes) })
		return isMade
	}
	const third = maxBytes / 3
	for key := range 3 {
		get(key, third)
	}
	for key := range 3 {
		if get(key, third) {
			t.Errorf("the value %d of three thirds is not kept", key)
		}
	}
	get(3, third) // in the place of the oldest
	if get(1, third) || get(2, third) || get(3, third) {
		t.Error("one of the newest three thirds is not kept")
	}
	get(4, 2*maxBytes)
	if get(4, 2*maxBytes) || len(c.byKey) != 1 || c.bytes != 2*maxBytes {
		t.Errorf("after a value that is too large alone %d values with %d bytes are kept", len(c.byKey), c.bytes)
	}
	if get(5, third); len(c.byKey) != 1 || c.bytes != third {
		t.Errorf("then %d values with %d bytes are kept, want the newest", len(c.byKey), c.bytes)
	}
}
