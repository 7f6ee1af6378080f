package lobby

import (
	"net/netip"
	"sync"
	"time"
)

// Origin is what one visitor is taken to have for himself: an IPv4 address or an IPv6 /64. That of
// the zero Addr is invalid.
func Origin(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	p, _ := a.Prefix(64)
	return p
}

// OriginLimiter are what each origin has left of something of which it may have so much in a time. The
// zero value is full for everybody; any goroutine may use it.
type OriginLimiter struct {
	mu      sync.Mutex
	buckets map[netip.Prefix]*tokenBucket
	sweepAt int // size of left at which the full ones are forgotten
}

// Allow takes one from an address's share, of which there are burst at once and rate more a second;
// false if there is none. The zero Addr is nobody's and may take what it likes.
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

// sweep forgets the shares that are full again, each time that their number has doubled.
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

// Refund returns one that was taken for nothing.
func (s *OriginLimiter) Refund(from netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.buckets[Origin(from)]; b != nil {
		b.tokens++ // the next fill sees to the burst
	}
}
