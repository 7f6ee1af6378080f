package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"syscall"

	"charm.land/log/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"ayumu/cmd/cli"
	"ayumu/cmd/games"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/tui"
	"ayumu/tui/op"
)

func playCommand() *cobra.Command {
	data := ""
	cmd := &cobra.Command{
		Use:   "play [RECORD]",
		Short: "Play, learn and solve puzzles in this terminal, without a server",
		Long: "Opens the screens in this terminal: lessons, puzzles, games against the built-in players or with others\n" +
			"at this keyboard, and what you have played. Nothing is sent anywhere. Games are kept in the data folder\n" +
			"and go on where they were. With RECORD, the file of a game record, that game is shown with its analysis.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var shown *match.Snapshot
			if len(args) > 0 {
				var err error
				if shown, err = openRecord(args[0]); err != nil {
					return err
				}
			}
			if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
				return fmt.Errorf("%w; run `ayumu play` in one, without a pipe", tui.ErrNoTerminal)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
			defer stop()
			return play(ctx, data, shown, tui.Play)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "folder of your games; empty: ayumu in $XDG_DATA_HOME, or in ~/.local/share")
	return cmd
}

// playFolder returns the folder of the data of `ayumu play`, and makes it unless it exists.
func playFolder(given string, env func(string) string) (string, error) {
	dir := given
	if dir == "" {
		base := env("XDG_DATA_HOME")
		if !filepath.IsAbs(base) { // the XDG Base Directory Specification has relative paths ignored
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("no folder for your games: %w; choose one with --data", err)
			}
			base = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(base, "ayumu")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the folder of your games cannot be made: %w; choose another with --data", err)
	}
	return dir, nil
}

// playLogName is the file in the data folder with the internal errors of `ayumu play`, whose terminal shows screens.
const playLogName = "play.log"

// maxPlayLog is the size in bytes from which the file begins anew.
const maxPlayLog = 1 << 20

// openPlayLog opens the log of errors.
func openPlayLog(dir string) (*log.Logger, *os.File, error) {
	path := filepath.Join(dir, playLogName)
	mode := os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > maxPlayLog {
		mode = os.O_TRUNC
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|mode, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the folder of your games cannot be written to: %w; choose another with --data", err)
	}
	l := log.NewWithOptions(f, log.Options{ReportTimestamp: true, Level: log.ErrorLevel, Formatter: log.LogfmtFormatter})
	receiveDefaultLogs(l)
	return l, f, nil
}

// localKey stands for a key in the account of the user of `ayumu play`. It is none that a client could have.
var localKey = []byte("the user of ayumu play")

// showScreens shows the screens of a session; it is tui.Play.
type showScreens func(context.Context, *tui.Config) (op.Exit, error)

// openRecord returns the match of the record in a file, which may come from anyone. The error says what is wrong with it,
// and where.
func openRecord(name string) (*match.Snapshot, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a pipe waits for no writer
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file with a game record", name)
	}
	r, err := cli.ReadRecord(f, name)
	if err != nil {
		return nil, err
	}
	return r.Snapshot()
}

// play shows the screens of a local lobby with the data of a folder, until the user has quit or ctx has ended; first a
// match of a record unless it is nil.
func play(ctx context.Context, data string, shown *match.Snapshot, show showScreens) error {
	if err := games.Boards().Check(); err != nil {
		return fmt.Errorf("the list of games: %w", err)
	}
	dir, err := playFolder(data, os.Getenv)
	if err != nil {
		return err
	}
	logger, file, err := openPlayLog(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	unlock, err := lockData(dir)
	if errors.Is(err, errInUse) {
		return fmt.Errorf("another `ayumu play` is running already with the games in %s; close it, or choose another folder with --data", dir)
	} else if err != nil {
		return err
	}
	defer unlock()
	l, err := locate("", dir)
	if err != nil {
		return err
	}
	db, err := l.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	report := func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) }
	db.ReportFailures(report)
	local, err := lobby.New(ctx, lobby.Config{Store: db, Games: games.Rules(), Limits: limit.Default(), Report: report, Local: true})
	if err != nil {
		return fmt.Errorf("opening the lobby: %w", err)
	}
	defer local.Close()
	builtin, err := bots.Open(ctx, bots.Config{Lobby: local, Store: db, Engines: games.Engines(), Workers: max(runtime.NumCPU()/2, 1), Report: report})
	if err != nil {
		return err
	}
	defer builtin.Close()
	config, err := playConfig(ctx, local, db)
	if err != nil {
		return err
	}
	config.Bots, config.Record = builtin, shown
	exit, err := show(ctx, config)
	if err == nil && exit.Err != nil {
		logger.Error("screens failed", "err", exit.Err)
		err = fmt.Errorf("the screens have failed; your games are kept, and %s says what has happened", filepath.Join(dir, playLogName))
	}
	return err
}

// playConfig describes the user and the local lobby to the screens.
func playConfig(ctx context.Context, l *lobby.Lobby, db store.Store) (*tui.Config, error) {
	a, err := localAccount(ctx, l)
	if err != nil {
		return nil, err
	}
	shipped, err := games.Puzzles()
	if err != nil {
		return nil, err
	}
	return &tui.Config{Config: op.Config{
		Lobby: l, Games: games.Boards(), Account: &a, Key: localKey, Puzzles: shipped, PuzzleStore: db, Version: cli.Version(),
	}}, nil
}

// localAccount returns the account of the user, and makes it at the first start, with a name like that of the user of
// the operating system.
func localAccount(ctx context.Context, l *lobby.Lobby) (account.Account, error) {
	a, known, err := l.Accounts.ByKey(ctx, localKey)
	if known || err != nil {
		return a, err
	}
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = cmp.Or(u.Username, name)
	}
	return l.Accounts.RegisterLike(ctx, name, localKey, netip.Addr{})
}
