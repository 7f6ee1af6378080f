package club

import (
	"context"
	"net/netip"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
)

// Moderator acts for one user, with their permissions: it reports, and does what moderators do. Every method
// checks the permission, so that a front end can offer it to anybody. A refusal is an *errcode.Error. What is
// done is written to the audit log. Texts are cleaned, and refused if they are too long. Any goroutine may
// call the methods.
//
// A duration is positive and at most a hundred years, or Permanent.
type Moderator interface {
	// Permit returns nil if the user has a permission, or the refusal.
	Permit(p Permission) error

	// Report reports a user to the moderators.
	Report(ctx context.Context, about, text string) error
	// Reports lists open reports with an id above after, oldest first, at most limit.
	Reports(ctx context.Context, after int64, limit int) ([]Report, error)
	// CountReports returns the number of open reports.
	CountReports(ctx context.Context) (int, error)
	// CloseReport closes an open report.
	CloseReport(ctx context.Context, id int64) error

	// Mute forbids a user to chat.
	Mute(ctx context.Context, name string, d time.Duration, reason string) (Sanction, error)
	// Kick ends a user's sessions, and returns their number.
	Kick(ctx context.Context, name, reason string) (ended int, err error)
	// Ban refuses new sessions of a target and ends its sessions, and returns their number.
	Ban(ctx context.Context, t Target, d time.Duration, reason string) (s Sanction, ended int, err error)
	// CloseRoom closes a chat room: lobby.LobbyRoom or lobby.SpectatorRoom.
	CloseRoom(ctx context.Context, room lobby.Room, d time.Duration, reason string) (Sanction, error)
	// Lift lifts all sanctions of a kind whose SubjectName or whose prefix of addresses is the given one.
	Lift(ctx context.Context, kind SanctionKind, subject string) error
	// Sanctions lists the sanctions in force, oldest first.
	Sanctions(ctx context.Context) ([]Sanction, error)
	// BanTargets returns what else than the name of a user can be banned: their keys, the addresses of their
	// sessions, and the networks around these, narrow ones first.
	BanTargets(ctx context.Context, name string) ([]Target, error)

	// Invite creates an invitation for a number of keys.
	Invite(ctx context.Context, uses int, validity time.Duration) (Invitation, error)
	// Announce notifies everybody who is connected, on all nodes, with a bell. The notice is kept.
	Announce(ctx context.Context, notice string) error
	// Post stores an announcement, which is shown on entry. Its Title, Text, From and Until count; a zero From means
	// now.
	Post(ctx context.Context, a Announcement) (Announcement, error)
	// Withdraw ends an announcement.
	Withdraw(ctx context.Context, id int64) error
	// SetMessage replaces the message of the day; "" restores that of the settings.
	SetMessage(ctx context.Context, text string) error
	// RecordRuling adds to the audit log what the user has done as the organizer of a tournament or as a moderator of it, in words
	// that follow the name: "cancels the tournament k3f9q2a".
	RecordRuling(ctx context.Context, action string) error
	// AuditLog returns the last lines of the audit log, oldest first.
	AuditLog(ctx context.Context) ([]AuditEntry, error)
}

// Permanent is the duration of a sanction without an end.
const Permanent time.Duration = 0

// maxDuration bounds the duration of a sanction.
const maxDuration = 36500 * 24 * time.Hour

// Actor is who reports or moderates: a user, or the operator at the machine.
type Actor struct {
	Role Role
	Addr netip.Addr // invalid: at the machine
	// Name stands in the audit log and in reports if there is no account: the fingerprint of a key.
	Name string
	// Account returns the actor's account, which a rename changes; nil: there is none.
	Account func() account.Account
}

func (a Actor) account() account.Account {
	if a.Account == nil {
		return account.Account{}
	}
	return a.Account()
}

// name returns the name for the audit log.
func (a Actor) name() string {
	if name := a.account().Name; name != "" {
		return name
	}
	return a.Name
}

// Moderator returns a Moderator that acts for a user of the club.
func (c *Club) Moderator(a Actor) Moderator { return moderator{c, a} }

// moderator implements Moderator.
type moderator struct {
	club  *Club
	actor Actor
}

func (m moderator) Permit(p Permission) error {
	if m.actor.Role.Has(p) || p == PermissionOrganize && m.actor.Role >= RolePlayer && m.club.Policy().MembersOrganize {
		return nil
	}
	if err := refusals[p]; err != nil {
		return err
	}
	return refusal("nobody may %s", p)
}

// refusals has the error for users without a permission. Screens ask for permissions with each frame.
var refusals = func() map[Permission]error {
	all := make(map[Permission]error)
	for p, role := range minRole {
		roles := "moderators"
		if role == RoleServerOwner {
			roles = "owners"
		}
		all[p] = refusal("only %s may %s", roles, p)
	}
	return all
}()

// begin checks a permission, and the rate of what its user does.
func (m moderator) begin(p Permission) error {
	if err := m.Permit(p); err != nil {
		return err
	}
	return m.club.actions.take(m.actor, &m.club.LimitHits)
}

func (m moderator) Invite(ctx context.Context, uses int, validity time.Duration) (Invitation, error) {
	if err := m.begin(PermissionInvite); err != nil {
		return Invitation{}, err
	}
	return NewInvite(ctx, m.club.store, uses, validity, m.actor.name())
}

// auditLines is the number of lines that AuditLog returns.
const auditLines = 200

func (m moderator) AuditLog(ctx context.Context) ([]AuditEntry, error) {
	if err := m.Permit(PermissionAudit); err != nil {
		return nil, err
	}
	return m.club.store.AuditLog(ctx, auditLines)
}

func (m moderator) RecordRuling(ctx context.Context, action string) error {
	if m.actor.Role < RolePlayer { // the tournament has decided whether this player may rule
		return refusals[PermissionOrganize]
	}
	return m.audit(ctx, action)
}

// audit adds a line to the audit log.
func (m moderator) audit(ctx context.Context, action string) error {
	return m.club.store.AddAuditEntry(ctx, AuditEntry{At: time.Now(), Actor: m.actor.name(), Action: action})
}
