package front

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"ayumu/lobby"
	"ayumu/server"
	"ayumu/server/access"
)

// guest is somebody whom the house has let in, or not.
type guest struct {
	from    netip.Addr
	role    access.Role
	hint    string         // a name to suggest at a first visit
	account *lobby.Account // of the session's key; nil for guests and new keys
	leave   func()
	entered func(lobby.Account) // as whom he is known
	office  *office             // nil: there is no moderation
}

// admit asks the gate. What it returns can be used also with an error.
func (d *Desk) admit(ctx context.Context, s *server.Session) (guest, error) {
	g := guest{from: s.Addr().Addr(), role: access.Player, hint: s.User(), leave: func() {}, entered: func(lobby.Account) {}}
	if s.Key() == nil {
		g.role = access.Guest
	}
	if d.Gate == nil {
		return g, d.known(ctx, s, &g)
	}
	v, err := d.Gate.Admit(ctx, s.Key(), g.from, s.User())
	if err != nil {
		g.role = access.Nobody
		return g, err
	}
	g.role, g.account = v.Role, v.Account
	if access.IsCode(g.hint) {
		g.hint = ""
	}
	if v.Name != "" {
		g.hint = v.Name
	}
	if d.Moderation != nil {
		stay := &access.Stay{Key: s.Key(), From: g.from, Role: v.Role, End: s.End}
		g.office = &office{m: d.Moderation, role: v.Role, from: g.from}
		g.leave = d.Moderation.Presence.Add(stay)
		g.entered = func(a lobby.Account) {
			d.Moderation.Presence.Entered(stay, a)
			if v.Account == nil && a.ID > 0 { // the key's first visit
				_ = d.Gate.Registered(context.WithoutCancel(ctx)) // the store reports its failures
			}
		}
	}
	return g, nil
}

// inside says with which session somebody is in the lobby.
func (g guest) inside(s *lobby.Session) {
	s.ComesFrom(g.from)
	g.entered(s.Account())
	if g.office != nil {
		g.office.session = s
	}
	if g.role >= access.Moderator {
		s.Moderates()
	}
}

// known finds the account of the session's key.
func (d *Desk) known(ctx context.Context, s *server.Session, g *guest) error {
	if s.Key() == nil {
		return nil
	}
	a, known, err := d.Lobby.AccountByKey(ctx, s.Key().Marshal())
	if known {
		g.account = &a
	}
	return err
}

// turnAway writes why a visitor is not admitted. Whatever failed has reported the rest.
func (d *Desk) turnAway(s *server.Session, err error) int {
	go s.DiscardInput()
	_, message := lobby.Explain(err)
	if errors.Is(err, access.ErrStranger) {
		message += " That is: ssh -t -l CODE " + d.Host
	}
	_, errs := streams(s)
	fmt.Fprintln(errs, message)
	return 1
}

// moderate carries out the commands that need more than the lobby; done is false for others.
func (d *Desk) moderate(ctx context.Context, s *server.Session, g guest, a lobby.Account, words []string, out io.Writer) (status int, done bool) {
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
		if err = d.Moderation.Report(ctx, a, g.role, g.from, words[1], strings.Join(words[2:], " ")); err == nil {
			_, err = io.WriteString(out, "thank you; the moderators will read it\n")
		}
	default:
		return 0, false
	}
	if err != nil {
		return d.fail(s, err), true
	}
	return 0, true
}
