package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestHeapPercent(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		live, scanned uint64
		want          int
	}{
		{4 * mib, 8 * mib, 200},         // 4 MiB, and 16 more
		{minHeap / 2, minHeap, 100},     // 50 would be less than Go's own
		{minHeap, minHeap, 100},         // as large as that already
		{80 * mib, 120 * mib, 100},      // a thousand sessions
		{0, 0, 100},                     // before the first collection
		{mib / 4, mib / 2, 500},         // hardly anything
		{minHeap - 1, minHeap, 100},     // the last byte below
		{3 * mib, minHeap - 3*mib, 100}, // it fits just so
	} {
		if got := heapPercent(c.live, c.scanned); got != c.want {
			t.Errorf("with %d bytes of %d alive GOGC is %d, want %d", c.live, c.scanned, got, c.want)
		}
	}
}

// TestSetHeap checks that the floor holds from the first collection on and that Go's default applies to
// larger heaps.
func TestSetHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	goal := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	runtime.GC()
	small := goal()
	adjustGC(100)
	if got := goal(); small < minHeap/2 && (got < minHeap*9/10 || got > minHeap*11/10) {
		t.Errorf("the heap grows to %d bytes, want %d; Go's own bound is %d", got, minHeap, small)
	}
	large := make([]byte, 4*minHeap)
	runtime.GC()
	adjustGC(1000)
	if got := goal(); got < 8*minHeap || got > 12*minHeap {
		t.Errorf("with %d bytes alive the heap grows to %d, want twice as many", len(large), got)
	}
	runtime.KeepAlive(large)
}
