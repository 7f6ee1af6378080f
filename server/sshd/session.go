package sshd

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"ayumu/lobby/sanitize"
)

// ErrIdle is the cause of the context of a session that had no input for its idle limit.
var ErrIdle = errors.New("no input for too long")

// DrainError is the cause of the context of a session that ends because the server does.
type DrainError struct{ Notice string }

func (e *DrainError) Error() string { return e.Notice }

// Size is a terminal's size in cells: at least 1×1 and at most the server's limits. It is an alias, so that
// the screens can use it without importing this package.
type Size = struct{ Width, Height int }

// Terminal is a client's description of its terminal.
type Terminal struct {
	// Term is the value of TERM: at most 64 of [A-Za-z0-9.+_-]; empty if it was anything else.
	Term string
	Size
}

// Session is one session of a client: a terminal, or one command. Its methods may be called
// from any goroutine, Read from one at a time.
//
// The context that its handler gets ends when the channel is closed by either side (the
// connection may well stay), when there was no input for the idle limit (ErrIdle), or when the
// server drains (*DrainError). In the last two cases the handler can still write; once it has
// returned, or after the limit Grace, the server tells the client why, and closes the channel,
// which makes Read and Write return.
//
// Only a server sends data on the stream for errors. The connection of a client that does is closed, because
// that data would be buffered without limit.
type Session struct {
	conn        *conn
	sshConn     *gossh.ServerConn
	channel     gossh.Channel
	wishContext ssh.Context // the connection's
	ctx         context.Context
	cancel      context.CancelCauseFunc

	key        gossh.PublicKey
	command    string // set once, before the handler starts
	hasCommand bool
	resized    chan Size
	finished   chan struct{} // closed when the handler has returned
	finishOnce sync.Once
	inputEnded atomic.Bool
	deferring  atomic.Bool  // counted in conn.deferring; see DeferInput
	lastInput  atomic.Int64 // nanoseconds since the server's start

	writeMu    sync.Mutex // held during a write
	stallTimer *time.Timer

	mu         sync.Mutex
	started    bool
	terminal   *Terminal
	env        map[string]string
	idleTimer  *time.Timer // nil until there is a handler and a limit
	idleLimit  time.Duration
	onOverrun  func()      // ends the session after Grace; nil before the handler and after it is scheduled
	graceTimer *time.Timer // runs onOverrun; nil until the server ends the context
}

func newSession(c *conn, sc *gossh.ServerConn, ch gossh.Channel, ctx ssh.Context) *Session {
	s := &Session{
		conn: c, sshConn: sc, channel: ch, wishContext: ctx,
		key:      provedKey(sc),
		resized:  make(chan Size, 1),
		finished: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.stallTimer = c.server.afterFunc(time.Hour, func() { c.abort(errStall) })
	s.stallTimer.Stop()
	return s
}

// Key returns the public key that the client has proved to own, or nil for a guest. For a certificate it is
// the key in it.
func (s *Session) Key() gossh.PublicKey { return s.key }

// Fingerprint returns the key's SHA256 fingerprint, or "" for a guest.
func (s *Session) Fingerprint() string {
	if s.key == nil {
		return ""
	}
	return gossh.FingerprintSHA256(s.key)
}

// User returns the SSH user name, cleaned, at most 64 characters. It is not authenticated.
func (s *Session) User() string { return sanitize.Printable(s.sshConn.User(), 64) }

// ClientVersion returns the client's version string, cleaned, at most 128 characters.
func (s *Session) ClientVersion() string {
	return sanitize.Printable(string(s.sshConn.ClientVersion()), 128)
}

// Addr returns the client's address, IPv4 never mapped to IPv6.
func (s *Session) Addr() netip.AddrPort { return s.conn.addr }

// Command returns the command line as the client sent it: at most Limits.CommandBytes arbitrary bytes. ok is
// false if the client requested a shell.
func (s *Session) Command() (line string, ok bool) { return s.command, s.hasCommand }

// PTY returns the client's terminal with its newest size; ok is false if it has none.
func (s *Session) PTY() (t Terminal, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal == nil {
		return Terminal{}, false
	}
	return *s.terminal, true
}

// Resized returns a channel that receives the newest size after changes. It is never closed.
func (s *Session) Resized() <-chan Size { return s.resized }

// Env returns the value of an environment variable that the client has set. Only LANG, LC_*, COLORTERM,
// NO_COLOR and TERM_PROGRAM with printable values are kept.
func (s *Session) Env(name string) (value string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok = s.env[name]
	return value, ok
}

// Read reads input. It returns io.EOF after the client has closed its input or its channel. The end of the
// context does not interrupt it.
func (s *Session) Read(p []byte) (int, error) {
	s.resumeInput()
	if s.inputEnded.Load() {
		return 0, io.EOF
	}
	n, err := s.channel.Read(p)
	if n > 0 {
		s.lastInput.Store(int64(time.Since(s.conn.server.started)))
	}
	if err != nil {
		s.inputEnded.Store(true)
	}
	return n, err
}

// DeferInput implements limit.InputDeferrer: until the next call of Read the connection is read only about
// four times a second, since many small packets cost much less together than one at a time. The input of the
// connection's other sessions is late by as much.
func (s *Session) DeferInput() {
	if !s.deferring.Swap(true) {
		s.conn.deferring.Add(1)
	}
	if s.ctx.Err() != nil { // close may have called resumeInput before
		s.resumeInput()
	}
}

// resumeInput ends the effect of DeferInput.
func (s *Session) resumeInput() {
	if s.deferring.Swap(false) {
		s.conn.deferring.Add(-1)
	}
}

// DiscardInput reads and discards input until Read returns an error. A handler that does not read runs it on
// its own goroutine, because input is buffered until it is read.
func (s *Session) DiscardInput() {
	defer s.conn.server.recoverPanic("discarding input")
	var p [512]byte
	for {
		if _, err := s.Read(p[:]); err != nil {
			return
		}
	}
}

// Write writes output and blocks until the client's window has taken it. The connection is closed if the
// client takes nothing for Limits.Stall, so Write always returns.
func (s *Session) Write(p []byte) (int, error) { return s.write(s.channel, p) }

// Stderr returns the stream for errors; writing to it is like Write.
func (s *Session) Stderr() io.Writer { return stderrWriter{s} }

type stderrWriter struct{ *Session }

func (e stderrWriter) Write(p []byte) (int, error) { return e.write(e.channel.Stderr(), p) }

// write writes in pieces of 4 KiB: each has its own Limits.Stall, and x/crypto keeps a buffer of the size of
// the largest until the session ends.
func (s *Session) write(w io.Writer, p []byte) (n int, err error) {
	const piece = 4 << 10
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	defer s.stallTimer.Stop()
	for len(p) > 0 && err == nil {
		s.stallTimer.Reset(s.conn.server.limits().Stall)
		var m int
		m, err = w.Write(p[:min(len(p), piece)])
		n, p = n+m, p[m:]
	}
	return n, err
}

// Lag returns the smoothed round-trip time; 0 until it is known. A client can make it longer, but never
// shorter than the network's.
func (s *Session) Lag() time.Duration { return time.Duration(s.conn.rtt.nanos.Load()) }

// LastInput returns when Read last returned input, or when the handler started.
func (s *Session) LastInput() time.Time {
	return s.conn.server.started.Add(time.Duration(s.lastInput.Load()))
}

// SetIdleLimit sets how long the session may have no input; 0 or less means no limit. The time counts from
// the last input, also if that was under another limit.
func (s *Session) SetIdleLimit(d time.Duration) {
	s.mu.Lock()
	s.idleLimit = d
	if s.idleTimer == nil && d > 0 {
		s.idleTimer = s.conn.server.afterFunc(time.Hour, s.checkIdle)
	}
	s.mu.Unlock()
	s.checkIdle()
}

// checkIdle ends the session if its idle limit is reached, else sets the timer for it.
func (s *Session) checkIdle() {
	s.mu.Lock()
	limit, timer := s.idleLimit, s.idleTimer
	if timer == nil {
		s.mu.Unlock()
		return
	}
	rest := limit - time.Since(s.LastInput())
	if limit <= 0 || s.ctx.Err() != nil {
		timer.Stop()
	} else if rest > 0 {
		timer.Reset(rest)
	}
	s.mu.Unlock()
	if limit > 0 && rest <= 0 {
		s.conn.server.limitHits.Add(hitIdle)
		s.cancelContext(ErrIdle)
	}
}

// End ends the session with a notice, as Shutdown does: its context ends with a *DrainError as the cause, and
// the client is sent the notice.
func (s *Session) End(notice string) { s.cancelContext(&DrainError{notice}) }

// CloseConn closes the client's connection with all of its sessions, and drops unsent output.
func (s *Session) CloseConn() { s.conn.abort(errClosedByHandler) }
