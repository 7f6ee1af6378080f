package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Run measures a server, and a bare one if c.Baseline is set, c.Runs times.
func Run(ctx context.Context, c Config) (r Report, err error) {
	if err := c.check(); err != nil {
		return r, err
	}
	if c.Profiles != "" { // fail now and not after minutes of load
		if err := os.MkdirAll(c.Profiles, 0o755); err != nil {
			return r, fmt.Errorf("create the folder for profiles: %w", err)
		}
	}
	r.Config = c
	for range max(c.Runs, 1) {
		p, err := c.runPair(ctx)
		if err != nil {
			return r, err
		}
		if c.Growth > 0 {
			grown, err := c.grown().runPair(ctx)
			if err != nil {
				return r, err
			}
			p.GrownSessions, p.Grown = c.Growth, &grown.Ayumu
		}
		r.Runs = append(r.Runs, p)
	}
	return r, nil
}

// grown returns the load with more sessions, without what growth is not measured of.
func (c Config) grown() Config {
	c.Sessions, c.Growth = c.Growth, 0
	c.Baseline, c.Brief, c.Keys, c.Turns, c.Looks, c.Matches, c.Hold, c.Running = false, 0, 0, 0, 0, 0, 0, 0
	return c
}

// runPair makes one run: ayumu, and then a bare server. The costs of single connections are measured with
// both servers side by side.
func (c Config) runPair(ctx context.Context) (p Pair, err error) {
	p.Sessions = c.Sessions
	server, err := c.server(ctx)
	if err != nil {
		return p, err
	}
	bareVisits, err := c.measureVisits(ctx, server)
	if err == nil {
		p.Ayumu, err = server.measure(ctx)
	}
	if err = errors.Join(err, server.end()); err != nil || !c.Baseline {
		return p, err
	}
	bare, err := c.bare(ctx, p.Ayumu.Sizes())
	if err != nil {
		return p, err
	}
	bare.FirstFrame, bare.ConnectionCPU = bareVisits.FirstFrame, bareVisits.ConnectionCPU
	f, err := bare.measure(ctx)
	p.Bare = &f
	return p, errors.Join(err, bare.end())
}

// watchedMatch is a match with spectators.
type watchedMatch interface {
	command() string // the command that watches it
	turn(ctx context.Context) error
	tick(ctx context.Context) error // takes a second
	close()
}

// run is the measurement of one server.
type run struct {
	Config
	clients        clients
	processes      processes
	dir            string  // temporary folder; empty: none
	schema         *schema // of the database of several nodes; nil: there is none
	bare           bool
	firstFrameText string // end of a first frame in the lobby
	matchFrameText string // end of a first frame in a match

	mu sync.Mutex // guards Figures
	Figures
}

// Texts at the end of a complete frame of the lobby and of a match: words, because what writes the frame may skip blanks.
const (
	lobbyText = "quick"
	matchText = "Spectator"
)

// server starts ayumu with an account for each client, or uses the server at c.Addr.
func (c Config) server(ctx context.Context) (*run, error) {
	r := &run{Config: c, firstFrameText: lobbyText, matchFrameText: matchText}
	if c.Addr != "" {
		r.clients = clients{addrs: []string{c.Addr}, loopback: loopback(c.Addr), guests: true}
		r.processes = processes{{metrics: c.Metrics}}
		return r, nil
	}
	var err error
	if r.dir, err = os.MkdirTemp("", "ayumu-load-"); err != nil {
		return nil, err
	}
	r.clients = clients{loopback: true, seed: c.Seed}
	if c.Nodes > 0 {
		if r.schema, err = newSchema(ctx, c.Store); err != nil {
			return nil, errors.Join(err, r.end())
		}
	}
	if err = r.launch(ctx); err == nil {
		r.logf("making %d accounts", r.accountCount())
		err = errors.Join(r.register(ctx), r.processes.stop())
	}
	if err == nil {
		err = r.launch(ctx) // so that the costs of the accounts do not count
	}
	if err != nil {
		return nil, errors.Join(err, r.end())
	}
	return r, nil
}

func (r *run) launch(ctx context.Context) error {
	r.processes, r.clients.addrs = nil, nil
	for n := range max(r.Nodes, 1) {
		command := []string{r.Server, "serve", "--listen", "127.0.0.1:0",
			"--host-key", filepath.Join(r.dir, "key"), "--metrics-listen", "127.0.0.1:0",
			"--limits-connections", strconv.Itoa(2*r.accountCount() + 1000)} // including those that are just ending
		flags, err := r.schema.nodeFlags(n, r.dir, r.NATS)
		if err == nil {
			err = r.startServer(ctx, append(command, flags...))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startServer starts a server or one more node by its command line.
func (r *run) startServer(ctx context.Context, command []string) error {
	p, addr, err := startProcess(ctx, command[0], command[1:]...)
	if err != nil {
		return err
	}
	r.processes, r.clients.addrs = append(r.processes, p), append(r.clients.addrs, addr)
	return nil
}

// bare starts a bare server with these frame sizes.
func (c Config) bare(ctx context.Context, s Sizes) (*run, error) {
	r := &run{Config: c, bare: true, firstFrameText: bareText, matchFrameText: bareText, clients: clients{loopback: true, guests: c.Addr != "", seed: c.Seed}}
	command := append(slices.Clone(c.Bare),
		"--first", strconv.Itoa(s.First), "--key", strconv.Itoa(s.Key), "--turn", strconv.Itoa(s.Turn), "--tick", strconv.Itoa(s.Tick))
	return r, r.startServer(ctx, command)
}

func (r *run) end() error {
	err := r.processes.stop()
	if r.schema != nil {
		err = errors.Join(err, r.schema.drop())
	}
	if r.dir != "" {
		err = errors.Join(err, os.RemoveAll(r.dir))
	}
	return err
}

// accountCount returns the number of accounts: one for each session with screens and for each player of
// the games.
func (r *run) accountCount() int {
	return r.Sessions + 2*max(r.Games, r.Matches, r.Running/runningPerPair+1)
}

// register creates the accounts, each by its first connection.
func (r *run) register(ctx context.Context) error {
	return forEach(ctx, r.accountCount(), r.AtOnce, 0, func(ctx context.Context, i int) error {
		p, err := r.clients.openAPI(ctx, i)
		if err == nil {
			p.close()
		}
		return err
	})
}

func (r *run) logf(format string, args ...any) {
	name := "ayumu"
	if r.bare {
		name = "bare"
	}
	fmt.Fprintf(r.Log, "%s  %-5s  "+format+"\n", append([]any{time.Now().Format("15:04:05"), name}, args...)...)
}

// measure makes all measurements of a server.
func (r *run) measure(ctx context.Context) (Figures, error) {
	looks := func(ctx context.Context) error { return measureLooks(ctx, r) }
	for _, step := range []func(context.Context) error{r.measureLobby, r.measureTurns, looks, r.measureMatches, r.measureRunning, r.measureCommits} {
		if err := step(ctx); err != nil {
			return r.Figures, err
		}
	}
	return r.Figures, nil
}

// openScreens opens all screens and returns when each has its first frame.
func (r *run) openScreens(ctx context.Context, command, text string) (all []*screen, err error) {
	all = make([]*screen, r.Sessions)
	first := newObservation(r.Sessions)
	err = forEach(ctx, r.Sessions, r.AtOnce, r.Rate, func(ctx context.Context, i int) (err error) {
		all[i], err = r.clients.open(ctx, i, command, text, first)
		return err
	})
	if err == nil {
		_, err = first.wait(ctx)
	}
	if err != nil {
		closeScreens(all)
	}
	return all, err
}

// closeScreens closes all sessions.
func closeScreens(all []*screen) {
	for _, s := range all {
		if s != nil {
			s.close()
		}
	}
}

// measureLobby measures sessions in the lobby: connecting, idle, typing, and during games by scripts.
func (r *run) measureLobby(ctx context.Context) error {
	r.logf("%d sessions in the lobby", r.Sessions)
	before, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	all, err := r.openScreens(ctx, "", r.firstFrameText)
	if err != nil {
		return err
	}
	defer closeScreens(all)
	r.ConnectionsPerSecond = float64(r.Sessions) / time.Since(began).Seconds()
	for _, s := range all {
		r.FirstBytes += float64(s.size()) / float64(r.Sessions)
	}
	if err := sleep(ctx, r.Settle); err != nil {
		return err
	}
	full, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	r.RampCPU = (full.cpu - before.cpu) / time.Duration(r.Sessions)
	r.logf("idle for %v", r.Idle)
	if err := sleep(ctx, r.Idle); err != nil {
		return err
	}
	after, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	r.Memory = (after.memory - before.memory) / r.Sessions
	r.Goroutines = float64(after.goroutines-before.goroutines) / float64(r.Sessions)
	r.Stacks = (after.stacks - before.stacks) / r.Sessions
	r.saveProfile(ctx, "idle.heap", "/debug/pprof/heap")
	r.saveProfile(ctx, "idle.goroutines", "/debug/pprof/goroutine")
	if r.Idle > 0 {
		r.IdleCPU = float64(after.cpu-full.cpu) / float64(r.Idle)
	}
	if err := r.measureTyping(ctx, all); err != nil || r.bare {
		return err
	}
	return r.measureHold(ctx)
}

// typedKeys move the selection in the lobby down and up. The first key, Tab, focuses the list of users.
var typedKeys = []string{"\x1b[B", "\x1b[A"}

// measureTyping types in some sessions, at random intervals, and waits for the frame of each key.
func (r *run) measureTyping(ctx context.Context, all []*screen) error {
	if r.Keys == 0 {
		return nil
	}
	typists := max(r.Sessions/r.Typing, 1)
	r.logf("%d of them type %d keys each", typists, r.Keys)
	size := 0
	err := forEach(ctx, typists, typists, 0, func(ctx context.Context, i int) error {
		rng := rand.New(rand.NewPCG(r.Seed, uint64(i)))
		s := all[i*len(all)/typists]
		var own Times
		written := 0
		for k := range r.Keys + 1 {
			if err := sleep(ctx, time.Duration(rng.IntN(400))*time.Millisecond); err != nil {
				return err
			}
			key, before, shown := "\t", s.size(), newObservation(1)
			if k > 0 {
				key = typedKeys[(k-1)%len(typedKeys)]
			}
			s.expect(shown)
			if _, err := s.ch.Write([]byte(key)); err != nil {
				return err
			}
			took, err := shown.wait(ctx)
			if err != nil {
				return fmt.Errorf("key %d of session %d: %w", k, i, err)
			}
			if k > 0 { // the first frame is of another kind
				own, written = append(own, took...), written+s.size()-before
			}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Key, size = append(r.Key, own...), size+written
		return nil
	})
	r.KeyBytes = float64(size) / float64(max(len(r.Key), 1))
	return err
}

// measureTurns measures a match that all sessions watch.
func (r *run) measureTurns(ctx context.Context) error {
	if r.Turns == 0 {
		return nil
	}
	m, err := r.startWatchedMatch(ctx)
	if err != nil {
		return err
	}
	defer m.close()
	if err := r.schema.awaitNodes(ctx); err != nil {
		return err
	}
	r.logf("%d watch one match of %d turns", r.Sessions, r.Turns)
	all, err := r.openScreens(ctx, m.command(), r.matchFrameText)
	if err != nil {
		return err
	}
	defer closeScreens(all)
	if err := sleep(ctx, r.Settle); err != nil {
		return err
	}
	before, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	if r.clients.looks == 0 {
		defer r.profile(ctx, "turns.cpu")()
	}
	sizes := -totalSize(all)
	r.Turn, r.LastTurn = nil, nil
	for range r.Turns {
		if err := r.measureTurn(ctx, m, all); err != nil {
			return err
		}
	}
	sizes += totalSize(all)
	shown := len(r.LastTurn) * r.Sessions
	r.TurnBytes = float64(sizes) / float64(shown)
	after, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	r.SpectatorCPU = (after.cpu - before.cpu) / time.Duration(shown)
	r.TurnLockWait = (after.lockWait - before.lockWait) / time.Duration(shown)
	return r.measureTicks(ctx, m, all)
}

// measureTicks measures the watched match while its clock runs and nobody moves.
func (r *run) measureTicks(ctx context.Context, m watchedMatch, all []*screen) error {
	if r.Ticks == 0 || !r.Clock.IsLive() {
		return nil
	}
	r.logf("its clock runs for %d s", r.Ticks)
	before, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	size := totalSize(all)
	for range r.Ticks {
		if err := m.tick(ctx); err != nil {
			return err
		}
	}
	after, err := r.processes.cost(ctx)
	n := r.Ticks * r.Sessions
	r.TickCPU = (after.cpu - before.cpu) / time.Duration(n)
	r.TickBytes = float64(totalSize(all)-size) / float64(n)
	return err
}

// totalSize returns the number of bytes that screens have received.
func totalSize(all []*screen) (n int) {
	for _, s := range all {
		n += s.size()
	}
	return n
}

// measureTurn plays a turn and records when the spectators see it.
func (r *run) measureTurn(ctx context.Context, m watchedMatch, all []*screen) error {
	if err := sleep(ctx, 200*time.Millisecond); err != nil { // wait until the server is idle
		return err
	}
	shown := newObservation(len(all))
	for _, s := range all {
		s.expect(shown)
	}
	shown.startedAt = time.Now()
	if err := m.turn(ctx); err != nil {
		return err
	}
	took, err := shown.wait(ctx)
	if err != nil {
		return err
	}
	r.Turn = append(r.Turn, took...)
	r.LastTurn = append(r.LastTurn, took.At(1))
	return nil
}

// startWatchedMatch starts the watched match.
func (r *run) startWatchedMatch(ctx context.Context) (watchedMatch, error) {
	if r.bare {
		return openBarePlayer(ctx, &r.clients, r.Sessions)
	}
	return r.startGame(ctx, 0)
}

// startGame starts the n-th game.
func (r *run) startGame(ctx context.Context, n int) (*game, error) {
	a, err := r.clients.openAPI(ctx, r.Sessions+2*n)
	if err != nil {
		return nil, err
	}
	b, err := r.clients.openAPI(ctx, r.Sessions+2*n+1)
	if err != nil {
		a.close()
		return nil, err
	}
	g, err := startGame(ctx, a, b, r.Options, r.Clock, rand.New(rand.NewPCG(r.Seed, uint64(n))))
	if err != nil {
		a.close()
		b.close()
	}
	return g, err
}
