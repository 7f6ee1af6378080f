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

// Shares are what each origin has left of something of which it may have so much in a time. The
// zero value is full for everybody; any goroutine may use it.
type Shares struct {
	mu      sync.Mutex
	left    map[netip.Prefix]*bucket
	sweepAt int // size of left at which the full ones are forgotten
}

// Take takes one from an address's share, of which there are burst at once and rate more a second;
// false if there is none. The zero Addr is nobody's and may take what it likes.
func (s *Shares) Take(from netip.Addr, now time.Time, rate float64, burst int) bool {
	if !from.IsValid() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	origin := Origin(from)
	b := s.left[origin]
	if b == nil {
		s.sweep(now, rate, burst)
		b = new(bucket)
		s.left[origin] = b
	}
	return b.take(now, rate, burst)
}

// sweep forgets the shares that are full again, each time that their number has doubled.
func (s *Shares) sweep(now time.Time, rate float64, burst int) {
	if s.left == nil {
		s.left, s.sweepAt = make(map[netip.Prefix]*bucket), 1024
	}
	if len(s.left) < s.sweepAt {
		return
	}
	for origin, b := range s.left {
		if b.fill(now, rate, burst); b.tokens >= float64(burst) {
			delete(s.left, origin)
		}
	}
	s.sweepAt = max(1024, 2*len(s.left))
}

// GiveBack returns one that was taken for nothing.
func (s *Shares) GiveBack(from netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.left[Origin(from)]; b != nil {
		b.tokens++ // the next fill sees to the burst
	}
}
