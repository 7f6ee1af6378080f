package server

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
	headerTime    = 5 * time.Second // until the header is there
	headersAtOnce = 1024            // connections that wait for theirs
)

// Why a connection that should come from a proxy is refused.
const (
	hitNoProxy  = "not from a proxy"
	hitNoHeader = "no header from the proxy"
	hitHeaders  = "headers awaited from proxies"
)

// acceptProxied reads the headers of connections, each on its own goroutine so that a silent one
// holds back no other, and passes on those that have one.
func (l *listener) acceptProxied() {
	l.failed = errors.New("accepting has ended by a panic")
	defer close(l.ended)
	defer l.server.recovered("accepting from proxies")
	slots := make(chan struct{}, headersAtOnce)
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			l.failed = err
			return
		}
		from := addrPort(c.RemoteAddr()).Addr()
		if !slices.ContainsFunc(l.server.proxies, func(p netip.Prefix) bool { return p.Contains(from) }) {
			l.server.hits.add(hitNoProxy)
			c.Close()
			continue
		}
		select {
		case slots <- struct{}{}:
		default:
			l.server.hits.add(hitHeaders)
			c.Close()
			continue
		}
		go func() {
			defer l.server.recovered("reading a proxy's header")
			defer func() { <-slots }()
			p := proxied(c)
			if p.ProxyHeader() == nil {
				l.server.hits.add(hitNoHeader)
				c.Close()
				return
			}
			select {
			case l.proxied <- p:
			case <-l.ended:
				c.Close()
			}
		}()
	}
}

// proxied is the connection of a proxy, which must begin with a header.
func proxied(c net.Conn) *proxyproto.Conn {
	return proxyproto.NewConn(c, proxyproto.WithPolicy(proxyproto.REQUIRE), proxyproto.SetReadHeaderTimeout(headerTime))
}

// bare is the connection below a proxy's header.
func bare(c net.Conn) net.Conn {
	if p, ok := c.(*proxyproto.Conn); ok {
		return p.Raw()
	}
	return c
}
