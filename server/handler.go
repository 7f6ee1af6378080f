// Package server decides what a session gets: the screens, lines of text, the JSON interface, or
// the answer to one command. It is where a key becomes an account. It imports the server, the
// lobby, the screens and the two text interfaces.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"charm.land/log/v2"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/server/access"
	"ayumu/server/api"
	"ayumu/server/exec"
	"ayumu/server/sshd"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/theme"
)

// Handler serves each session: the screens, line mode, the API or a command. It is an sshd.Handler. Its
// fields must not change after the first session. Any goroutine may call Serve.
type Handler struct {
	Lobby     *lobby.Lobby
	Games     game.List  // those of the Lobby, in the same order
	Bots      *bots.Bots // nil: there are none
	SSHTarget string     // the server's address as typed after ssh
	Version   string
	Log       *log.Logger
	// Authorizer decides who is admitted, and has the club in which they moderate; nil admits everybody and
	// there is no moderation.
	Authorizer *access.Authorizer
	// Branding returns the present branding; nil means Ayumu's own.
	Branding func() Branding

	sharing sync.Once
	shared  *api.Shared   // of all API sessions; set by sharing
	screens screen.Shared // of all sessions with screens
}

// Branding is the name, message, picture and colours of a server.
type Branding struct {
	Name, Message string          // clean text of one line each, or ""
	Picture       []string        // widget.ReadPicture; nil: none
	Themes        *theme.ThemeSet // nil: the built-in ones
}

// Serve implements sshd.Handler.
func (d *Handler) Serve(ctx context.Context, s *sshd.Session) int {
	line, isCommand := s.Command()
	words, err := exec.SplitLine(line)
	if err != nil {
		_, errs := outputStreams(s)
		fmt.Fprintln(errs, err)
		return 1
	}
	g, err := d.admit(ctx, s)
	defer g.untrack()
	if err != nil && !(errors.Is(err, access.ErrNotMember) && isCommand && len(words) > 0 && words[0] == "link" && club.RoleNobody.Has(club.PermissionLink)) {
		return d.reject(s, err)
	}
	_, terminal := s.PTY()
	asLines := len(words) > 0 && words[0] == "line"
	place := words
	if asLines {
		place = words[1:]
	}
	to, opens := client.ParseDestination(place)
	switch {
	case isCommand && len(words) == 1 && words[0] == "api":
		return d.serveAPI(ctx, s, g)
	case terminal && opens:
		return d.serveScreens(ctx, s, g, to, asLines)
	case len(words) == 0:
		go s.DiscardInput()
		d.writeUsage(s)
		return 1
	}
	return d.runCommand(ctx, s, g, words)
}

// runCommand answers a command.
func (d *Handler) runCommand(ctx context.Context, s *sshd.Session, g visitor, words []string) int {
	go s.DiscardInput()
	e := exec.Env{Lobby: d.Lobby, Games: d.Games, Addr: s.Addr().Addr(), SSHTarget: d.SSHTarget, Version: d.Version}
	e.Out, e.Err = outputStreams(s)
	e.Key, e.Moderator = wireOf(s.Key()), d.commandModerator(s, g)
	if e.Account = g.account; g.account != nil {
		g.onEnter(*g.account)
	}
	s.SetIdleLimit(d.Lobby.Limits().IdleWatching)
	return exec.Run(ctx, e, words)
}

// reportError writes the public part of an error and returns status 1. The rest has been logged by its origin.
func (d *Handler) reportError(s *sshd.Session, err error) int {
	_, message := lobby.PublicError(err)
	_, errs := outputStreams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// writeUsage writes how to connect with a terminal, and the open tables, for a session without one.
func (d *Handler) writeUsage(out io.Writer) {
	fmt.Fprintf(out, "Ayumu: play %s over SSH. To play, connect with a terminal:\n\n  ssh -t %s\n\n", d.Games.Engine().Titles(), d.SSHTarget)
	fmt.Fprintf(out, "`ssh %s help` lists the commands that need no terminal.\n\nOpen tables:\n", d.SSHTarget)
	exec.WriteTables(out, d.Lobby.View().TablesFor(0))
}

// serveAPI serves the JSON interface.
func (d *Handler) serveAPI(ctx context.Context, s *sshd.Session, g visitor) int {
	config := d.clientConfig(s, g)
	a, known, err := config.Identify(ctx)
	if err == nil && !known {
		a, err = config.RegisterLike(ctx)
	}
	var c *client.Client
	if err == nil {
		c, err = config.Enter(a)
	}
	if err != nil {
		return d.reportError(s, err)
	}
	s.SetIdleLimit(0) // the keepalive finds dead clients, and a silent one may be a bot that waits
	d.sharing.Do(func() { d.shared = api.NewShared() })
	var lines io.Reader = s
	out, _ := outputStreams(s)
	if _, terminal := s.PTY(); terminal {
		lines = crReader{s} // a person who tries the API by hand
	}
	err = api.Serve(ctx, lines, out, c, api.Services{Version: d.Version, Shared: d.shared})
	// The end of the input is a normal end; an error means that the connection was lost.
	c.Session.Close(err != nil)
	var ended *sshd.DrainError
	if errors.As(context.Cause(ctx), &ended) {
		api.WriteClosed(out, ended.Notice)
	}
	return 0
}
