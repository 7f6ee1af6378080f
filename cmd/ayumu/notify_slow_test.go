package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"ayumu/cmd/ayumu/config"
)

// TestSlowReceiversOfAServer measures how long after a turn a player is notified: in peace, and while the receivers of 60
// others, who play 90 games, acknowledge every message after 9.5 s. It takes a minute and runs with AYUMU_NOTIFY_SLOW=1 only.
func TestSlowReceiversOfAServer(t *testing.T) {
	if os.Getenv("AYUMU_NOTIFY_SLOW") == "" {
		t.Skip("takes a minute; runs with AYUMU_NOTIFY_SLOW=1")
	}
	arrived := make(chan time.Time, 1000)
	slow := make(chan struct{}, 1000) // one for each slow message that begins
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fair" {
			arrived <- time.Now()
			return
		}
		slow <- struct{}{}
		select {
		case <-time.After(9500 * time.Millisecond):
		case <-r.Context().Done():
		}
	}))
	defer receiver.Close()
	p := startWith(t, t.TempDir(), func(c *config.Config) { c.Notify.Private, c.Lobby.NewAccountBurst = []string{"127.0.0.1"}, 100 })
	type game struct {
		players [2]*apiClient
		match   string
		version int
	}
	start := func(a, b *apiClient) *game {
		table := a.ask("open", `,"game":"ayu","options":{"size":11,"pie":false},"clock":{"days":3},"first":"owner"`).Table
		return &game{[2]*apiClient{a, b}, b.ask("join", fmt.Sprintf(`,"table":%q`, table)).Match, 0}
	}
	turn := func(g *game) (begun time.Time) {
		player := g.players[g.version%2]
		answer := player.ask("legal", fmt.Sprintf(`,"match":%q`, g.match))
		legal := answer.Legal
		if len(legal) == 0 {
			t.Fatalf("no legal action in %s after %d turns: %+v", g.match, g.version, answer)
		}
		begun = time.Now()
		player.ask("act", fmt.Sprintf(`,"match":%q,"version":%d,"actions":[%q]`, g.match, g.version, legal[0]))
		g.version++
		return begun
	}
	client := func(i int) *apiClient { return p.api(t, fmt.Sprintf("player%d", i), newPairOfClients(t, i%20).keys[0]) }
	fay, gus := client(0), client(1)
	fay.ask("notifications", `,"receiver":{"kind":"webhook","address":"`+receiver.URL+`/fair"}`)
	measure := func(when string, n int) {
		var took []time.Duration
		fair := start(gus, fay)
		for range n {
			begun := turn(fair) // by gus
			select {
			case at := <-arrived:
				took = append(took, at.Sub(begun).Round(time.Millisecond))
			case <-time.After(45 * time.Second):
				t.Fatalf("%s: not notified within 45 s", when)
			}
			turn(fair)
			<-time.After(200 * time.Millisecond)
		}
		slices.Sort(took)
		t.Logf("%s: notified after %v, median %v", when, took, took[n/2])
		if took[n/2] > time.Second {
			t.Errorf("%s: it took too long", when)
		}
	}
	measure("in peace", 15)

	var games []*game
	for i := range 30 {
		a, b := client(2+2*i), client(3+2*i)
		for _, c := range []*apiClient{a, b} {
			c.ask("notifications", fmt.Sprintf(`,"receiver":{"kind":"webhook","address":"%s/slow%d"}`, receiver.URL, i))
		}
		for range 3 {
			games = append(games, start(a, b))
		}
	}
	<-slow
	measure("as soon as the slow ones are notified", 10)
	for range 3 {
		for _, g := range games {
			turn(g)
		}
		measure("after a turn of 90 games", 10)
	}
	t.Logf("%d slow messages were begun", len(slow)+1)
}
