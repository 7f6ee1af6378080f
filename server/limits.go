package server

import (
	"errors"
	"net/netip"
	"sync"
	"time"
)

// Why a connection is refused before its handshake.
var (
	errFull          = errors.New("too many connections")
	errAddressFull   = errors.New("too many connections from this address")
	errHandshakes    = errors.New("too many handshakes")
	errAddressShakes = errors.New("too many handshakes from this address")
	errTooFast       = errors.New("connections from this address come too fast")
)

// bucket is a token bucket. Its zero value is full once its rate is known.
type bucket struct {
	missing float64 // tokens below full; above burst when in debt
	at      time.Time
}

// fill adds the tokens of the time that has passed.
func (b *bucket) fill(now time.Time, rate float64) {
	b.missing = max(0, b.missing-now.Sub(b.at).Seconds()*rate)
	b.at = now
}

// take takes a token if there is a whole one.
func (b *bucket) take(now time.Time, rate, burst float64) bool {
	b.fill(now, rate)
	if b.missing+1 > burst {
		return false
	}
	b.missing++
	return true
}

// owe takes n tokens, there or not, and returns how long to wait until the debt is paid.
func (b *bucket) owe(now time.Time, n, rate, burst float64) time.Duration {
	b.fill(now, rate)
	b.missing += n
	return time.Duration(max(0, b.missing-burst) / rate * float64(time.Second))
}

// doors counts the connections, in all and for each address, and says which may come in.
type doors struct {
	mu      sync.Mutex
	limits  Limits
	total   crowd
	places  map[netip.Prefix]*place
	sweepAt int // size of places at which the empty ones are removed
	refused uint64
}

// crowd is a number of connections and how many of them are in their handshake.
type crowd struct{ connections, handshakes int }

// place is where connections come from.
type place struct {
	crowd
	bucket bucket
}

func newDoors(l Limits) *doors {
	return &doors{limits: l, places: make(map[netip.Prefix]*place), sweepAt: 1024}
}

// set makes other limits hold.
func (d *doors) set(to Limits) {
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

// enter counts a new connection, in its handshake, or says why it may not come in.
func (d *doors) enter(a netip.Addr, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.place(origin(a), now)
	var err error
	switch {
	case !p.bucket.take(now, d.limits.ConnectRate, float64(d.limits.ConnectBurst)):
		err = errTooFast
	case d.total.connections >= d.limits.Connections:
		err = errFull
	case d.total.handshakes >= d.limits.Unauthenticated:
		err = errHandshakes
	case p.connections >= d.limits.ConnectionsPerAddress:
		err = errAddressFull
	case p.handshakes >= d.limits.UnauthenticatedPerAddress:
		err = errAddressShakes
	}
	if err != nil {
		d.refused++
		return err
	}
	d.total.add(1, 1)
	p.add(1, 1)
	return nil
}

// again reports whether somebody who is in may open one more session or exchange keys once more; it
// counts like one more connection of the same address.
func (d *doors) again(a netip.Addr, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.place(origin(a), now).bucket.take(now, d.limits.ConnectRate, float64(d.limits.ConnectBurst))
}

// shaken counts that a connection has ended its handshake.
func (d *doors) shaken(a netip.Addr) { d.count(a, 0, -1) }

// leave counts that a connection has ended.
func (d *doors) leave(a netip.Addr, inHandshake bool) {
	if inHandshake {
		d.count(a, -1, -1)
	} else {
		d.count(a, -1, 0)
	}
}

func (d *doors) count(a netip.Addr, connections, handshakes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total.add(connections, handshakes)
	d.places[origin(a)].add(connections, handshakes)
}

func (c *crowd) add(connections, handshakes int) {
	c.connections += connections
	c.handshakes += handshakes
}

// place returns the place, new if need be. Places that are empty and whose bucket is full again
// are forgotten each time their number has doubled, so that those kept are at most twice the
// ones of the last ConnectBurst/ConnectRate seconds.
func (d *doors) place(from netip.Prefix, now time.Time) *place {
	if p := d.places[from]; p != nil {
		return p
	}
	if len(d.places) >= d.sweepAt {
		for prefix, p := range d.places {
			if p.bucket.fill(now, d.limits.ConnectRate); p.connections == 0 && p.bucket.missing == 0 {
				delete(d.places, prefix)
			}
		}
		d.sweepAt = max(1024, 2*len(d.places))
	}
	p := &place{bucket: bucket{at: now}}
	d.places[from] = p
	return p
}
