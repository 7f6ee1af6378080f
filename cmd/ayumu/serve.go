package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"charm.land/log/v2"
	"github.com/spf13/cobra"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/store"
	"ayumu/server"
	"ayumu/server/front"
)

// drainTime is how long sessions get to end when the server stops.
const drainTime = 5 * time.Second

// options are what `ayumu serve` is told on the command line or in the environment.
type options struct {
	listen  string
	data    string
	hostKey string
	host    string
	bots    bool
}

func serveCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server in the foreground",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return serve(ctx, o, log.NewWithOptions(os.Stderr, log.Options{ReportTimestamp: true, Formatter: logFormat(os.Stderr)}))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", env("AYUMU_LISTEN", ":2222"), "address to listen on (AYUMU_LISTEN)")
	f.StringVar(&o.data, "data", env("AYUMU_DATA", "."), "folder for the data file (AYUMU_DATA)")
	f.StringVar(&o.hostKey, "host-key", env("AYUMU_HOST_KEY", filepath.Join(".ssh", "ayumu_ed25519")), "host key, made on first start (AYUMU_HOST_KEY)")
	f.StringVar(&o.host, "host", env("AYUMU_HOST", ""), "how people reach the server, as they type it after ssh (AYUMU_HOST)")
	f.BoolVar(&o.bots, "bots", env("AYUMU_BOTS", "true") == "true", "let the built-in players sit in the lobby (AYUMU_BOTS)")
	return cmd
}

// logFormat returns how lines for people look on a terminal, and otherwise lines that programs
// read too: to style one takes a tenth of the time that a whole connection takes.
func logFormat(out *os.File) log.Formatter {
	if info, err := out.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return log.TextFormatter
	}
	return log.LogfmtFormatter
}

func env(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// serve runs the server until ctx ends.
func serve(ctx context.Context, o options, logger *log.Logger) error {
	kept, err := store.Open(ctx, filepath.Join(o.data, store.FileName))
	if err != nil {
		return err
	}
	defer kept.Close()
	l, err := lobby.New(ctx, lobby.Config{
		Store:  kept,
		Report: func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
	})
	if err != nil {
		return fmt.Errorf("opening the lobby: %w", err)
	}
	defer l.Close()
	desk := &front.Desk{Lobby: l, Version: version(), Log: logger}
	if o.bots {
		company, err := bots.Open(ctx, bots.Config{
			Lobby: l, Store: kept, Thinker: thinker{}, Workers: max(runtime.NumCPU()/2, 1),
			Report: func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
		})
		if err != nil {
			return err
		}
		defer company.Close()
		desk.Bots = company
	}
	srv, err := server.Listen(server.Config{
		Listen: []string{o.listen}, HostKeys: []string{o.hostKey}, Handler: desk, Logger: logger,
	})
	if err != nil {
		return err
	}
	desk.Host = o.host
	if desk.Host == "" {
		desk.Host = reach(srv.Addrs()[0])
	}
	logger.Info("host key", "fingerprint", srv.Fingerprints()[0])
	logger.Info("come in with", "command", "ssh "+desk.Host)

	failed := make(chan error, 1)
	go func() { failed <- srv.Serve() }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	logger.Info("closing")
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := srv.Shutdown(deadline, "The server is closing; your games stay as they are."); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// reach returns what to type after ssh to come to an address of this machine.
func reach(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err != nil || ip.IsUnspecified() {
		host = "localhost"
	}
	if port == "22" {
		return host
	}
	return "-p " + port + " " + host
}
