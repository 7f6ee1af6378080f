package storetest

import (
	"slices"
	"sync"
	"time"
)

// RunWriters runs f in that number of goroutines, for benchmarks. It returns the total time, and the times that
// each f has returned, in any order.
func RunWriters(writers int, f func(writer int) []time.Duration) (took time.Duration, waits []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for writer := range writers {
		all.Go(func() {
			own := f(writer)
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, own...)
		})
	}
	all.Wait()
	return time.Since(began), waits
}

// Percentile returns the n-th percentile of times, of which there is at least one. It sorts them.
func Percentile(d []time.Duration, n int) time.Duration {
	slices.Sort(d)
	return d[(len(d)-1)*n/100]
}
