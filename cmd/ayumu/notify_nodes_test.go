package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/server/servertest"
)

// halfReceiver is a receiver of notifications that fails half of the time: at the first attempt for each event. It can hold
// these attempts before it answers.
type halfReceiver struct {
	mu           sync.Mutex
	attempts     map[string]int // by event id
	acknowledged map[string]int
	hold         chan struct{} // first attempts are held until it is closed
	held         int
	interrupted  int // attempts whose connection broke while they were held
	failures     int
}

func (f *halfReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // after which a broken connection ends the context
	id := r.Header.Get("Ayumu-Event-Id")
	f.mu.Lock()
	f.attempts[id]++
	isFirst, hold := f.attempts[id] == 1, f.hold
	f.held++
	f.mu.Unlock()
	if isFirst {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	}
	f.mu.Lock()
	f.held--
	isBroken := r.Context().Err() != nil
	switch {
	case isBroken:
		f.interrupted++
	case isFirst:
		f.failures++
	default:
		f.acknowledged[id]++
	}
	n := f.failures
	f.mu.Unlock()
	if isBroken || !isFirst {
		return
	}
	switch n % 3 {
	case 0:
		w.WriteHeader(http.StatusInternalServerError)
	case 1:
		panic(http.ErrAbortHandler)
	case 2:
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	}
}

// get returns one of the receiver's counters.
func (f *halfReceiver) get(counter *int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *counter
}

// missing returns the events that have not been acknowledged.
func (f *halfReceiver) missing(ids []string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return f.acknowledged[id] > 0 })
}

// until waits until a condition is met, for a time at most.
func until(limit time.Duration, met func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if met() {
			return true
		}
		<-time.After(20 * time.Millisecond)
	}
	return met()
}

// TestNotificationsOfSeveralNodes has three nodes on one database send notifications at once to a receiver that fails half
// of the time, and kills one of them while it sends: each event is acknowledged, and none again after that, because the
// killed node had no acknowledgement that it could lose. A lease of the killed node ends after a minute, so the test runs
// with AYUMU_NOTIFY_NODES=1 only.
func TestNotificationsOfSeveralNodes(t *testing.T) {
	if os.Getenv("AYUMU_NOTIFY_NODES") == "" {
		t.Skip("takes minutes; runs with AYUMU_NOTIFY_NODES=1")
	}
	const (
		count   = 3
		pairs   = 10
		sending = 8 // messages at once of a node
	)
	f := &halfReceiver{attempts: make(map[string]int), acknowledged: make(map[string]int), hold: make(chan struct{})}
	receiver := httptest.NewServer(f)
	defer receiver.Close()
	url, key := postgrestest.Start(t).URL(t), makeHostKey(t)
	var nodes [count]*process
	for i := range nodes {
		dir := t.TempDir()
		c := config.Default()
		c.Notify.Private, c.Bots = []string{"127.0.0.1"}, false
		c.Limits.ConnectBurst, c.Lobby.NewAccountBurst = 1000, 1000
		nodes[i] = startConfig(t, c, "--listen", "127.0.0.1:0", "--data", dir, "--host-key", key, "--store", url, "--node", fmt.Sprint("node", i+1))
	}
	type player struct {
		*apiClient
		name  string
		key   ssh.Signer
		match string // in which the player answers the opponent's first turn
	}
	var all []*player
	for i := range 2 * pairs {
		p := &player{name: fmt.Sprintf("player-%c", 'a'+i), key: servertest.NewKey(t)}
		p.apiClient = nodes[i/2%count].api(t, p.name, p.key)
		all = append(all, p)
	}
	for i, owner := range all {
		opponent := all[i^1]
		table := owner.ask("open", `,"game":"ayu","options":{"size":5,"pie":false},"clock":{"days":3},"first":"owner"`).Table
		opponent.match = opponent.ask("join", fmt.Sprintf(`,"table":%q`, table)).Match
	}
	for i, p := range all {
		p.ask("notifications", fmt.Sprintf(`,"receiver":{"kind":"webhook","address":"%s/player-%d"}`, receiver.URL, i))
	}
	// play has every player make a turn at a version of one match, and returns the events.
	play := func(version int, match func(i int) string) (ids []string) {
		for i, p := range all {
			m := match(i)
			legal := p.ask("legal", fmt.Sprintf(`,"match":%q`, m)).Legal
			p.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, m, version, legal[0]))
			ids = append(ids, fmt.Sprintf("turn/%s/%d", m, version+1))
		}
		return ids
	}
	ids := play(0, func(i int) string { return all[i^1].match })
	// More messages than two nodes send at once are held, so that the last node sends too.
	isSending := until(7*time.Second, func() bool { return f.get(&f.held) > (count-1)*sending })
	held := f.get(&f.held)
	nodes[count-1].kill()
	hasBroken := until(2*time.Second, func() bool { return f.get(&f.interrupted) > 0 })
	close(f.hold)
	if isSending && !hasBroken {
		t.Errorf("%d messages were held, and none of them was the killed node's", held)
	}
	for i, p := range all {
		if i/2%count == count-1 {
			p.apiClient = nodes[0].api(t, p.name, p.key)
		}
	}
	wait := func() {
		t.Helper()
		if !until(5*time.Minute, func() bool { return len(f.missing(ids)) == 0 }) {
			t.Fatalf("not acknowledged: %q", f.missing(ids))
		}
	}
	wait()
	ids = append(ids, play(1, func(i int) string { return all[i].match })...)
	wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	attempts := 0
	for _, n := range f.attempts {
		attempts += n
	}
	for id, n := range f.acknowledged {
		if n != 1 || !slices.Contains(ids, id) {
			t.Errorf("%s was acknowledged %d times", id, n)
		}
	}
	for i, node := range nodes {
		for _, secret := range []string{receiver.Listener.Addr().String(), "/player-"} {
			if strings.Contains(node.logs.String(), secret) {
				t.Errorf("the log of node %d has %s", i+1, secret)
			}
		}
	}
	t.Logf("%d events in %d attempts, of which %d failed and %d broke with the killed node; %d were held", len(f.acknowledged), attempts, f.failures, f.interrupted, held)
}
