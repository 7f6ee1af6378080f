package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu-lab/load"
	"ayumu/cmd/games"
	"ayumu/engine"
	"ayumu/lobby/clock"
)

// measurer makes a load, as load.Run does.
type measurer func(ctx context.Context, c load.Config) (load.Report, error)

func loadCommand(measure measurer) *cobra.Command {
	var c load.Config
	var remote, check bool
	var control, server string
	cmd := &cobra.Command{
		Use:   "load",
		Short: "Measure a server under load",
		Long: "Starts a server with its own data folder, connects many clients that type in the lobby and watch\n" +
			"a match, and reports latencies and the server's costs.",
		Example: "ayumu-lab load --sessions 1000 --baseline --check\n" +
			"ayumu-lab load --nodes 2 --store postgres:///ayumu --sessions 1000\n" +
			"ayumu-lab load --addr 127.0.0.1:2222 --metrics 127.0.0.1:9222 --sessions 200",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Remote() && !remote {
				return errors.New("that address is not on this machine; add --remote if its operator agrees")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			if c.Addr == "" {
				if c.Server, err = findProgram(filepath.Dir(self), server); err != nil {
					return err
				}
			}
			c.Bare, c.Log = []string{self, cmd.Name(), bareName}, cmd.ErrOrStderr()
			if c.Options, err = engine.MatchOptions(games.Rules().Default(), nil); err != nil {
				return err
			}
			if c.Clock, err = clock.Parse(control); err != nil {
				return err
			}
			report, err := measure(ctx, c)
			if err != nil {
				return err
			}
			if err := report.Print(cmd.OutOrStdout()); err != nil || !check {
				return err
			}
			return report.Check()
		},
	}
	f := cmd.Flags()
	f.IntVarP(&c.Sessions, "sessions", "n", 200, "concurrent sessions")
	f.BoolVar(&c.Baseline, "baseline", false, "measure a bare SSH server too, and print the ratios")
	f.IntVar(&c.Growth, "growth", 0, "measure this many sessions too, and print the ratios of what one costs; 0: do not")
	f.BoolVar(&check, "check", false, "exit with status 1 if a target is missed")
	f.IntVar(&c.Brief, "brief", 1000, "connections that end after the first frame, before the others")
	f.IntVar(&c.AtOnce, "at-once", 16, "concurrent handshakes")
	f.Float64Var(&c.Rate, "rate", 0, "connections per second; 0: unlimited")
	f.DurationVar(&c.Settle, "settle", 3*time.Second, "pause after the last connection")
	f.DurationVar(&c.Idle, "idle", 30*time.Second, "duration of the idle phase")
	f.IntVar(&c.Typing, "typing", 100, "one session in this many types")
	f.IntVar(&c.Keys, "keys", 20, "keys typed by each of those")
	f.IntVar(&c.Turns, "turns", 20, "turns of the watched match, at most 50")
	f.StringVar(&control, "clock", "none", "clock of the matches, such as 15+10")
	f.IntVar(&c.Ticks, "ticks", 10, "seconds for which that of the watched match runs without a turn")
	f.IntVar(&c.Looks, "looks", 0, "different sizes and palettes, at most 30, among the spectators of another match; 0: no such match")
	f.IntVar(&c.Matches, "matches", 0, "matches at once, with two players and the other sessions as spectators on screens")
	f.DurationVar(&c.Hold, "hold", 0, "how long scripts play games while all sessions are connected")
	f.IntVar(&c.Games, "games", 10, "concurrent games of scripts")
	f.Float64Var(&c.TurnsRate, "turns-rate", 10, "turns per second of all scripts together")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed of keys, pauses and turns")
	f.IntVar(&c.Nodes, "nodes", 0, "nodes of the server, which share --store; 0: a server with a data file")
	f.StringVar(&c.Store, "store", "", "PostgreSQL database of the nodes, postgres://…; they get a schema of their own, which is deleted at the end")
	f.StringVar(&c.NATS, "nats", "", "server nats://… for messages between the nodes; empty: they poll")
	f.IntVar(&c.Running, "running", 0, "matches without a turn whose cost is measured at the end")
	f.StringVar(&server, "server", "ayumu", "server program: a path, or a name that is looked for beside ayumu-lab and then in PATH")
	f.StringVar(&c.Addr, "addr", "", "address of a running server, such as 127.0.0.1:2222; clients connect as guests")
	f.StringVar(&c.Metrics, "metrics", "", "address of its metrics, such as 127.0.0.1:9222, to measure its costs")
	f.IntVar(&c.Runs, "runs", 1, "number of runs; targets are compared with the medians")
	f.StringVar(&c.Profiles, "profiles", "", "folder for CPU and memory profiles of the server, which slow it down a little")
	f.BoolVar(&remote, "remote", false, "allow a server on another machine")
	cmd.AddCommand(bareCommand())
	return cmd
}

// findProgram returns the path of a program: name if it is a path, else a file of that name in dir, else in PATH.
func findProgram(dir, name string) (string, error) {
	if filepath.Base(name) == name {
		if beside, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no program %s beside this one or in PATH; build it (go build ./cmd/ayumu) and name it (--server ./ayumu)", name)
	}
	return path, nil
}

// bareName is the name of the subcommand that runs the bare SSH server.
const bareName = "bare"

// bareCommand returns the hidden command that runs the bare SSH server of the baseline.
func bareCommand() *cobra.Command {
	var s load.Sizes
	cmd := &cobra.Command{
		Use: bareName, Short: "Run a bare SSH server as a baseline", Args: cobra.NoArgs, Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return load.ServeBare(ctx, cmd.ErrOrStderr(), s)
		},
	}
	f := cmd.Flags()
	f.IntVar(&s.First, "first", 2000, "bytes of the first frame")
	f.IntVar(&s.Key, "key", 50, "bytes of a key's frame")
	f.IntVar(&s.Turn, "turn", 250, "bytes of a turn's frame")
	f.IntVar(&s.Tick, "tick", 12, "bytes of a tick's frame")
	return cmd
}
