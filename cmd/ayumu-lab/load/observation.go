package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// observation measures when a number of screens show something.
type observation struct {
	startedAt time.Time
	done      chan struct{} // closed when left is 0

	mu    sync.Mutex
	left  int
	times Times
	err   error
}

// newObservation starts an observation now.
func newObservation(screens int) *observation {
	return &observation{startedAt: time.Now(), left: screens, done: make(chan struct{})}
}

func (s *observation) seen(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times = append(s.times, at.Sub(s.startedAt))
	s.countLocked()
}

func (s *observation) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = errors.Join(s.err, err)
	s.countLocked()
}

func (s *observation) countLocked() {
	if s.left--; s.left == 0 {
		close(s.done)
	}
}

// wait waits until all screens have shown it.
func (s *observation) wait(ctx context.Context) (Times, error) {
	limit := time.NewTimer(waitTimeout)
	defer limit.Stop()
	select {
	case <-s.done:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.times, s.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		s.mu.Lock()
		defer s.mu.Unlock()
		return nil, fmt.Errorf("%d screens showed nothing within %v", s.left, waitTimeout)
	}
}

// sleep waits for d or the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Times are the measured durations of one kind.
type Times []time.Duration

// At returns the quantile of a share: 0.5 is the median, 1 the maximum. It is 0 without times.
func (t Times) At(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	i := int(share*float64(len(t))+0.5) - 1
	return sorted[max(min(i, len(t)-1), 0)]
}

// forEach calls f for 0 to n-1 with at most atOnce concurrent calls and rate calls per second (0:
// unlimited), until one fails, and returns its error.
func forEach(ctx context.Context, n, atOnce int, rate float64, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	began := time.Now()
	for i := range n {
		if rate > 0 {
			if sleep(ctx, time.Until(began.Add(time.Duration(float64(i)/rate*float64(time.Second))))) != nil {
				break
			}
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}
