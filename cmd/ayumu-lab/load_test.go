package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ayumu/cmd/ayumu-lab/load"
	"ayumu/cmd/cli/clitest"
	"ayumu/engine/ayu"
	"ayumu/lobby/clock"
	"ayumu/lobby/store/postgres/postgrestest"
)

// smallLoad returns a load of a few seconds. The bare server is a process of this test binary.
func smallLoad(t *testing.T) load.Config {
	t.Helper()
	t.Setenv(clitest.AsMain, "1")
	return load.Config{
		Server: server(t), Bare: []string{os.Args[0], "load", bareName}, Options: ayu.Options{Size: 11}, Sessions: 100, Brief: 60, AtOnce: 8, Idle: time.Second, Settle: time.Second / 2,
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
	measured := make(map[string]load.Row)
	for _, row := range r.Runs[0].Rows() {
		measured[row.What] = row
	}
	for what, times := range map[string]float64{
		"memory for an idle session":                manyTimes,
		"CPU for a connection with its first frame": manyTimes,
		"turn to the last spectator, median":        busyTimes,
		"key to frame, median":                      busyTimes,
		"a step in the list of users":               1,
		"a turn of a random game":                   1,
	} {
		row, ok := measured[what]
		if !ok || row.Value() > times*row.Max {
			t.Errorf("%s: %.2f (%.1f and %.1f %s), more than %g times the target %s", what, row.Value(), row.Ayumu, row.Other, row.Unit, times, row.Bound())
		}
	}
}

// How many times its target a small load may take beside other tests: costs, and times, of which a few on a busy
// machine say little. The bytes of a frame do not depend on the machine.
const (
	manyTimes = 3
	busyTimes = 9
)

// testReportEnv is the environment variable that has the report, as JSON, that `ayumu-lab load` makes of the test binary
// as the program itself. A made-up report needs no server.
const testReportEnv = "AYUMU_TEST_LOAD_REPORT"

// measureOrMakeUp makes a load, unless the report is made up.
func measureOrMakeUp(ctx context.Context, c load.Config) (r load.Report, err error) {
	if text := os.Getenv(testReportEnv); text != "" {
		return r, json.Unmarshal([]byte(text), &r)
	}
	return load.Run(ctx, c)
}

// TestLoadChecksTargets makes up reports of `ayumu-lab load`, and looks at its exit status.
func TestLoadChecksTargets(t *testing.T) {
	const sessions, cpu = 1000, 10 * time.Microsecond
	// meets returns a pair whose figures meet all targets.
	meets := func() load.Pair {
		figures := load.Figures{
			FirstFrame: load.Times{time.Millisecond}, ConnectionCPU: cpu, RampCPU: cpu, Memory: 100 << 10, IdleCPU: 0.002, SpectatorCPU: cpu, TickCPU: cpu,
			Key: load.Times{time.Millisecond}, Turn: load.Times{time.Millisecond}, LastTurn: load.Times{time.Millisecond}, KeyBytes: 27, TurnBytes: 270,
			Looks: load.LookFigures{Looks: 30, SpectatorCPU: cpu, TickCPU: cpu},
		}
		bare, grown := figures, figures
		grown.IdleCPU *= 5
		return load.Pair{Sessions: sessions, Ayumu: figures, Bare: &bare, GrownSessions: 5 * sessions, Grown: &grown}
	}
	misses := map[string]func(p *load.Pair){ // by the target that is missed
		"CPU for a turn and spectator":                                   func(p *load.Pair) { p.Bare.SpectatorCPU /= 3 },
		"CPU for a second of the clock and spectator":                    func(p *load.Pair) { p.Bare.TickCPU /= 2 },
		"CPU for a turn and spectator, many looks by one":                func(p *load.Pair) { p.Ayumu.Looks.SpectatorCPU *= 2 },
		"CPU for a second of the clock and spectator, many looks by one": func(p *load.Pair) { p.Ayumu.Looks.TickCPU *= 2 },
		"turn to the last spectator, median":                             func(p *load.Pair) { p.Ayumu.LastTurn = load.Times{0, 3 * time.Millisecond, time.Second} },
		"CPU for a connection with its first frame":                      func(p *load.Pair) { p.Bare.ConnectionCPU /= 2 },
		"memory for an idle session":                                     func(p *load.Pair) { p.Bare.Memory /= 2 },
		"key to frame, median":                                           func(p *load.Pair) { p.Ayumu.Key = load.Times{2 * time.Millisecond} },
		"idle, for 1,000 sessions in the lobby":                          func(p *load.Pair) { p.Ayumu.IdleCPU, p.Grown.IdleCPU = 0.005, 0.025 },
		"a timed match without turns, for 1,000 spectators":              func(p *load.Pair) { p.Ayumu.TickCPU, p.Bare.TickCPU, p.Ayumu.Looks.TickCPU = 2*cpu, 2*cpu, 2*cpu },
		"a step in the list of users":                                    func(p *load.Pair) { p.Ayumu.KeyBytes = 131 },
		"a turn of a random game":                                        func(p *load.Pair) { p.Ayumu.TurnBytes = 301 },
		"CPU for a session that arrives with the others, after growth":   func(p *load.Pair) { p.Grown.RampCPU *= 2 },
		"idle CPU for a session, after growth":                           func(p *load.Pair) { p.Grown.IdleCPU *= 2 },
		"memory for an idle session, after growth":                       func(p *load.Pair) { p.Grown.Memory *= 2 },
	}
	if len(misses) != len(load.Targets) {
		t.Errorf("%d of %d targets are missed here", len(misses), len(load.Targets))
	}
	try := func(args []string, runs ...load.Pair) (out, errs string, status int) {
		text, err := json.Marshal(load.Report{Config: load.Config{Sessions: sessions}, Runs: runs})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(testReportEnv, string(text))
		out, errs, status = clitest.Run(t, "", append([]string{"load", "--server", os.Args[0]}, args...)...)
		return out, strings.Join(strings.Fields(errs), " "), status // an error is broken into lines
	}
	if out, errs, status := try([]string{"--check"}, meets()); status != 0 || errs != "" || strings.Contains(out, "missed") || strings.Count(out, " met\n") != len(load.Targets) {
		t.Errorf("all targets met: status %d, %s\n%s", status, errs, out)
	}
	for what, miss := range misses {
		missed := meets()
		miss(&missed)
		out, errs, status := try([]string{"--check"}, missed)
		if status != 1 || !strings.Contains(errs, "missed: "+what+": ") || strings.Contains(errs, ";") || strings.Count(out, " missed\n") != 1 {
			t.Errorf("%s missed: status %d, %s\n%s", what, status, errs, out)
		}
		if without, errs, status := try(nil, missed); status != 0 || errs != "" || without != out {
			t.Errorf("%s missed, without --check: status %d, %s\n%s", what, status, errs, without)
		}
	}
	// The median of several runs counts.
	slow := meets()
	slow.Ayumu.Memory *= 10
	if _, errs, status := try([]string{"--check"}, slow, meets(), meets()); status != 0 {
		t.Errorf("one run of three misses a target: status %d, %s", status, errs)
	}
	if _, errs, status := try([]string{"--check"}, slow, meets(), slow); status != 1 {
		t.Errorf("two runs of three miss a target: status %d, %s", status, errs)
	}
	// Without a comparison nothing is checked, which is no success.
	alone := meets()
	alone.Bare, alone.Grown = nil, nil
	if _, errs, status := try([]string{"--check"}, alone); status != 1 || !strings.Contains(errs, "--baseline") {
		t.Errorf("without a baseline: status %d, %s", status, errs)
	}
	if _, errs, status := try(nil, alone); status != 0 {
		t.Errorf("without a baseline and --check: status %d, %s", status, errs)
	}
}

// TestTargetsAreListed compares the tables of docs/performance.md with the targets.
func TestTargetsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	bounds := make(map[string]string)
	for _, target := range load.Targets {
		bounds[target.What] = target.Bound()
	}
	listed := 0
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| (≤ [^|]+) \|`).FindAllStringSubmatch(string(page), -1) {
		if listed++; bounds[m[1]] != m[2] {
			t.Errorf("the page has the target %q of %q, the code %q", m[2], m[1], bounds[m[1]])
		}
		delete(bounds, m[1])
	}
	if len(bounds) > 0 || listed != len(load.Targets) || strings.Count(string(page), "≤") != listed {
		t.Errorf("%d targets are listed, %d bounds are in the page; not listed are %v", listed, strings.Count(string(page), "≤"), bounds)
	}
}

// TestLoadByScripts plays games by scripts, and then measures a few sessions more: Run fails if a turn is not
// acknowledged.
func TestLoadByScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	c := smallLoad(t)
	c.Baseline, c.Brief, c.Keys, c.Turns, c.Idle = false, 0, 0, 0, 0
	c.Sessions, c.Hold, c.Games, c.TurnsRate, c.Growth = 5, time.Second, 3, 60, 7
	r, err := load.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Runs[0]; p.Sessions != 5 || p.GrownSessions != 7 || p.Grown == nil || p.Grown.FirstBytes <= 0 || len(p.Grown.Ack) > 0 {
		t.Errorf("growth from 5 sessions: %d, %+v", p.GrownSessions, p.Grown)
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

// TestLoadRefusesNumbers: a rate below 0, none of the turns of games that are to be played, and growth to fewer
// sessions.
func TestLoadRefusesNumbers(t *testing.T) {
	for _, change := range []func(*load.Config){
		func(c *load.Config) { c.Rate = -1 },
		func(c *load.Config) { c.Growth = -1 },
		func(c *load.Config) { c.Growth = c.Sessions },
		func(c *load.Config) { c.Growth = load.MaxSessions + 1 },
		func(c *load.Config) { c.Hold, c.Games, c.TurnsRate = time.Second, 3, 0 },
		func(c *load.Config) { c.Hold, c.Games, c.TurnsRate = time.Second, 3, -1 },
	} {
		c := smallLoad(t)
		c.Addr = "127.0.0.1:1" // where no server is
		change(&c)
		if _, err := load.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "must be") && !strings.Contains(err.Error(), "may be negative") {
			t.Errorf("rate %v, %v turns a second, growth to %d: %v", c.Rate, c.TurnsRate, c.Growth, err)
		}
	}
}

func TestLoadStaysOnThisMachine(t *testing.T) {
	for _, addr := range []string{"192.0.2.1:22", "example.org:22", "[2001:db8::1]:22"} {
		if _, errs, status := clitest.Run(t, "", "load", "--addr", addr); status == 0 || !strings.Contains(errs, "--remote") {
			t.Errorf("%s: exit %d: %s", addr, status, errs)
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
