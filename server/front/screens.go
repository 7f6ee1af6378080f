package front

import (
	"context"
	"strings"

	"ayumu/server"
	"ayumu/tui"
	"ayumu/tui/line"
	"ayumu/tui/paint"
)

// screens runs the terminal screens, or lines of text where the terminal can show no more.
func (d *Desk) screens(ctx context.Context, s *server.Session, g guest, words []string) int {
	t, v := terminal(s), d.visit(s, g, words)
	var left tui.Departure
	if pty, _ := s.PTY(); pty.Term == "dumb" {
		left = line.Run(ctx, s, s, v)
	} else {
		left = tui.Run(ctx, t, v)
	}
	if left.Err != nil {
		d.Log.Error("screens failed", "addr", s.Addr(), "err", left.Err)
		return 1
	}
	return 0
}

func terminal(s *server.Session) *tui.Terminal {
	pty, _ := s.PTY()
	return &tui.Terminal{
		In: s, Out: s, Width: pty.Width, Height: pty.Height, Resize: s.Resized(),
		Profile: paint.Detect(pty.Term, func(name string) string { v, _ := s.Env(name); return v }),
		OnStall: s.CloseConn,
	}
}

func (d *Desk) visit(s *server.Session, g guest, words []string) *tui.Visit {
	v := &tui.Visit{
		Lobby: d.Lobby, Account: g.account, Hint: g.hint, From: s.Addr().Addr(), Entered: g.inside, Lag: s.Lag,
		Bots: d.Bots, Idle: s.SetIdleLimit, Open: strings.Join(words, " "), Host: d.Host,
	}
	if g.office != nil {
		v.Office = g.office
	}
	if d.Club != nil {
		club := d.Club()
		v.Club, v.Message, v.Picture, v.Looks = club.Name, club.Message, club.Picture, club.Looks
	}
	if a, ok := d.Lobby.Returning(s.User(), s.Addr().Addr()); ok {
		v.Account = &a
	}
	if s.Key() != nil {
		v.Key = s.Key().Marshal()
	}
	return v
}
