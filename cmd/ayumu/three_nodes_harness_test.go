package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/bus/bustest"
	"ayumu/lobby/requiretest"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/server/servertest"
)

// nodeCount is the number of nodes of a testCluster.
const nodeCount = 3

// testCluster is three nodes behind HAProxy, with a PostgreSQL server of their own and, if wanted, a NATS server.
// Everything ends with the test.
type testCluster struct {
	t        testing.TB
	database *postgrestest.Server
	url      string          // of the database, without a stallingProxy
	nats     *bustest.Server // nil: the nodes find changes only by polling
	haproxy  *haproxy
	nodes    [nodeCount]*clusterNode
}

// clusterNode is one node of a testCluster.
type clusterNode struct {
	t              testing.TB
	name           string
	listen, health string // addresses
	dir, key       string // its data folder, the host key of all nodes
	nats           string // URL; "": none
	database       *stallingProxy
	process        *process
	earlier        []*servertest.Buffer // the logs of the node's earlier processes
}

// startCluster starts all of it.
func startCluster(t testing.TB, withNATS bool) *testCluster {
	t.Helper()
	requiretest.Program(t, "haproxy")
	c := &testCluster{t: t, database: postgrestest.Start(t)}
	c.url = c.database.URL(t)
	nats := ""
	if withNATS {
		c.nats = bustest.Start(t, nil)
		nats = c.nats.URL()
	}
	key := filepath.Join(t.TempDir(), "key")
	for i := range c.nodes {
		c.nodes[i] = &clusterNode{
			t: t, name: fmt.Sprintf("node%d", i+1), listen: freeAddress(t), health: freeAddress(t),
			dir: t.TempDir(), key: key, nats: nats, database: newStallingProxy(t, c.url),
		}
		c.nodes[i].start()
	}
	c.haproxy = startHAProxy(t, c.nodes[:])
	return c
}

// start starts the node's process and returns once it listens.
func (n *clusterNode) start() {
	n.t.Helper()
	c := config.Default()
	c.Limits.ConnectBurst, c.Lobby.NewAccountBurst, c.Access.MembersOrganize = 1000, 1000, true
	if n.process != nil {
		n.earlier = append(n.earlier, n.process.logs)
	}
	n.process = startConfig(n.t, c, "--listen", n.listen, "--data", n.dir, "--host-key", n.key, "--store", n.database.url,
		"--node", n.name, "--nats", n.nats, "--health-listen", n.health, "--proxy-trusted", "127.0.0.1/32")
}

// logs returns what the node's processes have logged, without the connections.
func (n *clusterNode) logs() string {
	var text strings.Builder
	for i, logs := range append(n.earlier, n.process.logs) {
		fmt.Fprintf(&text, "%s, process %d:\n", n.name, i+1)
		for line := range strings.Lines(logs.String()) {
			if !strings.Contains(line, "msg=session") {
				text.WriteString(line)
			}
		}
	}
	return text.String()
}

// signal sends a signal to the node's process.
func (n *clusterNode) signal(s syscall.Signal) {
	n.t.Helper()
	if err := n.process.cmd.Process.Signal(s); err != nil {
		n.t.Fatal(err)
	}
}

// freeAddress returns an address of this machine with a port that nothing uses now.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// stallingProxy passes on connections to a database, and can hold back what they send, as a network does that
// loses packets for a while: nothing is lost in the end.
type stallingProxy struct {
	url string // of the database through the proxy

	mu      sync.Mutex
	flowing chan struct{} // closed: bytes flow
}

// newStallingProxy returns a proxy for the database of a connection string, until the test ends.
func newStallingProxy(t testing.TB, database string) *stallingProxy {
	t.Helper()
	const socket = ".s.PGSQL.5432"
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	upstream := filepath.Join(values.Get("host"), socket)
	dir, err := os.MkdirTemp("", "ayumu-proxy-") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	if err != nil {
		t.Fatal(err)
	}
	values.Set("host", dir)
	u.RawQuery = values.Encode()
	p := &stallingProxy{url: u.String(), flowing: make(chan struct{})}
	close(p.flowing)
	t.Cleanup(func() {
		l.Close()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(client, upstream)
		}
	}()
	return p
}

func (p *stallingProxy) serve(client net.Conn, upstream string) {
	server, err := net.Dial("unix", upstream)
	if err != nil {
		client.Close()
		return
	}
	go p.copy(client, server)
	p.copy(server, client)
}

// copy passes on what from sends, until one of the two ends.
func (p *stallingProxy) copy(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.wait()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *stallingProxy) wait() {
	p.mu.Lock()
	flowing := p.flowing
	p.mu.Unlock()
	<-flowing
}

// stall holds everything back until resume is called.
func (p *stallingProxy) stall() (resume func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	flowing := make(chan struct{})
	p.flowing = flowing
	return sync.OnceFunc(func() { close(flowing) })
}

// haproxy is a running HAProxy. Its frontend spreads connections over all healthy nodes.
type haproxy struct {
	addr string

	mu    sync.Mutex
	nodes map[string]int // by the address of a client, the node that it is connected to
}

// startHAProxy starts HAProxy for these nodes until the test ends. It logs each connection once it is open, from
// which the node of a client is known.
func startHAProxy(t testing.TB, nodes []*clusterNode) *haproxy {
	t.Helper()
	h := &haproxy{addr: freeAddress(t), nodes: make(map[string]int)}
	var text strings.Builder
	fmt.Fprintf(&text, `global
	log stdout format raw local0
	maxconn 2000
defaults
	mode tcp
	log global
	option logasap
	log-format "client %%ci:%%cp node %%s"
	timeout connect 2s
	timeout client 1h
	timeout server 1h
	timeout check 1s
frontend all
	bind %s
	default_backend nodes
backend nodes
	balance leastconn
	option redispatch
	retries 3
	option httpchk GET /health
	default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
`, h.addr)
	for _, n := range nodes {
		_, port, _ := net.SplitHostPort(n.health)
		fmt.Fprintf(&text, "\tserver %s %s send-proxy-v2 port %s\n", n.name, n.listen, port)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("haproxy", "-db", "-f", file)
	endWithTests(cmd)
	errors := new(servertest.Buffer)
	cmd.Stderr = errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go h.read(out)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(waitTimeout); ; <-time.After(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", h.addr); err == nil {
			c.Close()
			return h
		}
		if time.Now().After(deadline) {
			t.Fatalf("HAProxy does not listen:\n%s", errors)
		}
	}
}

// read reads the log.
func (h *haproxy) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var client, name string
		var node int
		if n, _ := fmt.Sscanf(lines.Text(), "client %s node %s", &client, &name); n != 2 {
			continue
		}
		if n, _ := fmt.Sscanf(name, "node%d", &node); n != 1 {
			continue
		}
		h.mu.Lock()
		h.nodes[client] = node - 1
		h.mu.Unlock()
	}
}

// node returns the index of the node that a client is connected to, -1 if it is unknown.
func (h *haproxy) node(client net.Addr) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n, ok := h.nodes[client.String()]; ok {
		return n
	}
	return -1
}
