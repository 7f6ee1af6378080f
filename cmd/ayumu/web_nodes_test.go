package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/requiretest"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/server/servertest"
)

// webHost is the host of the web pages in the documents.
const webHost = "play.example.org"

// selfSigned writes a certificate for webHost and its key to one file, as HAProxy reads them, and returns the pool of
// authorities with which a client accepts it.
func selfSigned(t *testing.T) (file string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{webHost}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	file = filepath.Join(t.TempDir(), "web.pem")
	if err := os.WriteFile(file, append(certificate, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})...), 0o600); err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return file, pool
}

// startDocumentedHAProxy runs HAProxy with the configuration of docs/cluster/haproxy.cfg and what docs/hosting.md adds for web
// pages, in front of two nodes, and returns the address of its web frontend.
func startDocumentedHAProxy(t *testing.T, certificate string, nodes [2]string) (addr string) {
	t.Helper()
	document, err1 := os.ReadFile("../../docs/hosting.md")
	base, err2 := os.ReadFile("../../docs/cluster/haproxy.cfg")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	_, text, found := strings.Cut(string(document), "```\nfrontend web\n")
	text, _, ends := strings.Cut(text, "```\n")
	defaults := regexp.MustCompile(`(?s)\ndefaults\n.*?\n\n`).FindString(string(base))
	if !found || !ends || defaults == "" {
		t.Fatal("the documents have no such configuration")
	}
	addr = freeAddress(t)
	text = "global\n\tlog stderr format raw local0\n" + defaults + "frontend web\n" + text
	for _, r := range [][2]string{{":443", addr}, {"/etc/haproxy/play.example.org.pem", certificate}, {"10.0.0.11:8080", nodes[0]}, {"10.0.0.12:8080", nodes[1]}} {
		if strings.Count(text, r[0]) != 1 {
			t.Fatalf("the configuration does not have %s once:\n%s", r[0], text)
		}
		text = strings.Replace(text, r[0], r[1], 1)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("haproxy", "-c", "-f", file).CombinedOutput(); err != nil || strings.Contains(string(out), "WARNING") {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("haproxy", "-db", "-f", file)
	endWithTests(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return addr
}

// webClient asks for web pages, at an address that it takes for that of webHost.
type webClient struct {
	t *testing.T
	http.Client
	scheme string
}

// newWebClient returns a client from a local address; pool nil: without TLS.
func newWebClient(t *testing.T, from, to string, pool *x509.CertPool) *webClient {
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "tcp", to) },
		TLSClientConfig:   &tls.Config{RootCAs: pool},
		ForceAttemptHTTP2: true,
	}
	t.Cleanup(transport.CloseIdleConnections)
	c := &webClient{t, http.Client{Transport: transport}, "https"}
	if pool == nil {
		c.scheme = "http"
	}
	return c
}

// get asks for a path. The caller closes the body.
func (c *webClient) get(path string, header http.Header) (*http.Response, error) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.scheme+"://"+webHost+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header = header.Clone()
	return c.Do(r)
}

// status returns the status of a path; 0: there was no answer.
func (c *webClient) status(path string, header http.Header) int {
	c.t.Helper()
	resp, err := c.get(path, header)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// events reads the events of a match, as a browser does: it connects again, from the last event on, when a stream ends.
type events struct {
	c     *webClient
	path  string
	last  string // id
	body  io.Closer
	lines *bufio.Scanner
	opens int
}

// connect opens the stream. It tries again while nobody answers.
func (e *events) connect() {
	e.c.t.Helper()
	header := make(http.Header)
	if e.last != "" {
		header.Set("Last-Event-ID", e.last)
	}
	if !until(waitTimeout, func() bool {
		resp, err := e.c.get(e.path, header)
		if err != nil {
			return false
		}
		if resp.StatusCode != http.StatusOK {
			resp.Body.Close()
			return false
		}
		if resp.ProtoMajor != 2 && e.c.scheme == "https" {
			e.c.t.Errorf("the proxy answers with %s", resp.Proto)
		}
		e.body, e.lines = resp.Body, bufio.NewScanner(resp.Body)
		return true
	}) {
		e.c.t.Fatal("nobody sends a stream")
	}
	e.opens++
}

// want reads events up to one of a kind with an id, of which none may be missing.
func (e *events) want(kind string, id int) {
	e.c.t.Helper()
	got := ""
	for {
		for e.lines.Scan() {
			name, value, _ := strings.Cut(e.lines.Text(), ": ")
			switch name {
			case "id":
				e.last = value
			case "event":
				got = value
			case "":
				if got == "" {
					continue
				}
				if got != kind || e.last != fmt.Sprint(id) {
					e.c.t.Fatalf("the event %s %s instead of %s %d", got, e.last, kind, id)
				}
				return
			}
		}
		e.body.Close()
		e.connect()
	}
}

// TestWebPagesOfTwoNodes has two nodes on one database, with web pages behind HAProxy as docs/hosting.md has it. Streams at
// both have each turn, whichever node a player is on; private and delayed matches are that on both; when a node stops, while a client does not read, its readers go on at
// the other one without a gap. The proxy's header counts, and what a client writes into it does not.
func TestWebPagesOfTwoNodes(t *testing.T) {
	requiretest.Program(t, "haproxy")
	url, key := postgrestest.URL(t), makeHostKey(t)
	certificate, pool := selfSigned(t)
	var nodes [2]*process
	var addrs [2]string
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for i := range nodes {
		c := config.Default()
		c.Bots = false
		nodes[i] = startConfig(t, c, "--listen", "127.0.0.1:0", "--data", dirs[i], "--host-key", key, "--store", url, "--node", fmt.Sprint("node", i+1),
			"--web", "127.0.0.1:0", "--web-url", "https://"+webHost, "--web-proxies", "127.0.0.1")
		addrs[i] = nodes[i].loggedAddr("web pages")
	}
	proxy := startDocumentedHAProxy(t, certificate, addrs)
	behind := newWebClient(t, "127.0.0.1", proxy, pool)
	if !until(waitTimeout, func() bool { return behind.status("/healthz", nil) == http.StatusOK }) {
		t.Fatal("HAProxy does not serve the web pages")
	}

	ana, bobKey := nodes[0].api(t, "ana", servertest.NewKey(t)), servertest.NewKey(t)
	bob := nodes[1].api(t, "bob", bobKey)
	table := ana.ask("open", `,"game":"ayu","options":{"size":9,"pie":false},"first":"owner"`).Table
	var match string
	if !until(waitTimeout, func() bool { return strings.Contains(nodes[1].tables(t), table) }) {
		t.Fatal("the other node does not know the table")
	}
	match = bob.ask("join", fmt.Sprintf(`,"table":%q`, table)).Match
	players := []*apiClient{ana, bob}
	version := 0
	play := func() {
		t.Helper()
		p := players[version%2]
		var legal []string
		p.ask("watch", fmt.Sprintf(`,"match":%q`, match)) // until the node knows the match
		if !until(waitTimeout, func() bool {
			l := p.ask("legal", fmt.Sprintf(`,"match":%q`, match))
			legal = l.Legal
			return l.Version == version
		}) {
			t.Fatalf("the node of the player does not have turn %d", version)
		}
		version = p.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, match, version, legal[0])).Version
	}
	path := "/m/" + match + "/events"
	direct := [2]*webClient{newWebClient(t, "127.0.0.1", addrs[0], nil), newWebClient(t, "127.0.0.1", addrs[1], nil)}
	var readers []*events
	for _, c := range []*webClient{direct[0], direct[1], behind, behind, behind, behind} {
		r := &events{c: c, path: path, last: "0"}
		r.connect()
		readers = append(readers, r)
	}
	for range 4 {
		play()
		for _, r := range readers {
			r.want("turn", version)
		}
	}
	for i, c := range direct {
		if s := c.status("/m/"+match, nil); s != http.StatusOK {
			t.Errorf("node %d: the page of the match: %d", i+1, s)
		}
	}

	// Both players of two more matches are on the first node; what the second one shows is as private and as late.
	hidden, late := newNodeMatch(t, nodes[0], ana, bobKey, `,"private":true`), newNodeMatch(t, nodes[0], ana, bobKey, `,"delay":2`)
	hidden.play()
	for range 3 {
		late.play()
	}
	if !until(waitTimeout, func() bool { return direct[1].status("/m/"+hidden.id+"?code="+hidden.code, nil) == http.StatusOK }) {
		t.Fatal("the other node does not show a private match with its code")
	}
	hiddenReader := &events{c: behind, path: "/m/" + hidden.id + "/events?code=" + hidden.code, last: "0"}
	hiddenReader.connect()
	hiddenReader.want("turn", 1)
	for i, c := range direct {
		for _, ending := range []string{"", ".json", ".svg", "/events"} {
			for _, query := range []string{"", "?code=wrong"} {
				if s := c.status("/m/"+hidden.id+ending+query, nil); s != http.StatusNotFound {
					t.Errorf("node %d: %s%s of a private match: %d", i+1, ending, query, s)
				}
			}
		}
		r := &events{c: c, path: "/m/" + late.id + "/events", last: "0"}
		r.connect()
		r.want("turn", 1)
		r.body.Close()
		if !until(waitTimeout, func() bool { return c.status("/m/"+late.id+"?turn=1", nil) == http.StatusOK }) || c.status("/m/"+late.id+"?turn=2", nil) != http.StatusBadRequest {
			t.Errorf("node %d does not show a delayed match late", i+1)
		}
	}

	if out, err := run(t, adminCommand(), "", "--data", dirs[0], "ban", "127.0.0.9", "1h"); err != nil {
		t.Fatal(out, err)
	}
	banned, other := newWebClient(t, "127.0.0.9", proxy, pool), newWebClient(t, "127.0.0.8", proxy, pool)
	for i, c := range direct { // which come from the address of the proxy
		if !until(waitTimeout, func() bool {
			return c.status("/", http.Header{"X-Forwarded-For": {"127.0.0.9"}}) == http.StatusForbidden
		}) {
			t.Errorf("node %d does not know the ban", i+1)
		}
	}
	if s := banned.status("/", nil); s != http.StatusForbidden {
		t.Errorf("a banned client: %d", s)
	}
	for range 4 { // of both nodes
		if s := banned.status("/", http.Header{"X-Forwarded-For": {"127.0.0.8"}}); s != http.StatusForbidden {
			t.Errorf("a client that names another address: %d", s)
		}
		if s := other.status("/", http.Header{"X-Forwarded-For": {"127.0.0.9"}}); s != http.StatusOK {
			t.Errorf("a client that names a banned address: %d", s)
		}
	}

	// A client at the second node asks for pictures without end and reads nothing, so that its handler waits for it.
	deaf, err := net.Dial("tcp", addrs[1])
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	_ = deaf.(*net.TCPConn).SetReadBuffer(4096)
	_ = deaf.SetWriteDeadline(time.Now().Add(time.Second))
	for i := range 1000 { // more than the buffers of connections take
		if _, err := fmt.Fprintf(deaf, "GET /m/%s.png HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: 10.0.%d.1\r\n\r\n", match, webHost, i%200); err != nil {
			break
		}
	}
	began := time.Now()
	if err := nodes[1].cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	bob.await("closed")
	told := time.Since(began)
	if err := nodes[1].wait(); err != nil {
		t.Error(err)
	}
	took := time.Since(began)
	if limit := config.Default().Drain + 5*time.Second; took > limit || told > 3*time.Second {
		t.Errorf("players knew of the end after %v, and the node stopped after %v", told, took)
	}
	t.Logf("players knew of the end after %v, and the node stopped after %v", told, took)
	players[1] = nodes[0].api(t, "bob", bobKey)
	readers = append(readers[:1], readers[2:]...) // without that of the node that has stopped
	opens := 0
	for range 3 {
		play()
		for _, r := range readers {
			r.want("turn", version)
		}
	}
	for range 2 {
		hidden.play()
		hiddenReader.want("turn", hidden.version)
	}
	for _, r := range readers {
		opens += r.opens
	}
	if opens <= len(readers) {
		t.Error("no reader was at the node that stopped")
	}
	if log := nodes[0].logs.String() + nodes[1].logs.String(); strings.Contains(log, path) || strings.Contains(log, hidden.code) {
		t.Error("the log has paths, or codes")
	}
}

// nodeMatch is a match both of whose players are on one node.
type nodeMatch struct {
	t       *testing.T
	players [2]*apiClient
	id      string
	code    string // of a private match
	version int
}

// newNodeMatch starts a match of two clients of a node; fields are more members of the request that opens the table.
func newNodeMatch(t *testing.T, node *process, owner *apiClient, other ssh.Signer, fields string) *nodeMatch {
	t.Helper()
	m := &nodeMatch{t: t, players: [2]*apiClient{owner, node.api(t, "", other)}}
	open := owner.ask("open", `,"game":"ayu","options":{"size":9,"pie":false},"first":"owner"`+fields)
	m.id = m.players[1].ask("join", fmt.Sprintf(`,"table":%q,"code":%q`, open.Table, open.Code)).Match
	m.code = owner.ask("watch", fmt.Sprintf(`,"match":%q`, m.id)).Code
	return m
}

// play plays the first legal turn.
func (m *nodeMatch) play() {
	m.t.Helper()
	p := m.players[m.version%2]
	legal := p.ask("legal", fmt.Sprintf(`,"match":%q`, m.id)).Legal
	m.version = p.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, m.id, m.version, legal[0])).Version
}

// tables returns what a command lists.
func (p *process) tables(t *testing.T) string {
	t.Helper()
	out, _ := p.runAs("x", servertest.NewKey(t), "tables")
	return out
}
