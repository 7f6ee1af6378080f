package sshd

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/pires/go-proxyproto"
)

// Limits of connections from proxies.
const (
	proxyHeaderTimeout = 5 * time.Second // for the header
	maxPendingHeaders  = 1024            // connections without a header yet
)

// Why a connection that should come from a proxy is refused.
const (
	hitNoProxy        = "not_from_proxy"
	hitNoProxyHeader  = "no_proxy_header"
	hitPendingHeaders = "pending_proxy_headers"
)

// acceptProxied accepts connections until the listener is closed, reads their headers and sends those with
// one to l.proxied. Each header has its own goroutine, so that a silent proxy does not delay others.
func (l *listener) acceptProxied() {
	l.err = errors.New("accepting has ended in a panic")
	defer close(l.done)
	defer l.server.recoverPanic("accepting from proxies")
	slots := make(chan struct{}, maxPendingHeaders)
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			l.err = err
			return
		}
		from := addrPort(c.RemoteAddr()).Addr()
		if !slices.ContainsFunc(l.server.proxies, func(p netip.Prefix) bool { return p.Contains(from) }) {
			l.server.limitHits.Add(hitNoProxy)
			c.Close()
			continue
		}
		select {
		case slots <- struct{}{}:
		default:
			l.server.limitHits.Add(hitPendingHeaders)
			c.Close()
			continue
		}
		go func() {
			defer l.server.recoverPanic("reading a proxy's header")
			defer func() { <-slots }()
			p := newProxyConn(c)
			if p.ProxyHeader() == nil {
				l.server.limitHits.Add(hitNoProxyHeader)
				c.Close()
				return
			}
			select {
			case l.proxied <- p:
			case <-l.done:
				c.Close()
			}
		}()
	}
}

// newProxyConn returns a connection that must begin with a header.
func newProxyConn(c net.Conn) *proxyproto.Conn {
	return proxyproto.NewConn(c, proxyproto.WithPolicy(proxyproto.REQUIRE), proxyproto.SetReadHeaderTimeout(proxyHeaderTimeout))
}

// underlyingConn returns the connection below newProxyConn's, or c itself.
func underlyingConn(c net.Conn) net.Conn {
	if p, ok := c.(*proxyproto.Conn); ok {
		return p.Raw()
	}
	return c
}
