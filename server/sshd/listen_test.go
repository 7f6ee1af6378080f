package sshd

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// exhausted is a listener that has no file descriptor for its first accepts.
type exhausted struct {
	net.Listener
	fails atomic.Int32 // still to come
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.fails.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

// TestFailedAcceptsDoNotEndAccepting has accepts fail for want of file descriptors, with and without
// proxies: clients are served afterwards, and the failure is logged once and counted.
func TestFailedAcceptsDoNotEndAccepting(t *testing.T) {
	for name, header := range map[string]string{"direct": "", "behind a proxy": "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n"} {
		t.Run(name, func(t *testing.T) {
			const fails = 7
			srv, logs := listen(t, Limits{}, func(context.Context, *Session) int { return 0 })
			if header != "" {
				srv.proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			}
			inner := &exhausted{Listener: srv.listeners[0].Listener.Listener}
			inner.fails.Store(fails)
			srv.listeners[0].Listener.Listener = inner
			served := make(chan error, 1)
			go func() { served <- srv.Serve() }()
			defer func() {
				_ = srv.Shutdown(t.Context(), "")
				if err := servertest.Receive(t, served); err != nil {
					t.Error(err)
				}
			}()
			for range 2 {
				nc, err := net.Dial("tcp", srv.Addrs()[0].String())
				if err != nil {
					t.Fatal(err)
				}
				defer nc.Close()
				if _, err := nc.Write([]byte(header)); err != nil {
					t.Fatal(err)
				}
				_, _, _, err = ssh.NewClientConn(nc, "", clientConfig(servertest.Guest()))
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := srv.Health(); err != nil {
				t.Error(err)
			}
			if n := srv.Stats().AcceptFailures; n != fails {
				t.Errorf("%d failures are counted, want %d", n, fails)
			}
			if n := strings.Count(logs.String(), "cannot accept connections"); n != 1 {
				t.Errorf("the failure is logged %d times:\n%s", n, logs.String())
			}
		})
	}
}

// panickingListener is a listener whose Accept panics.
type panickingListener struct{ net.Listener }

func (panickingListener) Accept() (net.Conn, error) { panic("a bug") }

// TestPanicEndsAccepting checks that a panic while connections are accepted ends Serve with an error, so that the program ends,
// and that the server is not healthy then.
func TestPanicEndsAccepting(t *testing.T) {
	for name, proxies := range map[string][]netip.Prefix{"direct": nil, "behind a proxy": {netip.MustParsePrefix("127.0.0.0/8")}} {
		srv, logs := listen(t, Limits{}, func(context.Context, *Session) int { return 0 })
		logs.expectsPanic = true
		srv.proxies = proxies
		srv.listeners[0].Listener.Listener = panickingListener{srv.listeners[0].Listener.Listener}
		served := make(chan error, 1)
		go func() { served <- srv.Serve() }()
		if err := servertest.Receive(t, served); err == nil || !strings.Contains(err.Error(), "has ended in a panic") {
			t.Errorf("%s: Serve returns %v", name, err)
		}
		if !strings.Contains(logs.String(), "a bug") {
			t.Errorf("%s: the log does not have the panic:\n%s", name, logs)
		}
		if srv.Health() == nil {
			t.Errorf("%s: a server that accepts nobody any more is healthy", name)
		}
	}
}

// TestHealthFailsWhileNobodyAccepts asks before Serve, while accepts fail, and after the shutdown.
func TestHealthFailsWhileNobodyAccepts(t *testing.T) {
	srv, _ := listen(t, Limits{}, func(context.Context, *Session) int { return 0 })
	if srv.Health() == nil {
		t.Error("a server that does not serve yet is healthy")
	}
	inner := &exhausted{Listener: srv.listeners[0].Listener.Listener}
	inner.fails.Store(1 << 30)
	srv.listeners[0].Listener.Listener = inner
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	servertest.Until(t, "an accept fails", func() bool { return srv.Stats().AcceptFailures > 0 })
	if err := srv.Health(); err == nil || !strings.Contains(err.Error(), "too many open files") {
		t.Errorf("while accepts fail: %v", err)
	}
	inner.fails.Store(0)
	servertest.Until(t, "accepting works", func() bool { return srv.Health() == nil }) // which waits for a connection
	_ = srv.Shutdown(t.Context(), "")
	if err := servertest.Receive(t, served); err != nil {
		t.Error(err)
	}
	if srv.Health() == nil {
		t.Error("a server that has been shut down is healthy")
	}
}
