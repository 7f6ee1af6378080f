package sshd

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/ssh"
)

// sessionKey is where a session's context keeps the session.
type sessionKey struct{}

// sessionContext is what wish knows as the context of a session: its end is the session's, and
// what wish writes into it does not outlive it.
type sessionContext struct {
	ssh.Context
	session *Session
}

func (c sessionContext) Deadline() (time.Time, bool) { return c.session.ctx.Deadline() }
func (c sessionContext) Done() <-chan struct{}       { return c.session.ctx.Done() }
func (c sessionContext) Err() error                  { return c.session.ctx.Err() }

func (c sessionContext) Value(key any) any {
	if key == (sessionKey{}) {
		return c.session
	}
	return c.session.ctx.Value(key)
}

// SetValue drops wish's session, which the connection would keep after its end.
func (c sessionContext) SetValue(key, value any) {
	if key != ssh.ContextKeySession {
		c.Context.SetValue(key, value)
	}
}

// serve is the wish handler: it runs the session's handler from its start to its end.
func (srv *Server) serve(next ssh.Handler) ssh.Handler {
	return func(ws ssh.Session) {
		growStack16KiB() // to look into the data file
		defer next(ws)
		s, ok := ws.Context().Value(sessionKey{}).(*Session)
		if !ok {
			return
		}
		defer close(s.finished)
		defer s.conn.handlerReturned(s.hasCommand)
		s.begin(ws)
		if err := srv.trackSession(s); err != nil {
			s.cancel(err)
			s.sendExit(ws, 1)
			return
		}
		defer srv.untrackSession(s)
		s.SetIdleLimit(srv.limits().Idle)
		s.sendExit(ws, s.runHandler())
	}
}

// begin notes the session's first moment and prepares what ends it after its context.
func (s *Session) begin(ws ssh.Session) {
	srv := s.conn.server
	s.lastInput.Store(int64(time.Since(srv.started)))
	s.mu.Lock()
	s.onOverrun = func() {
		select {
		case <-s.finished:
		default:
			srv.limitHits.Add(hitGrace)
			s.sendExit(ws, 1)
		}
	}
	s.mu.Unlock()
	term, pty := s.PTY()
	// A user name, or what follows a command's name, may be a code that lets somebody in.
	srv.log.Info("session", "addr", s.Addr(), "key", s.Fingerprint(),
		"client", s.ClientVersion(), "command", commandName(s.command), "pty", pty, "term", term.Term)
}

// commandName returns the name at the beginning of a command line: ASCII letters, digits and hyphens, at
// most 40. It ends sooner than the first word by anybody's idea of a space.
func commandName(line string) string {
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-')
	})
	if end < 0 {
		end = len(line)
	}
	return line[:min(end, 40)]
}

// runHandler calls the handler, whose panic is its own.
func (s *Session) runHandler() (status int) {
	srv := s.conn.server
	defer func() {
		if r := recover(); r != nil {
			srv.log.Error("panic in a session", "addr", s.Addr(), "panic", clean(fmt.Sprint(r), 500), "stack", string(debug.Stack()))
			fmt.Fprint(s.Stderr(), "Internal error.", s.newline())
			status = 1
		}
	}()
	return srv.handler.Serve(s.ctx, s)
}

// cancelContext ends the session's context, and the session itself if its handler does not.
func (s *Session) cancelContext(cause error) {
	s.cancel(cause)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onOverrun != nil {
		s.graceTimer = s.conn.server.afterFunc(s.conn.server.limits().Grace, s.onOverrun)
		s.onOverrun = nil
	}
}

// sendExit tells the client why the session ends, if it was the server's wish, and the exit
// status, and closes the channel.
func (s *Session) sendExit(ws ssh.Session, status int) {
	s.finishOnce.Do(func() {
		cause := context.Cause(s.ctx)
		var drain *DrainError
		switch {
		case errors.Is(cause, ErrIdle):
			fmt.Fprintf(s.Stderr(), "Closed: no input for a long time.%s", s.newline())
		case errors.As(cause, &drain) && drain.Notice != "":
			fmt.Fprint(s.Stderr(), drain.Notice, s.newline())
		}
		_ = ws.Exit(status)
	})
}

// newline is what ends a line at the client's end.
func (s *Session) newline() string {
	if _, pty := s.PTY(); pty {
		return "\r\n"
	}
	return "\n"
}

// close ends what is left of a session whose channel is closed, and waits for its handler.
func (s *Session) close() {
	s.cancel(context.Canceled)
	s.mu.Lock()
	started := s.started
	s.mu.Unlock()
	if started {
		<-s.finished
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range []*time.Timer{s.idleTimer, s.graceTimer, s.stallTimer} {
		if t != nil {
			t.Stop()
		}
	}
}

// refuseExtended closes the connection of a client that sends data where only a server may.
// After the client's EOF reading no longer waits, on neither stream, but data can still come.
func (s *Session) refuseExtended() {
	defer s.conn.server.recoverPanic("session")
	var p [1]byte
	n, _ := s.channel.Stderr().Read(p[:]) // waits for the client's EOF, as a rule
	look := time.NewTicker(10 * time.Second)
	defer look.Stop()
	for n == 0 {
		select {
		case <-look.C:
		case <-s.ctx.Done():
			return
		}
		n, _ = s.channel.Stderr().Read(p[:])
		if n == 0 && s.inputEnded.Load() {
			n, _ = s.channel.Read(p[:])
		}
	}
	s.conn.abort(errUnreadData)
}
