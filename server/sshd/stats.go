package sshd

// Stats has the server's counts at one moment.
type Stats struct {
	Connections int    // all of them
	Handshakes  int    // those whose client is not authenticated yet
	Sessions    int    // running handlers
	Rejected    uint64 // connections that were not admitted, since the start
	// AcceptFailures counts the connections that could not be accepted, for want of file descriptors
	// for example, since the start.
	AcceptFailures uint64
	// LimitHits counts how often each limit was exceeded, and how often a connection was closed for
	// each reason, since the start. The keys are identifiers in snake_case, which do not change.
	LimitHits map[string]uint64
}

// Stats returns the current counts.
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
	stats.Sessions = srv.tracker.sessionCount()
	return stats
}
