package sshd

import (
	"sync"

	gossh "golang.org/x/crypto/ssh"
)

// Size is a terminal's size in cells: at least 1×1 and at most the server's limits. It is an alias, so that
// the screens can use it without importing this package.
type Size = struct{ Width, Height int }

// Terminal is a client's description of its terminal.
type Terminal struct {
	// Term is the value of TERM: at most 64 of [A-Za-z0-9.+_-]; empty if it was anything else.
	Term string
	Size
}

// Payloads of the requests that a setup handles (RFC 4254, section 6).
type (
	ptyRequest struct {
		Term                                   string
		Columns, Rows, PixelWidth, PixelHeight uint32
		Modes                                  string
	}
	windowRequest struct{ Columns, Rows, PixelWidth, PixelHeight uint32 }
	envRequest    struct{ Name, Value string }
)

// setup is what a client has requested for its session: a terminal and environment variables.
type setup struct {
	resized chan Size // see Resized

	mu       sync.Mutex
	onResize func() // see OnResize; nil: none
	started  bool   // from then on only the size can change
	terminal *Terminal
	env      map[string]string
}

// markStarted records that the handler is about to start. It returns false if that was recorded before.
func (s *setup) markStarted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.started
	s.started = true
	return first
}

// hasStarted reports whether the handler has been started.
func (s *setup) hasStarted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// PTY returns the client's terminal with its newest size; ok is false if it has none.
func (s *setup) PTY() (t Terminal, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal == nil {
		return Terminal{}, false
	}
	return *s.terminal, true
}

// Resized returns a channel that receives the newest size after changes. It is never closed.
func (s *setup) Resized() <-chan Size { return s.resized }

// OnResize sets the function that is called when the channel of Resized has a size, also one that it has already. It is
// called with a lock held, and must neither block nor call methods of the session.
func (s *setup) OnResize(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onResize = f
	if len(s.resized) > 0 {
		f()
	}
}

// Env returns the value of an environment variable that the client has set. Only LANG, LC_*, COLORTERM,
// NO_COLOR and TERM_PROGRAM with printable values are kept.
func (s *setup) Env(name string) (value string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok = s.env[name]
	return value, ok
}

// request handles a request that does not start the handler, and reports whether it is granted. Agent
// forwarding, X11, subsystems, signals and all others are not.
func (s *setup) request(req *gossh.Request, srv *Server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch req.Type {
	case "pty-req":
		var r ptyRequest
		if s.started || s.terminal != nil || gossh.Unmarshal(req.Payload, &r) != nil {
			return false
		}
		s.terminal = &Terminal{Term: cleanTerm(r.Term), Size: Size{Width: 80, Height: 24}}
		s.terminal.Size = s.clamp(r.Columns, r.Rows, srv)
		return true
	case "window-change":
		var r windowRequest
		if s.terminal == nil || gossh.Unmarshal(req.Payload, &r) != nil {
			return false
		}
		s.resize(s.clamp(r.Columns, r.Rows, srv))
		return true
	case "env":
		var r envRequest
		return !s.started && gossh.Unmarshal(req.Payload, &r) == nil && s.setEnv(r.Name, r.Value, srv)
	}
	return false
}

// clamp returns the terminal size that a client requests, limited; 0 leaves a dimension unchanged (RFC 4254,
// section 6.2). s.mu must be held.
func (s *setup) clamp(columns, rows uint32, srv *Server) Size {
	size := s.terminal.Size
	if limits := srv.limits(); columns > uint32(limits.Width) || rows > uint32(limits.Height) {
		srv.limitHits.Add(hitTerminal)
	}
	if columns > 0 {
		size.Width = int(min(columns, uint32(srv.limits().Width)))
	}
	if rows > 0 {
		size.Height = int(min(rows, uint32(srv.limits().Height)))
	}
	return size
}

// resize sets the size and replaces the value in s.resized, so that the handler receives only the newest
// size. s.mu must be held.
func (s *setup) resize(size Size) {
	if size == s.terminal.Size {
		return
	}
	s.terminal.Size = size
	select {
	case <-s.resized:
	default:
	}
	s.resized <- size // cannot block: s.mu is held, and nothing else sends
	if s.onResize != nil {
		s.onResize()
	}
}

// setEnv keeps an environment variable if it is allowed, and reports whether it is. s.mu must be held.
func (s *setup) setEnv(name, value string, srv *Server) bool {
	limits := srv.limits()
	if len(name)+len(value) > limits.EnvBytes {
		srv.limitHits.Add(hitEnv)
		return false
	}
	if !isAllowedEnv(name, value) {
		return false
	}
	if _, known := s.env[name]; !known && len(s.env) >= limits.EnvCount {
		srv.limitHits.Add(hitEnv)
		return false
	}
	if s.env == nil {
		s.env = make(map[string]string)
	}
	s.env[name] = value
	return true
}
