package server

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/server/access"
	"ayumu/server/sshd"
)

// visitor is a person whose connection is authenticated, with their permissions.
type visitor struct {
	addr     netip.Addr
	role     club.Role
	nameHint string                // a name to suggest at a first visit
	account  *account.Account      // of the session's key; nil for guests and new keys
	untrack  func()                // ends the tracking of the connection; never nil
	onEnter  func(account.Account) // reports the account that enters the lobby; never nil
	// lastVisit returns when that account was online before; nil without a club.
	lastVisit func(context.Context) (time.Time, error)
	onWake    func(wake func()) // sets the function that has the session look at the bulletin; never nil
	// entered has the lobby's session once the visitor has entered.
	entered *atomic.Pointer[lobby.Session]
}

// admit returns the visitor of a session, or the reason why they are not admitted. The visitor is valid also
// with an error; its untrack must be called.
func (h *Handler) admit(ctx context.Context, s *sshd.Session) (visitor, error) {
	v := visitor{addr: s.Addr().Addr(), role: club.RolePlayer, nameHint: s.User(), untrack: func() {}, onEnter: func(account.Account) {}, onWake: func(func()) {}, entered: new(atomic.Pointer[lobby.Session])}
	if s.Key() == nil {
		v.role = club.RoleGuest
	}
	if h.Authorizer == nil {
		return v, h.loadAccount(ctx, s, &v)
	}
	admitted, err := h.Authorizer.Admit(ctx, s.Key(), v.addr, s.User())
	if err != nil {
		v.role = club.RoleNobody
		return v, err
	}
	v.role, v.account = admitted.Role, admitted.Account
	if club.IsInviteCode(v.nameHint) {
		v.nameHint = ""
	}
	if admitted.Name != "" {
		v.nameHint = admitted.Name
	}
	c := h.Authorizer.Club
	session := &club.Session{Key: marshalKey(s.Key()), From: v.addr, Role: admitted.Role, End: s.End}
	v.untrack = c.Sessions.Add(session)
	v.onWake = func(wake func()) { c.Sessions.SetWake(session, wake) }
	v.lastVisit = func(ctx context.Context) (time.Time, error) { return c.LastVisit(ctx, session) }
	v.onEnter = func(a account.Account) {
		c.Sessions.SetAccount(session, a)
		if admitted.Account == nil && a.ID > 0 { // the key's first visit
			_ = c.ReloadSanctions(context.WithoutCancel(ctx)) // the store reports its failures
		}
	}
	return v, nil
}

// enterLobby prepares the lobby session with which the visitor enters.
func (v visitor) enterLobby(s *lobby.Session) {
	s.SetAddr(v.addr)
	v.onEnter(s.Account())
	v.onWake(s.WakeSelf)
	v.entered.Store(s)
	if v.role >= club.RoleModerator {
		s.SetModerator()
	}
}

// loadAccount sets v.account to the account of the session's key, if it has one.
func (h *Handler) loadAccount(ctx context.Context, s *sshd.Session, v *visitor) error {
	if s.Key() == nil {
		return nil
	}
	a, known, err := h.Lobby.Accounts.ByKey(ctx, s.Key().Marshal())
	if known {
		v.account = &a
	}
	return err
}

// reject writes why a visitor is not admitted. Whatever failed has reported the rest.
func (h *Handler) reject(s *sshd.Session, err error) int {
	go s.DiscardInput()
	_, message := lobby.PublicError(err)
	if errors.Is(err, access.ErrNotMember) {
		message += "; for example: ssh -t -l CODE " + h.SSHTarget
	}
	_, errs := outputStreams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// moderation returns who acts for a visitor in the lobby; nil if the server has no moderation.
func (h *Handler) moderation(v visitor) (club.Moderator, club.Manager) {
	if h.Authorizer == nil {
		return nil, nil
	}
	actor := club.Actor{Role: v.role, Addr: v.addr, Account: func() account.Account {
		if s := v.entered.Load(); s != nil {
			return s.Account()
		}
		return account.Account{}
	}}
	return h.Authorizer.Club.Moderator(actor), h.Authorizer.Club.Manager(actor)
}

// commandModeration is moderation for a command, whose visitor does not enter the lobby.
func (h *Handler) commandModeration(s *sshd.Session, v visitor) (club.Moderator, club.Manager) {
	if h.Authorizer == nil {
		return nil, nil
	}
	actor := club.Actor{Role: v.role, Addr: v.addr, Name: s.Fingerprint()}
	if v.account != nil {
		actor.Account = func() account.Account { return *v.account }
	}
	return h.Authorizer.Club.Moderator(actor), h.Authorizer.Club.Manager(actor)
}

// marshalKey returns a key in SSH wire format; nil for nil.
func marshalKey(key ssh.PublicKey) []byte {
	if key == nil {
		return nil
	}
	return key.Marshal()
}
