package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/load"
)

func loadCommand() *cobra.Command {
	var c load.Config
	var remote bool
	cmd := &cobra.Command{
		Use:   "load",
		Short: "Measure what a server carries",
		Long: "Starts a server with a data folder of its own, has many people come to its lobby, type and\n" +
			"watch a match, and says how long that takes and what it costs the server.",
		Example: "ayumu load --sessions 1000 --baseline\n" +
			"ayumu load --addr 127.0.0.1:2222 --metrics 127.0.0.1:9222 --sessions 200",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Remote() && !remote {
				return errors.New("that address is not on this machine; --remote says that its host agrees")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			c.Program, c.Log = []string{self}, cmd.ErrOrStderr()
			report, err := load.Run(ctx, c)
			if err != nil {
				return err
			}
			return report.Print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVarP(&c.Sessions, "sessions", "n", 200, "people at once")
	f.BoolVar(&c.Baseline, "baseline", false, "then do the same to a bare SSH server, and give the ratios")
	f.IntVar(&c.Brief, "brief", 200, "connections for one frame, before")
	f.IntVar(&c.AtOnce, "at-once", 16, "handshakes at once")
	f.Float64Var(&c.Rate, "rate", 0, "connections a second; 0: as fast as it goes")
	f.DurationVar(&c.Settle, "settle", 3*time.Second, "how long the server gets to come to rest once all are there")
	f.DurationVar(&c.Idle, "idle", 30*time.Second, "how long all do nothing")
	f.IntVar(&c.Typing, "typing", 100, "one session in so many types")
	f.IntVar(&c.Keys, "keys", 20, "keys that each of those types")
	f.IntVar(&c.Turns, "turns", 20, "turns of the match that all watch, at most 50")
	f.DurationVar(&c.Hold, "hold", 0, "how long scripts play while the lobby is full")
	f.IntVar(&c.Games, "games", 10, "games of scripts at once")
	f.Float64Var(&c.TurnsRate, "turns-rate", 10, "turns a second by scripts, in all")
	f.Uint64Var(&c.Seed, "seed", 1, "seed of keys, pauses and turns")
	f.StringVar(&c.Addr, "addr", "", "a server that runs already, as 127.0.0.1:2222; people come to it as guests")
	f.StringVar(&c.Metrics, "metrics", "", "where its metrics are, as 127.0.0.1:9222, to say what it costs")
	f.IntVar(&c.Runs, "runs", 1, "how often to do all that; the targets are held against the medians")
	f.StringVar(&c.Profiles, "profiles", "", "folder for profiles of ayumu's processor time and memory, which cost a little themselves")
	f.BoolVar(&remote, "remote", false, "the server may be on another machine")
	cmd.AddCommand(bareCommand())
	return cmd
}

// bareCommand is the process that a baseline is measured with.
func bareCommand() *cobra.Command {
	var s load.Sizes
	cmd := &cobra.Command{
		Use: load.BareCommand, Short: "Run a bare SSH server to compare with", Args: cobra.NoArgs, Hidden: true,
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
	return cmd
}
