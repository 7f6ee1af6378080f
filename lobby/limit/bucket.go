package limit

import (
	"time"

	"golang.org/x/time/rate"
)

// Bucket is one token bucket, whose rate each call is given because it may change: a larger bucket
// gets the additional tokens at once, a smaller one loses those that it cannot hold. The zero value
// is full. A Bucket is not safe for concurrent use.
type Bucket struct {
	rate    Rate
	limiter *rate.Limiter
}

// resized returns the limiter, with that rate.
func (b *Bucket) resized(now time.Time, r Rate) *rate.Limiter {
	switch {
	case b.limiter == nil:
		b.limiter = rate.NewLimiter(rate.Limit(r.Refill), r.Burst)
	case b.rate != r:
		b.limiter.SetLimitAt(now, rate.Limit(r.Refill))
		b.limiter.SetBurstAt(now, r.Burst)
		if more := r.Burst - b.rate.Burst; more > 0 {
			b.limiter.ReserveN(now, -more)
		}
	}
	b.rate = r
	return b.limiter
}

// Take takes n tokens and returns true, or takes none and returns false if there are fewer.
func (b *Bucket) Take(now time.Time, n int, r Rate) bool { return b.resized(now, r).AllowN(now, n) }

// GiveBack returns n tokens that were taken for work that was not done.
func (b *Bucket) GiveBack(now time.Time, n int, r Rate) {
	b.resized(now, r).ReserveN(now, -n) // AllowN would return none while tokens are owed
}

// Reserve takes n tokens, whether they are there or not, and returns how long to wait until none is
// owed; 0: they were there. What may be owed has no bound, so the caller must wait. The bucket holds
// one token at least.
func (b *Bucket) Reserve(now time.Time, n int, r Rate) (wait time.Duration) {
	r.Burst = max(r.Burst, 1)
	l := b.resized(now, r)
	for ; n > 0; n -= r.Burst {
		wait = l.ReserveN(now, min(n, r.Burst)).DelayFrom(now) // a limiter gives no more at once
	}
	return wait
}

// Charge takes n tokens for work that is done, whether they are there or not. A bucket owes at most
// as many tokens as it can hold.
func (b *Bucket) Charge(now time.Time, n int, r Rate) {
	b.Reserve(now, min(n, int(b.Tokens(now, r))+r.Burst), r)
}

// Tokens returns the number of tokens; it is negative if the bucket owes tokens.
func (b *Bucket) Tokens(now time.Time, r Rate) float64 { return b.resized(now, r).TokensAt(now) }
