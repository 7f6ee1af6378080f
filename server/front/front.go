// Package front decides what a session gets: the screens, lines of text, the JSON interface, or
// the answer to one command. It is where a key becomes an account. It imports the server, the
// lobby, the screens and the two text interfaces.
package front

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"charm.land/log/v2"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/api"
	"ayumu/server/command"
	"ayumu/tui/theme"
)

// Desk gives each session what it came for.
type Desk struct {
	Lobby   *lobby.Lobby
	Bots    *bots.Company // nil: there are none
	Host    string        // how people reach the server, as they type it after ssh
	Version string
	Log     *log.Logger
	// Gate decides who comes in, and Moderation carries out what moderators say; nil, both:
	// everybody comes in, and nobody moderates.
	Gate *access.Gate
	// Club returns how the host presents his server, as of now; nil: as Ayumu.
	Club       func() Club
	Moderation *access.Moderation

	sharing sync.Once
	shared  *api.Shared // of all programs; made by sharing
}

// Club is how a host presents his server.
type Club struct {
	Name, Message string     // clean text of one line each, or ""
	Picture       []string   // tui.ReadPicture; nil: none
	Looks         *theme.Set // nil: those of the house
}

// Serve implements server.Handler.
func (d *Desk) Serve(ctx context.Context, s *server.Session) int {
	line, isCommand := s.Command()
	words, err := command.Words(line)
	if err != nil {
		_, errs := streams(s)
		fmt.Fprintln(errs, err)
		return 1
	}
	g, err := d.admit(ctx, s)
	defer g.leave()
	if err != nil && !(errors.Is(err, access.ErrStranger) && isCommand && len(words) > 0 && access.Nobody.May(access.Action(words[0]))) {
		return d.turnAway(s, err)
	}
	_, terminal := s.PTY()
	switch {
	case isCommand && len(words) == 1 && words[0] == "api":
		return d.program(ctx, s, g)
	case terminal && (len(words) == 0 || opens(words)):
		return d.screens(ctx, s, g, words)
	case len(words) == 0:
		go s.DiscardInput()
		d.doorstep(s)
		return 1
	}
	return d.answer(ctx, s, g, words)
}

// answer answers a command.
func (d *Desk) answer(ctx context.Context, s *server.Session, g guest, words []string) int {
	go s.DiscardInput()
	e := command.Env{Lobby: d.Lobby, From: s.Addr().Addr(), Host: d.Host, Version: d.Version}
	e.Out, e.Err = streams(s)
	var a lobby.Account
	if e.Account = g.account; g.account != nil {
		a = *g.account
		g.entered(a)
	}
	if s.Key() != nil {
		e.Key = s.Key().Marshal()
	}
	s.SetIdleLimit(d.Lobby.Limits().IdleWatching)
	if status, done := d.moderate(ctx, s, g, a, words, e.Out); done {
		return status
	}
	return command.Run(ctx, e, words)
}

// opens reports whether a command has a screen of its own.
func opens(words []string) bool {
	return len(words) == 2 && slices.Contains([]string{"watch", "join", "replay"}, words[0])
}

// fail writes what the client may know of an error. Whatever failed has reported the rest.
func (d *Desk) fail(s *server.Session, err error) int {
	_, message := lobby.Explain(err)
	_, errs := streams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// doorstep tells somebody who came without a terminal how to come in, and what is on.
func (d *Desk) doorstep(out io.Writer) {
	fmt.Fprintf(out, "This is Ayumu, where people play Ayu and Mu. Come in with a terminal:\n\n  ssh -t %s\n\n", d.Host)
	fmt.Fprintf(out, "`ssh %s help` lists what can be asked without one.\n\nOpen tables:\n", d.Host)
	command.Tables(out, d.Lobby.View().TablesFor(0))
}

// program serves the JSON interface.
func (d *Desk) program(ctx context.Context, s *server.Session, g guest) int {
	var a lobby.Account
	var err error
	back, returns := d.Lobby.Returning(s.User(), s.Addr().Addr())
	switch {
	case returns:
		a = back
	case s.Key() == nil:
		a = d.Lobby.Guest()
	case g.account != nil:
		a = *g.account
	default:
		if a, err = d.Lobby.RegisterLike(ctx, g.hint, s.Key().Marshal(), s.Addr().Addr()); err != nil {
			return d.fail(s, err)
		}
	}
	in, err := d.Lobby.Enter(a, s.Lag)
	if err != nil {
		return d.fail(s, err)
	}
	g.inside(in)
	s.SetIdleLimit(0) // a dead one is found by the keepalive, and a quiet one may be a bot that waits
	d.sharing.Do(func() { d.shared = api.NewShared() })
	house := api.House{Version: d.Version, Shared: d.shared}
	if d.Bots != nil {
		house.Bots = d.Bots
	}
	if g.office != nil {
		house.Office = g.office
	}
	if d.Club != nil {
		house.Message = d.Club().Message
	}
	var lines io.Reader = s
	out, _ := streams(s)
	if _, terminal := s.PTY(); terminal {
		lines = typed{s} // somebody who tries it by hand
	}
	err = api.Serve(ctx, lines, out, in, house)
	// The input's end is a farewell; anything else is a connection that broke.
	in.Close(err != nil)
	var ended *server.DrainError
	if errors.As(context.Cause(ctx), &ended) {
		api.Closed(out, ended.Notice)
	}
	return 0
}
