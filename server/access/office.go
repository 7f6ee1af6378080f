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
	"ayumu/lobby/store"
)

// rooms are the names of the rooms that can be closed. Players can always talk at their game.
var rooms = map[string]lobby.Room{"lobby": lobby.LobbyRoom, "watchers": lobby.GalleryRoom}

func roomSubject(r lobby.Room) string { return "room " + string(r) }

// shut closes a room for talk.
func (o order) shut(args []string) error {
	room, ok := rooms[args[0]]
	if !ok {
		return wrong("there is no room %q; there are lobby and watchers", lobby.CleanText(args[0], 20))
	}
	lasts, reason := "forever", args[1:]
	if len(reason) > 0 {
		lasts, reason = reason[0], reason[1:]
	}
	_, err := o.sanction(Shut, kindShut, subject{text: roomSubject(room), shown: args[0]}, lasts, reason)
	return err
}

// done says that a report needs no more attention.
func (o order) done(args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err == nil {
		err = o.m.Gate.kept.CloseReport(o.ctx, id, o.who, "is done with report "+args[0], time.Now())
	}
	if errors.Is(err, lobby.ErrUnknown) || errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) {
		return wrong("there is no open report %q; `admin reports` lists them", lobby.CleanText(args[0], 20))
	}
	return err
}

// widest is the length of the widest prefix that a moderator may ban: what lies behind one provider
// at most. Only the owner, who comes in whatever is banned, may ban more.
func widest(a netip.Addr) int {
	if a.Is4() {
		return 16
	}
	return 32
}

// Sanctions lists what holds, for those who may know it.
func (m *Moderation) Sanctions(ctx context.Context, role Role) ([]store.Sanction, error) {
	if !role.May(Bans) {
		return nil, notModerator(Bans)
	}
	all, err := m.Gate.current(ctx)
	return slices.DeleteFunc(all, func(s store.Sanction) bool { return !m.Gate.holds(&s, s.Kind) }), err
}

// OpenReports lists all reports that nobody is done with, oldest first, for those who may know them.
func (m *Moderation) OpenReports(ctx context.Context, role Role) (all []store.Note, err error) {
	if !role.May(Reports) {
		return nil, notModerator(Reports)
	}
	for after := int64(0); ; after = all[len(all)-1].ID {
		page, err := m.Gate.kept.Reports(ctx, after, noted)
		all = append(all, page...)
		if err != nil || len(page) < noted {
			return all, err
		}
	}
}

// CountReports returns how many reports nobody is done with, for those who may know them.
func (m *Moderation) CountReports(ctx context.Context, role Role) (int, error) {
	if !role.May(Reports) {
		return 0, notModerator(Reports)
	}
	return m.Gate.kept.CountReports(ctx)
}

// Marks returns by what else than his name somebody can be banned: the fingerprints of his keys,
// the addresses from which he is here, and the networks around these.
func (m *Moderation) Marks(ctx context.Context, role Role, name string) ([]string, error) {
	if !role.May(Ban) {
		return nil, notModerator(Ban)
	}
	s, err := order{m: m, ctx: ctx, role: role}.person(name)
	if err != nil {
		return nil, err
	}
	var marks []string
	if s.account > 0 {
		keys, err := m.Gate.kept.Keys(ctx, s.account)
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
	for _, p := range m.Presence.origins(s.account) {
		around := 24
		if p.Addr().Is6() {
			around = 48
		}
		wider, _ := p.Addr().Prefix(around)
		from = append(from, p, wider)
	}
	slices.SortFunc(from, func(a, b netip.Prefix) int { // what hits fewer people first
		return cmp.Or(cmp.Compare(b.Bits(), a.Bits()), a.Addr().Compare(b.Addr()))
	})
	for _, p := range slices.Compact(from) {
		marks = append(marks, p.String())
	}
	return marks, nil
}

// origins returns from where an account is here.
func (p *Presence) origins(id lobby.AccountID) (all []netip.Prefix) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.stays {
		if s.account.ID == id {
			all = append(all, lobby.Origin(s.From))
		}
	}
	return all
}

// Lifts returns the command that ends a kind of sanction.
func Lifts(kind string) string {
	return string(map[string]Action{kindMute: Unmute, kindBan: Unban, kindShut: Reopen}[kind])
}
