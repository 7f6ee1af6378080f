package sshd

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// timed makes a server inside a synctest bubble, in which time passes when everybody waits. It
// has no listener, which would wait for the real world; see pipe.
func timed(t *testing.T, limits Limits, h handlerFunc) *Server {
	t.Helper()
	srv, _ := listen(t, limits, h)
	srv.closeListeners()
	t.Cleanup(func() {
		for _, c := range srv.tracker.openConns() {
			c.abort(errShutdown)
		}
		synctest.Wait()
		if s := srv.Stats(); s.Connections != 0 || s.Handshakes != 0 || s.Sessions != 0 || s.Rejected > 0 {
			t.Errorf("something is left: %+v", s)
		}
	})
	return srv
}

// accept is what the server's listener would do, with both ends.
func accept(t *testing.T, srv *Server) (net.Conn, *conn) {
	t.Helper()
	if err := srv.limiter.admit(netip.Addr{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	return ours, srv.newConn(theirs, netip.AddrPort{})
}

// connectPipe connects to the server and returns the client's end, which takes the delay to write, and
// buffers what it writes, since both ends of SSH begin with writing.
func connectPipe(t *testing.T, srv *Server, delay time.Duration) net.Conn {
	t.Helper()
	ours, theirs := accept(t, srv)
	c := &delayedConn{Conn: ours, delay: delay, out: make(chan []byte, 1<<16), closed: make(chan struct{})}
	go srv.sshServer.HandleConn(theirs)
	go c.pump()
	t.Cleanup(func() { c.Close() })
	return c
}

type delayedConn struct {
	net.Conn
	delay  time.Duration
	out    chan []byte
	closed chan struct{}
	once   sync.Once
}

func (c *delayedConn) Write(p []byte) (int, error) {
	select {
	case c.out <- append([]byte(nil), p...):
		return len(p), nil
	case <-c.closed:
		return 0, io.ErrClosedPipe
	}
}

func (c *delayedConn) pump() {
	for {
		select {
		case p := <-c.out:
			if c.delay > 0 {
				select {
				case <-time.After(c.delay):
				case <-c.closed:
					return
				}
			}
			if _, err := c.Conn.Write(p); err != nil {
				return
			}
		case <-c.closed:
			return
		}
	}
}

func (c *delayedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// clientOver makes an SSH client of a connection.
func clientOver(t *testing.T, nc net.Conn) *ssh.Client {
	t.Helper()
	sc, chans, reqs, err := ssh.NewClientConn(nc, "", clientConfig(servertest.Guest()))
	if err != nil {
		t.Fatal(err)
	}
	return ssh.NewClient(sc, chans, reqs)
}

// timedSession is a session in which nothing has been started.
func timedSession(t *testing.T, srv *Server, delay time.Duration) *ssh.Session {
	t.Helper()
	s, err := clientOver(t, connectPipe(t, srv, delay)).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// waitEnd waits for the server to close the connection and returns how long that took.
func waitEnd(nc net.Conn) time.Duration {
	start := time.Now()
	_, _ = io.Copy(io.Discard, nc)
	return time.Since(start)
}
