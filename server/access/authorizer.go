package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/limit"
	"ayumu/lobby/store"
)

// Policy is the operator's decision about who may connect and who may chat.
type Policy struct {
	Open          bool   // any key; otherwise those of the list and of members
	AllowGuests   bool   // without a key
	KeyFile       string // the list of keys; empty: none
	LobbyChat     bool   // users may chat in the lobby
	SpectatorChat bool   // spectators may chat

	// GuessRate is the number of invitation codes that unknown keys may try a minute from one address;
	// GuessBurst at once. A code has 100 random bits; the limit protects the database.
	// ReportRate and ReportBurst limit reports from one address in the same way. ReportsPerUser and
	// ReportsPerAddress limit those that are open, because moderators read each of them.
	GuessRate, ReportRate                                      float64
	GuessBurst, ReportBurst, ReportsPerUser, ReportsPerAddress int
}

// PublicPolicy returns the policy of a public server.
func PublicPolicy() Policy {
	return Policy{
		Open: true, AllowGuests: true, LobbyChat: true, SpectatorChat: true,
		GuessRate: 12, GuessBurst: 20, ReportRate: 12, ReportBurst: 20, ReportsPerUser: 5, ReportsPerAddress: 25,
	}
}

// Authorizer decides who may connect, chat and moderate. NewAuthorizer is the constructor. Its methods may
// be called from any goroutine. mu guards policy, keys and sanctions; it is a leaf and is not held while
// the store is called.
type Authorizer struct {
	store     store.Store
	LimitHits limit.Hits // counts of its exceeded limits

	mu        sync.Mutex
	policy    Policy
	keys      KeyList
	sanctions []club.Sanction

	guesses *limit.Buckets[netip.Prefix] // attempts at invitation codes, by the origin
	reports *limit.Buckets[netip.Prefix] // by the origin
}

// Visitor is a user who has been admitted.
type Visitor struct {
	Role Role
	Name string // from the list of keys; a suggestion
	// Account is the account of the key; nil: none yet, or a guest.
	Account *lobby.Account
}

// The names of the limits in LimitHits.
const (
	hitInviteCodes = "invite_codes"
	hitReports     = "reports"
)

// ErrNotMember is the cause of a refusal that an invitation would change.
var ErrNotMember = errors.New("not a member of this private club")

// IsInviteCode reports whether a user name has the form of an invitation's code. Then it is not used as a
// name.
func IsInviteCode(user string) bool {
	return len(user) == codeLength && lobby.IsCodeText(strings.ToLower(user))
}

// NewAuthorizer returns an Authorizer with the sanctions of the store.
func NewAuthorizer(ctx context.Context, db store.Store, p Policy) (*Authorizer, error) {
	a := &Authorizer{store: db, guesses: limit.NewBuckets[netip.Prefix](limit.Rate{}), reports: limit.NewBuckets[netip.Prefix](limit.Rate{})}
	if err := a.SetPolicy(p); err != nil {
		return nil, err
	}
	if err := a.reloadSanctions(ctx); err != nil {
		return nil, err
	}
	// Ids of guests are valid only while the server runs.
	for _, s := range a.sanctions {
		if s.Account < 0 {
			if err := db.LiftSanction(ctx, s.ID, "the server", "removes the sanction of the guest "+s.SubjectName, time.Now()); err != nil {
				return nil, err
			}
		}
	}
	return a, a.reloadSanctions(ctx)
}

// SetPolicy replaces the policy and reads its list of keys. After an error nothing has changed.
func (a *Authorizer) SetPolicy(p Policy) error {
	var list KeyList
	if p.KeyFile != "" {
		var err error
		if list, err = ReadKeyList(p.KeyFile); err != nil {
			return fmt.Errorf("the list of keys: %w", err)
		}
	}
	a.guesses.SetRate(limit.PerMinute(p.GuessRate, p.GuessBurst))
	a.reports.SetRate(limit.PerMinute(p.ReportRate, p.ReportBurst))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.policy, a.keys = p, list
	return nil
}

// Policy returns the current policy.
func (a *Authorizer) Policy() Policy {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.policy
}

// reloadSanctions reads the sanctions from the store.
func (a *Authorizer) reloadSanctions(ctx context.Context) error {
	all, err := a.store.Sanctions(ctx, time.Now())
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sanctions = all
	return nil
}

// currentSanctions reads the sanctions, with the current names of accounts, and returns a copy.
func (a *Authorizer) currentSanctions(ctx context.Context) ([]club.Sanction, error) {
	if err := a.reloadSanctions(ctx); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.sanctions), nil
}

// Role returns the role of a key; of a guest for nil. It does not decide whether the key is admitted.
func (a *Authorizer) Role(key ssh.PublicKey) Role {
	if key == nil {
		return RoleGuest
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.keys[string(key.Marshal())].role, RolePlayer)
}

// AccountRegistered reloads the sanctions after an account was created, which inherits the sanctions of the
// key's former account.
func (a *Authorizer) AccountRegistered(ctx context.Context) error { return a.reloadSanctions(ctx) }

// Admit decides whether a connection is admitted. key is the proved key, nil for a guest; user is the SSH
// user name, which may be the code of an invitation. A refusal is a *lobby.Error whose Message is a
// sentence for the user.
func (a *Authorizer) Admit(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) (Visitor, error) {
	a.mu.Lock()
	policy, list := a.policy, a.keys
	a.mu.Unlock()
	account := lobby.AccountID(0)
	v := Visitor{Role: a.Role(key)}
	if key != nil {
		// Reading the row is faster than starting the goroutine that could cancel it.
		switch acc, err := a.store.AccountByKey(context.WithoutCancel(ctx), key.Marshal()); {
		case err == nil:
			account, v.Account = acc.ID, &acc
		case !errors.Is(err, lobby.ErrNotFound):
			return Visitor{}, err
		}
	}
	if s, banned := a.findBan(key, account, from, v.Role); banned {
		return Visitor{}, refusal("You are banned %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
	}
	if key == nil {
		if !policy.AllowGuests {
			return Visitor{}, refusal("This server does not accept guests. Connect with an SSH key; `ssh-keygen -t ed25519` makes one.")
		}
		if !policy.Open {
			return Visitor{}, refusal("This is a private club. Connect with the SSH key of a member; `ssh-keygen -t ed25519` makes a key.")
		}
		return v, nil
	}
	if e, listed := list[string(key.Marshal())]; listed {
		v.Name = e.name
		return v, nil
	}
	if policy.Open {
		return v, nil
	}
	member, err := a.store.IsMember(ctx, key.Marshal())
	if err != nil || member {
		return v, err
	}
	return v, a.redeemInvite(ctx, key, from, user)
}

// redeemInvite makes the key a member if the user name is the code of an invitation.
func (a *Authorizer) redeemInvite(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) error {
	notMember := fmt.Sprintf("This is a private club, and your key %s is not a member's. Send that to the operator, or connect with an invitation code as the user name.", ssh.FingerprintSHA256(key))
	if !IsInviteCode(user) {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: notMember, Cause: ErrNotMember}
	}
	if from.IsValid() && !a.guesses.Take(limit.Origin(from), time.Now(), 1) {
		a.LimitHits.Add(hitInviteCodes)
		return refusal("Too many codes were tried from your address; wait a minute.")
	}
	err := a.store.RedeemInvite(ctx, hashCode(user), key.Marshal(), ssh.FingerprintSHA256(key), time.Now())
	if errors.Is(err, lobby.ErrNotFound) {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "That invitation code is wrong, used or expired. " + notMember, Cause: ErrNotMember}
	}
	return err
}

func refusal(format string, args ...any) error {
	return &lobby.Error{Code: lobby.CodeNotAllowed, Message: fmt.Sprintf(format, args...)}
}

func reasonSuffix(reason string) string {
	if reason == "" {
		return ""
	}
	return " Reason: " + reason
}

func untilText(t time.Time) string {
	if t.IsZero() {
		return "permanently"
	}
	return "until " + t.UTC().Format("2006-01-02 15:04 UTC")
}

// codeLength is the length of an invitation's code, of 5 bits a letter: 100 random bits.
const codeLength = 20

func hashCode(code string) []byte {
	sum := sha256.Sum256([]byte("ayumu invitation " + strings.ToLower(code)))
	return sum[:]
}

// NewInvite creates an invitation for a number of keys, 1 to 1000, that expires after validity, at most 366
// days, and returns its code. The code is not stored.
func NewInvite(ctx context.Context, db store.Store, uses int, validity time.Duration, issuer string) (code string, err error) {
	if uses < 1 || uses > 1000 || validity <= 0 || validity > 366*24*time.Hour {
		return "", refusal("an invitation is for 1 to 1000 keys and at most a year")
	}
	code = lobby.RandomCode(codeLength * 5)
	now := time.Now()
	return code, db.CreateInvite(ctx, hashCode(code), uses, now.Add(validity), issuer, now)
}

func keySubject(key ssh.PublicKey) string      { return "key " + ssh.FingerprintSHA256(key) }
func accountSubject(id lobby.AccountID) string { return "account " + strconv.FormatInt(int64(id), 10) }
func addressSubject(p netip.Prefix) string     { return "address " + p.String() }
func (a *Authorizer) applies(s *club.Sanction, k club.Kind) bool {
	return s.Kind == k && (s.Until.IsZero() || time.Now().Before(s.Until))
}

// findBan returns a ban that applies to the key, the account or the address; nil and 0 mean none. No ban
// applies to a server owner, and no ban of an address to a moderator.
func (a *Authorizer) findBan(key ssh.PublicKey, account lobby.AccountID, from netip.Addr, role Role) (club.Sanction, bool) {
	if role >= RoleServerOwner {
		return club.Sanction{}, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.sanctions {
		s := &a.sanctions[i]
		if !a.applies(s, club.KindBan) {
			continue
		}
		if text, ok := strings.CutPrefix(s.Subject, "address "); ok {
			if p, err := netip.ParsePrefix(text); err == nil && role < RoleModerator && p.Contains(from.Unmap().WithZone("")) {
				return *s, true
			}
			continue
		}
		if key != nil && (s.Subject == keySubject(key) || slices.Contains(s.Keys, sha256.Sum256(key.Marshal()))) || account > 0 && s.Account == account {
			return *s, true
		}
	}
	return club.Sanction{}, false
}

// CheckChat returns why an account may not chat in a room, or nil. It is used as lobby.Config.CheckChat.
func (a *Authorizer) CheckChat(account lobby.Account, room lobby.Room) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case room == lobby.LobbyRoom && !a.policy.LobbyChat:
		return refusal("chat in the lobby is closed")
	case room == lobby.SpectatorRoom && !a.policy.SpectatorChat:
		return refusal("chat of spectators is closed")
	}
	for i := range a.sanctions {
		switch s := &a.sanctions[i]; {
		case a.applies(s, club.KindMute) && s.Account == account.ID:
			return refusal("you are muted %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
		case a.applies(s, club.KindClose) && s.Subject == roomSubject(room):
			return refusal("the moderators have closed this room %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
		}
	}
	return nil
}
