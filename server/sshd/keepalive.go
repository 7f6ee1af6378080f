package sshd

import (
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// rtt is a smoothed round-trip time; 0 is unknown.
type rtt struct{ nanos atomic.Int64 }

// add takes a sample; an eighth of it counts, as in TCP (RFC 6298). It has one caller at a time.
func (r *rtt) add(sample time.Duration) {
	if old := r.nanos.Load(); old != 0 {
		sample = time.Duration(old) + (sample-time.Duration(old))/8
	}
	r.nanos.Store(int64(max(sample, 1)))
}

// firstKeepalive is the delay of the first keepalive request after the first session has begun. It spares
// short visits, and the first screen is still being sent.
const firstKeepalive = time.Second

// keepaliveStep divides the time into steps: requests are sent at the end of one, together for all connections whose
// time has come. So the server wakes four times a second, and not once for each connection.
const keepaliveStep = 250 * time.Millisecond

// untilStep returns the time from now until the first end of a step that is not before d, which counts from now.
func (srv *Server) untilStep(now time.Time, d time.Duration) time.Duration {
	since := now.Sub(srv.started)
	return (since + d + keepaliveStep - 1).Truncate(keepaliveStep) - since
}

// keepAlive starts sending keepalive requests until the connection closes, and reports whether this was the
// first call. Between two requests there is only a timer.
func (c *conn) keepAlive(sc *gossh.ServerConn) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed || c.keepaliveTimer != nil {
		return false
	}
	c.deadTimer = c.server.afterFunc(time.Hour, c.checkDead)
	c.deadTimer.Stop()
	c.keepaliveTimer = c.server.afterFunc(c.server.untilStep(time.Now(), firstKeepalive), func() { c.sendKeepalive(sc) })
	return true
}

// sendKeepalive sends a keepalive request and waits for any answer to it.
func (c *conn) sendKeepalive(sc *gossh.ServerConn) {
	interval := c.server.limits().Keepalive
	asked := time.Now()
	c.deadTimer.Reset(2 * interval)
	_, _, err := sc.SendRequest("keepalive@openssh.com", true, nil)
	c.deadTimer.Stop()
	if err != nil {
		return
	}
	now := time.Now()
	c.rtt.add(now.Sub(asked))
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isClosed {
		// The timer was late by less than a step, which the next time does not add to.
		c.keepaliveTimer.Reset(c.server.untilStep(now, max(0, interval-now.Sub(asked)-keepaliveStep/2)))
	}
}

// checkDead closes the connection of a client that has an unanswered request and has sent nothing for two
// intervals. A client that sends is alive: its answer is queued behind its data.
func (c *conn) checkDead() {
	silence := time.Since(c.server.started) - time.Duration(c.lastRead.Load())
	if rest := 2*c.server.limits().Keepalive - silence; rest > 0 {
		c.deadTimer.Reset(rest)
		return
	}
	c.abort(errKeepalive)
}
