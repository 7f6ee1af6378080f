package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"charm.land/log/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/picture/matchpicture"
)

// harness is a server with two members.
type harness struct {
	t        testing.TB
	db       *sqlite.Store
	l        *lobby.Lobby
	s        *Server
	addr     string // of its listener
	log      *servertest.Buffer
	ana, bob *lobby.Session
}

// open starts a server; change changes its configuration.
func open(t testing.TB, change func(*Config)) *harness {
	t.Helper()
	h := openLobby(t)
	h.serve("127.0.0.1:0", change)
	return h
}

// openLobby is open without a server.
func openLobby(t testing.TB) *harness {
	t.Helper()
	h := &harness{t: t, db: lobbytest.Store(t), log: new(servertest.Buffer)}
	h.l = lobbytest.New(t, lobby.Config{Store: h.db})
	h.ana, h.bob = lobbytest.Member(t, h.l, "ana"), lobbytest.Member(t, h.l, "bob")
	return h
}

// serve starts a server of the lobby on an address.
func (h *harness) serve(addr string, change func(*Config)) {
	h.t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.serveOn(l, change)
}

// newServer returns a server of the lobby, which serves nothing yet.
func (h *harness) newServer(change func(*Config)) *Server {
	logger := log.New(h.log)
	logger.SetLevel(log.DebugLevel)
	c := Config{
		Lobby: h.l, Games: gametest.Games, Pictures: matchpicture.NewPictures(gametest.Games), SSHTarget: "play.example.org",
		Site: func() string { return "Test Club" }, MaxRequests: 4000, MaxRequestsPerAddress: 4000, Logger: logger,
	}
	if change != nil {
		change(&c)
	}
	return New(c)
}

// serveOn starts a server of the lobby on a listener.
func (h *harness) serveOn(l net.Listener, change func(*Config)) {
	h.t.Helper()
	h.s = h.newServer(change)
	h.addr = l.Addr().String()
	done := make(chan error, 1)
	s := h.s
	go func() { done <- s.Serve(l) }()
	h.t.Cleanup(func() {
		// A browser keeps connections for its next requests, which net/http takes for idle only after 5 s.
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			h.t.Error(err)
		}
		if err := <-done; err != http.ErrServerClosed {
			h.t.Error(err)
		}
	})
}

// withClub gives the server a club with a policy.
func withClub(h *harness, p club.Policy) *access.Authorizer {
	h.t.Helper()
	c, err := club.New(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	a, err := access.NewAuthorizer(c, access.Policy{Policy: p})
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// start starts a match of ana and bob.
func (h *harness) start(p table.Proposal) string {
	h.t.Helper()
	if p.Game == "" {
		p.Game, p.Options = "ayu", []byte(`{"size":5,"pie":false}`)
	}
	return lobbytest.Start(h.t, h.ana, h.bob, p)
}

// play plays n turns of ana and bob, the first legal ones.
func (h *harness) play(id string, n int) {
	h.t.Helper()
	h.playAs(id, n, h.ana, h.bob)
}

// playAs plays n turns of the players of a match, of the first legal actions.
func (h *harness) playAs(id string, n int, players ...*lobby.Session) {
	h.t.Helper()
	for range n {
		for _, s := range players {
			p, err := s.AsPlayer(id)
			if err != nil {
				h.t.Fatal(err)
			}
			snap := p.Snapshot()
			if snap.Position.Turn() != p.Seat() {
				continue
			}
			at, turn := snap.Position, []string(nil)
			for len(turn) == 0 || at.MidTurn() && len(at.Legal()) > 0 {
				turn = append(turn, at.Legal()[0])
				if at, err = at.Play(turn[len(turn)-1]); err != nil {
					h.t.Fatal(err)
				}
			}
			if _, err := p.Act(h.t.Context(), snap.Version, turn); err != nil {
				h.t.Fatal(err)
			}
			break
		}
	}
}

// startMu starts a match of Mu of three players.
func (h *harness) startMu() (id string, players []*lobby.Session) {
	h.t.Helper()
	carol := lobbytest.Member(h.t, h.l, "carol")
	open, err := h.ana.OpenTable(h.t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":7}`)})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, s := range []*lobby.Session{h.bob, carol} {
		if id, err = s.JoinTable(h.t.Context(), open.ID, ""); err != nil {
			h.t.Fatal(err)
		}
	}
	return id, []*lobby.Session{h.ana, h.bob, carol}
}

func (h *harness) resign(s *lobby.Session, id string) {
	h.t.Helper()
	p, err := s.AsPlayer(id)
	if err == nil {
		err = p.Resign(h.t.Context())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// response is an answer with its whole body.
type response struct {
	*http.Response
	body string
}

// get asks for a path.
func (h *harness) get(path string, headers ...string) response {
	h.t.Helper()
	return h.do(http.MethodGet, path, headers...)
}

func (h *harness) do(method, path string, headers ...string) response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, "http://"+h.addr+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return response{resp, string(body)}
}

// client follows no redirects, and keeps many connections.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
}

// status wants a status of a path.
func (h *harness) status(want int, path string, headers ...string) response {
	h.t.Helper()
	r := h.get(path, headers...)
	if r.StatusCode != want {
		h.t.Errorf("%s: %d, not %d: %.300s", path, r.StatusCode, want, r.body)
	}
	return r
}

// event is an event of a stream.
type event struct {
	id, kind string
	data     map[string]any
}

// stream is an open stream of events.
type stream struct {
	t     testing.TB
	body  io.ReadCloser
	lines *bufio.Scanner
}

// stream opens a stream.
func (h *harness) stream(path string, headers ...string) *stream {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://"+h.addr+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		h.t.Fatalf("%s: %s %v", path, resp.Status, resp.Header)
	}
	h.t.Cleanup(func() { resp.Body.Close() })
	return &stream{h.t, resp.Body, bufio.NewScanner(resp.Body)}
}

// next returns the next event; false at the end of the stream.
func (s *stream) next() (e event, ok bool) {
	s.t.Helper()
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e.data); err != nil {
				s.t.Fatal(err)
			}
		case "":
			if e.kind != "" {
				return e, true
			}
		}
	}
	return e, false
}

// want reads an event and compares it.
func (s *stream) want(kind string, version int) event {
	s.t.Helper()
	e, ok := s.next()
	if !ok || e.kind != kind || e.id != fmt.Sprint(version) || e.data["event"] != kind {
		s.t.Fatalf("%+v, not %s %d", e, kind, version)
	}
	return e
}

func public(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }
