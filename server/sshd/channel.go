package sshd

import (
	"path"
	"strings"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Payloads of the supported requests (RFC 4254, section 6).
type (
	ptyRequest struct {
		Term                                    string
		Columns, Rows, PixelWidth, PixelsHeight uint32
		Modes                                   string
	}
	windowRequest struct{ Columns, Rows, PixelWidth, PixelsHeight uint32 }
	envRequest    struct{ Name, Value string }
	execRequest   struct{ Line string }
)

// rejectChannel rejects every channel type but "session": forwarding in both directions, X11 and agents.
func (srv *Server) rejectChannel(_ *ssh.Server, _ *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	if c, ok := ctx.Value(connKey{}).(*conn); ok {
		c.rejectChannel(nc, gossh.Prohibited, "only sessions are served here")
	}
}

// serveChannel serves a channel of type "session". It returns when the channel is closed and its handler,
// if it was started, has returned; until then the channel counts towards Limits.Channels.
func (srv *Server) serveChannel(_ *ssh.Server, sc *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	growStack4KiB() // to accept
	c, ok := ctx.Value(connKey{}).(*conn)
	if !ok || !c.openChannel() {
		c.rejectChannel(nc, gossh.ResourceShortage, "too many sessions, or too fast")
		return
	}
	defer c.closeChannel()
	ch, requests, err := nc.Accept()
	if err != nil {
		return
	}
	if c.keepAlive(sc) {
		srv.announceHostKeys(sc)
	}
	s := newSession(c, sc, ch, ctx)
	defer s.close()
	go s.refuseExtended()
	for req := range requests {
		if (req.Type == "shell" || req.Type == "exec") && s.acceptStart(req) {
			s.start(req)
			continue
		}
		_ = req.Reply(s.request(req), nil)
	}
}

// request handles a request that does not start the handler, and reports whether it is granted. Agent
// forwarding, X11, subsystems, signals and all others are not.
func (s *Session) request(req *gossh.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch req.Type {
	case "pty-req":
		var r ptyRequest
		if s.started || s.terminal != nil || gossh.Unmarshal(req.Payload, &r) != nil {
			return false
		}
		s.terminal = &Terminal{Term: cleanTerm(r.Term), Size: Size{Width: 80, Height: 24}}
		s.terminal.Size = s.clamp(r.Columns, r.Rows)
		return true
	case "window-change":
		var r windowRequest
		if s.terminal == nil || gossh.Unmarshal(req.Payload, &r) != nil {
			return false
		}
		s.resize(s.clamp(r.Columns, r.Rows))
		return true
	case "env":
		var r envRequest
		return !s.started && gossh.Unmarshal(req.Payload, &r) == nil && s.setEnv(r.Name, r.Value)
	}
	return false
}

// clamp returns the terminal size that a client requests, limited; 0 leaves a dimension unchanged (RFC 4254,
// section 6.2). s.mu must be held.
func (s *Session) clamp(columns, rows uint32) Size {
	size := s.terminal.Size
	if limits := s.conn.server.limits(); columns > uint32(limits.Width) || rows > uint32(limits.Height) {
		s.conn.server.limitHits.Add(hitTerminal)
	}
	if columns > 0 {
		size.Width = int(min(columns, uint32(s.conn.server.limits().Width)))
	}
	if rows > 0 {
		size.Height = int(min(rows, uint32(s.conn.server.limits().Height)))
	}
	return size
}

// resize sets the size and replaces the value in s.resized, so that the handler receives only the newest
// size. s.mu must be held.
func (s *Session) resize(size Size) {
	if size == s.terminal.Size {
		return
	}
	s.terminal.Size = size
	select {
	case <-s.resized:
	default:
	}
	s.resized <- size // cannot block: s.mu is held, and nothing else sends
}

func (s *Session) setEnv(name, value string) bool {
	limits := s.conn.server.limits()
	if len(name)+len(value) > limits.EnvBytes {
		s.conn.server.limitHits.Add(hitEnv)
		return false
	}
	if !isAllowedEnv(name, value) {
		return false
	}
	if _, known := s.env[name]; !known && len(s.env) >= limits.EnvCount {
		s.conn.server.limitHits.Add(hitEnv)
		return false
	}
	if s.env == nil {
		s.env = make(map[string]string)
	}
	s.env[name] = value
	return true
}

// acceptStart parses a request that starts the handler, and reports whether it is granted. Only one is.
func (s *Session) acceptStart(req *gossh.Request) bool {
	var r execRequest
	if req.Type == "exec" {
		if gossh.Unmarshal(req.Payload, &r) != nil || isFileCopy(r.Line) {
			return false
		}
		if len(r.Line) > s.conn.server.limits().CommandBytes {
			s.conn.server.limitHits.Add(hitCommand)
			return false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started || s.ctx.Err() != nil {
		return false
	}
	s.started = true
	s.command, s.hasCommand = r.Line, req.Type == "exec"
	return true
}

// isFileCopy reports whether a command line is that of scp, sftp or rsync. It is refused, so that such a
// program fails immediately.
func isFileCopy(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false
	}
	switch path.Base(words[0]) {
	case "scp", "sftp-server", "internal-sftp", "rsync":
		return true
	}
	return false
}

// start passes the session to wish, which calls the handler. wish does not limit requests, so it gets the
// one that starts the handler and no other.
func (s *Session) start(req *gossh.Request) {
	s.conn.handlerStarted(s.hasCommand)
	one := make(chan *gossh.Request, 1)
	one <- req
	close(one)
	ssh.DefaultSessionHandler(s.conn.server.sshServer, s.sshConn, acceptedChannel{s.channel, one}, sessionContext{s.wishContext, s})
}

// acceptedChannel is a gossh.NewChannel for a channel that is already accepted.
type acceptedChannel struct {
	channel  gossh.Channel
	requests <-chan *gossh.Request
}

func (a acceptedChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	return a.channel, a.requests, nil
}
func (a acceptedChannel) Reject(gossh.RejectionReason, string) error { return a.channel.Close() }
func (a acceptedChannel) ChannelType() string                        { return "session" }
func (a acceptedChannel) ExtraData() []byte                          { return nil }
