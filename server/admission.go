package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"ayumu/lobby"
	"ayumu/server/access"
	"ayumu/server/sshd"
)

// visitor is a person whose connection is authenticated, with their permissions.
type visitor struct {
	addr       netip.Addr
	role       access.Role
	nameHint   string              // a name to suggest at a first visit
	account    *lobby.Account      // of the session's key; nil for guests and new keys
	untrack    func()              // ends the tracking of the connection; never nil
	onEnter    func(lobby.Account) // reports the account that enters the lobby; never nil
	moderation *moderation         // nil without moderation
}

// admit returns the visitor of a session, or the reason why they are not admitted. The visitor is valid also
// with an error; its untrack must be called.
func (d *Handler) admit(ctx context.Context, s *sshd.Session) (visitor, error) {
	g := visitor{addr: s.Addr().Addr(), role: access.RolePlayer, nameHint: s.User(), untrack: func() {}, onEnter: func(lobby.Account) {}}
	if s.Key() == nil {
		g.role = access.RoleGuest
	}
	if d.Authorizer == nil {
		return g, d.loadAccount(ctx, s, &g)
	}
	v, err := d.Authorizer.Admit(ctx, s.Key(), g.addr, s.User())
	if err != nil {
		g.role = access.RoleNobody
		return g, err
	}
	g.role, g.account = v.Role, v.Account
	if access.IsInviteCode(g.nameHint) {
		g.nameHint = ""
	}
	if v.Name != "" {
		g.nameHint = v.Name
	}
	if d.Moderation != nil {
		conn := &access.Connection{Key: s.Key(), From: g.addr, Role: v.Role, End: s.End}
		g.moderation = &moderation{m: d.Moderation, role: v.Role, addr: g.addr}
		g.untrack = d.Moderation.Connections.Add(conn)
		g.onEnter = func(a lobby.Account) {
			d.Moderation.Connections.SetAccount(conn, a)
			if v.Account == nil && a.ID > 0 { // the key's first visit
				_ = d.Authorizer.AccountRegistered(context.WithoutCancel(ctx)) // the store reports its failures
			}
		}
	}
	return g, nil
}

// enterLobby prepares the lobby session with which the visitor enters.
func (g visitor) enterLobby(s *lobby.Session) {
	s.SetAddr(g.addr)
	g.onEnter(s.Account())
	if g.moderation != nil {
		g.moderation.session = s
	}
	if g.role >= access.RoleModerator {
		s.SetModerator()
	}
}

// loadAccount sets g.account to the account of the session's key, if it has one.
func (d *Handler) loadAccount(ctx context.Context, s *sshd.Session, g *visitor) error {
	if s.Key() == nil {
		return nil
	}
	a, known, err := d.Lobby.AccountByKey(ctx, s.Key().Marshal())
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

// moderate runs the commands admin and report; done is false for others.
func (d *Handler) moderate(ctx context.Context, s *sshd.Session, g visitor, a lobby.Account, words []string, out io.Writer) (status int, done bool) {
	if d.Moderation == nil {
		return 0, false
	}
	var err error
	switch words[0] {
	case "admin":
		who := a.Name
		if who == "" {
			who = s.Fingerprint()
		}
		err = d.Moderation.Run(ctx, who, g.role, words[1:], out)
	case "report":
		if len(words) < 3 {
			words = []string{"report", "", ""}
		}
		if err = d.Moderation.Report(ctx, a, s.Fingerprint(), g.role, g.addr, words[1], strings.Join(words[2:], " ")); err == nil {
			_, err = io.WriteString(out, "thank you; the report is open for the moderators\n")
		}
	default:
		return 0, false
	}
	if err != nil {
		return d.reportError(s, err), true
	}
	return 0, true
}
