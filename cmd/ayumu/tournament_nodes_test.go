package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/games"
	"ayumu/lobby/match"
	"ayumu/lobby/store/postgres"
	"ayumu/lobby/tournament"
	"ayumu/server/servertest"
)

// largeTournaments is the environment variable without which the tests of large tournaments are skipped.
const largeTournaments = "AYUMU_TOURNAMENTS"

func needLargeTournaments(t *testing.T) {
	t.Helper()
	if os.Getenv(largeTournaments) == "" {
		t.Skipf("takes minutes; runs with %s=1", largeTournaments)
	}
}

// keepPlaying has a program play in a tournament, again after each time that its connection breaks, until ctx ends.
func (p *tournamentProgram) keepPlaying(ctx context.Context, t testing.TB, addr, id string) {
	for ctx.Err() == nil {
		if err := p.play(addr, id, func() {}); err != nil && !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", p.name, err)
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// TestTournamentOnThreeNodes plays a swiss tournament of 64 programs, whose connections HAProxy spreads over three nodes, one of
// which is killed in each round and starts again.
func TestTournamentOnThreeNodes(t *testing.T) {
	needLargeTournaments(t)
	const players = 64
	cluster := startCluster(t, true)
	host := servertest.NewKey(t)
	ask := func(format string, args ...any) (a tournamentAnswer) {
		t.Helper()
		for deadline := time.Now().Add(waitTimeout); ; <-time.After(50 * time.Millisecond) {
			c, err := connect(cluster.haproxy.addr, "host", host)
			if err == nil {
				a, err = c.ask(format, args...)
				c.conn.Close()
			}
			if err == nil && a.OK {
				return a
			}
			if time.Now().After(deadline) {
				t.Fatalf("%+v, %v", a, err)
			}
		}
	}
	id, _ := ask(`"op":"tournament_new","name":"Swiss","format":"swiss","terms":{"game":"ayu","options":{"size":5,"pie":false},"clock":{"initial":120,"increment":0},"pause":0}`).Tournament.(string)
	ctx, stop := context.WithCancel(t.Context())
	var playing sync.WaitGroup
	defer playing.Wait()
	defer stop()
	go func() { // programs read until their connection ends
		<-ctx.Done()
		for _, n := range cluster.nodes {
			n.process.kill()
		}
	}()
	for i := range players {
		p := &tournamentProgram{fmt.Sprintf("prog%c%c", 'a'+i/26, 'a'+i%26), servertest.NewKey(t)}
		playing.Go(func() { p.keepPlaying(ctx, t, cluster.haproxy.addr, id) })
	}
	look := func() tournamentAnswer { return ask(`"op":"tournament","tournament":%q`, id) }
	state := look()
	for deadline := time.Now().Add(waitTimeout); len(state.Players) < players; state = look() {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d have entered", len(state.Players), players)
		}
		pause(ctx, 50*time.Millisecond)
	}
	ask(`"op":"tournament_start","tournament":%q`, id)
	began, rounds := time.Now(), []string{}
	for at, round := time.Now(), 1; state.State != tournament.PhaseClosed; {
		if time.Since(began) > 10*time.Minute {
			t.Fatalf("after ten minutes the tournament is in round %d of %d: %s", state.Round, state.Rounds, state.State)
		}
		if state = look(); state.Round > round || state.State == tournament.PhaseClosed {
			rounds = append(rounds, time.Since(at).Round(10*time.Millisecond).String())
			at, round = time.Now(), state.Round
			if state.State != tournament.PhaseClosed {
				n := cluster.nodes[round%nodeCount]
				n.process.kill()
				n.start()
			}
		}
	}
	t.Logf("%d rounds in %v: %v", len(rounds), time.Since(began).Round(time.Second), rounds)
	last := look()
	stop()
	playing.Wait()
	checkPlayed(t, cluster.url, id, players, last)
}

// checkPlayed checks that every player has exactly one game in each round, and that each game is one match of the tournament in the
// store, which has ended.
func checkPlayed(t testing.TB, url, id string, players int, last tournamentAnswer) {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored := make(map[string]int) // matches of the tournament, with their rounds
	if err := db.AllMatches(t.Context(), func(info *match.Info, log []match.Entry) error {
		if info.Tournament.ID != id || len(log) == 0 || log[len(log)-1].Kind != match.EntryEnd {
			t.Errorf("match %s of %+v has %d entries and no end", info.ID, info.Tournament, len(log))
		}
		stored[info.ID] = info.Tournament.Round
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool) // player and round
	played, others := 0, 0
	for _, g := range last.Games {
		for _, name := range g.Seats {
			key := fmt.Sprint(name, " ", g.Round)
			if seen[key] {
				t.Errorf("%s has two games in a round", key)
			}
			seen[key] = true
		}
		if g.Table == 0 {
			others++
			continue
		}
		if round, ok := stored[g.Match]; !ok || round != g.Round {
			t.Errorf("%+v is stored with round %d", g, round)
		}
		played++
	}
	if len(seen) != players*last.Rounds || played != len(stored) || last.Rounds < 2 {
		t.Errorf("%d seats in %d rounds of %d players; %d games, and %d matches", len(seen), last.Rounds, players, played, len(stored))
	}
	t.Logf("%d games, and %d players without one in a round", played, others)
}

// TestEntrantsAtOnce has 200 players enter one tournament at once, and prints how long turns of 16 running games take to
// reach the other side meanwhile, as a ratio to before.
func TestEntrantsAtOnce(t *testing.T) {
	needLargeTournaments(t)
	const entrants, pairs = 200, 16
	c := config.Default()
	c.Limits.ConnectBurst, c.Limits.ConnectionsPerAddress, c.Lobby.NewAccountBurst, c.Access.MembersOrganize = 1000, 1000, 1000, true
	dir := t.TempDir()
	p := startConfig(t, c, "--listen", "127.0.0.1:0", "--data", dir, "--host-key", dir+"/key")
	host, err := connect(p.addr, "host", servertest.NewKey(t))
	if err != nil {
		t.Fatal(err)
	}
	a, err := host.ask(`"op":"tournament_new","name":"Large","format":"swiss","terms":{"game":"ayu","clock":{"initial":300,"increment":0},"max":256}`)
	id, _ := a.Tournament.(string)
	if err != nil || id == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	clients := make([]*client, entrants)
	var connecting sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i := range clients {
		key := servertest.NewKey(t)
		connecting.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var err error
			if clients[i], err = connect(p.addr, fmt.Sprintf("prog%c%c", 'a'+i/26, 'a'+i%26), key); err == nil {
				_, err = clients[i].ask(`"op":"ping"`)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	connecting.Wait()
	if t.Failed() {
		return
	}
	var phase atomic.Int32 // 0: before, 1: while they enter, 2: after
	var mu sync.Mutex
	var took [3][]time.Duration
	duels := make([]*pairOfClients, pairs)
	for n := range duels {
		duels[n] = newPairOfClients(t, n)
		duels[n].rematch, duels[n].think = true, 20*time.Millisecond
		duels[n].arrived = func(d time.Duration) {
			at := phase.Load()
			mu.Lock()
			defer mu.Unlock()
			took[at] = append(took[at], d)
		}
	}
	playing := playAll(t, p, duels, func(*pairOfClients, int) bool { return false })
	pause(t.Context(), 5*time.Second)
	phase.Store(1)
	began := time.Now()
	var entering sync.WaitGroup
	for i := range clients {
		entering.Go(func() {
			if a, err := clients[i].ask(`"op":"enter","tournament":%q`, id); err != nil || !a.OK {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	entering.Wait()
	entered := time.Since(began)
	phase.Store(2)
	pause(t.Context(), 2*time.Second)
	a, err = host.ask(`"op":"tournament","tournament":%q,"limit":500`, id)
	if err != nil || len(a.Players) != entrants {
		t.Errorf("%d of %d have entered, %v", len(a.Players), entrants, err)
	}
	p.kill() // which ends the games
	playing.Wait()
	middle := func(all []time.Duration) time.Duration {
		slices.Sort(all)
		return all[len(all)/2]
	}
	if len(took[0]) == 0 || len(took[1]) == 0 {
		t.Fatalf("%d turns before, %d while they entered", len(took[0]), len(took[1]))
	}
	t.Logf("%d players entered in %v; a turn reached the other side in %s before, %s meanwhile and %s after it (p50 / p99 / max, number): %.2f × at the median",
		entrants, entered.Round(time.Millisecond), quantiles(took[0]), quantiles(took[1]), quantiles(took[2]), float64(middle(took[1]))/float64(middle(took[0])))
}
