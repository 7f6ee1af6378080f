package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/cmd/ayumu/config"
)

// flakyReceiver is a receiver of notifications that refuses, breaks off and delays some, and acknowledges the others.
type flakyReceiver struct {
	mu           sync.Mutex
	attempts     int
	acknowledged map[string]int // by event id
}

func (f *flakyReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.attempts++
	n, id := f.attempts, r.Header.Get("Ayumu-Event-Id")
	isFault := n%4 == 1
	if !isFault {
		f.acknowledged[id]++
	}
	f.mu.Unlock()
	if !isFault {
		return
	}
	switch n / 4 % 3 {
	case 0:
		w.WriteHeader(http.StatusInternalServerError)
	case 1:
		panic(http.ErrAbortHandler)
	case 2:
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	}
}

// counts returns the number of acknowledged events, and of repeated acknowledgements.
func (f *flakyReceiver) counts() (events, repeated int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.acknowledged {
		repeated += n - 1
	}
	return len(f.acknowledged), repeated
}

// TestNotificationsSurviveKills plays turns of correspondence games while the server is killed: the notification of every turn
// that waits is acknowledged, and after that at most repeated by a kill that was faster than its recording. The log has no
// URL. Most of its two minutes it waits for leases to end, so it runs with AYUMU_NOTIFY_KILLS=1 only.
func TestNotificationsSurviveKills(t *testing.T) {
	if os.Getenv("AYUMU_NOTIFY_KILLS") == "" {
		t.Skip("takes minutes; runs with AYUMU_NOTIFY_KILLS=1")
	}
	f := &flakyReceiver{acknowledged: make(map[string]int)}
	receiver := httptest.NewServer(f)
	defer receiver.Close()
	const kills, games = 6, 4
	dir := t.TempDir()
	keys := newPairOfClients(t, 0).keys
	private := func(c *config.Config) { c.Notify.Private = []string{"127.0.0.1"} }
	p := startWith(t, dir, private)
	ana, bob := p.api(t, "ana", keys[0]), p.api(t, "bob", keys[1])
	for _, c := range []*apiClient{ana, bob} {
		c.ask("notifications", `,"receiver":{"kind":"webhook","address":"`+receiver.URL+`/secretpath"}`)
	}
	var matches []string
	for range games {
		table := ana.ask("open", `,"game":"ayu","options":{"size":5,"pie":false},"clock":{"days":3},"first":"owner"`).Table
		matches = append(matches, bob.ask("join", fmt.Sprintf(`,"table":%q`, table)).Match)
	}
	logs := ""
	for version := range kills {
		player := []*apiClient{ana, bob}[version%2]
		for _, m := range matches {
			legal := player.ask("legal", fmt.Sprintf(`,"match":%q`, m)).Legal
			player.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, m, version, legal[0]))
		}
		<-time.After(time.Duration(version*40) * time.Millisecond) // at different moments of sending
		p.kill()
		logs += p.logs.String()
		p = startWith(t, dir, private)
		ana, bob = p.api(t, "ana", keys[0]), p.api(t, "bob", keys[1])
	}
	// The turns that wait now have to be notified, whatever happened before.
	missing := func() (ids []string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, m := range matches {
			if id := fmt.Sprintf("turn/%s/%d", m, kills); f.acknowledged[id] == 0 {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for end := time.Now().Add(10 * time.Minute); len(missing()) > 0; {
		if time.Now().After(end) {
			t.Fatalf("not acknowledged: %q", missing())
		}
		<-time.After(time.Second)
	}
	events, repeated := f.counts()
	if repeated > 2*kills {
		t.Errorf("%d of %d events were acknowledged again after %d kills", repeated, events, kills)
	}
	logs += p.logs.String()
	for _, secret := range []string{"secretpath", receiver.Listener.Addr().String()} {
		if strings.Contains(logs, secret) {
			t.Errorf("the log has %s", secret)
		}
	}
	t.Logf("%d events in %d attempts, %d repeated", events, f.attempts, repeated)
}
