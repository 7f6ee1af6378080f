package lobby

import (
	"net/netip"
	"testing"
	"time"
)

func TestOriginIsWhatOneVisitorHas(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "::ffff:192.0.2.7": "192.0.2.7/32",
		"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := Origin(netip.MustParseAddr(addr)); got.String() != want {
			t.Errorf("%s is taken for %s, want %s", addr, got, want)
		}
	}
	if got := Origin(netip.Addr{}); got.IsValid() {
		t.Errorf("nowhere is taken for %s", got)
	}
}

// TestSharesAreForgottenOnceTheyAreFull: many addresses do not use memory permanently, and removing a
// bucket gives no tokens.
func TestSharesAreForgottenOnceTheyAreFull(t *testing.T) {
	var s OriginLimiter
	address := func(n int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}) }
	now := time.Now()
	const rate, burst = 1, 2
	greedy := address(0)
	for s.Allow(greedy, now, rate, burst) {
	}
	for n := range 100000 {
		now = now.Add(10 * time.Millisecond)
		s.Allow(address(n+1), now, rate, burst)
		if !s.Allow(greedy, now, rate, burst) {
			continue
		}
		if s.Allow(greedy, now, rate, burst) {
			t.Fatal("an address has got more than its share")
		}
	}
	if n := len(s.buckets); n > 2048 {
		t.Errorf("%d shares are kept", n)
	}
}
