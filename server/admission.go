package server

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/server/access"
	"ayumu/server/sshd"
)

// visitor is a person whose connection is authenticated, with their permissions.
type visitor struct {
	addr     netip.Addr
	role     club.Role
	nameHint string              // a name to suggest at a first visit
	account  *lobby.Account      // of the session's key; nil for guests and new keys
	untrack  func()              // ends the tracking of the connection; never nil
	onEnter  func(lobby.Account) // reports the account that enters the lobby; never nil
	// entered has the lobby's session once the visitor has entered.
	entered *atomic.Pointer[lobby.Session]
}

// admit returns the visitor of a session, or the reason why they are not admitted. The visitor is valid also
// with an error; its untrack must be called.
func (d *Handler) admit(ctx context.Context, s *sshd.Session) (visitor, error) {
	g := visitor{addr: s.Addr().Addr(), role: club.RolePlayer, nameHint: s.User(), untrack: func() {}, onEnter: func(lobby.Account) {}, entered: new(atomic.Pointer[lobby.Session])}
	if s.Key() == nil {
		g.role = club.RoleGuest
	}
	if d.Authorizer == nil {
		return g, d.loadAccount(ctx, s, &g)
	}
	v, err := d.Authorizer.Admit(ctx, s.Key(), g.addr, s.User())
	if err != nil {
		g.role = club.RoleNobody
		return g, err
	}
	g.role, g.account = v.Role, v.Account
	if club.IsInviteCode(g.nameHint) {
		g.nameHint = ""
	}
	if v.Name != "" {
		g.nameHint = v.Name
	}
	c := d.Authorizer.Club
	session := &club.Session{Key: wireOf(s.Key()), From: g.addr, Role: v.Role, End: s.End}
	g.untrack = c.Sessions.Add(session)
	g.onEnter = func(a lobby.Account) {
		c.Sessions.SetAccount(session, a)
		if v.Account == nil && a.ID > 0 { // the key's first visit
			_ = c.ReloadSanctions(context.WithoutCancel(ctx)) // the store reports its failures
		}
	}
	return g, nil
}

// enterLobby prepares the lobby session with which the visitor enters.
func (g visitor) enterLobby(s *lobby.Session) {
	s.SetAddr(g.addr)
	g.onEnter(s.Account())
	g.entered.Store(s)
	if g.role >= club.RoleModerator {
		s.SetModerator()
	}
}

// loadAccount sets g.account to the account of the session's key, if it has one.
func (d *Handler) loadAccount(ctx context.Context, s *sshd.Session, g *visitor) error {
	if s.Key() == nil {
		return nil
	}
	a, known, err := d.Lobby.Accounts.ByKey(ctx, s.Key().Marshal())
	if known {
		g.account = &a
	}
	return err
}

// reject writes why a visitor is not admitted. Whatever failed has reported the rest.
func (d *Handler) reject(s *sshd.Session, err error) int {
	go s.DiscardInput()
	_, message := lobby.PublicError(err)
	if errors.Is(err, access.ErrNotMember) {
		message += " For example: ssh -t -l CODE " + d.SSHTarget
	}
	_, errs := outputStreams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// moderator returns the moderator that acts for a visitor in the lobby; nil if the server has no moderation.
func (d *Handler) moderator(g visitor) club.Moderator {
	if d.Authorizer == nil {
		return nil
	}
	return d.Authorizer.Club.Moderator(club.Actor{Role: g.role, Addr: g.addr, Account: func() lobby.Account {
		if s := g.entered.Load(); s != nil {
			return s.Account()
		}
		return lobby.Account{}
	}})
}

// commandModerator is moderator for a command, whose visitor does not enter the lobby.
func (d *Handler) commandModerator(s *sshd.Session, g visitor) club.Moderator {
	if d.Authorizer == nil {
		return nil
	}
	actor := club.Actor{Role: g.role, Addr: g.addr, Name: s.Fingerprint()}
	if g.account != nil {
		actor.Account = func() lobby.Account { return *g.account }
	}
	return d.Authorizer.Club.Moderator(actor)
}

// wireOf returns a key in SSH wire format; nil for nil.
func wireOf(key ssh.PublicKey) []byte {
	if key == nil {
		return nil
	}
	return key.Marshal()
}
