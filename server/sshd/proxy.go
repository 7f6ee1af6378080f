package sshd

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/pires/go-proxyproto"
)

// How connections from proxies begin.
const (
	proxyHeaderTimeout = 5 * time.Second // until the header is there
	maxPendingHeaders  = 1024            // connections that wait for theirs
)

// Why a connection that should come from a proxy is refused.
const (
	hitNoProxy        = "not_from_proxy"
	hitNoProxyHeader  = "no_proxy_header"
	hitPendingHeaders = "pending_proxy_headers"
)

// acceptProxied reads the headers of connections, each on its own goroutine so that a silent one
// holds back no other, and passes on those that have one.
func (l *listener) acceptProxied() {
	l.err = errors.New("accepting has ended by a panic")
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

// newProxyConn is the connection of a proxy, which must begin with a header.
func newProxyConn(c net.Conn) *proxyproto.Conn {
	return proxyproto.NewConn(c, proxyproto.WithPolicy(proxyproto.REQUIRE), proxyproto.SetReadHeaderTimeout(proxyHeaderTimeout))
}

// underlyingConn is the connection below a proxy's header.
func underlyingConn(c net.Conn) net.Conn {
	if p, ok := c.(*proxyproto.Conn); ok {
		return p.Raw()
	}
	return c
}
