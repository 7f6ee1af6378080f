package club

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/sanitize"
)

// Maximum numbers of characters.
const (
	maxReason = 200
	maxReport = 300
)

func cleanReason(text string) (string, error) {
	return cleanText("a reason or a notice", text, maxReason)
}

func withReason(action, reason string) string {
	if reason == "" {
		return action
	}
	return action + ": " + reason
}

// cleanText cleans a text. It returns an error for one that is too long, instead of cutting it.
func cleanText(label, text string, limit int) (string, error) {
	clean := sanitize.Line(text, limit+2) // more than limit, to see whether it is cut
	if utf8.RuneCountInString(clean) > limit {
		return "", badRequest("%s has at most %d characters; shorten it", label, limit)
	}
	return clean, nil
}

func (m moderator) Mute(ctx context.Context, name string, d time.Duration, reason string) (Sanction, error) {
	if err := m.Permit(PermissionMute); err != nil {
		return Sanction{}, err
	}
	s, err := m.club.findUser(ctx, name)
	if err != nil {
		return Sanction{}, err
	}
	return m.sanction(ctx, PermissionMute, KindMute, s, d, reason)
}

func (m moderator) Ban(ctx context.Context, t Target, d time.Duration, reason string) (Sanction, int, error) {
	if err := m.Permit(PermissionBan); err != nil {
		return Sanction{}, 0, err
	}
	found, err := m.club.findTarget(ctx, t)
	if err != nil {
		return Sanction{}, 0, err
	}
	s, err := m.sanction(ctx, PermissionBan, KindBan, found, d, reason)
	if err != nil {
		return Sanction{}, 0, err
	}
	ended := m.club.Sessions.end(s.banNotice(), func(o *Session, account account.Account) bool {
		return s.bans(o.Key, account.ID, o.From, o.Role) // as enforceBans on other nodes
	})
	return s, ended + m.club.sessionsOnOtherNodes(found), nil
}

// roomNames are the rooms that can be closed, with the names under which sanctions list them. Players can
// always chat in their match.
var roomNames = map[lobby.Room]string{lobby.LobbyRoom: "lobby", lobby.SpectatorRoom: "watchers"}

// RoomName returns the name under which a room can be closed; "": it cannot.
func RoomName(room lobby.Room) string { return roomNames[room] }

// RoomByName returns the room that can be closed under a name.
func RoomByName(name string) (lobby.Room, error) {
	for room, known := range roomNames {
		if known == name {
			return room, nil
		}
	}
	return "", badRequest("there is no room %q; rooms are lobby and watchers", sanitize.Line(name, 20))
}

func (m moderator) CloseRoom(ctx context.Context, room lobby.Room, d time.Duration, reason string) (Sanction, error) {
	if err := m.Permit(PermissionCloseRooms); err != nil {
		return Sanction{}, err
	}
	name, ok := roomNames[room]
	if !ok {
		return Sanction{}, badRequest("the room %s cannot be closed", room)
	}
	return m.sanction(ctx, PermissionCloseRooms, KindClose, subject{id: roomSubject(room), name: name}, d, reason)
}

// sanction stores a sanction of a subject.
func (m moderator) sanction(ctx context.Context, p Permission, kind SanctionKind, s subject, d time.Duration, reason string) (Sanction, error) {
	if d < 0 || d > maxDuration {
		return Sanction{}, badRequest("a sanction lasts at most a hundred years")
	}
	reason, err := cleanReason(reason)
	if err != nil {
		return Sanction{}, err
	}
	if s.isBuiltIn {
		return Sanction{}, errBuiltIn(s.name)
	}
	if !m.actor.Role.HasOver(p, s.role) {
		return Sanction{}, errRoleTooHigh(string(kind), s.role)
	}
	if m.actor.Role < RoleServerOwner && s.prefix.IsValid() && s.prefix.Bits() < minPrefixBits(s.prefix.Addr()) {
		return Sanction{}, refusal("only owners may ban an address range wider than /%d", minPrefixBits(s.prefix.Addr()))
	}
	sn := Sanction{Kind: kind, Subject: s.id, Account: s.account, SubjectName: s.name, OriginalName: s.name, Reason: reason, Issuer: m.actor.name(), IssuerRole: m.actor.Role, Created: time.Now()}
	if d != Permanent {
		sn.Until = sn.Created.Add(d)
	}
	sn.ID, err = m.club.store.AddSanction(ctx, sn, withReason(fmt.Sprintf("%ss %s %s", kind, s.name, UntilText(sn.Until)), reason))
	if err == nil {
		err = m.club.ReloadSanctions(ctx)
	}
	return sn, err
}

// errRoleTooHigh returns the error of an action against a user whose role is not lower.
func errRoleTooHigh(verb string, other Role) error {
	article := "a"
	if other == RoleServerOwner {
		article = "an"
	}
	return refusal("you cannot %s %s %s: your role is not higher than theirs", verb, article, other)
}

func (m moderator) Kick(ctx context.Context, name, reason string) (ended int, err error) {
	if err := m.Permit(PermissionKick); err != nil {
		return 0, err
	}
	s, err := m.club.findUser(ctx, name)
	if err != nil {
		return 0, err
	}
	if !m.actor.Role.HasOver(PermissionKick, s.role) {
		return 0, errRoleTooHigh("kick", s.role)
	}
	if reason, err = cleanReason(reason); err != nil {
		return 0, err
	}
	notice := "A moderator has ended your session." + reasonSuffix(reason)
	ended = m.club.Sessions.end(notice, func(o *Session, account account.Account) bool {
		return account.ID == s.account && o.Role < m.actor.Role
	}) + m.club.sessionsOnOtherNodes(s)
	if err := m.club.shareKick(kick{Account: s.account, Below: m.actor.Role, Notice: notice}); err != nil {
		return ended, err
	}
	if ended == 0 {
		return 0, badRequest("the player %s is not online", s.name)
	}
	return ended, m.audit(ctx, withReason("kicks "+s.name, reason))
}

// liftPermissions are the permissions to lift the kinds of sanctions.
var liftPermissions = map[SanctionKind]Permission{KindMute: PermissionUnmute, KindBan: PermissionUnban, KindClose: PermissionOpenRooms}

// Lift finds an account by its current name. If one of the sanctions is by a user of a higher role, none is lifted.
func (m moderator) Lift(ctx context.Context, kind SanctionKind, subject string) error {
	if err := m.Permit(liftPermissions[kind]); err != nil {
		return err
	}
	all, err := m.club.currentSanctions(ctx)
	if err != nil {
		return err
	}
	found := slices.DeleteFunc(all, func(s Sanction) bool {
		return s.Kind != kind || !strings.EqualFold(s.SubjectName, subject) && s.Subject != "address "+subject
	})
	for _, s := range found {
		if s.IssuerRole > m.actor.Role {
			return refusal("the %s of %s was imposed by %s, whose role is higher than yours; ask an owner to lift it", kind, s.SubjectName, s.Issuer)
		}
	}
	for _, s := range found {
		entry := fmt.Sprintf("lifts the %s of %s", kind, s.SubjectName)
		if kind == KindClose {
			entry = "reopens " + s.SubjectName
		}
		if err := m.club.store.LiftSanction(ctx, s.ID, m.actor.name(), entry, time.Now()); err != nil {
			return err
		}
	}
	switch subject = sanitize.Line(subject, 60); {
	case len(found) > 0:
	case kind == KindClose:
		return badRequest("the room %s is not closed", subject)
	default:
		return badRequest("there is no %s of %q; `admin bans` lists them", kind, subject)
	}
	return m.club.ReloadSanctions(ctx)
}

func (m moderator) Sanctions(ctx context.Context) ([]Sanction, error) {
	if err := m.Permit(PermissionSanctions); err != nil {
		return nil, err
	}
	return m.club.currentSanctions(ctx)
}

func (m moderator) BanTargets(ctx context.Context, name string) ([]Target, error) {
	if err := m.Permit(PermissionBan); err != nil {
		return nil, err
	}
	s, err := m.club.findUser(ctx, name)
	if err != nil {
		return nil, err
	}
	var targets []Target
	if s.account > 0 {
		keys, err := m.club.store.Keys(ctx, s.account)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			targets = append(targets, Target{Fingerprint: k.Fingerprint()})
		}
	}
	var from []netip.Prefix
	_, others := m.club.users().SessionsOnOtherNodes(s.account)
	for _, p := range append(m.club.Sessions.origins(s.account), others...) {
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
		targets = append(targets, Target{Prefix: p})
	}
	return targets, nil
}
