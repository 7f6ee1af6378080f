package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/server"
	"ayumu/server/servertest"
	"ayumu/server/sshd"
	"ayumu/tui/game/gametest"
)

// loopback is from where the tests' clients come.
var loopback = netip.MustParseAddr("127.0.0.1")

// harness is a whole server on a free port.
type harness struct {
	t    *testing.T
	addr string
	l    *lobby.Lobby
}

func open(t *testing.T) harness {
	t.Helper()
	l := lobbytest.Open(t)
	return serve(t, &server.Handler{Games: gametest.Games, Lobby: l, SSHTarget: "-p 2222 localhost", Version: "test", Log: log.New(io.Discard)})
}

// serve starts a server with a handler, which stops when the test ends.
func serve(t *testing.T, handler *server.Handler) harness {
	t.Helper()
	srv, err := sshd.Listen(sshd.Config{
		Listen: []string{"127.0.0.1:0"}, HostKeys: []string{filepath.Join(t.TempDir(), "key")}, Handler: handler, Logger: handler.Log,
	})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve() }()
	t.Cleanup(func() {
		if err := srv.Shutdown(t.Context(), "the test is over"); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		<-served
		handler.Lobby.Close()
	})
	return harness{t, srv.Addrs()[0].String(), handler.Lobby}
}

// enter makes an account of a key, as a first visit does, and goes into the lobby beside its program.
func (h harness) enter(name string, key ssh.Signer) *lobby.Session {
	h.t.Helper()
	h.program(name, key)
	a, _, err := h.l.Accounts.ByKey(h.t.Context(), key.PublicKey().Marshal())
	if err != nil {
		h.t.Fatal(err)
	}
	s, err := h.l.Enter(a, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { s.Close(false) })
	return s
}

// dial connects; a nil key is a guest.
func (h harness) dial(user string, key ssh.Signer) *ssh.Client {
	h.t.Helper()
	return servertest.Dial(h.t, h.addr, user, key)
}

// object is a JSON object from the server.
type object map[string]any

func (o object) text(key string) string { s, _ := o[key].(string); return s }
func (o object) number(key string) int  { n, _ := o[key].(float64); return int(n) }
func (o object) code() string {
	e, _ := o["error"].(map[string]any)
	return object(e).text("code")
}

// apiClient is a client of the JSON interface.
type apiClient struct {
	t       *testing.T
	in      io.Writer
	objects chan object // closed when the output ends
	you     object      // of the welcome
	waiting []object    // events that came while an answer was awaited
	id      int
	client  *ssh.Client
}

func (h harness) program(user string, key ssh.Signer) *apiClient {
	h.t.Helper()
	c := h.dial(user, key)
	s, err := c.NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err := s.Start("api"); err1 != nil || err2 != nil || err != nil {
		h.t.Fatal(err1, err2, err)
	}
	p := &apiClient{t: h.t, in: in, objects: make(chan object, 10000), client: c}
	go func() {
		defer close(p.objects)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var o object
			if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
				h.t.Errorf("not JSON: %q", lines.Text())
				return
			}
			p.objects <- o
		}
	}()
	if w := p.next(); w.text("event") != "welcome" || w.number("protocol") != 1 {
		h.t.Fatalf("welcomed with %v", w)
	} else {
		p.you, _ = w["you"].(map[string]any)
	}
	return p
}

// next returns the next object of any kind.
func (p *apiClient) next() object {
	p.t.Helper()
	select {
	case o, ok := <-p.objects:
		if !ok {
			p.t.Fatal("the connection ended")
		}
		return o
	case <-time.After(servertest.WaitTimeout):
		p.t.Fatal("nothing came")
	}
	return nil
}

func (p *apiClient) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// ask makes a request and returns its answer; events that come before it wait.
func (p *apiClient) ask(op string, args object) object {
	p.t.Helper()
	p.id++
	request := object{"id": p.id, "op": op}
	for k, v := range args {
		request[k] = v
	}
	line, err := json.Marshal(request)
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(string(line))
	for {
		o := p.next()
		if re, isAnswer := o["re"]; isAnswer {
			if re != float64(p.id) {
				p.t.Fatalf("answer %v to request %d", o, p.id)
			}
			return o
		}
		p.waiting = append(p.waiting, o)
	}
}

// must is ask for what cannot be refused.
func (p *apiClient) must(op string, args object) object {
	p.t.Helper()
	o := p.ask(op, args)
	if o["ok"] != true {
		p.t.Fatalf("%s %v: %v", op, args, o)
	}
	return o
}

// event returns the next event of a kind; those before it are dropped.
func (p *apiClient) event(kind string) object {
	p.t.Helper()
	for {
		var o object
		if len(p.waiting) > 0 {
			o, p.waiting = p.waiting[0], p.waiting[1:]
		} else {
			o = p.next()
		}
		if o.text("event") == kind {
			return o
		}
	}
}

// command runs one command line without a terminal.
func (h harness) command(key ssh.Signer, line string) (out, errs string, status int) {
	h.t.Helper()
	s, err := h.dial("somebody", key).NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	var o, e servertest.Buffer
	s.Stdout, s.Stderr = &o, &e
	switch err := s.Run(line).(type) {
	case nil:
	case *ssh.ExitError:
		status = err.ExitStatus()
	default:
		h.t.Fatal(err)
	}
	return o.String(), e.String(), status
}

func quote(v any) string { return fmt.Sprintf("%q", v) }
