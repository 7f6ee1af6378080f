package club

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/text"
)

// Manager manages the members of a server for one moderator or owner. Every method checks a permission and a rate, so that a
// front end can offer it to anybody: PermissionSeeMembers for lists of members, PermissionInvite for invitations, and
// PermissionMembers for the others. A refusal is an *errcode.Error. What is changed is written to the audit log. Any
// goroutine may call the methods.
type Manager interface {
	// Members lists accounts by name, after that of a name, or from the first one on for "", at most limit.
	Members(ctx context.Context, after string, limit int) ([]Member, error)
	// NotYetHere lists keys of the list of keys with which nobody has registered yet, by name and then by fingerprint, at
	// most 200.
	NotYetHere(ctx context.Context) ([]UnusedKey, error)
	// Member returns an account with its keys.
	Member(ctx context.Context, name string) (Member, []account.Key, error)
	// Rename changes the name of an account.
	Rename(ctx context.Context, name, to string) error
	// Remove deletes an account that is not an owner's: it resigns its games, ends its sessions and its membership. Its
	// finished games stay, under a neutral name.
	Remove(ctx context.Context, name string) error
	// SetRole gives an account the role player, moderator or owner. The only owner stays one.
	SetRole(ctx context.Context, name string, role Role) error
	// Invitations lists the invitations that can be used, oldest first.
	Invitations(ctx context.Context) ([]ListedInvitation, error)
	// Revoke removes an invitation.
	Revoke(ctx context.Context, id int64) error
	// Statistics returns what was played in the last weeks.
	Statistics(ctx context.Context) (Statistics, error)
}

// Manager returns a Manager that acts for a user of the club.
func (c *Club) Manager(a Actor) Manager { return manager{c, a} }

// manager implements Manager.
type manager struct {
	club  *Club
	actor Actor
}

func (m manager) begin(p Permission) error { return moderator(m).begin(p) }

// maxMembers is the maximum number of members or invitations in one answer.
const maxMembers = 200

func (m manager) Members(ctx context.Context, after string, limit int) ([]Member, error) {
	if err := m.begin(PermissionSeeMembers); err != nil {
		return nil, err
	}
	all, err := m.club.store.Members(ctx, after, min(max(limit, 1), maxMembers))
	for i := range all {
		if err == nil {
			_, err = m.complete(ctx, &all[i])
		}
	}
	return all, err
}

// UnusedKey is a key of the list of keys with which nobody has registered yet.
type UnusedKey struct {
	ListedKey
	Fingerprint string
}

func (m manager) NotYetHere(ctx context.Context) (all []UnusedKey, err error) {
	if err := m.begin(PermissionSeeMembers); err != nil {
		return nil, err
	}
	for wire, entry := range m.club.keyList() {
		_, err := m.club.store.AccountByKey(ctx, []byte(wire))
		if err == nil {
			continue
		}
		if !errors.Is(err, errcode.ErrNotFound) {
			return nil, err
		}
		if all = append(all, UnusedKey{entry, keyFingerprint([]byte(wire))}); len(all) == maxMembers {
			break
		}
	}
	slices.SortFunc(all, func(a, b UnusedKey) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return all, nil
}

// complete sets the role of a member that follows from the list of keys too, and returns their keys.
func (m manager) complete(ctx context.Context, who *Member) ([]account.Key, error) {
	keys, err := m.club.store.Keys(ctx, who.Account.ID)
	for _, k := range keys {
		who.Role = max(who.Role, m.club.Role(k.Wire))
	}
	if seen := m.club.Sessions.lastSeen(who.Account.ID); seen.After(who.LastSeen) {
		who.LastSeen = seen
	}
	return keys, err
}

func (m manager) Member(ctx context.Context, name string) (who Member, keys []account.Key, err error) {
	if err := m.begin(PermissionSeeMembers); err != nil {
		return Member{}, nil, err
	}
	return m.find(ctx, name)
}

func (m manager) find(ctx context.Context, name string) (who Member, keys []account.Key, err error) {
	who, err = m.club.store.Member(ctx, name)
	if errors.Is(err, errcode.ErrNotFound) {
		return who, nil, badRequest("there is no account %q", sanitize.Line(name, account.MaxName))
	}
	if err == nil {
		keys, err = m.complete(ctx, &who)
	}
	return who, keys, err
}

func (m manager) Rename(ctx context.Context, name, to string) error {
	if err := m.begin(PermissionMembers); err != nil {
		return err
	}
	who, keys, err := m.find(ctx, name)
	if err != nil {
		return err
	}
	if areBuiltIn(keys) {
		return errBuiltIn(who.Account.Name)
	}
	if err := account.CheckName(to); err != nil {
		return err
	}
	a, err := m.club.store.Rename(ctx, who.Account.ID, to, time.Now())
	switch {
	case errors.Is(err, errcode.ErrTaken):
		return refusal("the name %s, or a similar one, is taken; choose another", to)
	case err != nil:
		return err
	}
	return errors.Join(m.notifyNodes(ctx, who.Account.ID), moderator(m).audit(ctx, fmt.Sprintf("renames %s to %s", who.Account.Name, a.Name)))
}

// notifyNodes has all nodes read an account again.
func (m manager) notifyNodes(ctx context.Context, id account.ID) error {
	m.club.shareChange(fmt.Sprint(accountRow, id))
	return m.club.users().Refresh(ctx, id)
}

func (m manager) Remove(ctx context.Context, name string) error {
	if err := m.begin(PermissionMembers); err != nil {
		return err
	}
	who, keys, err := m.find(ctx, name)
	switch {
	case err != nil:
		return err
	case who.Role >= RoleServerOwner:
		return ErrIsOwner
	case areBuiltIn(keys):
		return errBuiltIn(who.Account.Name)
	case m.club.Remove == nil && who.Unfinished > 0:
		return refusal("%s is still playing %s; remove the account while the server runs, so that its games are resigned first", who.Account.Name, text.Plural(who.Unfinished, "game"))
	}
	if err := m.club.store.EndMembership(ctx, who.Account.ID, m.actor.name(), "removes "+who.Account.Name, time.Now()); err != nil {
		return err
	}
	if m.club.Remove != nil {
		return m.club.Remove(ctx, who.Account)
	}
	if err := m.club.store.DeleteAccount(ctx, who.Account.ID, time.Now()); err != nil {
		return err
	}
	m.club.AccountDeleted(ctx, who.Account.ID)
	return m.notifyNodes(ctx, who.Account.ID)
}

// RemoveFrom returns a function for Club.Remove: it resigns all games of an account and then deletes it as its player
// would.
func RemoveFrom(l *lobby.Lobby) func(context.Context, account.Account) error {
	return func(ctx context.Context, a account.Account) error {
		s, err := l.Enter(a, nil)
		if err != nil {
			return err
		}
		defer s.Close(false)
		for _, match := range s.SeatedMatches() {
			if match.Snapshot().IsOver() {
				continue
			}
			p, err := s.AsPlayer(match.Info.ID)
			if err == nil {
				err = p.Resign(ctx)
			}
			if err != nil {
				return err
			}
		}
		return s.DeleteAccount(ctx)
	}
}

func (m manager) SetRole(ctx context.Context, name string, role Role) error {
	if err := m.begin(PermissionMembers); err != nil {
		return err
	}
	if role < RolePlayer || role > RoleServerOwner {
		return badRequest("a role is player, moderator or owner")
	}
	who, keys, err := m.find(ctx, name)
	if err != nil {
		return err
	}
	if areBuiltIn(keys) {
		return errBuiltIn(who.Account.Name)
	}
	listed := RolePlayer
	for _, k := range keys {
		listed = max(listed, m.club.Role(k.Wire))
	}
	if role < listed {
		return refusal("%s has the role %s from the list of keys; change that list instead", who.Account.Name, listed)
	}
	needsOther := who.Role >= RoleServerOwner && role < RoleServerOwner && !m.club.keyList().hasOwner()
	action := fmt.Sprintf("makes %s %s", who.Account.Name, role)
	if err := m.club.store.SetRole(ctx, who.Account.ID, role, needsOther, m.actor.name(), action, time.Now()); err != nil {
		return err
	}
	m.club.shareChange(rolesRow)
	if err := m.club.Roles.read(ctx); err != nil || role >= who.Role {
		return err
	}
	// Sessions keep the role with which they were admitted.
	const notice = "Your role on this server has changed. Connect again."
	m.club.Sessions.end(notice, func(_ *Session, a account.Account) bool { return a.ID == who.Account.ID })
	return m.club.shareKick(kick{Account: who.Account.ID, Below: RoleServerOwner + 1, Notice: notice})
}

func (m manager) Invitations(ctx context.Context) ([]ListedInvitation, error) {
	if err := m.begin(PermissionInvite); err != nil {
		return nil, err
	}
	return m.club.store.Invitations(ctx, time.Now(), maxMembers)
}

func (m manager) Revoke(ctx context.Context, id int64) error {
	if err := m.begin(PermissionInvite); err != nil {
		return err
	}
	err := m.club.store.RevokeInvitation(ctx, id, m.actor.name(), fmt.Sprintf("revokes invitation %d", id), time.Now())
	if errors.Is(err, errcode.ErrNotFound) {
		return badRequest("there is no invitation %d; the command invitations lists them", id)
	}
	return err
}
