// Package bustest runs a NATS server for tests, in their process. It imports the NATS server and no package of this
// module.
package bustest

import (
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startTimeout is how long a server may take to accept connections.
const startTimeout = time.Minute

// Server is a NATS server on a port of this machine. Start is the constructor. Its methods are called from one goroutine
// at a time.
type Server struct {
	t       testing.TB
	options server.Options
	running *server.Server
}

// Start starts a server until the test ends. If user is not nil, only that user can connect.
func Start(t testing.TB, user *url.Userinfo) *Server {
	t.Helper()
	s := &Server{t: t, options: server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true}}
	if user != nil {
		s.options.Username = user.Username()
		s.options.Password, _ = user.Password()
	}
	s.Run()
	t.Cleanup(s.Stop)
	s.options.Port = s.running.Addr().(*net.TCPAddr).Port
	return s
}

// URL returns the address of the server, which stays the same, with the user if there is one.
func (s *Server) URL() string {
	u := url.URL{Scheme: "nats", Host: fmt.Sprintf("%s:%d", s.options.Host, s.options.Port)}
	if s.options.Username != "" {
		u.User = url.UserPassword(s.options.Username, s.options.Password)
	}
	return u.String()
}

// Run starts a stopped server again.
func (s *Server) Run() {
	s.t.Helper()
	options := s.options
	running, err := server.NewServer(&options)
	if err != nil {
		s.t.Fatal(err)
	}
	running.Start()
	if !running.ReadyForConnections(startTimeout) {
		s.t.Fatal("the NATS server does not start")
	}
	s.running = running
}

// Stop ends the server and all its connections. It can be called more than once.
func (s *Server) Stop() {
	s.running.Shutdown()
	s.running.WaitForShutdown()
}
