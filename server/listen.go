package server

import (
	"net"
	"net/netip"
	"time"
)

// listener lets in the connections that the doors allow. wish starts a goroutine for whatever
// Accept returns, so what is refused must be refused here.
type listener struct {
	net.Listener
	server *Server
}

// Accept returns the next *conn.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		addr := addrPort(c.RemoteAddr())
		if err := l.server.doors.enter(addr.Addr(), time.Now()); err != nil {
			c.Close()
			l.server.log.Debug("refused", "addr", addr, "err", err)
			continue
		}
		if c := l.server.newConn(c, addr); c != nil {
			return c, nil
		}
	}
}

// addrPort is the address as it is counted and shown: IPv4 is never dressed as IPv6. It is
// invalid for what is not TCP.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}
