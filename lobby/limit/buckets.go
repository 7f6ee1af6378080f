package limit

import (
	"math"
	"sync"
	"time"
)

// Rate is the size of a token bucket: it holds Burst tokens and gains Refill tokens a second.
type Rate struct {
	Refill float64
	Burst  int
}

// PerMinute returns the rate of that many tokens a minute.
func PerMinute(tokens float64, burst int) Rate { return Rate{Refill: tokens / 60, Burst: burst} }

// minSweep is the minimum number of buckets at which full ones are removed.
const minSweep = 1024

// Buckets has a token bucket for each key. NewBuckets is the constructor. Its methods may be called from
// any goroutine; its mutex is a leaf.
type Buckets[K comparable] struct {
	mu      sync.Mutex
	rate    Rate
	buckets map[K]*Bucket
	sweepAt int // number of buckets at which full ones are removed
}

// NewBuckets returns full buckets of this size.
func NewBuckets[K comparable](r Rate) *Buckets[K] {
	return &Buckets[K]{rate: r, buckets: make(map[K]*Bucket), sweepAt: minSweep}
}

// SetRate changes the size of all buckets.
func (b *Buckets[K]) SetRate(r Rate) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate = r
}

// Take takes n tokens and returns true, or takes none and returns false if there are fewer.
func (b *Buckets[K]) Take(key K, now time.Time, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).Take(now, n, b.rate)
}

// GiveBack returns n tokens that were taken for work that was not done.
func (b *Buckets[K]) GiveBack(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bucket, ok := b.buckets[key]; ok {
		bucket.GiveBack(now, n, b.rate)
	}
}

// Charge takes n tokens for work that is done, whether they are there or not. A bucket owes at most
// as many tokens as it can hold.
func (b *Buckets[K]) Charge(key K, now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bucket(key, now).Charge(now, n, b.rate)
}

// Reserve takes n tokens, whether they are there or not, and returns how long to wait until none is owed, as
// Bucket.Reserve does. The caller must wait, or give them back.
func (b *Buckets[K]) Reserve(key K, now time.Time, n int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).Reserve(now, n, b.rate)
}

// Tokens returns the number of tokens in a bucket; it is negative if the bucket owes tokens.
func (b *Buckets[K]) Tokens(key K, now time.Time) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tokens(key, now)
}

// tokens is Tokens. The caller holds b.mu.
func (b *Buckets[K]) tokens(key K, now time.Time) float64 {
	if bucket, ok := b.buckets[key]; ok {
		return bucket.Tokens(now, b.rate)
	}
	return float64(b.rate.Burst)
}

// Wait returns the time until a bucket has n tokens; 0 if it has them.
func (b *Buckets[K]) Wait(key K, now time.Time, n int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	missing := float64(min(n, b.rate.Burst)) - b.tokens(key, now)
	if missing <= 0 {
		return 0
	}
	// Rounded up, so that the tokens are there after it.
	return time.Duration(math.Ceil(missing/b.rate.Refill*float64(time.Second))) + 1
}

// bucket returns the bucket of a key, and removes full buckets if there are many. The caller holds b.mu.
func (b *Buckets[K]) bucket(key K, now time.Time) *Bucket {
	if bucket, ok := b.buckets[key]; ok {
		return bucket
	}
	if len(b.buckets) >= b.sweepAt {
		for k, bucket := range b.buckets {
			if bucket.Tokens(now, b.rate) >= float64(b.rate.Burst) {
				delete(b.buckets, k)
			}
		}
		b.sweepAt = max(minSweep, 2*len(b.buckets))
	}
	bucket := new(Bucket)
	b.buckets[key] = bucket
	return bucket
}
