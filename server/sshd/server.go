package sshd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"charm.land/log/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/server/acceptor"
)

// connKey is the context key of a connection's *conn.
type connKey struct{}

// Server is an SSH server. Listen makes one. Its methods may be called from any goroutine.
type Server struct {
	currentLimits atomic.Pointer[Limits]
	handler       Handler
	log           *log.Logger
	sshServer     *ssh.Server
	hostKeys      []gossh.Signer
	listeners     []*listener
	limiter       *connLimiter
	started       time.Time
	limitHits     limit.Hits
	proxies       []netip.Prefix
	accepting     atomic.Int32 // listeners that Serve accepts from
	tracker       *tracker
}

// Listen loads the host keys, creates the first if it is missing, and listens on the addresses. No
// connection is accepted before Serve is called.
func Listen(cfg Config) (*Server, error) {
	srv := &Server{
		handler: cfg.Handler,
		log:     cfg.Logger,
		started: time.Now(),
		proxies: cfg.Proxies,
		tracker: newTracker(),
	}
	if srv.log == nil {
		srv.log = discard()
	}
	if srv.handler == nil {
		return nil, errors.New("a server needs a handler")
	}
	srv.currentLimits.Store(new(cfg.Limits.withDefaults()))
	srv.limiter = newConnLimiter(*srv.limits())
	var err error
	if srv.hostKeys, err = LoadHostKeys(cfg.HostKeys); err != nil {
		return nil, err
	}
	if srv.sshServer, err = srv.newWish(); err != nil {
		return nil, err
	}
	if err := srv.listen(cfg.Listen); err != nil {
		return nil, err
	}
	return srv, nil
}

// limits returns the current limits. The result must not be changed.
func (srv *Server) limits() *Limits { return srv.currentLimits.Load() }

// SetLimits replaces the limits. Running handshakes, timers and keepalive requests keep their old ones.
func (srv *Server) SetLimits(to Limits) {
	to = to.withDefaults()
	srv.currentLimits.Store(&to)
	srv.limiter.setLimits(to)
}

// newWish returns the wish server with this package's callbacks.
func (srv *Server) newWish() (*ssh.Server, error) {
	return wish.NewServer(
		wish.WithVersion("Ayumu"),
		wish.WithMiddleware(srv.serve),
		ssh.WrapConn(func(ctx ssh.Context, c net.Conn) net.Conn {
			growStack16KiB() // to check a signature
			ctx.SetValue(connKey{}, c)
			return c
		}),
		func(w *ssh.Server) error {
			w.AddHostKey(exchangeKey{srv.hostKeys[0]})
			w.ServerConfigCallback = srv.serverConfig
			w.ConnectionFailedCallback = srv.connFailed
			w.ChannelHandlers = map[string]ssh.ChannelHandler{
				"session": srv.serveChannel,
				"default": srv.rejectChannel,
			}
			w.RequestHandlers = map[string]ssh.RequestHandler{proveKeys: srv.proveHostKeys}
			return nil
		},
	)
}

func (srv *Server) connFailed(c net.Conn, err error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		srv.limitHits.Add(hitHandshake)
	case strings.Contains(err.Error(), "too many authentication failures"): // x/crypto has no name for it
		srv.limitHits.Add(hitAttempts)
	}
	srv.log.Debug("handshake failed", "addr", addrPort(c.RemoteAddr()), "err", sanitize.Printable(err.Error(), 400))
}

// listen listens on all addresses or, after an error, on none.
func (srv *Server) listen(addrs []string) error {
	if len(addrs) == 0 {
		return errors.New("a server needs an address to listen on")
	}
	for _, addr := range addrs {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			srv.closeListeners()
			return err
		}
		srv.listeners = append(srv.listeners, &listener{Listener: acceptor.New(l, l.Addr().String(), srv.log), server: srv})
	}
	return nil
}

func (srv *Server) closeListeners() {
	for _, l := range srv.listeners {
		_ = l.Close()
	}
}

// Addrs returns the addresses that the server listens on.
func (srv *Server) Addrs() []net.Addr {
	addrs := make([]net.Addr, len(srv.listeners))
	for i, l := range srv.listeners {
		addrs[i] = l.Addr()
	}
	return addrs
}

// Fingerprints returns the SHA256 fingerprints of the host keys, in the order of Config.HostKeys.
func (srv *Server) Fingerprints() []string {
	prints := make([]string, len(srv.hostKeys))
	for i, k := range srv.hostKeys {
		prints[i] = gossh.FingerprintSHA256(k.PublicKey())
	}
	return prints
}

// Serve accepts connections until Shutdown is called, and then returns nil immediately. After any other
// error Shutdown is still needed to end the sessions. It must be called at most once.
func (srv *Server) Serve() error {
	errs := make(chan error, len(srv.listeners))
	for _, l := range srv.listeners {
		srv.log.Info("listening", "addr", l.Addr(), "key", srv.Fingerprints()[0])
		go func() {
			err := errors.New("listening has ended in a panic")
			srv.accepting.Add(1)
			defer func() { srv.accepting.Add(-1); errs <- err }()
			defer srv.recoverPanic("listening")
			err = srv.sshServer.Serve(l)
		}()
	}
	err := <-errs
	srv.closeListeners()
	for range srv.listeners[1:] {
		err = errors.Join(err, <-errs)
	}
	if srv.tracker.isDraining() {
		return nil
	}
	return fmt.Errorf("serving: %w", err)
}

// Health returns nil if connections are accepted on every address.
func (srv *Server) Health() error {
	if n := int(srv.accepting.Load()); n < len(srv.listeners) {
		return fmt.Errorf("connections are accepted on %d of %d addresses", n, len(srv.listeners))
	}
	var all []error
	for _, l := range srv.listeners {
		all = append(all, l.Health())
	}
	return errors.Join(all...)
}

// Shutdown drains the server: it accepts no more connections, ends every session's context with a
// *DrainError as its cause, and sends clients the notice as their sessions end. It returns when all
// connections are closed and all handlers have returned. If ctx ends before, it closes every connection,
// waits for the handlers for Limits.Grace, and returns ctx's error.
func (srv *Server) Shutdown(ctx context.Context, notice string) error {
	why := &DrainError{notice}
	conns, sessions := srv.tracker.beginDrain(why)
	srv.closeListeners()
	for _, s := range sessions {
		s.cancelContext(why)
	}
	for _, c := range conns {
		c.closeWhenIdle()
	}
	select {
	case <-srv.tracker.drained:
		return nil
	case <-ctx.Done():
	}
	for _, c := range srv.tracker.openConns() {
		c.abort(errShutdown)
	}
	grace := time.NewTimer(srv.limits().Grace)
	defer grace.Stop()
	select {
	case <-srv.tracker.drained:
	case <-grace.C:
		srv.log.Error("handlers still run after the shutdown", "sessions", srv.tracker.sessionCount())
	}
	return ctx.Err()
}

// EndSessions ends all sessions with a notice, as Shutdown does, and returns their number. The server goes on.
func (srv *Server) EndSessions(notice string) int {
	all := srv.tracker.openSessions()
	for _, s := range all {
		s.End(notice)
	}
	return len(all)
}

// unusedLimit returns how long a connection may stay without a session: at most a second while the server
// drains, enough for the client to read the notice.
func (srv *Server) unusedLimit() time.Duration {
	if srv.tracker.isDraining() {
		return min(time.Second, srv.limits().Unused)
	}
	return srv.limits().Unused
}

// recoverPanic logs a panic. Every goroutine defers it, because an unrecovered panic ends the process.
func (srv *Server) recoverPanic(where string) {
	if r := recover(); r != nil {
		srv.log.Error("panic", "where", where, "panic", sanitize.Printable(fmt.Sprint(r), 500), "stack", string(debug.Stack()))
	}
}

// afterFunc is time.AfterFunc, but recovers a panic of f.
func (srv *Server) afterFunc(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		defer srv.recoverPanic("timer")
		f()
	})
}
