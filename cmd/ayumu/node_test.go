package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"golang.org/x/crypto/ssh"

	"ayumu/lobby/store/sqlite"
	"ayumu/server/servertest"
)

// apiClient is a program on the API.
type apiClient struct {
	t     *testing.T
	in    io.Writer
	lines chan apiLine
}

// apiLine has the fields of answers and events that the tests read.
type apiLine struct {
	Re, Event, Match, Table, Position, Code, Message string
	OK, Over                                         bool
	Version, Turn, You                               int
	Legal                                            []string
	Error                                            struct{ Code, Message string }
}

// api opens the API of a server.
func (p *process) api(t *testing.T, user string, key ssh.Signer) *apiClient {
	t.Helper()
	s, err := servertest.Dial(t, p.addr, user, key).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err := errors.Join(err1, err2, s.Start("api")); err != nil {
		t.Fatal(err)
	}
	a := &apiClient{t, in, make(chan apiLine, 1000)}
	go func() {
		defer close(a.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var l apiLine
			_ = json.Unmarshal(lines.Bytes(), &l) // members of other types than these are left out
			a.lines <- l
		}
	}()
	a.await("welcome")
	return a
}

// await returns the next event of a kind.
func (a *apiClient) await(event string) apiLine {
	a.t.Helper()
	return a.next(event, func(l apiLine) bool { return l.Event == event })
}

// ask sends a request and returns its answer, which must be one of success. fields are more members of the request.
func (a *apiClient) ask(op, fields string) apiLine {
	a.t.Helper()
	if _, err := fmt.Fprintf(a.in, `{"id":%q,"op":%q%s}`+"\n", op, op, fields); err != nil {
		a.t.Fatal(err)
	}
	l := a.next("the answer to "+op, func(l apiLine) bool { return l.Re == op })
	if !l.OK {
		a.t.Fatalf("%s: %+v", op, l.Error)
	}
	return l
}

func (a *apiClient) next(what string, is func(apiLine) bool) apiLine {
	a.t.Helper()
	for end := time.After(waitTimeout); ; {
		select {
		case l, ok := <-a.lines:
			switch {
			case !ok:
				a.t.Fatalf("%s does not come: the connection has ended", what)
			case is(l):
				return l
			}
		case <-end:
			a.t.Fatalf("%s does not come", what)
		}
	}
}

// runNATS runs a NATS server with a user until the test ends, and returns its URL.
func runNATS(t *testing.T) string {
	t.Helper()
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoLog: true, NoSigs: true,
		Username: "ayumu", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(waitTimeout) {
		t.Fatal("the NATS server does not start")
	}
	return fmt.Sprintf("nats://ayumu:secret@%s", s.Addr())
}

// TestNodesPlayWithEachOther starts two nodes on a database, with a NATS server and without: players on both play a
// game, a third node of the same name does not start, and `ayumu db copy` refuses to run beside them.
func TestNodesPlayWithEachOther(t *testing.T) {
	for name, nats := range map[string]string{"polling": "", "NATS": runNATS(t)} {
		t.Run(name, func(t *testing.T) {
			url := postgresStore(t)
			var nodes []*process
			for _, node := range []string{"a", "b"} {
				nodes = append(nodes, start(t, t.TempDir(), "--store", url, "--node", node, "--nats", nats))
			}
			keys := []ssh.Signer{servertest.NewKey(t), servertest.NewKey(t)}
			ana, bob := nodes[0].api(t, "ana", keys[0]), nodes[0].api(t, "bob", keys[1])
			table := ana.ask("open", `,"game":"ayu","options":{"size":5,"pie":false}`).Table
			bob.ask("join", fmt.Sprintf(`,"table":%q`, table))
			seated := []apiLine{ana.await("match"), bob.await("match")}
			elsewhere := nodes[1].api(t, "bob", keys[1])
			elsewhere.await("match")
			clients := []*apiClient{ana, elsewhere}
			for version := range 6 {
				mover := clients[0]
				if seated[0].You != version%2 {
					mover = clients[1]
				}
				legal := mover.ask("legal", fmt.Sprintf(`,"match":%q`, seated[0].Match))
				mover.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, seated[0].Match, version, legal.Legal[0]))
				for _, c := range clients {
					if turn := c.await("turn"); turn.Version != version+1 {
						t.Fatalf("%+v", turn)
					}
				}
			}
			elsewhere.ask("resign", fmt.Sprintf(`,"match":%q`, seated[0].Match))
			ana.await("over")

			other := t.TempDir()
			_, errs, status := ayumu(t, "", "serve", "--listen", "127.0.0.1:0", "--data", other, "--host-key", filepath.Join(other, "key"), "--store", url, "--node", "b")
			if status != 1 || !strings.Contains(words(errs), "another node of it has this name") || strings.Contains(errs, "secret") {
				t.Errorf("a second node of one name: exit %d, %s", status, errs)
			}
			if out, errs, status := ayumu(t, "", "db", "copy", "sqlite:"+filepath.Join(makeData(t), sqlite.FileName), url); status != 1 || !strings.Contains(words(errs), "stop all its nodes") {
				t.Errorf("db copy beside nodes: exit %d, %s%s", status, out, errs)
			}
			nodes[1].kill()
			start(t, t.TempDir(), "--store", url, "--node", "b", "--nats", nats)
			for _, p := range nodes {
				if strings.Contains(p.logs.String(), "secret") {
					t.Errorf("the log has a password:\n%s", p.logs)
				}
			}
		})
	}
}
