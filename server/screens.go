package server

import (
	"context"
	"strings"

	"ayumu/server/sshd"
	"ayumu/tui"
	"ayumu/tui/paint"
	"ayumu/tui/plain"
)

// serveScreens runs the screens, or line mode on a dumb terminal, and returns the exit status.
func (d *Handler) serveScreens(ctx context.Context, s *sshd.Session, g visitor, words []string) int {
	t, v := terminal(s), d.screenConfig(s, g, words)
	var left tui.Exit
	if pty, _ := s.PTY(); pty.Term == "dumb" {
		left = plain.Run(ctx, s, s, v)
	} else {
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

func (d *Handler) screenConfig(s *sshd.Session, g visitor, words []string) *tui.Config {
	v := &tui.Config{
		Lobby: d.Lobby, Games: d.Games, Account: g.account, NameHint: g.nameHint, Addr: s.Addr().Addr(), OnEnter: g.enterLobby, Lag: s.Lag,
		Bots: d.Bots, SetIdleLimit: s.SetIdleLimit, Destination: strings.Join(words, " "), SSHTarget: d.SSHTarget,
	}
	if g.moderation != nil {
		v.Moderation = g.moderation
	}
	if d.Branding != nil {
		club := d.Branding()
		v.SiteName, v.Message, v.Picture, v.Themes = club.Name, club.Message, club.Picture, club.Themes
	}
	if a, ok := d.Lobby.GuestByCode(s.User(), s.Addr().Addr()); ok {
		v.Account = &a
	}
	if s.Key() != nil {
		v.Key = s.Key().Marshal()
	}
	return v
}
