package sshd

import (
	"path"
	"strings"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// execRequest is the payload of a request for a command (RFC 4254, section 6.5).
type execRequest struct{ Line string }

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
		_ = req.Reply(s.request(req, c.server), nil)
	}
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
	if s.ctx.Err() != nil || !s.markStarted() {
		return false
	}
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

// emptyCommand is the payload of an execRequest with an empty command. wish reads a command from the request for a shell,
// too, and would make an error of its empty payload.
var emptyCommand = gossh.Marshal(execRequest{})

// start passes the session to wish, which calls the handler. wish does not limit requests, so it gets the
// one that starts the handler and no other.
func (s *Session) start(req *gossh.Request) {
	if !s.hasCommand {
		req.Payload = emptyCommand
	}
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
