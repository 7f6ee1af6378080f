package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/log/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/ayumu/metrics"
	"ayumu/cmd/cli"
	"ayumu/cmd/games"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/guard"
	"ayumu/lobby/store"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/sshd"
	"ayumu/tui/picture/matchpicture"
)

func serveCommand(load loader) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server in the foreground",
		Long:  "Run the server in the foreground. `ayumu config` lists all settings, each of which is also a flag and an environment variable.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd.Flags(), os.Getenv)
			if err != nil {
				return err
			}
			if err := c.Check(); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			reload := func() (*config.Config, error) { return load(cmd.Flags(), os.Getenv) }
			setHeapFloor()
			log := logger(c.Log)
			for _, text := range warnings(c) {
				log.Warn(text)
			}
			return serve(ctx, c, reload, log)
		},
	}
	config.Flags(cmd.Flags())
	return cmd
}

func configCommand(load loader) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the settings as serve does, and print them all as a file for --config",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd.Flags(), os.Getenv)
			if err != nil {
				return err
			}
			if err := c.Check(); err != nil {
				return err
			}
			for _, text := range warnings(c) {
				fmt.Fprintln(cmd.ErrOrStderr(), "Warning: "+text)
			}
			return c.Write(cmd.OutOrStdout())
		},
	}
	config.Flags(cmd.Flags())
	return cmd
}

// warnings returns what the operator should know of settings that can be used, and of variables that have no effect.
func warnings(c *config.Config) []string {
	all := c.Warnings()
	if unknown, _ := config.CheckEnvironment(os.Environ()); len(unknown) > 0 { // errors were returned before
		all = append(all, "unknown environment variables, which have no effect: "+strings.Join(unknown, ", "))
	}
	return all
}

// logger returns the logger of the operator's log, which writes to standard error. What libraries log for themselves goes there too.
func logger(c config.Log) *log.Logger {
	l := log.NewWithOptions(os.Stderr, log.Options{ReportTimestamp: true, TimeFormat: time.RFC3339})
	setLog(l, c)
	receiveDefaultLogs(l)
	return l
}

// receiveDefaultLogs makes a logger receive what is logged with the default loggers of log/slog and log: panics that the SSH library
// has recovered, and errors of net/http.
func receiveDefaultLogs(l *log.Logger) {
	slog.SetLogLoggerLevel(slog.LevelError)
	slog.SetDefault(slog.New(l))
}

// setLog sets the format and the level of a logger that writes to standard error.
func setLog(l *log.Logger, c config.Log) {
	l.SetFormatter(log.JSONFormatter)
	if c.Format == "text" {
		l.SetFormatter(logFormat(os.Stderr))
	}
	if !isTerminal(os.Stderr) { // nothing is styled, so that no line needs to be searched for styles
		l.SetColorProfile(colorprofile.TrueColor)
	}
	level, err := log.ParseLevel(c.Level)
	if err != nil {
		level = log.InfoLevel
	}
	l.SetLevel(level)
}

// logFormat returns the text format for a terminal and logfmt otherwise. Styling a line takes a tenth of
// the time of a whole connection.
func logFormat(out *os.File) log.Formatter {
	if isTerminal(out) {
		return log.TextFormatter
	}
	return log.LogfmtFormatter
}

// serve runs the server until ctx ends. load reads the current settings for a reload.
func serve(ctx context.Context, c *config.Config, load func() (*config.Config, error), logger *log.Logger) error {
	if err := games.Boards().Check(); err != nil {
		return fmt.Errorf("the list of games: %w", err)
	}
	unlock, err := lockData(c.Data)
	if err != nil {
		return err
	}
	defer unlock()
	reporter := &statusReporter{name: c.NodeName(), started: time.Now()}
	nameLost := make(chan error, 1)
	db, closeStore, err := openStore(ctx, c, func(err error) { nameLost <- err })
	if err != nil {
		return err
	}
	defer closeStore()
	logUpgrade(logger, db)
	if _, err := agreeOnHostKey(ctx, db, c.HostKeys); err != nil {
		return err
	}
	serverClub, err := club.New(ctx, db)
	if err != nil {
		return err
	}
	authorizer, err := access.NewAuthorizer(serverClub, c.Access)
	if err != nil {
		return err
	}
	if err := serverClub.StoreAccess(ctx); err != nil {
		return err
	}
	db.ReportFailures(func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) })
	notifier, err := newNotifier(c, db, authorizer, logger)
	if err != nil {
		return err
	}
	serverClub.ReportPanic = reportPanic(logger, "announcements")
	l, err := lobby.New(ctx, lobby.Config{
		Store: db, Correspondence: notifier.service.MatchChanged, Notices: notifier.service.TournamentNotices, Games: games.Rules(), CheckChat: serverClub.CheckChat, IsBanned: serverClub.IsBanned, Deleted: serverClub.AccountDeleted, FollowModeration: serverClub.Follow, Limits: c.Lobby,
		Connect: func(l *lobby.Lobby) {
			serverClub.Remove, serverClub.Announce, serverClub.Users = club.RemoveFrom(l), l.Announce, &l.Accounts
			serverClub.Share, serverClub.SharedChat = l.ShareModeration, l.SharedChat
		},
		Report:  func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
		Cluster: nodeConfig(c, db, reporter, logger),
	})
	if err != nil {
		return fmt.Errorf("opening the lobby: %w", err)
	}
	defer l.Close()
	visits, stopVisits := context.WithCancel(context.WithoutCancel(ctx))
	recorded := make(chan struct{})
	guard.Go(reportPanic(logger, "visits"), func() {
		defer close(recorded)
		serverClub.RecordVisits(visits)
	})
	defer func() { // when the sessions have ended
		stopVisits()
		<-recorded
	}()
	handler := &server.Handler{Lobby: l, Games: games.Boards(), Version: cli.Version(), Log: logger, Authorizer: authorizer, StockScreens: c.Runtime == config.RuntimeBubbleTea, Pictures: matchpicture.NewPictures(games.Boards()), WebURL: webURL(c)}
	var current atomic.Pointer[server.Branding]
	branding, err := c.Club.Branding()
	if err != nil {
		return err
	}
	current.Store(&branding)
	handler.Branding = func() server.Branding { return *current.Load() }
	closePuzzles, err := openPuzzles(ctx, c, handler, db, logger)
	if err != nil {
		return err
	}
	defer closePuzzles()
	if c.Bots {
		builtin, err := bots.Open(ctx, bots.Config{
			Lobby: l, Store: db, Engines: games.Engines(), Workers: max(runtime.NumCPU()/2, 1),
			Report: func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
		})
		if err != nil {
			return err
		}
		defer builtin.Close()
		handler.Bots = builtin
	}
	handler.Notify = notifier.service
	srv, err := sshd.Listen(sshd.Config{
		Listen: c.Listen, HostKeys: c.HostKeys, Limits: c.Limits, Proxies: c.ProxyPrefixes(), Handler: handler, Logger: logger,
	})
	if err != nil {
		return explainListen(err)
	}
	handler.SSHTarget = c.Host
	if handler.SSHTarget == "" {
		handler.SSHTarget = localTarget(srv.Addrs()[0])
	}
	for _, print := range srv.Fingerprints() {
		logger.Info("host key", "fingerprint", print)
	}
	logger.Info("players connect with", "command", "ssh "+handler.SSHTarget, "access", c.Access.WhoMayConnect())

	alive, stop := context.WithCancel(ctx)
	defer stop()
	defer notifier.start(alive, l, handler)()
	guard.Go(reportPanic(logger, "settings reload"), func() { reload(alive, *c, load, reloadable{authorizer, serverClub, l, srv, &current, logger}) })
	source := metrics.Source{
		Version: cli.Version(),
		Server:  srv.Stats, Lobby: l, LimitHits: append(notifier.limitHits(), &l.LimitHits, &serverClub.LimitHits), WriteFailures: db.FailedWrites,
		Notifications: notifier.service.Counts, DatabaseSize: db.Size, Report: func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
		AcceptFailures: map[string]func() uint64{"ssh": func() uint64 { return srv.Stats().AcceptFailures }},
	}
	reporter.server.Store(&reportedServer{l, srv.Stats, handler.SSHTarget, func() string { return authorizer.Policy().WhoMayConnect() }})
	var draining atomic.Bool
	hasData := db.Health
	if node := l.Node(); node != nil {
		hasData = func(context.Context) error { return databaseCheck(node) }
		guard.Go(reportPanic(logger, "database check"), func() { endStranded(alive, node, srv, logger) })
	}
	source.Healthy = healthCheck(&draining, srv.Health, hasData)
	if socket, err := listenAdmin(alive, filepath.Join(c.Data, adminSocket), adminServer{serverClub.Moderator(operator), serverClub.Manager(operator), &serverClub.Bulletin, handler.SSHTarget, logger, reporter.status, source.Healthy}); err != nil {
		logger.Warn("`ayumu admin` is not available", "err", err)
	} else {
		source.AcceptFailures["admin"] = socket.Failures
		defer socket.Close()
	}

	if c.Health != "" {
		closeHealth, err := serveHealth(c.Health, source.Healthy, source.AcceptFailures, logger)
		if err != nil {
			return fmt.Errorf("health: %w", explainListen(err))
		}
		defer closeHealth()
	}
	pages, err := startWeb(c, handler, logger)
	if err != nil {
		return err
	}
	defer pages.close()
	source.Web = pages.stats
	maps.Copy(source.AcceptFailures, pages.acceptFailures)
	if c.Metrics != "" {
		closeMetrics, err := observe(c.Metrics, source, logger)
		if err != nil {
			return fmt.Errorf("metrics: %w", explainListen(err))
		}
		defer closeMetrics()
	}

	failed := make(chan error, 1)
	guard.Go(func(err error) { failed <- err }, func() { failed <- srv.Serve() })
	var lost error
	select {
	case err := <-failed:
		return err
	case lost = <-nameLost:
	case <-ctx.Done():
	}
	draining.Store(true)
	logger.Info("shutting down")
	pagesEnded := pages.drain(context.WithoutCancel(ctx), c.Drain)
	err = stopServing(context.WithoutCancel(ctx), l, srv, c.Drain)
	<-pagesEnded
	return errors.Join(lost, err)
}

// explainListen adds the remedy to the error of an address that the user of the server may not listen on.
func explainListen(err error) error {
	if !errors.Is(err, syscall.EACCES) {
		return err
	}
	return fmt.Errorf("%w; ports below 1024 need the capability CAP_NET_BIND_SERVICE, which docs/hosting/ayumu.service gives, or `sysctl net.ipv4.ip_unprivileged_port_start`", err)
}

// openStore opens the store of a server and reserves it, or its name in it. lost is called once if another process
// takes the name.
func openStore(ctx context.Context, c *config.Config, lost func(error)) (db store.Store, closeStore func(), err error) {
	l, err := locate(c.Store, c.Data)
	if err != nil {
		return nil, nil, err
	}
	unlock := func() {}
	if f, ok := l.(sqliteFile); !ok || !isSameFolder(filepath.Dir(string(f)), c.Data) {
		if unlock, err = l.lockNode(ctx, c.NodeName(), lost); err != nil {
			return nil, nil, err
		}
	}
	if db, err = l.open(ctx); err != nil {
		unlock()
		return nil, nil, err
	}
	return db, func() {
		db.Close()
		unlock()
	}, nil
}

// stopServing stops new matches from starting and ends all sessions within limit.
func stopServing(ctx context.Context, l *lobby.Lobby, srv interface {
	Shutdown(ctx context.Context, notice string) error
}, limit time.Duration) error {
	l.Drain()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := srv.Shutdown(ctx, "The server is shutting down. Your games are saved.")
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// localTarget returns the arguments of ssh that connect to an address of this machine.
func localTarget(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err != nil || ip.IsUnspecified() {
		host = "localhost"
	}
	if port == "22" {
		return host
	}
	return "-p " + port + " " + host
}
