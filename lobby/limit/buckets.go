package limit

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is the size of a token bucket: it holds Burst tokens and gains Refill tokens a second.
type Rate struct {
	Refill float64
	Burst  int
}

// sweepLeast is the minimum number of buckets at which full ones are removed.
const sweepLeast = 1024

// Buckets has a token bucket for each key. NewBuckets is the constructor. Its methods may be called from
// any goroutine; its mutex is a leaf.
type Buckets[K comparable] struct {
	rate Rate

	mu      sync.Mutex
	buckets map[K]*rate.Limiter
	sweepAt int // number of buckets at which full ones are removed
}

// NewBuckets returns full buckets of this size.
func NewBuckets[K comparable](r Rate) *Buckets[K] {
	return &Buckets[K]{rate: r, buckets: make(map[K]*rate.Limiter), sweepAt: sweepLeast}
}

// Take takes n tokens and returns true, or takes none and returns false if there are fewer.
func (b *Buckets[K]) Take(key K, now time.Time, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).AllowN(now, n)
}

// GiveBack returns n tokens that were taken for work that was not done.
func (b *Buckets[K]) GiveBack(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l, ok := b.buckets[key]; ok {
		l.AllowN(now, -n)
	}
}

// Charge takes n tokens for work that has been done, even if there are fewer. A bucket owes at most Burst
// tokens.
func (b *Buckets[K]) Charge(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.bucket(key, now)
	n = min(n, int(l.TokensAt(now))+b.rate.Burst)
	for ; n > 0; n -= b.rate.Burst {
		l.ReserveN(now, min(n, b.rate.Burst)) // the maximum of one reservation
	}
}

// Tokens returns the number of tokens in a bucket; it is negative if the bucket owes tokens.
func (b *Buckets[K]) Tokens(key K, now time.Time) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l, ok := b.buckets[key]; ok {
		return l.TokensAt(now)
	}
	return float64(b.rate.Burst)
}

// Wait returns the time until a bucket has n tokens; 0 if it has them.
func (b *Buckets[K]) Wait(key K, now time.Time, n int) time.Duration {
	missing := float64(min(n, b.rate.Burst)) - b.Tokens(key, now)
	if missing <= 0 {
		return 0
	}
	// Rounded up, so that the tokens are there afterwards.
	return time.Duration(math.Ceil(missing/b.rate.Refill*float64(time.Second))) + 1
}

// bucket returns the bucket of a key, and removes full buckets if there are many. The caller holds b.mu.
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
