package server

import (
	"context"
	"net/netip"
	"strings"

	"ayumu/lobby"
	"ayumu/server/access"
	"ayumu/tui/client"
)

// moderation is the moderation with the permissions of one visitor. It implements client.Moderation.
type moderation struct {
	m       *access.Moderation
	role    access.Role
	addr    netip.Addr
	session *lobby.Session // set when the visitor enters the lobby, before any method is called
}

func (o *moderation) CanUse(command string) bool { return o.role.Can(access.Action(command)) }

func (o *moderation) Run(ctx context.Context, words ...string) (string, error) {
	var out strings.Builder
	err := o.m.Run(ctx, o.session.Account().Name, o.role, words, &out)
	return out.String(), err
}

func (o *moderation) Report(ctx context.Context, about, what string) error {
	return o.m.Report(ctx, o.session.Account(), "", o.role, o.addr, about, what)
}

func (o *moderation) Sanctions(ctx context.Context) (all []client.Sanction, err error) {
	db, err := o.m.Sanctions(ctx, o.role)
	for _, s := range db {
		all = append(all, client.Sanction{
			Kind: string(s.Kind), Who: s.SubjectName, Reason: s.Reason, By: s.Issuer, Until: s.Until, LiftCommand: access.LiftCommand(s.Kind),
		})
	}
	return all, err
}

func (o *moderation) Reports(ctx context.Context) (all []client.Report, err error) {
	db, err := o.m.OpenReports(ctx, o.role)
	for _, n := range db {
		all = append(all, client.Report{ID: n.ID, At: n.At, By: n.Reporter, About: n.About, Text: n.Text})
	}
	return all, err
}

func (o *moderation) CountReports(ctx context.Context) (int, error) {
	return o.m.CountReports(ctx, o.role)
}

func (o *moderation) BanTargets(ctx context.Context, name string) ([]string, error) {
	return o.m.BanTargets(ctx, o.role, name)
}
