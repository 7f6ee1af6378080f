package server

import (
	"cmp"
	"context"

	"ayumu/lobby/club"
	"ayumu/server/sshd"
	"ayumu/tui"
	"ayumu/tui/admin"
	"ayumu/tui/linemode"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/picture/matchpicture"
)

// serveScreens runs the screens, or line mode if it is asked for or the terminal is dumb, and returns the exit status.
// It returns at the end of the session, so that what prepares it is in other functions: the collector halves the
// stack of 16 KiB that drawing needs only while less than 3.2 KiB of it are in use.
func (h *Handler) serveScreens(ctx context.Context, s *sshd.Session, v visitor, to op.StartPoint, asLines bool) int {
	t, config := h.screensConfig(s, v, to)
	if pty, _ := s.PTY(); asLines || pty.Term == "dumb" {
		return h.exitStatus(s, "line mode failed", linemode.Run(ctx, &linemode.Terminal{In: t.In, Out: t.Out, Width: t.Width, Resize: t.Resize}, &config.Config))
	}
	return h.exitStatus(s, "screens failed", tui.Run(ctx, t, config))
}

// screensConfig describes the terminal, the visitor and the server to the screens.
func (h *Handler) screensConfig(s *sshd.Session, v visitor, to op.StartPoint) (*tui.Terminal, *tui.Config) {
	config := &tui.Config{Config: h.visitConfig(s, v), Shared: &h.screens}
	config.StartPoint, config.SetIdleLimit = to, s.SetIdleLimit
	if h.Branding != nil {
		b := h.Branding()
		config.Picture, config.Themes = b.Picture, b.Themes
	}
	return h.terminal(s), config
}

// exitStatus logs the error that has ended a session, if any, with a message, and returns the exit status.
func (h *Handler) exitStatus(s *sshd.Session, message string, exit op.Exit) int {
	if exit.Err != nil {
		h.Log.Error(message, "addr", s.Addr(), "err", exit.Err)
		return 1
	}
	return 0
}

func (h *Handler) terminal(s *sshd.Session) *tui.Terminal {
	pty, _ := s.PTY()
	return &tui.Terminal{
		In: s, Out: s, Width: pty.Width, Height: pty.Height, Resize: s.Resized(), OnResize: s.OnResize,
		Profile: paint.Detect(pty.Term, func(name string) string { v, _ := s.Env(name); return v }),
		OnStall: s.CloseConn, IsGone: s.IsClosed, Stock: h.StockScreens,
	}
}

// share makes what all sessions share.
func (h *Handler) share() {
	h.sharing.Do(func() {
		h.answers, h.operations = op.NewAnswers(), h.Operations
		if h.Pictures == nil {
			h.Pictures = matchpicture.NewPictures(h.Games)
		}
		if h.operations == nil {
			h.operations = op.NewOperations(append(op.All(), admin.All()...)...)
		}
	})
}

// visitConfig describes the visitor and the server to any front end.
func (h *Handler) visitConfig(s *sshd.Session, v visitor) op.Config {
	c := op.Config{
		Lobby: h.Lobby, Games: h.Games, Account: v.account, NameHint: v.nameHint, Addr: s.Addr().Addr(), OnEnter: v.enterLobby, Lag: s.Lag,
		Bots: h.Bots, Puzzles: h.puzzles(), PuzzleStore: h.PuzzleStore, Notify: h.Notify, SSHTarget: h.SSHTarget, Version: h.Version, Key: marshalKey(s.Key()), Operations: h.operations, Answers: h.answers, Pictures: h.Pictures, WebURL: h.WebURL,
	}
	if h.Branding != nil {
		b := h.Branding()
		c.SiteName, c.Message = b.Name, b.Message
	}
	c.Moderator, c.Manager = h.moderation(v)
	c.LastVisit = v.lastVisit
	if h.Authorizer != nil {
		c.IsMember = func(ctx context.Context) (bool, error) {
			if _, isListed := h.Authorizer.Club.Listed(c.Key); isListed {
				return true, nil
			}
			return h.Authorizer.Club.IsMember(ctx, c.Key)
		}
	}
	c.Bulletin = h.bulletin()
	c.Message = cmp.Or(c.Bulletin.Message(), c.Message)
	if a, ok := h.Lobby.Accounts.GuestByCode(s.User(), s.Addr().Addr()); ok {
		c.Account = &a
	}
	return c
}

// bulletin returns what the club shows to its users; nil if the server has no club.
func (h *Handler) bulletin() *club.Bulletin {
	if h.Authorizer == nil {
		return nil
	}
	return &h.Authorizer.Club.Bulletin
}
