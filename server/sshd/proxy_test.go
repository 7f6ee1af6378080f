package sshd

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// TestOnlyListedProxiesAreBelieved connects with and without a header, from a proxy and from
// somebody who would like to be one.
func TestOnlyListedProxiesAreBelieved(t *testing.T) {
	srv, _ := listen(t, Limits{ConnectionsPerAddress: 1}, func(_ context.Context, s *Session) int {
		fmt.Fprint(s, s.Addr().Addr())
		return 0
	})
	srv.proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	r := &testServer{srv, t, srv.Addrs()[0].String(), nil}
	defer func() {
		srv.Shutdown(t.Context(), "")
		if err := servertest.Receive(t, served); err != nil {
			t.Error(err)
		}
	}()
	from := func(place, header string) (string, error) {
		nc, err := r.dial(place)
		if err != nil {
			return "", err
		}
		defer nc.Close()
		if _, err := nc.Write([]byte(header)); err != nil {
			return "", err
		}
		sc, chans, reqs, err := ssh.NewClientConn(nc, r.addr, clientConfig(servertest.Guest()))
		if err != nil {
			return "", err
		}
		c := ssh.NewClient(sc, chans, reqs)
		defer c.Close()
		s, err := c.NewSession()
		if err != nil {
			return "", err
		}
		out, err := s.Output("x")
		return string(out), err
	}
	// The silent one keeps nobody waiting.
	silent, err := r.dial("127.0.0.2")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for i, c := range []struct{ place, header, says string }{
		{"127.0.0.2", "PROXY TCP4 192.0.2.7 192.0.2.1 1234 22\r\n", "192.0.2.7"},
		{"127.0.0.2", "PROXY TCP6 2001:db8::7 2001:db8::1 1234 22\r\n", "2001:db8::7"},
		{"127.0.0.2", "", ""},
		{"127.0.0.2", "PROXY TCP4 nonsense\r\n", ""},
		{"127.0.0.3", "PROXY TCP4 192.0.2.8 192.0.2.1 1234 22\r\n", ""},
		{"127.0.0.3", "", ""},
	} {
		if got, err := from(c.place, c.header); got != c.says || (err == nil) != (c.says != "") {
			t.Errorf("%d: %q, %v", i, got, err)
		}
	}
	hits := srv.Stats().LimitHits
	if hits[hitNoProxy] != 2 || hits[hitNoProxyHeader] != 2 {
		t.Errorf("counted %v", hits)
	}
	// A client's place is its own, not the proxy's: one more from 192.0.2.9 than it may have.
	var db []net.Conn
	for range 2 {
		nc, err := r.dial("127.0.0.2")
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		fmt.Fprint(nc, "PROXY TCP4 192.0.2.9 192.0.2.1 1234 22\r\n")
		line, err := bufio.NewReader(nc).ReadString('\n')
		if came := strings.HasPrefix(line, "SSH-2.0-"); came != (len(db) == 0) {
			t.Errorf("connection %d: %q, %v", len(db), line, err)
		}
		db = append(db, nc)
	}
}

// TestEveryLimitThatIsHitIsCounted exceeds limits over a real connection.
func TestEveryLimitThatIsHitIsCounted(t *testing.T) {
	r := run(t, Limits{Channels: 1, CommandBytes: 10, EnvBytes: 10}, whoami)
	ch := open(t, r.connect(servertest.Guest()))
	ch.request("pty-req", ptyRequest{Term: "xterm", Columns: 5000, Rows: 5000})
	ch.request("env", envRequest{"LANG", "a value that is too long"})
	ch.request("exec", execRequest{"a command that is too long"})
	second := r.connect(servertest.Guest())
	open(t, second)
	if _, err := second.NewSession(); err == nil {
		t.Error("two channels")
	}
	hits := r.Stats().LimitHits
	for _, limit := range []string{hitTerminal, hitEnv, hitCommand, hitChannels} {
		if hits[limit] != 1 {
			t.Errorf("%s: %d", limit, hits[limit])
		}
	}
}
