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
	c.keepaliveTimer = c.server.afterFunc(firstKeepalive, func() { c.sendKeepalive(sc) })
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
	took := time.Since(asked)
	c.rtt.add(took)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isClosed {
		c.keepaliveTimer.Reset(max(0, interval-took))
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
