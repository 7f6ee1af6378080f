package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

// askAtOnce asks n times for a path at the same time, each time from another address, and returns the bodies that came.
func (h *harness) askAtOnce(n int, path string) map[string]bool {
	h.t.Helper()
	var mu sync.Mutex
	bodies := make(map[string]bool)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			w := h.serveOne(path, fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255))
			mu.Lock()
			defer mu.Unlock()
			if w.Code != http.StatusOK {
				h.t.Errorf("%s: %d: %s", path, w.Code, w.Body)
			}
			bodies[w.Body.String()] = true
		})
	}
	wg.Wait()
	return bodies
}

// serveOne has the handler answer a request from an address, without a connection.
func (h *harness) serveOne(path, remote string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host, r.RemoteAddr = "localhost", remote
	w := httptest.NewRecorder()
	h.s.ServeHTTP(w, r)
	return w
}

// TestAPageIsMadeOnceForAllWhoAskAtOnce has 10,000 clients ask for each page of a running match at the same time: each is made
// once for a version, and all get the same bytes. Who may see something else shares nothing with them.
func TestAPageIsMadeOnceForAllWhoAskAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients = 10000
		h := openLobby(t)
		h.serveOn(newPipeListener(), func(c *Config) { c.MaxRequests, c.MaxRequestsPerAddress = 2*clients, clients })
		id := h.start(table.Proposal{Clock: &clock.Control{Initial: 600 * time.Second}})
		made := 0
		check := func(path string, n, pages int) {
			t.Helper()
			bodies := h.askAtOnce(n, path)
			if now := h.s.pages.MadeCount(); now-made != pages || len(bodies) != 1 {
				t.Errorf("%s: %d pages were made, not %d; %d different answers", path, now-made, pages, len(bodies))
			}
			made = h.s.pages.MadeCount()
		}
		for _, path := range []string{"/m/" + id, "/m/" + id + ".json", "/m/" + id + ".txt", "/embed/m/" + id, "/m/" + id + "?turn=0"} {
			check(path, clients/10, 1)
			check(path, 100, 0)
		}
		check("/m/"+id+"?turn=000", 100, 0)      // the same turn
		check("/m/"+id+"?nonsense=1", 100, 0)    // what no page depends on
		check("/m/"+id+"?code=nonsense", 100, 1) // not to be found by search engines
		check("/m/"+id+"?code=others", 100, 0)
		h.play(id, 1)
		check("/m/"+id, clients, 1)
		if page := h.serveOne("/m/"+id, "192.0.2.1:1").Body.String(); !strings.Contains(page, "Turn 1 of 1") || !strings.Contains(page, "10:00") {
			t.Error("not the newest page")
		}
		time.Sleep(3 * time.Second)
		check("/m/"+id, 100, 1)
		if page := h.serveOne("/m/"+id, "192.0.2.1:1").Body.String(); !strings.Contains(page, "9:57") {
			t.Error("the clock of the page stands still")
		}
		h.resign(h.bob, id)
		check("/m/"+id, 100, 1)
		time.Sleep(3 * time.Second)
		check("/m/"+id, 100, 0)
	})
}

// TestSharedPagesAreOnesOwn: a page that was made for one client is not shown to another who may see something else.
func TestSharedPagesAreOnesOwn(t *testing.T) {
	h := open(t, trustClient)
	v := &visitor{harness: h}
	private, delayed := h.start(table.Proposal{Private: true}), h.start(table.Proposal{Delay: 2, Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
	h.play(private, 2)
	h.play(delayed, 3)
	m, err := h.l.Match(private)
	if err != nil {
		t.Fatal(err)
	}
	code := m.Snapshot().Code
	for range 2 {
		v.wants("with the code", []string{"/m/" + private + "?code=" + code, "/m/" + private + ".json?code=" + code}, always(200))
		v.wants("without", []string{"/m/" + private, "/m/" + private + ".json", "/embed/m/" + private + "?code=" + code}, always(404), "bob", code)
	}
	for turns := 1; turns <= 3; turns++ { // of two players, who see two more
		if _, body, _ := v.ask("/m/" + delayed); !strings.Contains(body, fmt.Sprintf("Turn %d of %d", turns, turns)) {
			t.Errorf("not turn %d of a delayed match", turns)
		}
		h.play(delayed, 1)
	}
	zoe := lobbytest.Member(t, h.l, "zoe")
	id := lobbytest.Start(t, h.ana, zoe, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
	h.resign(h.ana, id)
	v.wants("before", []string{"/m/" + id}, always(200))
	if err := zoe.DeleteAccount(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.wants("after the deletion", []string{"/m/" + id}, always(200), "zoe")
}

// TestPagesTakeBoundedMemory: as many pages are kept as maxPages says, none of which a client can make longer.
func TestPagesTakeBoundedMemory(t *testing.T) {
	h := open(t, nil)
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`)})
	h.play(id, 100)
	page := h.status(200, "/m/"+id)
	for _, query := range []string{"?code=" + strings.Repeat("x", 60), "?code=" + strings.Repeat("x", 900), "?x=" + strings.Repeat("x", 900)} {
		if r := h.status(200, "/m/"+id+query); strings.Contains(r.body, "xxx") || len(r.body) > len(page.body)+200 {
			t.Errorf("%s: a page of %d bytes, not %d", query, len(r.body), len(page.body))
		}
	}
	if perTurn := (len(page.body) - len(h.status(200, "/embed/m/"+id).body)) / 100; h.s.pages.Capacity != maxPages || maxPages*600*perTurn > 48<<20 {
		t.Errorf("%d pages, each with %d bytes for each turn", h.s.pages.Capacity, perTurn)
	}
}
