package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ayumu/cmd/games"
	"ayumu/lobby/store/postgres"
	"ayumu/server/servertest"
)

// clusterTime is the environment variable with the duration of the faults in TestThreeNodes and TestThreeNodesPolling:
// about a minute for all of them. Without it the tests are skipped.
const clusterTime = "AYUMU_NODES"

// fault is what happens to a cluster at a time after the beginning.
type fault struct {
	at   time.Duration
	name string
	do   func(c *testCluster)
}

// clusterFaults are the faults of a minute.
func clusterFaults(withNATS bool) (all []fault) {
	at := func(seconds int, name string, do func(c *testCluster)) {
		all = append(all, fault{time.Duration(seconds) * time.Second, name, do})
	}
	for i := range 6 {
		n := i % nodeCount
		at(5+10*i, fmt.Sprintf("node%d is killed", n+1), func(c *testCluster) { c.nodes[n].process.kill() })
		at(7+10*i, fmt.Sprintf("node%d starts", n+1), func(c *testCluster) { c.nodes[n].start() })
	}
	if withNATS {
		at(10, "NATS stops", func(c *testCluster) { c.nats.Stop() })
		at(14, "NATS starts", func(c *testCluster) { c.nats.Run() })
	}
	at(20, "PostgreSQL crashes", func(c *testCluster) { must(c.t, c.database.Crash()) })
	at(22, "PostgreSQL starts", func(c *testCluster) { must(c.t, c.database.Run()) })
	at(29, "node2 is stopped", func(c *testCluster) { c.nodes[1].signal(signalStop) })
	at(37, "node2 goes on", func(c *testCluster) { c.nodes[1].signal(signalContinue) })
	var resume func()
	at(40, "node3 and its database stall", func(c *testCluster) { resume = c.nodes[2].database.stall() })
	at(52, "node3 and its database go on", func(*testCluster) { resume() })
	slices.SortStableFunc(all, func(a, b fault) int { return int(a.at - b.at) })
	return all
}

// TestThreeNodes plays on three real nodes while they, the database, the messages and the network fail.
func TestThreeNodes(t *testing.T) { playOnThreeNodes(t, true) }

// TestThreeNodesPolling is TestThreeNodes without NATS: the nodes find changes only by polling.
func TestThreeNodesPolling(t *testing.T) { playOnThreeNodes(t, false) }

func playOnThreeNodes(t *testing.T, withNATS bool) {
	text := os.Getenv(clusterTime)
	if text == "" {
		t.Skipf("takes minutes; runs with %s=1m", clusterTime)
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	c, h, found := startCluster(t, withNATS), newHistory(), &faults{TB: t}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	var pairs []*clusterPair
	for n := range pairCount {
		p := newClusterPair(c, h, n)
		pairs = append(pairs, p)
		for _, player := range p.players {
			all.Go(func() { player.keepPlaying(ctx) })
		}
	}
	others, stopOthers := context.WithCancel(ctx)
	defer stopOthers()
	for n := range spectatorCount {
		key := servertest.NewKey(t)
		all.Go(func() { pairs[n].keepWatching(others, 2*pairCount+n, key) })
	}
	var screens clusterScreens
	for n := range screenCount {
		key, id := servertest.NewKey(t), 2*pairCount+spectatorCount+n
		c.register(id, fmt.Sprint("screen", id), key)
		all.Go(func() { screens.keepShowing(others, pairs[n%pairCount], id, key) })
	}
	awaitMatches(found, pairs, 1)
	pause(ctx, 3*time.Second)
	calm := time.Now()
	for _, f := range clusterFaults(withNATS) {
		if f.at > duration {
			break
		}
		pause(ctx, time.Until(calm.Add(f.at)))
		t.Logf("%5.1f s: %s", time.Since(calm).Seconds(), f.name)
		f.do(c)
	}
	pause(ctx, time.Until(calm.Add(duration)))
	awaitMatches(found, pairs, 1)
	stop()
	all.Wait()
	for _, n := range c.nodes {
		n.process.kill()
	}
	db, err := postgres.Open(t.Context(), c.url, games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	h.check(found, db)
	if problems, err := db.Check(t.Context()); err != nil || problems != nil {
		found.Errorf("check: %q, %v", problems, err)
	}
	checkRatings(found, c.url)
	h.report(t, calm, screens.back)
	if t.Failed() || found.texts != nil {
		for _, n := range c.nodes {
			t.Log(n.logs())
		}
	}
	for _, text := range found.texts {
		t.Error(text)
	}
}

// faults keeps the errors of a test, so that they follow the logs of the nodes: who sees only the end of an output sees
// what failed.
type faults struct {
	testing.TB
	texts []string
}

// Errorf keeps an error.
func (f *faults) Errorf(format string, args ...any) {
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

// awaitMatches waits until both players of every pair have seen so many more matches end.
func awaitMatches(t testing.TB, pairs []*clusterPair, more int32) {
	t.Helper()
	const limit = waitTimeout
	var before [][2]int32
	for _, p := range pairs {
		before = append(before, [2]int32{p.players[0].finished.Load(), p.players[1].finished.Load()})
	}
	for deadline := time.Now().Add(limit); ; <-time.After(lookEvery) {
		var waiting []string
		for i, p := range pairs {
			for side, player := range p.players {
				if player.finished.Load() < before[i][side]+more {
					_, match := p.current()
					waiting = append(waiting, fmt.Sprintf("%s, whose match is %s: %v", player.name, match, player.state.Load()))
				}
			}
		}
		if len(waiting) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("within %v no match ended of\n%s", limit, strings.Join(waiting, "\n"))
			return
		}
	}
}

// checkRatings checks that each rated match changed the rating of each of its players once, and that no match has
// more than one result.
func checkRatings(t testing.TB, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var matches, ended, results, rated int
	err = conn.QueryRow(t.Context(), `SELECT count(*), count(ended), count(result),
		count(*) FILTER (WHERE EXISTS (SELECT FROM seats WHERE match = id AND pool IS NOT NULL)) FROM matches`).
		Scan(&matches, &ended, &results, &rated)
	if err != nil || ended != results || rated == 0 {
		t.Errorf("of %d matches %d have ended, %d have a result and %d changed ratings: %v", matches, ended, results, rated, err)
	}
	t.Logf("%d matches, of which %d have ended and %d changed ratings", matches, ended, rated)
	rows, err := conn.Query(t.Context(), `SELECT account, s.pool, rating_after, r.games FROM seats s JOIN ratings r USING (account)
		WHERE s.pool = r.pool ORDER BY account, s.pool`)
	if err != nil {
		t.Fatal(err)
	}
	games, current := make(map[string][]int), make(map[string]int)
	for rows.Next() {
		var account int64
		var pool, after string
		var n int
		if err := rows.Scan(&account, &pool, &after, &n); err != nil {
			t.Fatal(err)
		}
		var r struct{ Games int }
		if err := json.Unmarshal([]byte(after), &r); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("account %d, %s", account, pool)
		games[key], current[key] = append(games[key], r.Games), n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for key, all := range games {
		slices.Sort(all)
		for i, n := range all {
			if n != i+1 || len(all) != current[key] {
				t.Errorf("%s: the ratings after matches are those of games %v, and now of %d games", key, all, current[key])
				break
			}
		}
	}
}

// report prints how long it took until turns were acknowledged and seen, and until screens were back. Turns sent
// before calm ended were undisturbed.
func (h *history) report(t *testing.T, calm time.Time, back []time.Duration) {
	t.Helper()
	type class struct {
		what      string
		otherNode bool
		disturbed bool
	}
	times := make(map[class][]time.Duration)
	type entry struct {
		match   string
		version int
	}
	recorded := make(map[entry]sentTurn)
	const window = 2 * time.Second
	var rates [40]int // of turns, in windows after calm ended
	add := func(what string, other bool, s sentTurn, took time.Duration) {
		c := class{what, other, s.sent.After(calm)}
		times[c] = append(times[c], took)
	}
	for _, sent := range h.sent {
		for _, s := range sent {
			if s.outcome == outcomeRecorded {
				recorded[entry{s.match, s.version}] = s
				if since := s.answered.Sub(calm); since >= 0 && since < window*time.Duration(len(rates)) {
					rates[since/window]++
				}
				add("a turn is acknowledged, the opponent's node is", !s.sameNode, s, s.answered.Sub(s.sent))
			}
		}
	}
	for _, seen := range h.sighted {
		s, ok := recorded[entry{seen.match, seen.version}]
		if !ok {
			continue
		}
		what := "the opponent sees it, whose node is"
		if seen.spectator {
			what = "a spectator sees it, whose node is"
		}
		add(what, seen.node != s.node, s, seen.at.Sub(s.sent))
	}
	var lines []string
	for c, all := range times {
		when, where := "before the faults", "the same"
		if c.disturbed {
			when = "with faults"
		}
		if c.otherNode {
			where = "another"
		}
		lines = append(lines, fmt.Sprintf("%-18s %s %s: %s", when, c.what, where, quantiles(all)))
	}
	slices.Sort(lines)
	t.Logf("from the sending of a turn, p50 / p99 / max:\n%s\nreconnect to first frame: %s", strings.Join(lines, "\n"), quantiles(back))
	t.Logf("turns acknowledged in each %v with faults and after them: %d", window, rates)
}

// quantiles returns the median, the 99th percentile, the maximum and the number of times.
func quantiles(all []time.Duration) string {
	if len(all) == 0 {
		return "none"
	}
	slices.Sort(all)
	at := func(share float64) time.Duration {
		return all[int(share*float64(len(all)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("%v / %v / %v (%d)", at(0.5), at(0.99), at(1), len(all))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
