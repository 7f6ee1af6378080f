package fit

import (
	"context"
	"sync"
	"sync/atomic"
)

// InParallel returns the results of n calls of f in their order, of which at most workers, at least one, run at a time. When
// ctx has ended, no further call begins, and the error is that of ctx.
func InParallel[T any](ctx context.Context, n, workers int, f func(i int) T) ([]T, error) {
	results := make([]T, n)
	var next atomic.Int64
	var running sync.WaitGroup
	for range max(workers, 1) {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				results[i] = f(int(i))
			}
		})
	}
	running.Wait()
	return results, ctx.Err()
}
