package sshd

import "time"

// Stats has the server's counts at one moment.
type Stats struct {
	Connections int    // all of them
	Handshakes  int    // those whose client is not authenticated yet
	Sessions    int    // running handlers
	Rejected    uint64 // connections that were not let in, since the start
	// AcceptFailures counts the connections that could not be accepted, for want of file descriptors
	// for example, since the start.
	AcceptFailures uint64
	// LimitHits counts how often each limit was exceeded, and how often a connection was closed for
	// each reason, since the start. The keys are identifiers in snake_case, which do not change.
	LimitHits map[string]uint64
}

// Stats returns the present counts.
func (srv *Server) Stats() Stats {
	srv.limiter.mu.Lock()
	stats := Stats{
		Connections: srv.limiter.total.connections,
		Handshakes:  srv.limiter.total.handshakes,
		Rejected:    srv.limiter.rejected,
	}
	srv.limiter.mu.Unlock()
	stats.LimitHits = srv.limitHits.All()
	for _, l := range srv.listeners {
		stats.AcceptFailures += l.Failures()
	}
	srv.mu.Lock()
	defer srv.mu.Unlock()
	stats.Sessions = len(srv.sessions)
	return stats
}

// track registers a connection; it returns false if the server is draining.
func (srv *Server) track(c *conn) bool {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if srv.draining != nil {
		return false
	}
	srv.conns[c] = struct{}{}
	return true
}

func (srv *Server) untrack(c *conn) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	delete(srv.conns, c)
	srv.closeIfDrained()
}

// trackSession registers a session whose handler starts; it returns a *DrainError if the server is draining.
func (srv *Server) trackSession(s *Session) error {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if srv.draining != nil {
		return srv.draining
	}
	srv.sessions[s] = struct{}{}
	return nil
}

func (srv *Server) untrackSession(s *Session) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	delete(srv.sessions, s)
	srv.closeIfDrained()
}

// beginDrain starts the drain and returns the open connections and sessions; the second call returns none.
func (srv *Server) beginDrain(why *DrainError) (conns []*conn, sessions []*Session) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if srv.draining != nil {
		return nil, nil
	}
	srv.draining = why
	for c := range srv.conns {
		conns = append(conns, c)
	}
	for s := range srv.sessions {
		sessions = append(sessions, s)
	}
	srv.closeIfDrained()
	return conns, sessions
}

// closeIfDrained closes srv.drained if the drain is complete. srv.mu must be held.
func (srv *Server) closeIfDrained() {
	if srv.draining == nil || len(srv.conns)+len(srv.sessions) > 0 {
		return
	}
	select {
	case <-srv.drained:
	default:
		close(srv.drained)
	}
}

func (srv *Server) openConns() (conns []*conn) {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	for c := range srv.conns {
		conns = append(conns, c)
	}
	return conns
}

// unusedLimit returns how long a connection may stay without a session: at most a second while the server
// drains, enough for the client to read the notice.
func (srv *Server) unusedLimit() time.Duration {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	if srv.draining != nil {
		return min(time.Second, srv.limits().Unused)
	}
	return srv.limits().Unused
}

// closeWhenIdle closes the connection of a draining server if it has no session. Otherwise unusedLimit
// closes it after its last one.
func (c *conn) closeWhenIdle() {
	if c.isIdle() {
		_ = c.Close()
	}
}
