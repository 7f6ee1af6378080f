package sshd

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"ayumu/server/acceptor"
)

// listener accepts the connections that the limiter admits. wish starts a goroutine for each connection that
// Accept returns, so connections must be rejected here.
type listener struct {
	*acceptor.Listener
	server *Server

	once    sync.Once // starts acceptProxied; this and the fields below are used with proxies only
	proxied chan net.Conn
	done    chan struct{}
	err     error // set before done is closed
}

// Accept returns the next admitted connection, a *conn.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.acceptNext()
		if err != nil {
			return nil, err
		}
		if c := l.server.admit(c); c != nil {
			return c, nil
		}
	}
}

// admit returns the connection of a client that the limiter admits and the server tracks; nil: it was closed.
func (srv *Server) admit(c net.Conn) *conn {
	addr := addrPort(c.RemoteAddr())
	if why := srv.limiter.admit(addr.Addr(), time.Now()); why != nil {
		c.Close()
		srv.limitHits.Add(why.id)
		srv.log.Debug("rejected", "addr", addr, "err", why)
		return nil
	}
	return srv.newConn(c, addr)
}

// ServeConn serves a connection that was accepted elsewhere, such as one end of a pipe, as Serve does. It closes the
// connection and returns then. The client's address is that of the other end.
func (srv *Server) ServeConn(nc net.Conn) {
	if c := srv.admit(nc); c != nil {
		srv.sshServer.HandleConn(c)
	}
}

// acceptNext returns the next connection; its address is the client's, also behind a proxy.
func (l *listener) acceptNext() (net.Conn, error) {
	if len(l.server.proxies) == 0 {
		return l.Listener.Accept()
	}
	l.once.Do(func() {
		l.proxied, l.done = make(chan net.Conn), make(chan struct{})
		go l.acceptProxied()
	})
	select {
	case c := <-l.proxied:
		return c, nil
	case <-l.done:
		return nil, l.err
	}
}

// addrPort returns an address as it is counted and logged, IPv4 never mapped to IPv6. It is invalid for
// other networks than TCP.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}
