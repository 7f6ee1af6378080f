package sshd

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"ayumu/lobby/limit"
)

// conn is one client's network connection, below SSH. It limits the input rate, closes the connection of a
// client that does not read, and counts its channels and running handlers. Its methods may be called from
// any goroutine, Read from one at a time.
type conn struct {
	net.Conn
	server *Server
	addr   netip.AddrPort

	authenticated atomic.Bool
	input         limit.Bucket  // only touched by Read, which has one caller
	more          bool          // likewise: the last Read may have left something
	deferring     atomic.Int32  // sessions whose input is deferred
	lastRead      atomic.Int64  // since the server's start
	commands      atomic.Int32  // running sessions with a command
	rejecting     atomic.Int32  // running calls of rejectChannel
	lost          atomic.Bool   // a Read has failed
	closed        chan struct{} // closed by Close
	rtt           rtt
	stall         watchdog // of a write; x/crypto makes one at a time

	mu             sync.Mutex
	rekeys         limit.Bucket // key exchanges after the first
	keyed          bool         // the first key exchange has begun
	channels       int          // open, or with a handler that has not returned
	running        int          // handlers that have not returned
	unusedTimer    *time.Timer  // runs while running is 0; nil before authentication
	keepaliveTimer *time.Timer  // asks the client; nil before the first session
	deadTimer      *time.Timer  // runs while the client is asked; nil before the first session
	isClosed       bool
}

// newConn takes a connection that the limiter has admitted; nil if the server is closing.
func (srv *Server) newConn(nc net.Conn, addr netip.AddrPort) *conn {
	c := &conn{Conn: nc, server: srv, addr: addr, closed: make(chan struct{})}
	c.stall.init(srv, func() { c.abort(errStall) })
	if !srv.tracker.track(c) {
		nc.Close()
		srv.limiter.release(addr.Addr(), true)
		return nil
	}
	return c
}

// deferredRead is the mean time between two reads of a connection whose input is deferred. Each time is chosen
// at random, up to a quarter more or less, so that hundreds of connections are not read at the same moment.
const deferredRead = 240 * time.Millisecond

// Read implements net.Conn. After a read it waits until the input rate is within the limit, so that TCP
// slows the client down. While the input is deferred, it waits before a read until there may be more.
func (c *conn) Read(p []byte) (int, error) {
	if c.deferring.Load() > 0 && !c.more {
		c.wait(deferredRead*3/4 + rand.N(deferredRead/2))
	}
	n, err := c.Conn.Read(p)
	if err != nil {
		c.lost.Store(true)
	}
	c.more = n == len(p)
	c.lastRead.Store(int64(time.Since(c.server.started)))
	rate := c.server.limits().InputRate
	if c.commands.Load() > 0 {
		rate = c.server.limits().ExecInputRate
	}
	if wait := c.input.Reserve(time.Now(), n, limit.Rate{Refill: float64(rate), Burst: 2 * rate}); wait > 0 && err == nil {
		c.server.limitHits.Add(hitInput)
		c.wait(wait)
	}
	return n, err
}

// wait waits, or until the connection is closed.
func (c *conn) wait(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.closed:
	}
}

// Write implements net.Conn. It closes the connection if the client reads nothing for Limits.Stall. Before
// authentication the deadline of the handshake applies instead.
func (c *conn) Write(p []byte) (int, error) {
	if c.authenticated.Load() {
		c.stall.writeBegins()
		defer c.stall.writeEnds()
	}
	n, err := c.Conn.Write(p)
	if err != nil {
		c.abort(errWriteFailed)
	}
	return n, err
}

// Close closes the connection and releases it from the limiter. It may be called more than once.
func (c *conn) Close() error {
	c.mu.Lock()
	first := !c.isClosed
	c.isClosed = true
	for _, t := range []*time.Timer{c.unusedTimer, c.keepaliveTimer, c.deadTimer} {
		if t != nil {
			t.Stop()
		}
	}
	c.mu.Unlock()
	if !first {
		return nil
	}
	c.stall.stop()
	close(c.closed)
	err := c.Conn.Close()
	c.server.limiter.release(c.addr.Addr(), !c.authenticated.Load())
	c.server.tracker.untrack(c)
	return err
}

// abort ends the connection without waiting for what the client has not taken.
func (c *conn) abort(why *closeReason) {
	select {
	case <-c.closed:
		return
	default:
	}
	c.server.limitHits.Add(why.id)
	c.server.log.Debug("connection closed", "addr", c.addr, "why", why)
	if tcp, ok := underlyingConn(c.Conn).(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// handshakeDone records that the client is authenticated and starts the timer for unused connections.
func (c *conn) handshakeDone() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed || c.authenticated.Load() {
		return
	}
	c.authenticated.Store(true)
	c.server.limiter.handshakeDone(c.addr.Addr())
	c.unusedTimer = c.server.afterFunc(c.server.limits().Unused, func() { c.abort(errUnused) })
}

// openChannel counts a new channel. It returns false, and counts none, above the number or the rate
// allowed.
func (c *conn) openChannel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels >= c.server.limits().Channels || !c.server.limiter.allowSession(c.addr.Addr(), time.Now()) {
		c.server.limitHits.Add(hitChannels)
		return false
	}
	c.channels++
	return true
}

// exchangeKeys counts a key exchange and reports whether there may be one more. The first belongs to
// the handshake and is free. A later one, whoever started it, also counts like a new connection of the
// same address, since it costs the server nearly as much.
func (c *conn) exchangeKeys() bool {
	c.mu.Lock()
	first := !c.keyed
	c.keyed = true
	limits, now := c.server.limits(), time.Now()
	ok := first || c.rekeys.Take(now, 1, limit.PerMinute(limits.RekeyRate, limits.RekeyBurst)) && c.server.limiter.allowSession(c.addr.Addr(), now)
	c.mu.Unlock()
	if !ok {
		c.abort(errKeyExchanges)
	}
	return ok
}

func (c *conn) closeChannel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.channels--
}

// handlerStarted counts a handler that starts; command is whether the session has a command.
func (c *conn) handlerStarted(command bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if command {
		c.commands.Add(1)
	}
	if c.running++; c.unusedTimer != nil {
		c.unusedTimer.Stop()
	}
}

// handlerReturned counts a handler that has returned.
func (c *conn) handlerReturned(command bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if command {
		c.commands.Add(-1)
	}
	if c.running--; c.running == 0 && c.unusedTimer != nil && !c.isClosed {
		c.unusedTimer.Reset(c.server.unusedLimit())
	}
}

// isIdle reports whether no handler is running.
func (c *conn) isIdle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running == 0
}

// rejectChannel rejects a channel. A client that opens channels faster than it reads the answers would make
// the server queue them all, so above 1,000 pending answers the connection is closed.
func (c *conn) rejectChannel(nc gossh.NewChannel, reason gossh.RejectionReason, message string) {
	const waiting = 1000
	defer c.rejecting.Add(-1)
	if c.rejecting.Add(1) > waiting {
		c.abort(errRejectedChannels)
		return
	}
	_ = nc.Reject(reason, message)
}
