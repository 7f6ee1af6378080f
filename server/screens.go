package server

import (
	"context"

	"ayumu/server/sshd"
	"ayumu/tui"
	"ayumu/tui/client"
	"ayumu/tui/paint"
	"ayumu/tui/plain"
)

// serveScreens runs the screens, or line mode if it is asked for or the terminal is dumb, and returns the exit status.
func (d *Handler) serveScreens(ctx context.Context, s *sshd.Session, g visitor, to client.Destination, asLines bool) int {
	t, v := terminal(s), &tui.Config{Config: d.clientConfig(s, g), Shared: &d.screens}
	v.Destination, v.SetIdleLimit = to, s.SetIdleLimit
	var left client.Exit
	if pty, _ := s.PTY(); asLines || pty.Term == "dumb" {
		left = plain.Run(ctx, s, s, &v.Config)
	} else {
		if d.Branding != nil {
			club := d.Branding()
			v.Picture, v.Themes = club.Picture, club.Themes
		}
		left = tui.Run(ctx, t, v)
	}
	if left.Err != nil {
		d.Log.Error("screens failed", "addr", s.Addr(), "err", left.Err)
		return 1
	}
	return 0
}

func terminal(s *sshd.Session) *tui.Terminal {
	pty, _ := s.PTY()
	return &tui.Terminal{
		In: s, Out: s, Width: pty.Width, Height: pty.Height, Resize: s.Resized(),
		Profile: paint.Detect(pty.Term, func(name string) string { v, _ := s.Env(name); return v }),
		OnStall: s.CloseConn,
	}
}

// clientConfig describes the visitor and the server to any front end.
func (d *Handler) clientConfig(s *sshd.Session, g visitor) client.Config {
	c := client.Config{
		Lobby: d.Lobby, Games: d.Games, Account: g.account, NameHint: g.nameHint, Addr: s.Addr().Addr(), OnEnter: g.enterLobby, Lag: s.Lag,
		Bots: d.Bots, SSHTarget: d.SSHTarget, Key: wireOf(s.Key()), Moderator: d.moderator(g),
	}
	if d.Branding != nil {
		club := d.Branding()
		c.SiteName, c.Message = club.Name, club.Message
	}
	if a, ok := d.Lobby.Accounts.GuestByCode(s.User(), s.Addr().Addr()); ok {
		c.Account = &a
	}
	return c
}
