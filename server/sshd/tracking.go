package sshd

import "sync"

// tracker knows a server's open connections and sessions, and when a drain is complete. Its methods may be
// called from any goroutine.
type tracker struct {
	mu       sync.Mutex // see the order in doc.go
	conns    map[*conn]struct{}
	sessions map[*Session]struct{}
	draining *DrainError
	drained  chan struct{} // closed when draining and both maps are empty
}

func newTracker() *tracker {
	return &tracker{
		conns:    make(map[*conn]struct{}),
		sessions: make(map[*Session]struct{}),
		drained:  make(chan struct{}),
	}
}

// track registers a connection; it returns false while draining.
func (t *tracker) track(c *conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.draining != nil {
		return false
	}
	t.conns[c] = struct{}{}
	return true
}

func (t *tracker) untrack(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.conns, c)
	t.closeIfDrained()
}

// trackSession registers a session whose handler starts; it returns a *DrainError while draining.
func (t *tracker) trackSession(s *Session) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.draining != nil {
		return t.draining
	}
	t.sessions[s] = struct{}{}
	return nil
}

func (t *tracker) untrackSession(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, s)
	t.closeIfDrained()
}

// beginDrain starts the drain and returns the open connections and sessions; the second call returns none.
func (t *tracker) beginDrain(why *DrainError) (conns []*conn, sessions []*Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.draining != nil {
		return nil, nil
	}
	t.draining = why
	for c := range t.conns {
		conns = append(conns, c)
	}
	for s := range t.sessions {
		sessions = append(sessions, s)
	}
	t.closeIfDrained()
	return conns, sessions
}

// closeIfDrained closes t.drained if the drain is complete. t.mu must be held.
func (t *tracker) closeIfDrained() {
	if t.draining == nil || len(t.conns)+len(t.sessions) > 0 {
		return
	}
	select {
	case <-t.drained:
	default:
		close(t.drained)
	}
}

// openConns returns the connections that are open now.
func (t *tracker) openConns() (conns []*conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.conns {
		conns = append(conns, c)
	}
	return conns
}

// openSessions returns the sessions whose handler is running.
func (t *tracker) openSessions() (sessions []*Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.sessions {
		sessions = append(sessions, s)
	}
	return sessions
}

// isDraining reports whether beginDrain has been called.
func (t *tracker) isDraining() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.draining != nil
}

// sessionCount returns the number of sessions whose handler is running.
func (t *tracker) sessionCount() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.sessions)
}

// closeWhenIdle closes the connection of a draining server if it has no session. Otherwise unusedLimit
// closes it after its last one.
func (c *conn) closeWhenIdle() {
	if c.isIdle() {
		_ = c.Close()
	}
}
