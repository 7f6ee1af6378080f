package sshd

import (
	"context"
	"errors"
	"sync"
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

// Session is one session of a client: a terminal, or one command. Its methods may be called
// from any goroutine, Read from one at a time.
//
// The context that its handler gets ends when the channel is closed by either side (the
// connection may well stay), when there was no input for the idle limit (ErrIdle), or when the
// server drains (*DrainError). In the last two cases the handler can still write; once it has
// returned, or after the limit Grace, the server writes the reason to the client and closes the channel,
// which makes Read and Write return.
//
// Only a server sends data on the stream for errors. The connection of a client that does is closed, because
// that data would be buffered without limit.
type Session struct {
	stream
	setup
	sshConn     *gossh.ServerConn
	wishContext ssh.Context // the connection's

	key        gossh.PublicKey
	command    string        // set once, before the handler starts
	finished   chan struct{} // closed when the handler has returned
	finishOnce sync.Once
	hasCommand bool // set with command

	mu         sync.Mutex
	idleTimer  *time.Timer // nil until there is a handler and a limit
	idleLimit  time.Duration
	onOverrun  func()      // ends the session after Grace; nil before the handler and after it is scheduled
	graceTimer *time.Timer // runs onOverrun; nil until the server ends the context
}

func newSession(c *conn, sc *gossh.ServerConn, ch gossh.Channel, ctx ssh.Context) *Session {
	s := &Session{
		stream:      stream{conn: c, channel: ch},
		setup:       setup{resized: make(chan Size, 1)},
		sshConn:     sc,
		wishContext: ctx,
		key:         provedKey(sc),
		finished:    make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.stall.init(c.server, func() { c.abort(errStall) })
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

// Command returns the command line as the client sent it: at most Limits.CommandBytes arbitrary bytes. ok is
// false if the client requested a shell.
func (s *Session) Command() (line string, ok bool) { return s.command, s.hasCommand }

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

// IsClosed reports whether the channel or its connection is closed, so that nothing that is written arrives. It is
// false for a while after the network has failed.
func (s *Session) IsClosed() bool { return context.Cause(s.ctx) == context.Canceled }

// End ends the session with a notice, as Shutdown does: its context ends with a *DrainError as the cause, and
// the client is sent the notice.
func (s *Session) End(notice string) { s.cancelContext(&DrainError{notice}) }

// CloseConn closes the client's connection with all of its sessions, and drops unsent output.
func (s *Session) CloseConn() { s.conn.abort(errClosedByHandler) }
