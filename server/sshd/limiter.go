package sshd

import (
	"net/netip"
	"sync"
	"time"

	"ayumu/lobby/limit"
)

// connLimiter counts the connections, in all and of each address, and bounds how many there are and
// how fast an address makes them. Its methods may be called from any goroutine.
type connLimiter struct {
	rates *limit.Buckets[netip.Prefix] // new connections and sessions

	mu        sync.Mutex
	limits    Limits
	total     connCounts
	addresses map[netip.Prefix]connCounts // of addresses with connections; the zero prefix is one too
	rejected  uint64
}

// connCounts is a number of connections and how many of them are in their handshake.
type connCounts struct{ connections, handshakes int }

func newConnLimiter(l Limits) *connLimiter {
	return &connLimiter{rates: limit.NewBuckets[netip.Prefix](l.connectRate()), limits: l, addresses: make(map[netip.Prefix]connCounts)}
}

// connectRate returns how fast one address may make connections and sessions.
func (l Limits) connectRate() limit.Rate {
	return limit.Rate{Refill: l.ConnectRate, Burst: l.ConnectBurst}
}

// setLimits replaces the limits.
func (d *connLimiter) setLimits(to Limits) {
	d.rates.SetRate(to.connectRate())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits = to
}

// admit counts a new connection, in its handshake, or returns the reason to reject it; nil: it is
// admitted.
func (d *connLimiter) admit(a netip.Addr, now time.Time) *closeReason {
	origin := limit.Origin(a)
	inRate := d.rates.Take(origin, now, 1)
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.addresses[origin]
	var why *closeReason
	switch {
	case !inRate:
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
	d.add(origin, 1, 1)
	return nil
}

// allowSession reports whether somebody who is in may open one more session or exchange keys once more; it
// counts like one more connection of the same address.
func (d *connLimiter) allowSession(a netip.Addr, now time.Time) bool {
	return d.rates.Take(limit.Origin(a), now, 1)
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
	d.add(limit.Origin(a), connections, handshakes)
}

// add changes the counts, and forgets an address without connections. mu must be held.
func (d *connLimiter) add(origin netip.Prefix, connections, handshakes int) {
	d.total = d.total.plus(connections, handshakes)
	if n := d.addresses[origin].plus(connections, handshakes); n.connections > 0 {
		d.addresses[origin] = n
	} else {
		delete(d.addresses, origin)
	}
}

func (c connCounts) plus(connections, handshakes int) connCounts {
	return connCounts{c.connections + connections, c.handshakes + handshakes}
}
