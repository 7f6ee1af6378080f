package sshd

import (
	"net/netip"
	"sync"
	"time"
)

// tokenBucket is a token bucket. Its zero value is full once its rate is known.
type tokenBucket struct {
	deficit  float64 // tokens below full; above burst when in debt
	filledAt time.Time
}

// fill adds the tokens of the time that has passed.
func (b *tokenBucket) fill(now time.Time, rate float64) {
	b.deficit = max(0, b.deficit-now.Sub(b.filledAt).Seconds()*rate)
	b.filledAt = now
}

// take takes a token if there is a whole one.
func (b *tokenBucket) take(now time.Time, rate, burst float64) bool {
	b.fill(now, rate)
	if b.deficit+1 > burst {
		return false
	}
	b.deficit++
	return true
}

// reserve takes n tokens, there or not, and returns how long to wait until the debt is paid.
func (b *tokenBucket) reserve(now time.Time, n, rate, burst float64) time.Duration {
	b.fill(now, rate)
	b.deficit += n
	return time.Duration(max(0, b.deficit-burst) / rate * float64(time.Second))
}

// connLimiter counts the connections, in all and for each address, and says which may come in.
type connLimiter struct {
	mu        sync.Mutex
	limits    Limits
	total     connCounts
	addresses map[netip.Prefix]*addressUsage
	sweepAt   int // size of places at which the empty ones are removed
	rejected  uint64
}

// connCounts is a number of connections and how many of them are in their handshake.
type connCounts struct{ connections, handshakes int }

// addressUsage is where connections come from.
type addressUsage struct {
	connCounts
	bucket tokenBucket
}

func newConnLimiter(l Limits) *connLimiter {
	return &connLimiter{limits: l, addresses: make(map[netip.Prefix]*addressUsage), sweepAt: 1024}
}

// setLimits makes other limits hold.
func (d *connLimiter) setLimits(to Limits) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits = to
}

// origin is what one visitor is taken to have for itself: an IPv4 address or an IPv6 /64.
func origin(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	p, _ := a.Prefix(64) // an invalid address gives the zero prefix, which is a place as well
	return p
}

// admit counts a new connection, in its handshake, or returns the reason to reject it; nil: it is
// admitted.
func (d *connLimiter) admit(a netip.Addr, now time.Time) *closeReason {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.address(origin(a), now)
	var why *closeReason
	switch {
	case !p.bucket.take(now, d.limits.ConnectRate, float64(d.limits.ConnectBurst)):
		why = errConnectRate
	case d.total.connections >= d.limits.Connections:
		why = errConnections
	case d.total.handshakes >= d.limits.Unauthenticated:
		why = errHandshakes
	case p.connections >= d.limits.ConnectionsPerAddress:
		why = errAddressConnections
	case p.handshakes >= d.limits.UnauthenticatedPerAddress:
		why = errAddressHandshakes
	}
	if why != nil {
		d.rejected++
		return why
	}
	d.total.add(1, 1)
	p.add(1, 1)
	return nil
}

// allowSession reports whether somebody who is in may open one more session or exchange keys once more; it
// counts like one more connection of the same address.
func (d *connLimiter) allowSession(a netip.Addr, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.address(origin(a), now).bucket.take(now, d.limits.ConnectRate, float64(d.limits.ConnectBurst))
}

// handshakeDone counts that a connection has ended its handshake.
func (d *connLimiter) handshakeDone(a netip.Addr) { d.count(a, 0, -1) }

// release counts that a connection has ended.
func (d *connLimiter) release(a netip.Addr, inHandshake bool) {
	if inHandshake {
		d.count(a, -1, -1)
	} else {
		d.count(a, -1, 0)
	}
}

func (d *connLimiter) count(a netip.Addr, connections, handshakes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total.add(connections, handshakes)
	d.addresses[origin(a)].add(connections, handshakes)
}

func (c *connCounts) add(connections, handshakes int) {
	c.connections += connections
	c.handshakes += handshakes
}

// address returns the place, new if need be. Places that are empty and whose bucket is full again
// are forgotten each time their number has doubled, so that those kept are at most twice the
// ones of the last ConnectBurst/ConnectRate seconds.
func (d *connLimiter) address(from netip.Prefix, now time.Time) *addressUsage {
	if p := d.addresses[from]; p != nil {
		return p
	}
	if len(d.addresses) >= d.sweepAt {
		for prefix, p := range d.addresses {
			if p.bucket.fill(now, d.limits.ConnectRate); p.connections == 0 && p.bucket.deficit == 0 {
				delete(d.addresses, prefix)
			}
		}
		d.sweepAt = max(1024, 2*len(d.addresses))
	}
	p := &addressUsage{bucket: tokenBucket{filledAt: now}}
	d.addresses[from] = p
	return p
}
