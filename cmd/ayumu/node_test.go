package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/crypto/ssh"

	"ayumu/cmd/cli"
	"ayumu/cmd/cli/clitest"
	"ayumu/lobby/bus/bustest"
	"ayumu/lobby/store/postgres"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/sqlite"
	"ayumu/server/servertest"
	"ayumu/server/sshd"
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

// ask sends a request and returns its answer, which must be one of success. fields are more members of the request. While
// the answer is unavailable it asks again: on a busy machine a node can be unsure of the time for a while.
func (a *apiClient) ask(op, fields string) apiLine {
	a.t.Helper()
	end, again := time.After(waitTimeout), time.NewTicker(200*time.Millisecond)
	defer again.Stop()
	for {
		if _, err := fmt.Fprintf(a.in, `{"id":%q,"op":%q%s}`+"\n", op, op, fields); err != nil {
			a.t.Fatal(err)
		}
		l := a.next("the answer to "+op, func(l apiLine) bool { return l.Re == op })
		if l.OK {
			return l
		}
		if l.Error.Code != "unavailable" {
			a.t.Fatalf("%s: %+v", op, l.Error)
		}
		select {
		case <-end:
			a.t.Fatalf("%s: %+v", op, l.Error)
		case <-again.C:
		}
	}
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

// startNATS starts a NATS server with a user, whose password is "secret", until the test ends.
func startNATS(t *testing.T) *bustest.Server {
	t.Helper()
	return bustest.Start(t, url.UserPassword("ayumu", "secret"))
}

// makeHostKey returns the file of a new host key.
func makeHostKey(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "key")
	if _, err := sshd.LoadHostKey(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// folderWith returns a folder for start with a copy of a host key.
func folderWith(t *testing.T, key string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	text, err := os.ReadFile(key)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "key"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestNodesPlayWithEachOther starts two nodes on a database, with a NATS server and without: players on both play a
// game, a third node of the same name does not start, and `ayumu db copy` refuses to run beside them.
func TestNodesPlayWithEachOther(t *testing.T) {
	for name, nats := range map[string]string{"polling": "", "NATS": startNATS(t).URL()} {
		t.Run(name, func(t *testing.T) {
			url := postgresStore(t)
			key := makeHostKey(t)
			startNode := func(name string) *process {
				return start(t, folderWith(t, key), "--store", url, "--node", name, "--nats", nats)
			}
			nodes := []*process{startNode("a"), startNode("b")}
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

			_, errs, status := clitest.Run(t, "", "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--host-key", key, "--store", url, "--node", "b")
			if status != 1 || !strings.Contains(words(errs), "another of its nodes has this name") || strings.Contains(errs, "secret") {
				t.Errorf("a second node of one name: exit %d, %s", status, errs)
			}
			if out, errs, status := clitest.Run(t, "", "db", "copy", "sqlite:"+filepath.Join(makeData(t), sqlite.FileName), url); status != 1 || !strings.Contains(words(errs), "stop all its nodes") {
				t.Errorf("db copy beside nodes: exit %d, %s%s", status, out, errs)
			}
			nodes[1].kill()
			startNode("b")
			for _, p := range nodes {
				if strings.Contains(p.logs.String(), "secret") {
					t.Errorf("the log has a password:\n%s", p.logs)
				}
			}
		})
	}
}

// TestMessagesOfNodesHaveNoContent listens to what two nodes send each other while players on both chat and play, and
// then sends it again, many times, with messages of its own: each player still gets each turn once.
func TestMessagesOfNodesHaveNoContent(t *testing.T) {
	broker, store, key := startNATS(t), postgresStore(t), makeHostKey(t)
	var nodes []*process
	for _, name := range []string{"a", "b"} {
		nodes = append(nodes, start(t, folderWith(t, key), "--store", store, "--node", name, "--nats", broker.URL()))
	}
	conn, err := nats.Connect(broker.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var mu sync.Mutex
	var heard []*nats.Msg
	listen, err := conn.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, m)
	})
	if err = errors.Join(err, conn.Flush()); err != nil {
		t.Fatal(err)
	}
	players := []*apiClient{nodes[0].api(t, "ana", servertest.NewKey(t)), nodes[1].api(t, "bob", servertest.NewKey(t))}
	var table string
	servertest.Until(t, "bob, on the other node, is challenged", func() bool { // until a knows of bob
		fmt.Fprintln(players[0].in, `{"id":"open","op":"open","game":"ayu","options":{"size":7,"pie":false},"to":"bob","first":"owner"}`)
		l := players[0].next("the answer to open", func(l apiLine) bool { return l.Re == "open" })
		table = l.Table
		return l.OK
	})
	players[1].await("table")
	players[1].ask("join", fmt.Sprintf(`,"table":%q`, table))
	match := players[1].await("match").Match
	players[0].await("match")
	version := 0
	play := func(turns int) {
		for range turns {
			mover := players[version%2]
			legal := mover.ask("legal", fmt.Sprintf(`,"match":%q`, match))
			mover.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, match, version, legal.Legal[0]))
			version++
			for i, p := range players {
				if turn := p.await("turn"); turn.Version != version {
					t.Fatalf("player %d gets version %d, want %d", i, turn.Version, version)
				}
			}
		}
	}
	play(4)
	players[0].ask("say", fmt.Sprintf(`,"match":%q,"text":"quidproquo"`, match))
	players[1].await("chat")
	play(4)
	servertest.Until(t, "messages were heard", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(heard) >= 8
	})
	if err := listen.Unsubscribe(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, m := range heard {
		if len(m.Data) != 8 || len(m.Header) > 0 || !strings.HasSuffix(m.Subject, ".changes") {
			t.Errorf("on %s is sent %q, which is more than a time", m.Subject, m.Data)
		}
	}
	subject := heard[0].Subject
	for _, forged := range [][]byte{nil, []byte("x"), make([]byte, 8), []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), []byte(match), make([]byte, 60000)} {
		heard = append(heard, &nats.Msg{Subject: subject, Data: forged})
	}
	send := func() {
		for range 20 {
			for _, m := range heard {
				if err := conn.Publish(subject, m.Data); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	send()
	play(3)
	send()
	play(3)
	for i, p := range players {
		if l := p.ask("watch", fmt.Sprintf(`,"match":%q`, match)); l.Version != version {
			t.Errorf("player %d sees version %d of %d", i, l.Version, version)
		}
	}
	for _, p := range nodes {
		if strings.Contains(p.logs.String(), "panic") {
			t.Errorf("a node's log:\n%s", p.logs)
		}
	}
}

// TestNodesHaveOneHostKey: the first node's key is that of all. Another does not make a key of its own and refuses to
// start with a different one; `ayumu hostkey --replace` changes it for all, while none runs.
func TestNodesHaveOneHostKey(t *testing.T) {
	url, dir := postgresStore(t), t.TempDir()
	missing, different := filepath.Join(dir, "missing"), makeHostKey(t)
	p := start(t, dir, "--store", url, "--node", "a")
	refused := func(says string, args ...string) {
		t.Helper()
		if out, errs, status := clitest.Run(t, "", args...); status != 1 || !strings.Contains(words(errs), says) {
			t.Errorf("%v: exit %d, %s%s, want %q", args, status, out, errs, says)
		}
	}
	serve := func(key string) []string {
		return []string{"serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--store", url, "--node", "b", "--host-key", key}
	}
	refused("copy their file to this node", serve(missing)...)
	refused("copy their file to this node", "hostkey", "--store", url, "--host-key", missing)
	if _, err := os.Stat(missing); err == nil {
		t.Error("a second node has made a key")
	}
	refused("`ayumu hostkey --replace`", serve(different)...)
	refused("stop all its nodes", "hostkey", "--replace", "--store", url, "--host-key", different)
	refused("make it with", "hostkey", "--replace", "--force", "--store", url, "--host-key", missing)
	refused("only the nodes of a PostgreSQL database", "hostkey", "--replace", "--host-key", different)
	if out, errs, status := clitest.Run(t, "", "hostkey", "--store", url, "--host-key", filepath.Join(dir, "key")); status != 0 || !strings.HasPrefix(out, "SHA256:") {
		t.Errorf("exit %d, %s%s", status, out, errs)
	}
	p.kill()
	if out, errs, status := clitest.Run(t, "", "hostkey", "--replace", "--store", url, "--host-key", different); status != 0 {
		t.Errorf("replace: exit %d, %s%s", status, out, errs)
	}
	refused("`ayumu hostkey --replace`", serve(filepath.Join(dir, "key"))...)
	start(t, folderWith(t, different), "--store", url, "--node", "a")
	if out, errs, status := clitest.Run(t, "", "hostkey", "--replace", "--force", "--store", url, "--host-key", filepath.Join(dir, "key")); status != 0 {
		t.Errorf("replace by force: exit %d, %s%s", status, out, errs)
	}
}

// TestStatusListsNodes: `ayumu status` lists the nodes with their sessions, from a node and from the database, and
// those that have ended. The clock of the database, an hour behind that of this machine, decides which are alive.
func TestStatusListsNodes(t *testing.T) {
	url, key := postgresStore(t)+",pg_catalog", makeHostKey(t) // with a clock of the schema before the real one
	const clock = `CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() - interval '1 hour' $$`
	if err := postgrestest.Exec(url, clock); err != nil {
		t.Fatal(err)
	}
	dirs := []string{folderWith(t, key), folderWith(t, key)}
	nodes := []*process{start(t, dirs[0], "--store", url, "--node", "a", "--host", "games.example.org"), start(t, dirs[1], "--store", url, "--node", "b")}
	nodes[1].api(t, "ana", servertest.NewKey(t))
	nodes[1].api(t, "bob", servertest.NewKey(t))
	status := func(args ...string) (s clusterStatus) {
		t.Helper()
		out, errs, exit := clitest.Run(t, "", append([]string{"status", "--json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &s); exit != 0 || err != nil || strings.Contains(out+errs, "secret") {
			t.Fatalf("exit %d, %v, %s%s", exit, err, out, errs)
		}
		return s
	}
	for _, args := range [][]string{{"--data", dirs[0]}, {"--store", url}} {
		servertest.Until(t, "both nodes and sessions", func() bool {
			s := status(args...)
			return s.Sessions == 2 && len(s.Nodes) == 2 && s.Nodes[0].Name == "a" && s.Nodes[0].Address == "games.example.org" &&
				s.Nodes[0].IsAlive && s.Nodes[1].IsAlive && s.Nodes[1].Sessions == 2 && s.Nodes[1].Version == cli.Version()
		})
		out, errs, exit := clitest.Run(t, "", append([]string{"status"}, args...)...)
		beats := regexp.MustCompile(`(?m)^[ab] +alive .* \ds ago`).FindAllString(out, -1)
		if exit != 0 || len(beats) != 2 || !strings.Contains(out, "games.example.org") || !strings.Contains(out, "polling") {
			t.Errorf("status %q: exit %d, %s%s", args, exit, out, errs)
		}
		if s := status(args...); time.Since(s.Time).Round(time.Minute) != time.Hour || s.Time.Sub(s.Nodes[0].BeatAt) > databaseLimit {
			t.Errorf("status %q: %+v", args, s)
		}
	}
	nodes[1].kill()
	if !testing.Short() {
		servertest.Until(t, "the end of a node", func() bool { s := status("--data", dirs[0]); return len(s.Nodes) == 2 && !s.Nodes[1].IsAlive })
	}
	nodes[0].kill()
	t.Setenv("AYUMU_STORE", url)
	if s := status("--data", dirs[0]); len(s.Nodes) != 2 {
		t.Errorf("without a server: %+v", s)
	}

	dir := t.TempDir()
	start(t, dir, "--store", "", "--node", "alone")
	if s := status("--data", dir); len(s.Nodes) != 1 || s.Nodes[0].Name != "alone" || !s.Nodes[0].IsAlive {
		t.Errorf("a server with a data file: %+v", s)
	}
	if _, errs, exit := clitest.Run(t, "", "status", "--store", "sqlite:x"); exit != 1 || !strings.Contains(words(errs), "a data file has no nodes") {
		t.Errorf("exit %d, %s", exit, errs)
	}
}

// TestNodeWithoutDatabase: a node without its database for 10 s is unhealthy and ends its sessions, and is healthy again
// when the database is back.
func TestNodeWithoutDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until a node gives its database up")
	}
	server := postgrestest.Start(t)
	url, key := server.URL(t), makeHostKey(t)
	start(t, folderWith(t, key), "--store", url, "--node", "a")
	p := start(t, folderWith(t, key), "--store", url, "--node", "b", "--health-listen", "127.0.0.1:0")
	health := func() (status int, text string) {
		r, err := http.Get("http://" + p.loggedAddr("health") + "/health")
		if err != nil {
			return 0, err.Error()
		}
		defer r.Body.Close()
		body, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(body)
	}
	c := p.api(t, "ana", servertest.NewKey(t))
	if status, text := health(); status != http.StatusOK || text != "ok\n" {
		t.Errorf("%d %s", status, text)
	}
	if err := server.Crash(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for range c.lines { // until the session has ended
	}
	if status, text := health(); status != http.StatusServiceUnavailable || !strings.HasPrefix(text, "no database for ") || time.Since(began) < databaseLimit-4*time.Second {
		t.Errorf("after %v: %d %s", time.Since(began), status, text)
	}
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	servertest.Until(t, "the node is healthy again", func() bool { status, _ := health(); return status == http.StatusOK })
	p.api(t, "ana", servertest.NewKey(t))
	if n := strings.Count(p.logs.String(), "this node ends its sessions"); n != 1 {
		t.Errorf("%d lines say that the node ends its sessions:\n%s", n, p.logs)
	}
}

// TestNATSCanFail: a node starts without its NATS servers, and goes on without them when they stop. It
// logs each failure once, and that the connection is restored.
func TestNATSCanFail(t *testing.T) {
	nats := startNATS(t)
	nats.Stop()
	dir := t.TempDir()
	p := start(t, dir, "--store", postgresStore(t), "--node", "a", "--nats", nats.URL())
	logged := func(text string, n int) {
		t.Helper()
		servertest.Until(t, fmt.Sprintf("%q in the log, %d times", text, n), func() bool { return strings.Count(p.logs.String(), text) >= n })
	}
	logged("NATS cannot be reached", 1)
	nats.Run()
	logged("NATS connection restored", 1)
	nats.Stop()
	logged("NATS connection lost", 1)
	p.api(t, "ana", servertest.NewKey(t))
	nats.Run()
	logged("NATS connection restored", 2)
	for text, want := range map[string]int{"NATS cannot be reached": 1, "NATS connection lost": 1, "NATS connection restored": 2} {
		if n := strings.Count(p.logs.String(), text); n != want {
			t.Errorf("%q is in the log %d times, want %d:\n%s", text, n, want, p.logs)
		}
	}
}

// TestNodeThatLosesItsNameStops: a node whose connection to the database broke, and whose name another process has
// taken meanwhile, ends with a line that says so.
func TestNodeThatLosesItsNameStops(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until a node checks its connection")
	}
	url := postgresStore(t)
	p := start(t, t.TempDir(), "--store", url, "--node", "a")
	servertest.Until(t, "the name", func() bool {
		const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'ayumu lock %'"
		if err := postgrestest.Exec(url, end); err != nil {
			t.Fatal(err)
		}
		unlock, err := postgres.LockNode(t.Context(), url, "a", func(error) {})
		if err == nil {
			t.Cleanup(unlock)
		}
		return err == nil
	})
	if err := p.wait(); err == nil || p.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(words(p.logs.String()), "another of its nodes has this name") {
		t.Errorf("%v\n%s", err, p.logs)
	}
}
