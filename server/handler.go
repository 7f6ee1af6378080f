// Package server decides which front end a session gets: the screens, line mode, the API or the answer to one
// command. It admits the client (package access), finds the account of its key, and runs the front end. Package
// sshd has the connections below it.
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
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/server/access"
	"ayumu/server/api"
	"ayumu/server/command"
	"ayumu/server/sshd"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/picture/matchpicture"
	"ayumu/tui/screen"
	"ayumu/tui/theme"
)

// Handler serves each session: the screens, line mode, the API or a command. It is an sshd.Handler. Its
// fields must not change after the first session. Any goroutine may call Serve.
type Handler struct {
	Lobby   *lobby.Lobby
	Games   game.List                  // those of the Lobby, in the same order
	Bots    *bots.Bots                 // nil: there are none
	Puzzles func() *puzzles.Collection // returns the current ones of the server; nil: there are none
	// PuzzleStore keeps what accounts do with puzzles; nil: their sessions do.
	PuzzleStore puzzles.ProgressStore
	Notify      *notify.Service // nil: there are no notifications
	SSHTarget   string          // the server's address as typed after ssh
	WebURL      string          // as op.Config has it; "": there are no web pages
	Version     string
	Log         *log.Logger
	// Authorizer decides who is admitted, and has the club in which they moderate; nil admits everybody and
	// there is no moderation.
	Authorizer *access.Authorizer
	// Branding returns the current branding; nil means Ayumu's own.
	Branding func() Branding

	// StockScreens has a stock tea.Program run each session with screens, instead of the runtime that all share.
	StockScreens bool

	// Pictures makes pictures of matches; nil: the handler makes one.
	Pictures *matchpicture.Pictures
	// Operations are what users can do; nil: all.
	Operations *op.Operations

	sharing    sync.Once
	answers    *op.Answers    // of all sessions; set by share
	operations *op.Operations // Operations, or all; set by share
	screens    screen.Shared  // of all sessions with screens
}

// Branding is the name, message, picture and colours of a server.
type Branding struct {
	Name, Message string          // clean text of one line each, or ""
	Picture       []string        // widget.ReadPicture; nil: none
	Themes        *theme.ThemeSet // nil: the built-in ones
}

// Serve implements sshd.Handler.
func (h *Handler) Serve(ctx context.Context, s *sshd.Session) int {
	h.share()
	line, isCommand := s.Command()
	words, err := command.SplitLine(line)
	if err != nil {
		_, errs := outputStreams(s)
		fmt.Fprintln(errs, err)
		return 1
	}
	v, err := h.admit(ctx, s)
	defer v.untrack()
	if err != nil && !(isCommand && isLinkByNonMember(err, words)) {
		status := h.reject(s, err)
		if isCommand && len(words) > 0 {
			status = command.ErrorStatus(h.operations, words[0])
		}
		return status
	}
	_, terminal := s.PTY()
	asLines := len(words) > 0 && words[0] == "line"
	args := words
	if asLines {
		args = words[1:]
	}
	to, opens := op.ParseStartPoint(args)
	switch {
	case isCommand && len(words) == 1 && words[0] == "api":
		return h.serveAPI(ctx, s, v)
	case terminal && opens:
		return h.serveScreens(ctx, s, v, to, asLines)
	case len(words) == 0:
		go s.DiscardInput()
		h.writeUsage(ctx, s, v)
		return 1
	}
	return h.runCommand(ctx, s, v, words)
}

// isLinkByNonMember reports whether a command is link, and was refused because its key is not a member's. A member adds a
// further key with link, so this command must be reached by a key that is not known yet; the code that it needs proves
// who sends it.
func isLinkByNonMember(refusal error, words []string) bool {
	isLink := len(words) > 0 && words[0] == "link"
	return isLink && errors.Is(refusal, access.ErrNotMember) && club.RoleNobody.Has(club.PermissionLink)
}

// runCommand answers a command.
func (h *Handler) runCommand(ctx context.Context, s *sshd.Session, v visitor, words []string) int {
	go s.DiscardInput()
	config := h.visitConfig(s, v)
	_, config.IsTerminal = s.PTY()
	config.Moderator, config.Manager = h.commandModeration(s, v)
	if config.Account = v.account; v.account != nil {
		v.onEnter(*v.account)
	}
	s.SetIdleLimit(h.Lobby.Limits().IdleWatching)
	out, errs := outputStreams(s)
	return command.Run(ctx, &config, out, errs, words)
}

// reportError writes the public part of an error and returns status 1. Whatever failed has logged the rest.
func (h *Handler) reportError(s *sshd.Session, err error) int {
	_, message := lobby.PublicError(err)
	_, errs := outputStreams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// writeUsage writes how to connect with a terminal, and the open tables, for a session without one.
func (h *Handler) writeUsage(ctx context.Context, s *sshd.Session, v visitor) {
	var out io.Writer = s
	fmt.Fprintf(out, "Ayumu: play %s over SSH. To play, connect with a terminal:\n\n  ssh -t %s\n\n", h.Games.Engine().Titles(), h.SSHTarget)
	fmt.Fprintf(out, "`ssh %s help` lists the commands that need no terminal.\n\nOpen tables:\n", h.SSHTarget)
	config := h.visitConfig(s, v)
	command.Run(ctx, &config, out, out, []string{"tables"})
}

// serveAPI serves the API.
func (h *Handler) serveAPI(ctx context.Context, s *sshd.Session, v visitor) int {
	config := h.visitConfig(s, v)
	a, known, err := config.Identify(ctx)
	if err == nil && !known {
		a, err = config.RegisterLike(ctx)
	}
	var c *op.Visit
	if err == nil {
		c, err = config.Enter(a)
	}
	if err != nil {
		return h.reportError(s, err)
	}
	s.SetIdleLimit(0) // the keepalive finds dead clients, and a silent one may be a bot that waits
	var lines io.Reader = s
	out, _ := outputStreams(s)
	if _, terminal := s.PTY(); terminal {
		lines = crReader{s} // a person who tries the API by hand
	}
	err = api.Serve(ctx, lines, out, c)
	// The end of the input is a normal end; an error means that the connection was lost.
	c.Session.Close(err != nil)
	var ended *sshd.DrainError
	if errors.As(context.Cause(ctx), &ended) {
		api.WriteClosed(out, ended.Notice)
	}
	return 0
}

// puzzles returns the puzzles of the server; nil: there are none.
func (h *Handler) puzzles() *puzzles.Collection {
	if h.Puzzles == nil {
		return nil
	}
	return h.Puzzles()
}
