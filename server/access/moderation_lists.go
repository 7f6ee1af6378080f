package access

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
)

// chatRooms are the rooms that can be closed, by name. Players can always chat in their match.
var chatRooms = map[string]lobby.Room{"lobby": lobby.LobbyRoom, "watchers": lobby.SpectatorRoom}

func roomSubject(r lobby.Room) string { return "room " + string(r) }

// closeRoom closes a chat room.
func (c command) closeRoom(args []string) error {
	room, ok := chatRooms[args[0]]
	if !ok {
		return badRequest("there is no room %q; rooms are lobby and watchers", sanitize.Line(args[0], 20))
	}
	duration, reason := "forever", args[1:]
	if len(reason) > 0 {
		duration, reason = reason[0], reason[1:]
	}
	_, err := c.sanction(ActionCloseRoom, club.KindClose, subject{id: roomSubject(room), name: args[0]}, duration, reason)
	return err
}

// closeReport closes a report.
func (c command) closeReport(args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err == nil {
		err = c.m.Authorizer.store.CloseReport(c.ctx, id, c.actor, "is done with report "+args[0], time.Now())
	}
	if errors.Is(err, lobby.ErrNotFound) || errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) {
		return badRequest("there is no open report %q; `admin reports` lists them", sanitize.Line(args[0], 20))
	}
	return err
}

// minPrefixBits is the length of the widest prefix that a moderator may ban, about the network of one
// provider. Only a server owner, whom no ban affects, may ban more.
func minPrefixBits(a netip.Addr) int {
	if a.Is4() {
		return 16
	}
	return 32
}

// Sanctions lists the sanctions in force.
func (m *Moderation) Sanctions(ctx context.Context, role Role) ([]club.Sanction, error) {
	if !role.Can(ActionBans) {
		return nil, notModerator(ActionBans)
	}
	all, err := m.Authorizer.currentSanctions(ctx)
	return slices.DeleteFunc(all, func(s club.Sanction) bool { return !m.Authorizer.applies(&s, s.Kind) }), err
}

// OpenReports lists all open reports, oldest first.
func (m *Moderation) OpenReports(ctx context.Context, role Role) (all []club.Report, err error) {
	if !role.Can(ActionReports) {
		return nil, notModerator(ActionReports)
	}
	for after := int64(0); ; after = all[len(all)-1].ID {
		page, err := m.Authorizer.store.OpenReports(ctx, after, maxListed)
		all = append(all, page...)
		if err != nil || len(page) < maxListed {
			return all, err
		}
	}
}

// CountReports returns the number of open reports.
func (m *Moderation) CountReports(ctx context.Context, role Role) (int, error) {
	if !role.Can(ActionReports) {
		return 0, notModerator(ActionReports)
	}
	return m.Authorizer.store.CountReports(ctx)
}

// BanTargets returns what else than the name of a user can be banned: the fingerprints of their keys, the
// addresses of their sessions, and the networks around these, narrow ones first.
func (m *Moderation) BanTargets(ctx context.Context, role Role, name string) ([]string, error) {
	if !role.Can(ActionBan) {
		return nil, notModerator(ActionBan)
	}
	s, err := command{m: m, ctx: ctx, role: role}.findPerson(name)
	if err != nil {
		return nil, err
	}
	var marks []string
	if s.account > 0 {
		keys, err := m.Authorizer.store.Keys(ctx, s.account)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if key, err := ssh.ParsePublicKey(k.Wire); err == nil {
				marks = append(marks, ssh.FingerprintSHA256(key))
			}
		}
	}
	var from []netip.Prefix
	for _, p := range m.Connections.origins(s.account) {
		around := 24
		if p.Addr().Is6() {
			around = 48
		}
		wider, _ := p.Addr().Prefix(around)
		from = append(from, p, wider)
	}
	slices.SortFunc(from, func(a, b netip.Prefix) int { // narrow ones first
		return cmp.Or(cmp.Compare(b.Bits(), a.Bits()), a.Addr().Compare(b.Addr()))
	})
	for _, p := range slices.Compact(from) {
		marks = append(marks, p.String())
	}
	return marks, nil
}

// origins returns the origins of an account's sessions.
func (p *Connections) origins(id lobby.AccountID) (all []netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.conns {
		if s.account.ID == id {
			all = append(all, limit.Origin(s.From))
		}
	}
	return all
}

// LiftCommand returns the command that lifts a kind of sanction.
func LiftCommand(kind club.Kind) string {
	return string(map[club.Kind]Action{club.KindMute: ActionUnmute, club.KindBan: ActionUnban, club.KindClose: ActionOpenRoom}[kind])
}
