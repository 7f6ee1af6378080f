package limit

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is the size of a token bucket: Burst tokens at once, and Refill more each second.
type Rate struct {
	Refill float64
	Burst  int
}

// sweepLeast is the least number of buckets at which the full ones are removed.
const sweepLeast = 1024

// Buckets has a token bucket for each key. Its methods may be called from any goroutine. NewBuckets
// makes one.
type Buckets[K comparable] struct {
	rate Rate

	mu      sync.Mutex
	buckets map[K]*rate.Limiter
	sweepAt int // the number of buckets at which the full ones are removed
}

// NewBuckets returns buckets of that size, all full.
func NewBuckets[K comparable](r Rate) *Buckets[K] {
	return &Buckets[K]{rate: r, buckets: make(map[K]*rate.Limiter), sweepAt: sweepLeast}
}

// Take takes n tokens, or none and returns false if there are fewer.
func (b *Buckets[K]) Take(key K, now time.Time, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).AllowN(now, n)
}

// GiveBack returns n tokens that were taken for something that did not count in the end.
func (b *Buckets[K]) GiveBack(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l, ok := b.buckets[key]; ok {
		l.AllowN(now, -n)
	}
}

// Charge takes n tokens for work that is done, whether they are there or not. A bucket owes at most
// as many tokens as it can hold.
func (b *Buckets[K]) Charge(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.bucket(key, now)
	n = min(n, int(l.TokensAt(now))+b.rate.Burst)
	for ; n > 0; n -= b.rate.Burst {
		l.ReserveN(now, min(n, b.rate.Burst)) // a limiter gives no more at once
	}
}

// Tokens returns how many tokens there are; negative: how many are owed.
func (b *Buckets[K]) Tokens(key K, now time.Time) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l, ok := b.buckets[key]; ok {
		return l.TokensAt(now)
	}
	return float64(b.rate.Burst)
}

// Wait returns how long it takes until there are n tokens; 0: they are there.
func (b *Buckets[K]) Wait(key K, now time.Time, n int) time.Duration {
	missing := float64(min(n, b.rate.Burst)) - b.Tokens(key, now)
	if missing <= 0 {
		return 0
	}
	// Rounded up, so that the tokens are there after it.
	return time.Duration(math.Ceil(missing/b.rate.Refill*float64(time.Second))) + 1
}

// bucket returns the bucket of a key. mu must be held.
func (b *Buckets[K]) bucket(key K, now time.Time) *rate.Limiter {
	if l, ok := b.buckets[key]; ok {
		return l
	}
	if len(b.buckets) >= b.sweepAt {
		for k, l := range b.buckets {
			if l.TokensAt(now) >= float64(b.rate.Burst) {
				delete(b.buckets, k)
			}
		}
		b.sweepAt = max(sweepLeast, 2*len(b.buckets))
	}
	l := rate.NewLimiter(rate.Limit(b.rate.Refill), b.rate.Burst)
	b.buckets[key] = l
	return l
}
