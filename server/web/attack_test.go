package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/table"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/picture/matchpicture"
)

// TestEveryAnswerHasItsHeaders looks at the headers of all kinds of answers, errors too.
func TestEveryAnswerHasItsHeaders(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	h.play(id, 1)
	all := append(paths(id), "/", "/u/ana", "/u/nobody", "/feed/games", "/nothing", "/healthz", "/favicon.ico", assetPath("live.js"))
	for _, path := range all {
		if strings.HasSuffix(path, "/events") {
			continue
		}
		r := h.get(path, "Accept", "text/html")
		csp := r.Header.Get("Content-Security-Policy")
		isEmbed := strings.HasPrefix(path, "/embed/")
		switch {
		case !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "data:"):
			t.Errorf("%s: CSP %s", path, csp)
		case strings.Contains(csp, "frame-ancestors 'none'") == isEmbed || (r.Header.Get("X-Frame-Options") == "DENY") == isEmbed:
			t.Errorf("%s: framing: %s, %s", path, csp, r.Header.Get("X-Frame-Options"))
		case r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Referrer-Policy") != "no-referrer" || r.Header.Get("Set-Cookie") != "":
			t.Errorf("%s: %v", path, r.Header)
		}
		if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			for _, inline := range []string{"style=", "onclick", "onload", "javascript:", "<style"} {
				if strings.Contains(r.body, inline) {
					t.Errorf("%s has %s", path, inline)
				}
			}
			if strings.Contains(strings.ReplaceAll(r.body, "<script src=\"/assets/", ""), "<script") {
				t.Errorf("%s has an inline script", path)
			}
		}
	}
	h.serve("127.0.0.1:0", func(c *Config) { c.URL = public(t, "https://play.example.org") })
	if r := h.get("/", "Host", "play.example.org"); r.Header.Get("Strict-Transport-Security") == "" {
		t.Error("an https address without HSTS")
	}
}

// TestForeignHosts: only the names of the server are served.
func TestForeignHosts(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	_, port, _ := net.SplitHostPort(h.addr)
	for _, host := range []string{"localhost", "localhost:" + port, "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80", "LOCALHOST"} {
		h.status(200, "/healthz", "Host", host)
	}
	foreign := []string{"evil.example", "evil.example:" + port, "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", "127.0.0.2", "[::2]", "::1:1"}
	for _, host := range foreign {
		for _, path := range []string{"/", "/m/" + id, "/m/" + id + "/events", "/healthz", "/nothing"} {
			h.status(421, path, "Host", host)
		}
	}
	h.serve("127.0.0.1:0", func(c *Config) { c.URL = public(t, "https://play.example.org") })
	for _, host := range []string{"play.example.org", "play.example.org:443", "Play.Example.Org"} {
		h.status(200, "/", "Host", host)
	}
	for _, host := range append(foreign, "localhost", "127.0.0.1", "play.example.org:80", "play.example.org.evil.example", "x.play.example.org") {
		h.status(421, "/", "Host", host)
	}
}

// TestMalformedRequests sends what no browser sends: every one gets an answer of 4xx, or the end of the connection.
func TestMalformedRequests(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	h.play(id, 1)
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "FOO"} {
		for _, path := range []string{"/", "/m/" + id, "/m/" + id + "/events", "/nothing"} {
			if r := h.do(method, path); r.StatusCode != 405 && r.StatusCode != 400 && r.StatusCode != 404 {
				t.Errorf("%s %s: %d", method, path, r.StatusCode)
			}
		}
	}
	for _, path := range []string{
		"/m/..%2f..%2fetc%2fpasswd", "/m/%2e%2e", "/assets/..%2fserver.go", "/assets/%2e%2e/doc.go", "/m/" + id + "%00", "/m/" + id + "%00.svg", "/m/" + id + ".svg%00", "/m/" + strings.ToUpper(id) + "X",
		"/m/%ff%fe", "/m/" + strings.Repeat("a", 500), "/u/" + strings.Repeat("a", 500), "/u/%3Cscript%3E", "/m/" + id + "/../../u/ana/x", "//evil.example/x", "/m//" + id + "/x", "/u/'%20OR%201=1--", "/feed/u/%00", "/embed/m/..", "/puzzle/..%2f", "/.git/config",
	} {
		if r := h.get(path, "Accept", "text/html"); (r.StatusCode < 300 || r.StatusCode >= 500) || leads(r.Header.Get("Location")) || strings.Contains(r.body, "package web") {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.Header.Get("Location"))
		}
	}
	raw := func(request string) string {
		c, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.WriteString(c, request)
		line, _ := bufio.NewReader(c).ReadString('\n')
		return line
	}
	for name, request := range map[string]string{
		"a header bomb":      "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: "+strings.Repeat("a", 1000)+"\r\n", 100) + "\r\n",
		"a body":             "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n",
		"a chunked body":     "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
		"two lengths":        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
		"two hosts":          "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
		"an absolute target": "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"no host":            "GET / HTTP/1.1\r\n\r\n",
		"a long path":        "GET /" + strings.Repeat("a", 5000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"nonsense":           "\x16\x03\x01 nonsense\r\n\r\n",
		"a broken header":    "GET / HTTP/1.1\r\nHost: localhost\r\nX\x00: 1\r\n\r\n",
	} {
		if answer := raw(request); answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 4") {
			t.Errorf("%s: %q", name, answer)
		}
	}
	h.status(200, "/")
}

// leads reports whether a redirect leads to another host.
func leads(location string) bool {
	return location != "" && (!strings.HasPrefix(location, "/") || strings.HasPrefix(location, "//"))
}

// TestRateOfAnAddressIsLimited asks from one address as often as it may at once, and then a second later.
func TestRateOfAnAddressIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openLobby(t)
		h.serveOn(newPipeListener(), nil)
		want := func(status, n int) {
			t.Helper()
			for i := range n {
				if w := h.serveOne("/healthz", "192.0.2.3:1"); w.Code != status {
					t.Fatalf("request %d: %d, not %d", i+1, w.Code, status)
				}
			}
		}
		want(http.StatusOK, requestBurst)
		want(http.StatusTooManyRequests, 3)
		if w := h.serveOne("/healthz", "192.0.2.4:1"); w.Code != http.StatusOK {
			t.Errorf("another address: %d", w.Code)
		}
		time.Sleep(time.Second)
		want(http.StatusOK, requestRate)
		want(http.StatusTooManyRequests, 1)
		if n := h.s.Stats().Refused["rate"]; n != 4 {
			t.Errorf("%d refusals are counted", n)
		}
	})
}

// TestRequestsAreLimited holds the limits: of requests at once in all and of an address, and of connections.
func TestRequestsAreLimited(t *testing.T) {
	h := open(t, func(c *Config) { c.MaxRequestsPerAddress, c.Proxies = 3, append(c.Proxies, prefix("127.0.0.1/32")) })
	id := h.start(table.Proposal{})
	from := func(a string) []string { return []string{"X-Forwarded-For", a} }
	for range 3 {
		h.stream("/m/"+id+"/events", from("192.0.2.1")...)
	}
	if r := h.status(429, "/", from("192.0.2.1")...); r.Header.Get("Retry-After") == "" {
		t.Errorf("%v", r.Header)
	}
	h.status(200, "/", from("192.0.2.2")...)
	for i := range 3 { // a /64 counts as one
		h.stream("/m/"+id+"/events", from(fmt.Sprintf("2001:db8::%d", i+1))...)
	}
	h.status(429, "/", from("2001:db8::ffff")...)
	h.status(200, "/", from("2001:db8:0:1::1")...)
	servertest.Until(t, "all streams and refusals are counted", func() bool { s := h.s.Stats(); return s.Refused["requests_per_address"] == 2 && s.Streams == 6 })
	l := newRequestLimiter(2, 2)
	now := time.Now()
	for i, want := range []string{"", "", "requests"} {
		if _, why := l.admit(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), now); why != want {
			t.Errorf("request %d: %q, not %q", i, why, want)
		}
	}
	b := &limitedListener{server: New(Config{Logger: h.s.Logger, Pictures: h.s.Pictures}), addresses: make(map[netip.Addr]int), max: 100}
	n, a := 0, netip.MustParseAddr("192.0.2.9")
	for b.add(a) {
		n++
	}
	if n != headersPerClient || !b.add(netip.MustParseAddr("192.0.2.10")) {
		t.Errorf("an address has %d connections", n)
	}
}

// TestAddressesBehindProxies: only a trusted proxy names another address, and only the last one that is not a proxy's counts.
func TestAddressesBehindProxies(t *testing.T) {
	s := &Server{Config: Config{Proxies: []netip.Prefix{prefix("10.0.0.0/8")}}}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:1", "203.0.113.9", "192.0.2.1"},
		{"10.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1", "1.1.1.1, 203.0.113.9", "203.0.113.9"}, // the client wrote 1.1.1.1
		{"10.0.0.1:1", "203.0.113.9, 10.0.0.2", "203.0.113.9"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"10.0.0.1:1", "203.0.113.9, nonsense", "10.0.0.1"},
		{"[::ffff:10.0.0.1]:1", "2001:db8::1", "2001:db8::1"},
		{"10.0.0.1:1", strings.Repeat("10.0.0.3,", 1000) + "10.0.0.2", "10.0.0.3"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": {c.forwarded}}}
		if got := s.clientAddr(r).String(); got != c.want {
			t.Errorf("%+.60v: %s", c, got)
		}
	}
}

// TestBannedAddressesGetTheReason bans an address behind a proxy; others are not affected.
func TestBannedAddressesGetTheReason(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{})
	h.play(id, 1)
	a := withClub(h, club.PublicPolicy())
	h.serve("127.0.0.1:0", func(c *Config) { c.Authorizer, c.Proxies = a, append(c.Proxies, prefix("127.0.0.1/32")) })
	owner := a.Club.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "owner"})
	banned := netip.MustParseAddr("203.0.113.7")
	h.status(200, "/m/"+id, "X-Forwarded-For", banned.String())
	if _, _, err := owner.Ban(t.Context(), club.Target{Prefix: netip.PrefixFrom(banned, 32)}, time.Hour, "test"); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths(id), "/", "/u/ana", "/feed/games", "/nothing") {
		if r := h.status(403, path, "X-Forwarded-For", banned.String()); strings.Contains(r.body, "bob") {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	h.status(200, assetPath("style.css"), "X-Forwarded-For", banned.String()) // of the page with the reason
	h.status(200, "/m/"+id, "X-Forwarded-For", "203.0.113.8")
}

// TestPicturesAskedForAtOnceAreMadeOnce asks thousands of times, from many addresses: few pictures are made, and turns of the
// match are not delayed.
func TestPicturesAskedForAtOnceAreMadeOnce(t *testing.T) {
	pictures := matchpicture.NewPictures(gametest.Games)
	h := open(t, func(c *Config) { c.Pictures, c.Proxies = pictures, append(c.Proxies, prefix("127.0.0.1/32")) })
	id := h.start(table.Proposal{})
	h.play(id, 4)
	h.resign(h.ana, id)
	other := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`)})
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			for n := range 50 {
				path := fmt.Sprintf("/m/%s.%s?theme=%s&nonsense=%d", id, []string{"png", "gif", "svg"}[n%3], []string{"light", "dark"}[n%2], n)
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+h.addr+path, nil)
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
				resp, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode != 200 {
					t.Errorf("%s: %d", path, resp.StatusCode)
				}
			}
		})
	}
	var slowest time.Duration
	for range 10 {
		began := time.Now()
		h.play(other, 1)
		slowest = max(slowest, time.Since(began))
	}
	wg.Wait()
	if made, _ := pictures.Made(); made != 6 {
		t.Errorf("%d pictures were made, not 6", made)
	}
	if slowest > 5*time.Second {
		t.Errorf("a turn took %v", slowest)
	}
	t.Logf("2,000 requests; the slowest turn of another match took %v", slowest)
}
