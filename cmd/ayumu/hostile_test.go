package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/games"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/server/servertest"
)

// hostileTime is the environment variable with the duration of TestHostileHour. Without it the test takes
// a few seconds, in which not every time limit can be reached.
const hostileTime = "AYUMU_HOSTILE"

// serverUnderAttack is a server with its metrics.
type serverUnderAttack struct {
	*process
	dir, metrics string
}

// attackLimits sets limits for the attack: shorter times and smaller numbers.
func attackLimits(c *config.Config) {
	c.Limits.Handshake, c.Limits.Stall, c.Limits.Keepalive, c.Limits.Unused = 15*time.Second, 6*time.Second, 6*time.Second, 6*time.Second
	c.Limits.UnauthenticatedPerAddress, c.Limits.ConnectBurst, c.Lobby.TablesPerAddress, c.Lobby.NewAccountBurst = 100, 300, 25, 45
}

func startUnderAttack(t testing.TB, set func(*config.Config), settings ...string) serverUnderAttack {
	t.Helper()
	dir := t.TempDir()
	p := startWith(t, dir, set, append([]string{"--metrics-listen", "127.0.0.1:0"}, settings...)...)
	return serverUnderAttack{p, dir, p.loggedAddr("metrics")}
}

// get returns a page of the metrics server. It asks again for metrics that took longer than the server waits for them,
// as on a machine that other tests keep busy.
func (f serverUnderAttack) get(path string) string {
	f.t.Helper()
	once := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: waitTimeout}
	for end := time.Now().Add(waitTimeout); ; {
		r, err := once.Get("http://" + f.metrics + path)
		if err != nil {
			f.t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		switch {
		case err == nil && r.StatusCode == http.StatusOK:
			return string(text)
		case err != nil || r.StatusCode != http.StatusServiceUnavailable || time.Now().After(end):
			f.t.Fatalf("%s: %s %s %v", path, r.Status, text, err)
		}
	}
}

// hits returns the counters of the limits.
func (f serverUnderAttack) hits() map[string]float64 {
	f.t.Helper()
	all := make(map[string]float64)
	for _, m := range regexp.MustCompile(`(?m)^ayumu_limit_hits_total\{limit="(.*)"\} (\S+)$`).FindAllStringSubmatch(f.get("/metrics"), -1) {
		if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(m[1]) {
			f.t.Errorf("the label %q is no identifier", m[1])
		}
		all[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	return all
}

func (f serverUnderAttack) metric(name string) float64 {
	f.t.Helper()
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(f.get("/metrics"))
	if m == nil {
		f.t.Fatalf("there is no %s", name)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		f.t.Fatal(err)
	}
	return n
}

// heap returns the bytes of live objects after a collection.
func (f serverUnderAttack) heap() float64 {
	f.t.Helper()
	for range 2 { // what a finalizer holds goes with the second
		f.get("/debug/pprof/heap?gc=1&debug=1")
	}
	return f.metric("go_memstats_heap_alloc_bytes")
}

// largest lists where the n largest groups of live objects were made: their bytes as estimated from a sample of one in 512 KiB, and
// the innermost functions.
func (f serverUnderAttack) largest(n int) string {
	f.t.Helper()
	type group struct {
		bytes int
		text  string
	}
	var all []group
	for _, one := range strings.Split(f.get("/debug/pprof/heap?gc=1&debug=1"), "\n\n") {
		var g group
		var count, bytes int
		head, stack, _ := strings.Cut(one, "\n")
		if _, err := fmt.Sscanf(head, "%d: %d [", &count, &bytes); err != nil || count == 0 {
			continue // the head of the profile, its end, and what is not live
		}
		const rate = 512 << 10
		g.bytes = int(float64(bytes) / -math.Expm1(-float64(bytes)/float64(count)/rate))
		for _, l := range strings.SplitN(stack, "\n", 7)[:min(6, strings.Count(stack, "\n")+1)] {
			if parts := strings.Fields(l); len(parts) > 2 {
				g.text += "  " + parts[2]
			}
		}
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b group) int { return b.bytes - a.bytes })
	var text strings.Builder
	for _, g := range all[:min(n, len(all))] {
		fmt.Fprintf(&text, "%8d%s\n", g.bytes, g.text)
	}
	return text.String()
}

// goroutines counts goroutines by location, and those of matches separately: finished matches stay for ten
// minutes, for a rematch. Those of bots are left out: a further bot of a level stays as long as a match of its own.
func (f serverUnderAttack) goroutines() (all map[string]int, games int) {
	f.t.Helper()
	all = make(map[string]int)
	_, text, _ := strings.Cut(f.get("/debug/pprof/goroutine?debug=1"), "\n") // a line with the total
	for _, one := range strings.Split(text, "\n\n") {
		var n int
		if _, err := fmt.Sscan(one, &n); err != nil {
			continue
		}
		if strings.Contains(one, "lobby.(*runner).run") {
			games += n
			continue
		}
		if strings.Contains(one, "bots.(*Bots).run+") {
			continue
		}
		var where []string
		for _, call := range regexp.MustCompile(`(?m)^#\s+\S+\s+(\S+)\+0x`).FindAllStringSubmatch(one, -1) {
			where = append(where, call[1])
		}
		all[strings.Join(where, " < ")] += n
	}
	return all, games
}

// leakedGoroutines returns the locations with more goroutines than before, once their numbers are stable.
func (f serverUnderAttack) leakedGoroutines(before map[string]int) (left map[string]int) {
	f.t.Helper()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	same := 0
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); <-look.C {
		now, _ := f.goroutines()
		maps.DeleteFunc(now, func(where string, n int) bool { return n <= before[where] })
		if same++; !maps.Equal(now, left) {
			left, same = now, 0
		}
		if len(left) == 0 || before == nil && same == 5 {
			break
		}
	}
	return left
}

// fairPlayers are pairs that play one game after the other, each by rematch on one connection.
type fairPlayers struct {
	duels []*pairOfClients

	mu   sync.Mutex
	took []time.Duration        // from a turn's sending to its arrival at the other side
	last map[*pairOfClients]int // the number of games after which the duel ends; 0: not yet
	ends bool
}

// startPairs starts ten pairs that play until stop is called, which returns when their games have ended.
// first is the number in the name of the first pair.
func (f serverUnderAttack) startPairs(t testing.TB, first int) (h *fairPlayers, stop func()) {
	h = &fairPlayers{last: make(map[*pairOfClients]int)}
	for i := range 10 {
		d := newPairOfClients(t, first+i)
		d.rematch, d.think = true, 200*time.Millisecond
		d.arrived = func(took time.Duration) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.took = append(h.took, took)
		}
		h.duels = append(h.duels, d)
	}
	playing := playAll(t, f.process, h.duels, h.enough)
	waitUntil(t, "all pairs play", func() bool { return f.metric("ayumu_matches") >= 10 })
	return h, func() {
		h.mu.Lock()
		h.ends = true
		h.mu.Unlock()
		playing.Wait()
	}
}

// enough makes both sides of a pair end after the same game: the side that sees the end of a game first
// decides.
func (h *fairPlayers) enough(d *pairOfClients, side int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine, others := int(d.finished[side].Load()), int(d.finished[1-side].Load())
	if h.ends && h.last[d] == 0 {
		h.last[d] = mine
		if others >= mine { // who has gone on already
			h.last[d]++
		}
	}
	return h.last[d] > 0 && mine >= h.last[d]
}

// since returns the times of the turns since the last call.
func (h *fairPlayers) since() []time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	took := h.took
	h.took = nil
	slices.Sort(took)
	return took
}

// at returns a quantile of sorted times.
func at(took []time.Duration, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	return took[min(int(q*float64(len(took))), len(took)-1)]
}

// startAttack starts the hostile clients. stop ends them and returns what they did.
func (f serverUnderAttack) startAttack(t testing.TB) (stop func() map[string]int) {
	t.Helper()
	users := exec.Command(os.Args[0])
	users.Env = append(os.Environ(), asAttackers+"="+f.addr)
	users.Stderr = os.Stderr
	in, err1 := users.StdinPipe()
	out, err2 := users.StdoutPipe()
	if err := errors.Join(err1, err2, users.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = users.Process.Kill(); _ = users.Wait() })
	return func() map[string]int {
		in.Close()
		done := make(map[string]int)
		if err := json.NewDecoder(out).Decode(&done); err != nil {
			t.Error("the crowd:", err)
		}
		return done
	}
}

// met are the limits that the attack must have met, at once and after some seconds.
var (
	limitsHitAtOnce = []string{
		"unauthenticated_per_address", "channels", "command_bytes", "env", "terminal_size", "input_rate",
	}
	limitsHitInTime = []string{"connect_rate", "handshake", "keepalive", "stall", "tables_per_address", "new_accounts_per_address"}
)

// TestHostileHour runs ten pairs of players during all attacks at once from other addresses: no turn is
// lost or duplicated, no fair player is disconnected or rejected, and afterwards the server is as before.
func TestHostileHour(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	lasts, want := 3*time.Second, limitsHitAtOnce
	if text := os.Getenv(hostileTime); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		want = append(slices.Clone(limitsHitAtOnce), limitsHitInTime...)
	}
	f := startUnderAttack(t, attackLimits)
	// What the first visitors set up for all is nobody's.
	_, warm := f.startPairs(t, 0)
	warm()
	waitIdle(t, f)
	f.leakedGoroutines(nil)
	goroutines, games := f.goroutines()
	heap, hits := f.heap(), f.hits()

	h, stop := f.startPairs(t, 12) // names from m on: i and l look alike
	quiet := time.After(min(lasts, 5*time.Second))
	<-quiet
	before := h.since()
	withdraw := f.startAttack(t)
	over := time.After(lasts)
	newAccounts, refused := 0, 0
	for lasting := true; lasting; {
		c, again := f.dialNewcomer(t) // ends the test if it is not let in
		refused += again
		s, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if out, err := s.Output("version"); err != nil || !strings.HasPrefix(string(out), "ayumu ") {
			t.Errorf("a newcomer gets %q, %v", out, err)
		}
		c.Close()
		newAccounts++
		select {
		case <-over:
			lasting = false
		case <-time.After(100 * time.Millisecond):
		}
	}
	for _, limit := range want {
		waitUntil(t, fmt.Sprintf("the limit %q is met", limit), func() bool { return f.hits()[limit] > hits[limit] })
	}
	during := h.since()
	done := withdraw()
	stop()
	for _, k := range attacks {
		if done[k.name] == 0 {
			t.Errorf("the attack never came to %s", k.name)
		}
	}
	waitIdle(t, f)
	_, more := f.goroutines()
	now, most := f.heap(), heap+memoryAllowance+float64(more-games)*memoryPerGame
	for end := time.Now().Add(waitTimeout); now > most && time.Now().Before(end); now = f.heap() {
		<-time.After(time.Second) // buffers of the last sessions may still be there
	}
	t.Logf("live objects: %.1f MiB before, %.1f after, with %d finished games more", heap/(1<<20), now/(1<<20), more-games)
	if now > most {
		t.Errorf("that is more than %.1f MiB; the largest:\n%s", most/(1<<20), f.largest(12))
	}
	if left := f.leakedGoroutines(goroutines); len(left) > 0 {
		t.Errorf("goroutines are left: %v", left)
	}
	t.Logf("the attack: %v; %d new accounts, after %d refusals", done, newAccounts, refused)
	t.Logf("limits met: %v", f.hits())
	t.Logf("a turn to the other side, median and p99: quiet %v %v of %d, under attack %v %v of %d",
		at(before, 0.5), at(before, 0.99), len(before), at(during, 0.5), at(during, 0.99), len(during))
	f.kill()
	f.audit(t, h)
}

// dialNewcomer connects as somebody who was never here. On a fast machine the attackers, from all of their addresses together,
// reach the limit for all addresses, which refuses newcomers as well: they try again, as people do. Nothing else may refuse
// them. again is how often they did.
func (f serverUnderAttack) dialNewcomer(t testing.TB) (c *ssh.Client, again int) {
	t.Helper()
	const limit, most = "handshake_rate", 30
	for {
		hits := f.hits()[limit]
		c, err := ssh.Dial("tcp", f.addr, servertest.ClientConfig("newcomer", servertest.NewKey(t)))
		if err == nil {
			t.Cleanup(func() { c.Close() })
			return c, again
		}
		if again++; again > most || f.hits()[limit] == hits {
			t.Fatalf("a newcomer is refused %d times, the last time while %q was met %v times: %v", again, limit, f.hits()[limit]-hits, err)
		}
		<-time.After(100 * time.Millisecond)
	}
}

// How much live objects may take after the attack above what they did before it: for pools and
// tables that have grown, and for each finished game that is still kept.
const (
	memoryAllowance = 12 << 20
	memoryPerGame   = 32 << 10
)

// waitIdle waits until no session is left.
func waitIdle(t testing.TB, f serverUnderAttack) {
	t.Helper()
	waitUntil(t, "all connections have ended", func() bool {
		return f.metric("ayumu_connections") == 0 && f.metric("ayumu_sessions") == 0
	})
}

// audit compares the server's records with the acknowledged turns of the players.
func (f serverUnderAttack) audit(t *testing.T, h *fairPlayers) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(f.dir, sqlite.FileName), games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	games, turns := 0, 0
	for _, d := range h.duels {
		d.check(t, db)
		for id, acked := range d.acked {
			_, log, err := db.Match(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			games++
			turns += len(acked)
			if len(log) != len(acked)+1 || log[len(log)-1].Kind != match.EntryEnd {
				t.Errorf("match %s has %d entries, and %d turns were acknowledged", id, len(log), len(acked))
			}
		}
		if a, b := d.finished[0].Load(), d.finished[1].Load(); a == 0 || a != b {
			t.Errorf("%s saw %d games end, %s %d", d.names[0], a, d.names[1], b)
		}
	}
	t.Logf("%d games with %d turns", games, turns)
}

// BenchmarkHostile reports the latency of a turn without load and during the attack.
func BenchmarkHostile(b *testing.B) {
	for b.Loop() {
		f := startUnderAttack(b, attackLimits)
		h, stop := f.startPairs(b, 0)
		<-time.After(10 * time.Second)
		quiet := h.since()
		withdraw := f.startAttack(b)
		<-time.After(8 * time.Second) // until they are all there
		h.since()
		<-time.After(30 * time.Second)
		attacked := h.since()
		withdraw()
		stop()
		for name, took := range map[string][]time.Duration{"quiet": quiet, "attacked": attacked} {
			b.ReportMetric(float64(at(took, 0.5).Microseconds())/1000, name+"-p50-ms")
			b.ReportMetric(float64(at(took, 0.99).Microseconds())/1000, name+"-p99-ms")
		}
		f.kill()
	}
	b.ReportMetric(0, "ns/op")
}
