package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
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
	"ayumu/lobby/store"
)

// Policy is what a host has decided about who may come in and who may speak.
type Policy struct {
	Open          bool   // any key; otherwise those of the list and those who were invited
	AllowGuests   bool   // without a key
	KeyFile       string // file with the list; empty: there is none
	LobbyChat     bool   // everybody may speak in the lobby
	SpectatorChat bool   // watchers may speak

	// GuessRate bounds the invitation codes that strangers may try from one address: a minute, and
	// GuessBurst at once. A code has 100 random bits; the limit is for the database.
	// ReportRate and ReportBurst bound reports from one address in the same way. ReportsPerUser and
	// ReportsPerAddress bound those that are open, since moderators read each of them.
	GuessRate, ReportRate                                      float64
	GuessBurst, ReportBurst, ReportsPerUser, ReportsPerAddress int
}

// PublicPolicy is the policy of a server that is open to everybody.
func PublicPolicy() Policy {
	return Policy{
		Open: true, AllowGuests: true, LobbyChat: true, SpectatorChat: true,
		GuessRate: 12, GuessBurst: 20, ReportRate: 12, ReportBurst: 20, ReportsPerUser: 5, ReportsPerAddress: 25,
	}
}

// Authorizer decides. Its methods may be called from any goroutine.
type Authorizer struct {
	store     *store.SQLite
	LimitHits lobby.LimitHits // of its limits

	mu        sync.Mutex
	policy    Policy
	keys      KeyList
	sanctions []store.Sanction

	guesses lobby.OriginLimiter
	reports lobby.OriginLimiter
}

// Visitor is somebody who is let in.
type Visitor struct {
	Role Role
	Name string // as the list names the key; a suggestion
	// Account is the key's; nil: it has none yet, or there is no key.
	Account *lobby.Account
}

// The names of the gate's limits, as Hits counts them.
const (
	hitInviteCodes = "invite_codes"
	hitReports     = "reports"
)

// ErrNotMember is the cause of a refusal that an invitation would change.
var ErrNotMember = errors.New("a stranger to a private club")

// IsInviteCode reports whether a user name has the form of an invitation's code; then it is no name.
func IsInviteCode(user string) bool {
	return len(user) == codeLength && strings.Trim(strings.ToLower(user), "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

// NewAuthorizer makes a gate with the sanctions that the store has.
func NewAuthorizer(ctx context.Context, db *store.SQLite, p Policy) (*Authorizer, error) {
	g := &Authorizer{store: db}
	if err := g.SetPolicy(p); err != nil {
		return nil, err
	}
	if err := g.reloadSanctions(ctx); err != nil {
		return nil, err
	}
	// A guest's number lasts as long as the server runs.
	for _, s := range g.sanctions {
		if s.Account < 0 {
			if err := db.LiftSanction(ctx, s.ID, "the server", "forgets the guest "+s.SubjectName, time.Now()); err != nil {
				return nil, err
			}
		}
	}
	return g, g.reloadSanctions(ctx)
}

// SetPolicy takes another policy and reads its list of keys. After an error all is as it was.
func (g *Authorizer) SetPolicy(p Policy) error {
	var list KeyList
	if p.KeyFile != "" {
		var err error
		if list, err = ReadKeyList(p.KeyFile); err != nil {
			return fmt.Errorf("the list of keys: %w", err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.policy, g.keys = p, list
	return nil
}

// Policy returns the policy that holds.
func (g *Authorizer) Policy() Policy {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy
}

// reloadSanctions reads the sanctions.
func (g *Authorizer) reloadSanctions(ctx context.Context) error {
	all, err := g.store.Sanctions(ctx, time.Now())
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sanctions = all
	return nil
}

// currentSanctions reads the sanctions, with the names that accounts have now, and returns them.
func (g *Authorizer) currentSanctions(ctx context.Context) ([]store.Sanction, error) {
	if err := g.reloadSanctions(ctx); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.sanctions), nil
}

// Role returns the role of a key; nil is a guest's. It says nothing about whether he may come in.
func (g *Authorizer) Role(key ssh.PublicKey) Role {
	if key == nil {
		return RoleGuest
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(g.keys[string(key.Marshal())].role, RolePlayer)
}

// AccountRegistered notes that a key has a new account, which has inherited the sanctions of an account that
// the key belonged to.
func (g *Authorizer) AccountRegistered(ctx context.Context) error { return g.reloadSanctions(ctx) }

// Admit decides whether somebody comes in. key is the one he has proved to own, nil for a guest;
// user is what he calls himself, which may be the code of an invitation. A refusal is a
// *lobby.Error whose message is for him.
func (g *Authorizer) Admit(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) (Visitor, error) {
	g.mu.Lock()
	policy, list := g.policy, g.keys
	g.mu.Unlock()
	account := lobby.AccountID(0)
	v := Visitor{Role: g.Role(key)}
	if key != nil {
		// The row is there sooner than the goroutine that would stop its reading.
		switch a, err := g.store.AccountByKey(context.WithoutCancel(ctx), key.Marshal()); {
		case err == nil:
			account, v.Account = a.ID, &a
		case !errors.Is(err, lobby.ErrNotFound):
			return Visitor{}, err
		}
	}
	if s, banned := g.findBan(key, account, from, v.Role); banned {
		return Visitor{}, refusal("You are banned %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
	}
	if key == nil {
		if !policy.AllowGuests {
			return Visitor{}, refusal("Guests are not let in here: come with an SSH key. `ssh-keygen -t ed25519` makes one.")
		}
		if !policy.Open {
			return Visitor{}, refusal("This is a private club: come with an SSH key that it knows. `ssh-keygen -t ed25519` makes one.")
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
	member, err := g.store.IsMember(ctx, key.Marshal())
	if err != nil || member {
		return v, err
	}
	return v, g.redeemInvite(ctx, key, from, user)
}

// redeemInvite lets a stranger in whose user name is the code of an invitation.
func (g *Authorizer) redeemInvite(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) error {
	visitor := fmt.Sprintf("This is a private club, and it does not know your key %s. Show that to its host, or come with the code of an invitation as the user name.", ssh.FingerprintSHA256(key))
	if !IsInviteCode(user) {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: visitor, Cause: ErrNotMember}
	}
	if p := g.Policy(); !g.guesses.Allow(from, time.Now(), p.GuessRate/60, p.GuessBurst) {
		g.LimitHits.Add(hitInviteCodes)
		return refusal("Too many codes were tried from your address; wait a minute.")
	}
	err := g.store.RedeemInvite(ctx, hashCode(user), key.Marshal(), ssh.FingerprintSHA256(key), time.Now())
	if errors.Is(err, lobby.ErrNotFound) {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "That invitation is wrong, used or too old. " + visitor, Cause: ErrNotMember}
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
		return "for good"
	}
	return "until " + t.UTC().Format("2006-01-02 15:04 UTC")
}

// codeLength is the length of an invitation's code, of 5 bits a letter: 100 random bits.
const codeLength = 20

var codeEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func hashCode(code string) []byte {
	sum := sha256.Sum256([]byte("ayumu invitation " + strings.ToLower(code)))
	return sum[:]
}

// NewInvite makes the code of a new invitation for so many keys, which ends after a time. The
// code is kept nowhere.
func NewInvite(ctx context.Context, db *store.SQLite, uses int, lasts time.Duration, issuer string) (code string, err error) {
	if uses < 1 || uses > 1000 || lasts <= 0 || lasts > 366*24*time.Hour {
		return "", refusal("an invitation is for 1 to 1000 keys and lasts at most a year")
	}
	random := make([]byte, (codeLength*5+7)/8)
	rand.Read(random)
	code = codeEncoding.EncodeToString(random)[:codeLength]
	now := time.Now()
	return code, db.CreateInvite(ctx, hashCode(code), uses, now.Add(lasts), issuer, now)
}

// The kinds of sanctions.
const (
	kindBan   = "ban"
	kindMute  = "mute"
	kindClose = "close" // of a room
)

func keySubject(key ssh.PublicKey) string      { return "key " + ssh.FingerprintSHA256(key) }
func accountSubject(id lobby.AccountID) string { return "account " + strconv.FormatInt(int64(id), 10) }
func addressSubject(p netip.Prefix) string     { return "address " + p.String() }
func (g *Authorizer) applies(s *store.Sanction, k string) bool {
	return s.Kind == k && (s.Until.IsZero() || time.Now().Before(s.Until))
}

// findBan finds a ban of any of these; a nil key and the account 0 are nobody's. No ban holds
// against an owner, and that of an address not against a moderator either.
func (g *Authorizer) findBan(key ssh.PublicKey, account lobby.AccountID, from netip.Addr, role Role) (store.Sanction, bool) {
	if role >= RoleServerOwner {
		return store.Sanction{}, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.sanctions {
		s := &g.sanctions[i]
		if !g.applies(s, kindBan) {
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
	return store.Sanction{}, false
}

// CheckChat returns why an account may not speak in a room, if so. It is lobby.Config.MaySpeak.
func (g *Authorizer) CheckChat(a lobby.Account, room lobby.Room) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case room == lobby.LobbyRoom && !g.policy.LobbyChat:
		return refusal("talk in the lobby is closed")
	case room == lobby.SpectatorRoom && !g.policy.SpectatorChat:
		return refusal("talk of watchers is closed")
	}
	for i := range g.sanctions {
		switch s := &g.sanctions[i]; {
		case g.applies(s, kindMute) && s.Account == a.ID:
			return refusal("you are muted %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
		case g.applies(s, kindClose) && s.Subject == roomSubject(room):
			return refusal("the moderators have closed this talk %s.%s", untilText(s.Until), reasonSuffix(s.Reason))
		}
	}
	return nil
}
