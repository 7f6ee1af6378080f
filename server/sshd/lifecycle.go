package sshd

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/ssh"

	"ayumu/lobby/sanitize"
)

// sessionKey is the context key of a session's *Session.
type sessionKey struct{}

// sessionContext is the context that wish has of a session. It ends with the session, and values that wish
// sets in it do not outlive it.
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

// serve returns the wish handler, which runs a session's handler.
func (srv *Server) serve(next ssh.Handler) ssh.Handler {
	return func(ws ssh.Session) {
		growStack16KiB() // for queries of the data file
		defer next(ws)
		s, ok := ws.Context().Value(sessionKey{}).(*Session)
		if !ok {
			return
		}
		defer close(s.finished)
		defer s.conn.handlerReturned(s.hasCommand)
		s.begin(ws)
		if err := srv.tracker.trackSession(s); err != nil {
			s.cancel(err)
			s.sendExit(ws, 1)
			return
		}
		defer srv.tracker.untrackSession(s)
		s.SetIdleLimit(srv.limits().Idle)
		s.sendExit(ws, s.runHandler())
	}
}

// begin records the start of the session, sets onOverrun and logs the session.
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
	// User names and arguments are not logged, because they may be codes that give access.
	srv.log.Info("session", "addr", s.Addr(), "key", s.Fingerprint(),
		"client", s.ClientVersion(), "command", commandName(s.command), "pty", pty, "term", term.Term)
}

// commandName returns the longest beginning of a command line of ASCII letters, digits and hyphens, at most
// 40. It is never longer than the first word, whatever counts as a space.
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

// runHandler calls the handler. It logs a panic and returns status 1.
func (s *Session) runHandler() (status int) {
	srv := s.conn.server
	defer func() {
		if r := recover(); r != nil {
			srv.log.Error("panic in a session", "addr", s.Addr(), "panic", sanitize.Printable(fmt.Sprint(r), 500), "stack", string(debug.Stack()))
			s.writeNotice("Internal error.")
			status = 1
		}
	}()
	return srv.handler.Serve(s.ctx, s)
}

// cancelContext ends the session's context with a cause, and after Limits.Grace the session itself if its
// handler has not returned.
func (s *Session) cancelContext(cause error) {
	s.cancel(cause)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onOverrun != nil {
		s.graceTimer = s.conn.server.afterFunc(s.conn.server.limits().Grace, s.onOverrun)
		s.onOverrun = nil
	}
}

// sendExit sends the client the exit status, before it the reason if the server ends the session, and closes
// the channel. Only the first call has an effect.
func (s *Session) sendExit(ws ssh.Session, status int) {
	s.finishOnce.Do(func() {
		cause := context.Cause(s.ctx)
		var drain *DrainError
		switch {
		case errors.Is(cause, ErrIdle):
			s.writeNotice("Closed: no input for a long time.")
		case errors.As(cause, &drain) && drain.Notice != "":
			s.writeNotice(drain.Notice)
		}
		_ = ws.Exit(status)
	})
}

// writeNotice writes a line to the client's errors, or to its terminal, which has only one stream: on the
// other one the line could arrive before the end of the screens, which clears the terminal.
func (s *Session) writeNotice(line string) {
	if _, pty := s.PTY(); pty {
		fmt.Fprint(s, line, "\r\n")
		return
	}
	fmt.Fprintln(s.Stderr(), line)
}

// close ends the context of a session whose channel is closed, waits for its handler and stops its timers.
func (s *Session) close() {
	s.cancel(context.Canceled)
	if s.hasStarted() {
		<-s.finished
	}
	s.resumeInput()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stall.stop()
	for _, t := range []*time.Timer{s.idleTimer, s.graceTimer} {
		if t != nil {
			t.Stop()
		}
	}
}

// refuseExtended closes the connection of a client that sends data on the stream for errors, where only a
// server may. It returns when the session's context ends. After the client's EOF reads no longer block on
// either stream, but data can still arrive, so it polls.
func (s *Session) refuseExtended() {
	defer s.conn.server.recoverPanic("session")
	var p [1]byte
	n, _ := s.channel.Stderr().Read(p[:]) // waits for the client's EOF, as a rule
	poll := time.NewTicker(10 * time.Second)
	defer poll.Stop()
	for n == 0 {
		select {
		case <-poll.C:
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
