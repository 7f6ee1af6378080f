package sshd

import (
	"net/netip"
	"runtime"
	"sync"
	"time"

	"ayumu/lobby/limit"
)

// connLimiter counts the connections, in all and of each address, and bounds how many there are and
// how fast an address makes them. Its methods may be called from any goroutine.
type connLimiter struct {
	rates    *limit.Buckets[netip.Prefix] // new connections and sessions of an origin
	networks *limit.Buckets[netip.Prefix] // of all origins of an IPv6 /48

	mu        sync.Mutex
	limits    Limits
	total     connCounts
	addresses map[netip.Prefix]connCounts // of origins and IPv6 /48 with connections; the zero prefix is one too
	all       limit.Bucket                // handshakes from all addresses
	rejected  uint64
}

// connCounts is a number of connections and how many of them are in their handshake.
type connCounts struct{ connections, handshakes int }

func newConnLimiter(l Limits) *connLimiter {
	return &connLimiter{
		rates: limit.NewBuckets[netip.Prefix](l.connectRate()), networks: limit.NewBuckets[netip.Prefix](l.networkRate()),
		limits: l, addresses: make(map[netip.Prefix]connCounts),
	}
}

// originsPerNetwork is how many origins an IPv6 /48 counts as, which has 65,536 of them and can belong to one customer.
const originsPerNetwork = 4

// connectRate returns how fast one address may make connections and sessions.
func (l Limits) connectRate() limit.Rate {
	return limit.Rate{Refill: l.ConnectRate, Burst: l.ConnectBurst}
}

// networkRate is connectRate for an IPv6 /48.
func (l Limits) networkRate() limit.Rate {
	return limit.Rate{Refill: originsPerNetwork * l.ConnectRate, Burst: originsPerNetwork * l.ConnectBurst}
}

// handshakeRate returns how fast all addresses together may make connections.
func (l Limits) handshakeRate() limit.Rate {
	return limit.Rate{Refill: l.HandshakeRate * float64(runtime.GOMAXPROCS(0)), Burst: l.HandshakeBurst}
}

// setLimits replaces the limits.
func (l *connLimiter) setLimits(to Limits) {
	l.rates.SetRate(to.connectRate())
	l.networks.SetRate(to.networkRate())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = to
}

// admit counts a new connection, in its handshake, or returns the reason to reject it; nil: it is
// admitted.
func (l *connLimiter) admit(a netip.Addr, now time.Time) *closeReason {
	origin, network := limit.Origin(a), limit.Network(a)
	why := l.checkRate(a, now)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.addresses[origin]
	switch {
	case why != nil:
	case l.total.connections >= l.limits.Connections:
		why = errConnections
	case l.total.handshakes >= l.limits.Unauthenticated:
		why = errHandshakes
	case p.connections >= l.limits.ConnectionsPerAddress:
		why = errAddressConnections
	case p.handshakes >= l.limits.UnauthenticatedPerAddress:
		why = errAddressHandshakes
	case network != origin && l.addresses[network].connections >= originsPerNetwork*l.limits.ConnectionsPerAddress:
		why = errNetworkConnections
	case !l.all.Take(now, 1, l.limits.handshakeRate()): // last, so that what is rejected takes nothing from others
		why = errHandshakeRate
	}
	if why != nil {
		l.rejected++
		return why
	}
	l.add(a, 1, 1)
	return nil
}

// checkRate counts a connection or session, and returns the reason to reject it if its origin or network makes them too
// fast.
func (l *connLimiter) checkRate(a netip.Addr, now time.Time) *closeReason {
	origin, network := limit.Origin(a), limit.Network(a)
	switch {
	case !l.rates.Take(origin, now, 1):
		return errConnectRate
	case network != origin && !l.networks.Take(network, now, 1):
		return errNetworkRate
	}
	return nil
}

// allowSession reports whether an authenticated client may open one more session or exchange keys once more. It
// counts like one more connection of the same address.
func (l *connLimiter) allowSession(a netip.Addr, now time.Time) bool {
	return l.checkRate(a, now) == nil
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
	l.add(a, connections, handshakes)
}

// add changes the counts, and forgets an address without connections. mu must be held.
func (l *connLimiter) add(a netip.Addr, connections, handshakes int) {
	l.total = l.total.plus(connections, handshakes)
	origin, network := limit.Origin(a), limit.Network(a)
	l.addTo(origin, connections, handshakes)
	if network != origin {
		l.addTo(network, connections, handshakes)
	}
}

// addTo changes the counts of an origin or network. mu must be held.
func (l *connLimiter) addTo(p netip.Prefix, connections, handshakes int) {
	if n := l.addresses[p].plus(connections, handshakes); n.connections > 0 {
		l.addresses[p] = n
	} else {
		delete(l.addresses, p)
	}
}

func (c connCounts) plus(connections, handshakes int) connCounts {
	return connCounts{c.connections + connections, c.handshakes + handshakes}
}
