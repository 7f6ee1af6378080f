package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// minHeap is the heap size in bytes below which no garbage collection starts. Go's default is twice the
// live heap: for a server with few sessions that is a few megabytes, so that every few dozen connections
// cost a full collection.
const minHeap = 20 << 20

// setHeapFloor applies minHeap unless GOGC is set. Once the live heap is large enough, Go's default
// applies.
func setHeapFloor() {
	if os.Getenv("GOGC") == "" {
		adjustGC(100)
	}
}

// adjustGC sets the GC percentage from the figures of the last collection, and again after each one.
// percent is the current value.
func adjustGC(percent int) {
	found := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(found)
	live := found[0].Value.Uint64()
	next := heapPercent(live, live+found[1].Value.Uint64()+found[2].Value.Uint64())
	if next < percent || next > percent+percent/8 { // setting it stops all goroutines for a moment
		percent = next
		debug.SetGCPercent(percent)
	}
	runtime.AddCleanup(new([2]uint64), adjustGC, percent) // that array goes with the next collection
}

// heapPercent returns the GOGC with which the heap grows to minHeap, at least 100: the heap grows
// from the bytes that live by so many percent of those that a collection goes through, and to
// 4 MiB times GOGC/100 in any case.
func heapPercent(live, scanned uint64) int {
	if live >= minHeap || scanned == 0 {
		return 100
	}
	return int(min(max((minHeap-live)*100/scanned, 100), minHeap*100/(4<<20)))
}
