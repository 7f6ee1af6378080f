package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"charm.land/log/v2"
	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/club"
	"ayumu/lobby/guard"
	"ayumu/lobby/store"
	"ayumu/server/acceptor"
	"ayumu/server/command"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// adminSocket is the socket for commands of the operator, in the data folder. Only the server's user can
// open it, so its clients have the role owner.
const adminSocket = "admin.sock"

const (
	adminTimeout  = 10 * time.Second // for one command and its answer
	commandLimit  = 9 * time.Second  // for the command alone, so that its answer arrives
	maxAdminBytes = 16 << 10         // of one command
)

// adminAnswer is the answer to a command. A command is a line with a JSON list of words.
type adminAnswer struct {
	Out   string
	Error string
}

// operator is the actor of what the operator does.
var operator = club.Actor{Role: club.RoleServerOwner, Name: operatorName}

// operatorName is the operator's name in the audit log.
const operatorName = "operator"

// adminServer runs the commands of the operator.
type adminServer struct {
	operator  club.Moderator
	manager   club.Manager
	bulletin  *club.Bulletin
	sshTarget string // what users type after ssh
	logger    *log.Logger
	status    func() clusterStatus
	healthy   func() error
}

// listenAdmin accepts commands on a Unix socket until the listener is closed.
func listenAdmin(ctx context.Context, path string, s adminServer) (*adminListener, error) {
	if c, err := net.Dial("unix", path); err == nil {
		c.Close()
		return nil, fmt.Errorf("another server is listening on %s", path)
	}
	// Create the socket in a private folder, so that nobody can open it before its mode is set.
	dir, err := os.MkdirTemp(filepath.Dir(path), ".admin-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tmpPath := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: tmpPath, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(tmpPath, 0o600), os.Rename(tmpPath, path)); err != nil {
		l.Close()
		return nil, err
	}
	accepted := acceptor.New(l, "admin socket", s.logger)
	guard.Go(reportPanic(s.logger, "admin socket"), func() { s.serve(ctx, accepted) })
	return &adminListener{accepted, path}, nil
}

// adminListener is the open socket.
type adminListener struct {
	*acceptor.Listener
	path string
}

// Close stops accepting commands and removes the socket.
func (l *adminListener) Close() error {
	return errors.Join(l.Listener.Close(), os.Remove(l.path))
}

// serve serves connections until the listener is closed.
func (s adminServer) serve(ctx context.Context, l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return // closed
		}
		guard.Go(reportPanic(s.logger, "admin command"), func() { s.serveConn(ctx, c) })
	}
}

// reportPanic returns a function that logs the panic of a goroutine.
func reportPanic(logger *log.Logger, where string) func(error) {
	return func(err error) { logger.Error("panic", "where", where, "err", err) }
}

// serveConn runs the command of a connection.
func (s adminServer) serveConn(ctx context.Context, c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(adminTimeout))
	line, err := bufio.NewReader(io.LimitReader(c, maxAdminBytes)).ReadBytes('\n')
	if err != nil {
		return
	}
	var words []string
	if json.Unmarshal(line, &words) != nil {
		return
	}
	var out bytes.Buffer
	answer := adminAnswer{}
	switch {
	case len(words) == 1 && words[0] == statusWord:
		_ = json.NewEncoder(&out).Encode(s.status())
	case len(words) == 1 && words[0] == healthWord:
		if err := s.healthy(); err != nil {
			answer.Error = "unhealthy: " + err.Error()
		} else {
			out.WriteString("ok\n")
		}
	default:
		ctx, cancel := context.WithTimeout(ctx, commandLimit)
		defer cancel()
		var errs bytes.Buffer
		c := op.Config{Moderator: s.operator, SSHTarget: s.sshTarget, Bulletin: s.bulletin, Manager: s.manager}
		status := runAdmin(ctx, c, &out, &errs, words)
		if status != 0 && ctx.Err() != nil {
			answer.Error = "the command took longer than " + commandLimit.String() + " and was cancelled; look at what it has done before you repeat it"
		} else if status != 0 {
			answer.Error = strings.TrimSpace(errs.String())
		}
	}
	answer.Out = out.String()
	_ = json.NewEncoder(c).Encode(answer)
}

// runAdmin runs the words of a moderators' command, as after admin over SSH, and returns its exit status.
func runAdmin(ctx context.Context, c op.Config, out, errs io.Writer, words []string) int {
	c.Operations = op.NewOperations(admin.All()...)
	return command.Run(ctx, &c, out, errs, append([]string{"admin"}, words...))
}

func adminCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:                   "admin COMMAND…",
		Short:                 "Moderate the server that uses this data folder (see `ayumu admin help`)",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			for _, arg := range args[1:] {
				if arg == "--data" || strings.HasPrefix(arg, "--data=") {
					return fmt.Errorf("--data must come before the command: ayumu admin --data DIR %s", args[0])
				}
			}
			out, err := askAdmin(dir, args)
			fmt.Fprint(cmd.OutOrStdout(), out)
			return err
		},
	}
	dataFlag(cmd, &dir)
	cmd.Flags().SetInterspersed(false) // later flags belong to the command
	return cmd
}

// errNoServer is the error of askAdmin if no server uses the data folder.
var errNoServer = errors.New("no server answers")

// askAdmin has the server of a data folder run a command, and returns what it prints.
func askAdmin(dir string, words []string) (out string, err error) {
	c, err := net.Dial("unix", filepath.Join(dir, adminSocket))
	if err != nil {
		return "", fmt.Errorf("%w in %s; set --data to its data folder and run as its user: %w", errNoServer, dir, err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(adminTimeout))
	if err := json.NewEncoder(c).Encode(words); err != nil {
		return "", err
	}
	var answer adminAnswer
	if err := json.NewDecoder(c).Decode(&answer); err != nil {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	if answer.Error != "" {
		return answer.Out, errors.New(answer.Error)
	}
	return answer.Out, nil
}

func inviteCommand() *cobra.Command {
	var flags storeFlags
	var host string
	var uses int
	var lasts time.Duration
	cmd := &cobra.Command{
		Use:   "invite",
		Short: "Create an invitation to a private server (works while the server runs)",
		Args:  cobra.NoArgs,
		RunE: flags.withStore(func(cmd *cobra.Command, db store.Store, _ []string) error {
			i, err := club.NewInvite(cmd.Context(), db, uses, lasts, operatorName)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "ssh -t -l %s %s\n", i.Code, cmp.Or(host, flags.serverAddress(cmd.Context()), "HOST"))
			return err
		}),
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&host, "host", envOr("AYUMU_HOST", ""), "host name that players type after ssh; empty: that of the running server (AYUMU_HOST)")
	cmd.Flags().IntVar(&uses, "uses", 1, "number of new keys that can use it, 1 to 1000")
	cmd.Flags().DurationVar(&lasts, "lasts", 7*24*time.Hour, "expires after, at most a year")
	return cmd
}

// serverAddress returns what players type after ssh to reach the server that runs on this store; "" if none answers.
func (f *storeFlags) serverAddress(ctx context.Context) string {
	url := ""
	if kind, _, err := config.SplitStore(f.store); err == nil && kind == config.StorePostgres {
		url = f.store
	}
	s, err := findStatus(ctx, f.dir, url)
	if err != nil {
		return ""
	}
	for _, n := range s.Nodes {
		if n.IsAlive && n.Address != "" {
			return n.Address
		}
	}
	return ""
}
