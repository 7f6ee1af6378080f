package sshd

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// handlerFunc makes a Handler of a function.
type handlerFunc func(ctx context.Context, s *Session) int

// Serve calls f.
func (f handlerFunc) Serve(ctx context.Context, s *Session) int { return f(ctx, s) }

// testServer is a server on a free port of 127.0.0.1.
type testServer struct {
	*Server
	t    *testing.T
	addr string
	logs *testLogs
}

// testLogs are what a server logs. The test fails if there is a panic that it does not expect, since a server goes on after
// one.
type testLogs struct {
	servertest.Buffer
	expectsPanic bool
}

func (l *testLogs) check(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, "ERRO panic") && !l.expectsPanic {
			t.Errorf("the server has recovered a panic: %s", line)
		}
	}
	for len(libraryPanics) > 0 {
		t.Errorf("charm.land/ssh has recovered a panic, in this test or one before: %s", <-libraryPanics)
	}
}

// libraryPanics has the panics that charm.land/ssh has recovered: those of channels, requests and callbacks. It logs them
// with the default logger of package slog.
var libraryPanics = make(chan string, 1000)

// panicHandler is a slog.Handler that puts panics into libraryPanics.
type panicHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h panicHandler) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "panic") {
		text := r.Message
		r.Attrs(func(a slog.Attr) bool { text += "\n" + a.String(); return true })
		select {
		case libraryPanics <- text:
		default:
		}
	}
	return h.Handler.Handle(ctx, r)
}

// runTests runs the tests and returns the exit status.
func runTests(m *testing.M) int {
	slog.SetDefault(slog.New(panicHandler{slog.NewTextHandler(os.Stderr, nil)}))
	status := m.Run()
	if len(libraryPanics) > 0 { // after the last test
		return max(status, 1)
	}
	return status
}

// run starts a server that ends with the test.
func run(t *testing.T, limits Limits, h handlerFunc, nextKeys ...string) *testServer {
	t.Helper()
	srv, logs := listen(t, limits, h, nextKeys...)
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = srv.Shutdown(ended, "")
		if err := servertest.Receive(t, served); err != nil {
			t.Error("Serve:", err)
		}
		if n := srv.Stats().Sessions; n != 0 {
			t.Errorf("%d sessions after the shutdown", n)
		}
	})
	return &testServer{srv, t, srv.Addrs()[0].String(), logs}
}

// listen makes a server that does not serve yet.
func listen(t *testing.T, limits Limits, h handlerFunc, nextKeys ...string) (*Server, *testLogs) {
	t.Helper()
	logs := new(testLogs)
	t.Cleanup(func() { logs.check(t) })
	logger := log.New(logs)
	logger.SetLevel(log.DebugLevel)
	srv, err := Listen(Config{
		Listen:   []string{"127.0.0.1:0"},
		HostKeys: append([]string{filepath.Join(t.TempDir(), "keys", "host")}, nextKeys...),
		Limits:   limits,
		Handler:  h,
		Logger:   logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	return srv, logs
}

// waitClosed waits until the server has closed the connection.
func waitClosed(t *testing.T, c *ssh.Client) {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- c.Wait() }()
	servertest.Receive(t, closed)
}

func clientConfig(auth ...ssh.AuthMethod) *ssh.ClientConfig {
	return &ssh.ClientConfig{User: "ana", Auth: auth, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
}

// dial connects from an address of 127.0.0.0/8, without SSH.
func (r *testServer) dial(from string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: servertest.WaitTimeout}
	return d.Dial("tcp", r.addr)
}

// connect is a client that has been let in.
func (r *testServer) connect(auth ...ssh.AuthMethod) *ssh.Client {
	r.t.Helper()
	c, err := r.tryConnect("127.0.0.1", clientConfig(auth...))
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (r *testServer) tryConnect(from string, config *ssh.ClientConfig) (*ssh.Client, error) {
	nc, err := r.dial(from)
	if err != nil {
		return nil, err
	}
	r.t.Cleanup(func() { nc.Close() })
	sc, chans, reqs, err := ssh.NewClientConn(nc, r.addr, config)
	if err != nil {
		return nil, err
	}
	return ssh.NewClient(sc, chans, reqs), nil
}

// stalledConn is a client's connection that stops reading when told.
type stalledConn struct {
	net.Conn
	stop   atomic.Bool
	closed chan struct{}
}

func (c *stalledConn) Read(p []byte) (int, error) {
	if c.stop.Load() {
		<-c.closed
		return 0, net.ErrClosed
	}
	return c.Conn.Read(p)
}
