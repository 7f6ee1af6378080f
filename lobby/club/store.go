package club

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
)

// Store keeps a club's data. Durability, errors and concurrency are those of lobby.Store. An action that is
// stored with a change is its line in the audit log.
type Store interface {
	lobby.AccountReader
	// Rename and DeleteAccount are those of lobby.AccountStore.
	Rename(ctx context.Context, id account.ID, name string, at time.Time) (account.Account, error)
	DeleteAccount(ctx context.Context, id account.ID, at time.Time) error
	SanctionStore
	InvitationStore
	ReportStore
	AuditStore
	AnnouncementStore
	MemberStore
}

// SanctionStore keeps the sanctions. Those of an account follow its keys: if the account is deleted or a key
// is removed from it, an account that is created for such a key has the sanctions as well. They then hold
// for the deleted account only as long as it has such keys.
type SanctionStore interface {
	// AddSanction stores a sanction and returns its id. The fields ID, OriginalName and Keys are ignored.
	AddSanction(ctx context.Context, s Sanction, action string) (id int64, err error)
	// LiftSanction removes a sanction, or returns errcode.ErrNotFound.
	LiftSanction(ctx context.Context, id int64, issuer, action string, at time.Time) error
	// Sanctions lists the sanctions in force at a time, oldest first.
	Sanctions(ctx context.Context, at time.Time) ([]Sanction, error)
}

// InvitationStore keeps invitations and the keys that became members with them.
type InvitationStore interface {
	// CreateInvitation stores an invitation under the hash of its code.
	CreateInvitation(ctx context.Context, hash []byte, uses int, until time.Time, issuer string, at time.Time) error
	// RedeemInvitation makes a key a member with an invitation and uses it up once; a key that is a member
	// already uses nothing. It returns errcode.ErrNotFound if there is no valid invitation. The time that it
	// takes does not depend on how much of the hash is right.
	RedeemInvitation(ctx context.Context, hash, key []byte, actor string, at time.Time) error
	// IsMember reports whether a key, or another key of the same account, was invited.
	IsMember(ctx context.Context, key []byte) (bool, error)
}

// ReportStore keeps the reports.
type ReportStore interface {
	// AddReport stores a report, unless its reporter or their origin has as many open ones as limits allow;
	// then stored is false. The field ID is ignored.
	AddReport(ctx context.Context, r Report, origin string, limits ReportLimits) (stored bool, err error)
	// OpenReports returns open reports with a higher id than after, oldest first, at most limit.
	OpenReports(ctx context.Context, after int64, limit int) ([]Report, error)
	// CountReports returns the number of open reports.
	CountReports(ctx context.Context) (int, error)
	// NewestReport returns the newest open report; the zero Report if there is none.
	NewestReport(ctx context.Context) (Report, error)
	// CloseReport closes an open report, or returns errcode.ErrNotFound. It removes the origin of the report,
	// and closed reports that are older than the last MaxClosedReports.
	CloseReport(ctx context.Context, id int64, actor, action string, at time.Time) error
}

// MaxClosedReports is the number of closed reports that a store keeps.
const MaxClosedReports = 5000

// AuditStore keeps the audit log.
type AuditStore interface {
	AddAuditEntry(ctx context.Context, e AuditEntry) error
	// AuditLog returns the last lines of the audit log, oldest first, at most limit.
	AuditLog(ctx context.Context, limit int) ([]AuditEntry, error)
}

// Kind is the kind of a sanction.
type SanctionKind string

// The kinds of sanctions, as they are stored.
const (
	KindBan   SanctionKind = "ban"
	KindMute  SanctionKind = "mute"
	KindClose SanctionKind = "close" // of a chat room
)

// Sanction is a ban, a mute or a closed chat room.
type Sanction struct {
	ID           int64
	Kind         SanctionKind
	Subject      string     // its stored form; counts only if Account is 0
	Account      account.ID // the sanctioned account; 0 if the subject is not an account
	SubjectName  string     // the subject in words: of an account its current name, unless it has been deleted
	OriginalName string     // SubjectName when the sanction was made
	Reason       string
	Issuer       string
	IssuerRole   Role // that the issuer had; RoleNobody if it is not known
	Created      time.Time
	Until        time.Time // zero: permanent
	// Keys are SHA-256 digests of keys that the account no longer has.
	Keys [][sha256.Size]byte
}

// MuteText says to the user whom the sanction mutes for how long and why.
func (s *Sanction) MuteText() string {
	return fmt.Sprintf("you are muted %s%s", UntilText(s.Until), reasonClause(s.Reason))
}

// inForce reports whether the sanction holds at a time.
func (s *Sanction) inForce(at time.Time) bool { return s.Until.IsZero() || at.Before(s.Until) }

// Report is a user's report about another.
type Report struct {
	ID              int64
	At              time.Time
	Reporter, About string
	Text            string
	Evidence        Evidence
}

// Evidence is what a report says beside its text, until it is closed. The zero value says nothing.
type Evidence struct {
	Match string         `json:"match,omitempty"` // in which the two met
	Room  lobby.Room     `json:"room,omitempty"`  // of Chat
	Chat  []EvidenceLine `json:"chat,omitempty"`  // the last lines of a room that both could see, oldest first
}

// EvidenceLine is a line of chat.
type EvidenceLine struct {
	At   time.Time `json:"at"`
	From string    `json:"from"`
	Text string    `json:"text"`
}

// ReportLimits are the maximum numbers of open reports of one reporter and of one origin.
type ReportLimits struct{ Reporter, Origin int }

// AuditEntry is a line of the audit log: who did what. Actions are written as what the actor "lifts" or
// "announces".
type AuditEntry struct {
	At            time.Time
	Actor, Action string
}
