package postgres

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// proxy forwards connections to a database, and can lose, delay or change its answers to commits.
type proxy struct {
	listener net.Listener
	server   string       // socket of the database
	lose     atomic.Int32 // number of answers to lose
	delay    atomic.Int64 // of answers to commits, a time.Duration
	undone   atomic.Bool  // commits are answered as those of transactions that were rolled back
	stalled  atomic.Bool  // answers wait until the connection is closed
	running  sync.WaitGroup
}

// throughProxy returns a proxy and the connection string through it.
func throughProxy(t *testing.T, to string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	const name = ".s.PGSQL.5432"
	dir := t.TempDir()
	q := u.Query()
	p := &proxy{server: filepath.Join(q.Get("host"), name)}
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	if p.listener, err = net.Listen("unix", filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		p.listener.Close()
		p.running.Wait()
	})
	return p, u.String()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.server)
		if err != nil {
			client.Close()
			continue
		}
		p.running.Go(func() {
			io.Copy(server, client)
			client.Close()
			server.Close()
		})
		p.running.Go(func() {
			p.answer(client, server)
			client.Close()
			server.Close()
		})
	}
}

// answer forwards the answers of the database. The one to a commit that is to be lost ends the connection.
func (p *proxy) answer(client io.Writer, server io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if bytes.Contains(buf[:n], []byte("COMMIT\x00")) {
			if p.lose.Load() > 0 {
				p.lose.Add(-1)
				return
			}
			<-time.After(time.Duration(p.delay.Load()))
		}
		answer := buf[:n]
		if p.undone.Load() {
			answer = bytes.ReplaceAll(answer, []byte("C\x00\x00\x00\x0bCOMMIT\x00"), []byte("C\x00\x00\x00\x0dROLLBACK\x00"))
		}
		if p.stalled.Load() {
			io.Copy(io.Discard, server)
			return
		}
		if _, err2 := client.Write(answer); err != nil || err2 != nil {
			return
		}
	}
}

// TestALostAnswerIsNoLostAppend loses the answers to commits: an append with an id is recorded once, and its
// caller gets that answer; a change that cannot be recognized is made once, and its caller gets an error.
func TestALostAnswerIsNoLostAppend(t *testing.T) {
	proxy, url := throughProxy(t, postgrestest.URL(t))
	s := openURL(t, url)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	info := storetest.Match(t, "m", "", ana, bob)
	storetest.Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	log := append(storetest.Log(t, info, 3, storetest.NewChance()), storetest.End(1, engine.ReasonResign, 0))
	for v := range log {
		log[v].AppendID = match.AppendID{1, byte(v)}
		proxy.lose.Store(2)
		storetest.Want(t, "append", s.Append(t.Context(), "m", match.NewLogEnd(log[:v]), log[v]), nil)
		if n := proxy.lose.Swap(0); n != 0 {
			t.Errorf("entry %d: %d answers were not lost", v+1, n)
		}
	}
	if _, got, err := s.Match(t.Context(), "m"); err != nil || len(got) != len(log) {
		t.Errorf("the log has %d entries, %v", len(got), err)
	}
	if r := storetest.Ratings(t, s, ana.ID)["ayu"]; r.Games != 1 {
		t.Errorf("the match was rated %d times", r.Games)
	}

	info.ID = "without ids"
	storetest.Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	proxy.lose.Store(1)
	log[0].AppendID = match.AppendID{}
	if err := s.Append(t.Context(), info.ID, storetest.After(0), log[0]); store.IsExpected(err) {
		t.Errorf("an append without an id: %v", err)
	}
	proxy.lose.Store(1)
	if err := s.CreateInvitation(t.Context(), []byte("hash"), 1, storetest.Start, "mod", storetest.Start); store.IsExpected(err) {
		t.Errorf("an invitation: %v", err)
	}
	if lines, err := s.AuditLog(t.Context(), 9); err != nil || len(lines) != 1 || proxy.lose.Load() != 0 {
		t.Errorf("the audit log has %v, %v", lines, err)
	}
}

// TestACommitThatIsRolledBackIsNoSuccess: the database answers COMMIT with ROLLBACK if the transaction has failed.
func TestACommitThatIsRolledBackIsNoSuccess(t *testing.T) {
	proxy, url := throughProxy(t, postgrestest.URL(t))
	s := openURL(t, url)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	for _, id := range []string{"turn", "end"} {
		storetest.Want(t, "create", s.CreateMatch(t.Context(), storetest.Match(t, id, "", ana, bob), lobby.MatchStart{}), nil)
	}
	turn := storetest.Log(t, storetest.Match(t, "turn", "", ana, bob), 1, storetest.NewChance())[0]
	end := storetest.End(1, engine.ReasonResign, 0)
	proxy.undone.Store(true)
	for what, change := range map[string]func() error{
		"a turn":    func() error { return s.Append(t.Context(), "turn", storetest.After(0), turn) },
		"an end":    func() error { return s.Append(t.Context(), "end", storetest.After(0), end) },
		"an update": func() error { return s.SaveSettings(t.Context(), ana.ID, []byte("x")) },
	} {
		if err := change(); err == nil || store.IsExpected(err) {
			t.Errorf("%s whose commit was answered with ROLLBACK gets the answer %v, want a failure", what, err)
		}
	}
}

// TestAStalledDatabaseDelaysNobodyForEver: a database that does not answer any more, with open connections, fails
// every call after a few seconds, and everything works when it answers again.
func TestAStalledDatabaseDelaysNobodyForEver(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for timeouts")
	}
	proxy, url := throughProxy(t, postgrestest.URL(t))
	s := openURL(t, url)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	info := storetest.Match(t, "m", "", ana, bob)
	storetest.Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	e := storetest.Log(t, info, 1, storetest.NewChance())[0]
	e.AppendID = match.AppendID{1}
	proxy.stalled.Store(true)
	var all sync.WaitGroup
	for what, call := range map[string]func() error{
		"append":  func() error { return s.Append(t.Context(), "m", storetest.After(0), e) },
		"change":  func() error { return s.SaveSettings(t.Context(), ana.ID, []byte("x")) },
		"reading": func() error { _, err := s.Account(t.Context(), ana.ID); return err },
	} {
		all.Go(func() {
			began := time.Now()
			if err := call(); err == nil || store.IsExpected(err) || !strings.Contains(err.Error(), "took too long") {
				t.Errorf("%s: %v", what, err)
			}
			if took := time.Since(began); took > 3*changeTimeout {
				t.Errorf("%s took %v", what, took)
			}
		})
	}
	all.Wait()
	proxy.stalled.Store(false)
	storetest.Want(t, "append", s.Append(t.Context(), "m", storetest.After(0), e), nil)
	storetest.Want(t, "change", s.SaveSettings(t.Context(), ana.ID, []byte("y")), nil)
	if _, got, err := s.Match(t.Context(), "m"); err != nil || len(got) != 1 {
		t.Errorf("the log has %d entries, %v", len(got), err)
	}
}
