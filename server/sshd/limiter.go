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
func (l *connLimiter) setLimits(to Limits) {
	l.rates.SetRate(to.connectRate())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = to
}

// admit counts a new connection, in its handshake, or returns the reason to reject it; nil: it is
// admitted.
func (l *connLimiter) admit(a netip.Addr, now time.Time) *closeReason {
	origin := limit.Origin(a)
	inRate := l.rates.Take(origin, now, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.addresses[origin]
	var why *closeReason
	switch {
	case !inRate:
		why = errConnectRate
	case l.total.connections >= l.limits.Connections:
		why = errConnections
	case l.total.handshakes >= l.limits.Unauthenticated:
		why = errHandshakes
	case p.connections >= l.limits.ConnectionsPerAddress:
		why = errAddressConnections
	case p.handshakes >= l.limits.UnauthenticatedPerAddress:
		why = errAddressHandshakes
	}
	if why != nil {
		l.rejected++
		return why
	}
	l.add(origin, 1, 1)
	return nil
}

// allowSession reports whether an authenticated client may open one more session or exchange keys once more. It
// counts like one more connection of the same address.
func (l *connLimiter) allowSession(a netip.Addr, now time.Time) bool {
	return l.rates.Take(limit.Origin(a), now, 1)
}

// handshakeDone counts that a connection has ended its handshake.
func (l *connLimiter) handshakeDone(a netip.Addr) { l.count(a, 0, -1) }

// release counts that a connection has ended.
func (l *connLimiter) release(a netip.Addr, inHandshake bool) {
	if inHandshake {
		l.count(a, -1, -1)
	} else {
		l.count(a, -1, 0)
	}
}

func (l *connLimiter) count(a netip.Addr, connections, handshakes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(limit.Origin(a), connections, handshakes)
}

// add changes the counts, and forgets an address without connections. mu must be held.
func (l *connLimiter) add(origin netip.Prefix, connections, handshakes int) {
	l.total = l.total.plus(connections, handshakes)
	if n := l.addresses[origin].plus(connections, handshakes); n.connections > 0 {
		l.addresses[origin] = n
	} else {
		delete(l.addresses, origin)
	}
}

func (c connCounts) plus(connections, handshakes int) connCounts {
	return connCounts{c.connections + connections, c.handshakes + handshakes}
}
