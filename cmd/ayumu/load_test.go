package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/cmd/ayumu/load"
	"ayumu/engine/ayu"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/postgres/postgrestest"
)

// smallLoad returns a load of a few seconds. The servers are processes of this test binary.
func smallLoad(t *testing.T) load.Config {
	t.Helper()
	t.Setenv(asMainEnv, "1")
	return load.Config{
		Program: []string{os.Args[0]}, Options: ayu.Options{Size: 11}, Sessions: 100, Brief: 60, AtOnce: 8, Idle: time.Second, Settle: time.Second / 2,
		Typing: 10, Keys: 4, Turns: 5, Seed: 7, Baseline: true, Log: t.Output(),
	}
}

// TestLoadStaysNearBareSSH compares the ratios to a bare server with multiples of their targets: it fails
// for a session that ticks, copies or redraws, and not on a busy machine.
func TestLoadStaysNearBareSSH(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	r, err := load.Run(t.Context(), smallLoad(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Print(t.Output()); err != nil {
		t.Error(err)
	}
	p := r.Runs[0]
	if len(p.Rows()) < 7 { // more where the CPU time of a bare server can be measured
		t.Errorf("%d figures have a target, want at least 7", len(p.Rows()))
	}
	a, b := p.Ayumu, *p.Bare
	for _, tt := range []struct {
		what         string
		ayumu, bare  float64
		most, target float64
	}{
		{"memory for an idle session", float64(a.Memory), float64(b.Memory), 5, 2},
		{"CPU for a connection", float64(a.ConnectionCPU), float64(b.ConnectionCPU), 5, 1.6},
		{"a turn to the last spectator, median", float64(a.LastTurn.At(0.5)), float64(b.LastTurn.At(0.5)), 20, 4},
		{"a key to its frame, median", float64(a.Key.At(0.5)), float64(b.Key.At(0.5)), 20, 3},
		{"bytes of a key's frame", a.KeyBytes, 1, 120, 60},
		{"bytes of a turn's frame", a.TurnBytes, 1, 400, 300},
	} {
		if tt.ayumu <= 0 || tt.bare <= 0 || tt.ayumu/tt.bare > tt.most {
			t.Errorf("%s: %.0f of ayumu by %.0f of a bare server, more than %g; the target is %g",
				tt.what, tt.ayumu, tt.bare, tt.most, tt.target)
		}
	}
}

// TestLoadByScripts plays games by scripts: Run fails if a turn is not acknowledged.
func TestLoadByScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	c := smallLoad(t)
	c.Baseline, c.Brief, c.Keys, c.Turns, c.Idle = false, 0, 0, 0, 0
	c.Sessions, c.Hold, c.Games, c.TurnsRate = 5, time.Second, 3, 60
	r, err := load.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(r.Runs[0].Ayumu.Ack); got == 0 || got > 60 {
		t.Errorf("%d turns in a second, of at most 60", got)
	}
}

// TestLoadOfTimedMatches lets the clock of a watched match run, and plays some matches on screens at once.
func TestLoadOfTimedMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	c := smallLoad(t)
	c.Baseline, c.Brief, c.Keys, c.Idle = false, 0, 0, 0
	c.Sessions, c.Turns, c.Clock, c.Ticks, c.Matches, c.Looks = 12, 2, clock.Control{Initial: 10 * time.Minute}, 3, 3, 6
	r, err := load.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	a := r.Runs[0].Ayumu
	if a.TickBytes <= 0 || a.TickBytes > 40 {
		t.Errorf("a second of the clock takes %.0f bytes, want 1 to 40", a.TickBytes)
	}
	// The system counts processor time in steps of 10 ms, so that of so few turns may be 0.
	if l := a.Looks; l.Looks != c.Looks || l.SpectatorCPU < 0 || l.SpectatorCPU > 20*time.Millisecond || len(a.LastTurn) != c.Turns {
		t.Errorf("with looks: %+v; %d turns without", l, len(a.LastTurn))
	}
	if want := c.Turns * c.Sessions; len(a.ManyMatches.Turns) != want || a.ManyMatches.Spectators != 2 {
		t.Errorf("%d times from a turn to a screen, with %d spectators; want %d, with 2", len(a.ManyMatches.Turns), a.ManyMatches.Spectators, want)
	}
	c.Matches = 7
	if _, err := load.Run(t.Context(), c); err == nil {
		t.Error("7 matches ran with 12 sessions")
	}
}

// TestLoadOfNodes measures nodes that share a schema, which is gone afterwards: turns by scripts beside what the
// database commits alone, and running matches.
func TestLoadOfNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	c := smallLoad(t)
	c.Brief, c.Keys = 0, 0
	c.Sessions, c.Turns, c.Hold, c.Games, c.TurnsRate = 6, 2, time.Second, 3, 60
	c.Nodes, c.Store, c.Running = 2, postgrestest.URL(t), 50
	r, err := load.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Print(t.Output()); err != nil {
		t.Error(err)
	}
	a := r.Runs[0].Ayumu
	if len(a.Ack) == 0 || len(a.Commits) == 0 || len(a.Turn) != c.Turns*c.Sessions || a.RunningMatches.Matches != c.Running {
		t.Errorf("%d turns, %d commits, %d times of spectators, %d running matches", len(a.Ack), len(a.Commits), len(a.Turn), a.RunningMatches.Matches)
	}
	const none = `DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname LIKE 'ayumu\_load\_%'); END $$`
	if err := postgrestest.Exec(c.Store, none); err != nil {
		t.Errorf("after the load: %v", err)
	}
	for _, change := range []func(c *load.Config){
		func(c *load.Config) { c.Store = "" },
		func(c *load.Config) { c.Nodes = 0 },
		func(c *load.Config) { c.Nodes = load.MaxNodes + 1 },
		func(c *load.Config) { c.Addr = "127.0.0.1:1" },
		func(c *load.Config) { c.Store = "postgres://127.0.0.1:1/x" },
	} {
		wrong := c
		change(&wrong)
		if _, err := load.Run(t.Context(), wrong); err == nil {
			t.Errorf("no error for %d nodes on %q at %q", wrong.Nodes, wrong.Store, wrong.Addr)
		}
	}
}

// TestLoadRefusesRates: a rate below 0, and none of the turns of games that are to be played.
func TestLoadRefusesRates(t *testing.T) {
	for _, change := range []func(*load.Config){
		func(c *load.Config) { c.Rate = -1 },
		func(c *load.Config) { c.Hold, c.Games, c.TurnsRate = time.Second, 3, 0 },
		func(c *load.Config) { c.Hold, c.Games, c.TurnsRate = time.Second, 3, -1 },
	} {
		c := smallLoad(t)
		c.Addr = "127.0.0.1:1" // where no server is
		change(&c)
		if _, err := load.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "must be") && !strings.Contains(err.Error(), "may be negative") {
			t.Errorf("rate %v, %v turns a second: %v", c.Rate, c.TurnsRate, err)
		}
	}
}

func TestLoadStaysOnThisMachine(t *testing.T) {
	for _, addr := range []string{"192.0.2.1:22", "example.org:22", "[2001:db8::1]:22"} {
		if _, err := run(t, loadCommand(), "", "--addr", addr); err == nil {
			t.Errorf("%s was put under load", addr)
		}
	}
}

// TestLoadMakesTheFolderForProfiles checks that the folder is created before the load starts, so that an
// error is immediate.
func TestLoadMakesTheFolderForProfiles(t *testing.T) {
	c := smallLoad(t)
	dir := t.TempDir()
	c.Addr, c.Profiles = "127.0.0.1:1", filepath.Join(dir, "new", "profiles") // where no server is
	if _, err := load.Run(t.Context(), c); err == nil || strings.Contains(err.Error(), "profiles") {
		t.Errorf("without a server: %v", err)
	}
	if _, err := os.Stat(c.Profiles); err != nil {
		t.Error(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Profiles = filepath.Join(file, "profiles")
	if _, err := load.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "the folder for profiles") {
		t.Errorf("below a file: %v", err)
	}
}

// textTrigger calls a function when a text is written.
type textTrigger struct {
	text string
	call func()
}

func (s textTrigger) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.text) {
		s.call()
	}
	return len(p), nil
}

// TestLoadEndsWhenItIsTold ends a load, as ^C does, while all its sessions are idle.
func TestLoadEndsWhenItIsTold(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	c := smallLoad(t)
	ctx, cancel := context.WithCancel(t.Context())
	c.Idle, c.Log = time.Hour, textTrigger{"idle for", cancel}
	if _, err := load.Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
