package lobby

import (
	"net/netip"
	"sync"
	"time"
)

// Origin returns the network that one user probably has: an IPv4 address or an IPv6 /64. It is invalid for
// the zero Addr.
func Origin(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	p, _ := a.Prefix(64)
	return p
}

// OriginLimiter has a token bucket for each origin. The zero value has full buckets. Any goroutine may use
// it; its mutex is a leaf.
type OriginLimiter struct {
	mu      sync.Mutex
	buckets map[netip.Prefix]*tokenBucket
	sweepAt int // number of buckets at which the full ones are removed
}

// Allow takes a token from the bucket of an address's origin, which holds burst tokens and gains rate
// tokens a second, or returns false if there is none. It always returns true for the zero Addr.
func (s *OriginLimiter) Allow(from netip.Addr, now time.Time, rate float64, burst int) bool {
	if !from.IsValid() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	origin := Origin(from)
	b := s.buckets[origin]
	if b == nil {
		s.sweep(now, rate, burst)
		b = new(tokenBucket)
		s.buckets[origin] = b
	}
	return b.take(now, rate, burst)
}

// sweep removes full buckets whenever their number has doubled. The caller holds s.mu.
func (s *OriginLimiter) sweep(now time.Time, rate float64, burst int) {
	if s.buckets == nil {
		s.buckets, s.sweepAt = make(map[netip.Prefix]*tokenBucket), 1024
	}
	if len(s.buckets) < s.sweepAt {
		return
	}
	for origin, b := range s.buckets {
		if b.fill(now, rate, burst); b.tokens >= float64(burst) {
			delete(s.buckets, origin)
		}
	}
	s.sweepAt = max(1024, 2*len(s.buckets))
}

// Refund returns a token that Allow took for an attempt that failed.
func (s *OriginLimiter) Refund(from netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.buckets[Origin(from)]; b != nil {
		b.tokens++ // fill caps it at burst
	}
}
