package front

import (
	"context"
	"net/netip"
	"strings"

	"ayumu/lobby"
	"ayumu/server/access"
	"ayumu/tui"
)

// office is the moderation as one visitor may use it. It is a tui.Office.
type office struct {
	m       *access.Moderation
	role    access.Role
	from    netip.Addr
	session *lobby.Session // set when he enters the lobby, before anything is asked
}

func (o *office) May(command string) bool { return o.role.May(access.Action(command)) }

func (o *office) Order(ctx context.Context, words ...string) (string, error) {
	var out strings.Builder
	err := o.m.Run(ctx, o.session.Account().Name, o.role, words, &out)
	return out.String(), err
}

func (o *office) Report(ctx context.Context, about, what string) error {
	return o.m.Report(ctx, o.session.Account(), o.role, o.from, about, what)
}

func (o *office) Sanctions(ctx context.Context) (all []tui.Sanction, err error) {
	kept, err := o.m.Sanctions(ctx, o.role)
	for _, s := range kept {
		all = append(all, tui.Sanction{
			Kind: s.Kind, Who: s.Shown, Reason: s.Reason, By: s.Issuer, Until: s.Until, Lift: access.Lifts(s.Kind),
		})
	}
	return all, err
}

func (o *office) Reports(ctx context.Context) (all []tui.Report, err error) {
	kept, err := o.m.OpenReports(ctx, o.role)
	for _, n := range kept {
		all = append(all, tui.Report{ID: n.ID, At: n.At, By: n.Actor, About: n.About, Text: n.Text})
	}
	return all, err
}

func (o *office) CountReports(ctx context.Context) (int, error) { return o.m.CountReports(ctx, o.role) }

func (o *office) Marks(ctx context.Context, name string) ([]string, error) {
	return o.m.Marks(ctx, o.role, name)
}
