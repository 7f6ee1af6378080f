package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"ayumu/lobby/limit"
)

// Rates of requests of one address: a page with all its pictures is about 30.
const (
	requestRate  = 20.0 // a second
	requestBurst = 200
)

// requestLimiter bounds the requests that are being answered, and how fast an address makes them. Any goroutine may use it.
type requestLimiter struct {
	rates         *limit.Buckets[netip.Prefix]
	max, perOwner int

	mu      sync.Mutex
	total   int
	origins map[netip.Prefix]int
}

func newRequestLimiter(total, perOrigin int) *requestLimiter {
	return &requestLimiter{
		rates: limit.NewBuckets[netip.Prefix](limit.Rate{Refill: requestRate, Burst: requestBurst}),
		max:   total, perOwner: perOrigin, origins: make(map[netip.Prefix]int),
	}
}

// admit counts a request and returns the function that ends it, or the name of the limit that it exceeds.
func (l *requestLimiter) admit(a netip.Addr, now time.Time) (release func(), why string) {
	origin := limit.Origin(a)
	if !l.rates.Take(origin, now, 1) {
		return nil, "rate"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.total >= l.max:
		return nil, "requests"
	case l.origins[origin] >= l.perOwner:
		return nil, "requests_per_address"
	}
	l.total++
	l.origins[origin]++
	return func() { l.release(origin) }, ""
}

func (l *requestLimiter) release(origin netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.origins[origin]--; l.origins[origin] == 0 {
		delete(l.origins, origin)
	}
}

// current returns the number of requests that are being answered.
func (l *requestLimiter) current() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// limitedListener bounds the connections, in all and of each address that is not a trusted proxy's, so that silent ones take
// no memory of others. What is above is closed at once.
type limitedListener struct {
	net.Listener
	server *Server
	max    int

	mu        sync.Mutex
	total     int
	addresses map[netip.Addr]int
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		a := hostAddr(c.RemoteAddr().String())
		if l.add(a) {
			return &limitedConn{Conn: c, release: sync.OnceFunc(func() { l.remove(a) })}, nil
		}
		l.server.counts.refused("connections")
		c.Close()
	}
}

func (l *limitedListener) add(a netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.max || l.addresses[a] >= max(headersPerClient, l.server.MaxRequestsPerAddress) && !l.server.isProxy(a) {
		return false
	}
	l.total++
	l.addresses[a]++
	return true
}

func (l *limitedListener) remove(a netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.addresses[a]--; l.addresses[a] == 0 {
		delete(l.addresses, a)
	}
}

// limitedConn is a connection that is counted until it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// hostAddr returns the address of a text with a port, or the zero address.
func hostAddr(hostPort string) netip.Addr {
	ap, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}

func (s *Server) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(s.Proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// maxForwarded is how many addresses of X-Forwarded-For are read.
const maxForwarded = 16

// clientAddr returns the address of whoever asks: that of the connection or, if that is a trusted proxy's, the last address
// of X-Forwarded-For that is not one.
func (s *Server) clientAddr(r *http.Request) netip.Addr {
	a := hostAddr(r.RemoteAddr)
	if !s.isProxy(a) {
		return a
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= max(0, len(forwarded)-maxForwarded); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(forwarded[i]))
		if err != nil {
			return a
		}
		if a = next.Unmap(); !s.isProxy(a) {
			return a
		}
	}
	return a
}

// isOwnHost reports whether a Host header names this server. What it names otherwise can be the page of an attacker whose
// name resolves to this address.
func (s *Server) isOwnHost(host string) bool {
	if s.URL != nil {
		return strings.EqualFold(withoutDefaultPort(host, s.URL.Scheme), withoutDefaultPort(s.URL.Host, s.URL.Scheme))
	}
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if strings.Trim(port, "0123456789") != "" {
			return false
		}
		name = h
		if strings.Contains(h, ":") {
			name = "[" + h + "]"
		}
	}
	return strings.EqualFold(name, "localhost") || name == "127.0.0.1" || name == "[::1]"
}

func withoutDefaultPort(host, scheme string) string {
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.TrimSuffix(host, port)
}

// contentPolicy lets a page use what this server serves, and nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// setSecurityHeaders sets the headers of every answer.
func setSecurityHeaders(h http.Header, public *url.URL) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()")
	if public != nil && public.Scheme == "https" {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
