package board

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
	for i := range 3 * cached {
		c.Get(i, func() int { return i * i })
		if len(c.byKey) > cached {
			t.Fatalf("%d entries are kept", len(c.byKey))
		}
	}
	again := false
	c.Get(7, func() int { again = true; return 0 })
	if !again {
		t.Error("the oldest entry was not dropped")
	}
	again = false
	c.Get(3*cached-1, func() int { again = true; return 0 })
	if again {
		t.Error("a young entry was dropped")
	}
}
