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
	Open    bool   // any key; otherwise those of the list and those who were invited
	Guests  bool   // without a key
	Keys    string // file with the list; empty: there is none
	Lobby   bool   // everybody may speak in the lobby
	Gallery bool   // watchers may speak

	// Guesses are codes of invitations that strangers may try a minute from one address, and Reports
	// what may be reported; the bursts at once. OwnReports is how many open ones a person may have,
	// and AddressReports those that come from one address.
	Guesses, Reports                                    float64
	GuessBurst, ReportBurst, OwnReports, AddressReports int
}

// Public is the policy of a server that is open to everybody.
func Public() Policy {
	return Policy{
		Open: true, Guests: true, Lobby: true, Gallery: true,
		Guesses: 12, GuessBurst: 20, Reports: 12, ReportBurst: 20, OwnReports: 5, AddressReports: 25,
	}
}

// Gate decides. Its methods may be called from any goroutine.
type Gate struct {
	kept *store.SQLite
	Hits lobby.Hits // of its limits

	mu        sync.Mutex
	policy    Policy
	list      List
	sanctions []store.Sanction

	guesses lobby.Shares
	reports lobby.Shares
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
	hitInvitations = "tried invitations"
	hitReports     = "reports"
)

// ErrStranger is the cause of a refusal that an invitation would change.
var ErrStranger = errors.New("a stranger to a private club")

// IsCode reports whether a user name has the form of an invitation's code; then it is no name.
func IsCode(user string) bool {
	return len(user) == codeLetters && strings.Trim(strings.ToLower(user), "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

// NewGate makes a gate with the sanctions that the store has.
func NewGate(ctx context.Context, kept *store.SQLite, p Policy) (*Gate, error) {
	g := &Gate{kept: kept}
	if err := g.SetPolicy(p); err != nil {
		return nil, err
	}
	if err := g.refresh(ctx); err != nil {
		return nil, err
	}
	// A guest's number lasts as long as the server runs.
	for _, s := range g.sanctions {
		if s.Account < 0 {
			if err := kept.Lift(ctx, s.ID, "the server", "forgets the guest "+s.Shown, time.Now()); err != nil {
				return nil, err
			}
		}
	}
	return g, g.refresh(ctx)
}

// SetPolicy takes another policy and reads its list of keys. After an error all is as it was.
func (g *Gate) SetPolicy(p Policy) error {
	var list List
	if p.Keys != "" {
		var err error
		if list, err = ReadList(p.Keys); err != nil {
			return fmt.Errorf("the list of keys: %w", err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.policy, g.list = p, list
	return nil
}

// Policy returns the policy that holds.
func (g *Gate) Policy() Policy {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy
}

// refresh reads the sanctions.
func (g *Gate) refresh(ctx context.Context) error {
	all, err := g.kept.Sanctions(ctx, time.Now())
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sanctions = all
	return nil
}

// current reads the sanctions, with the names that accounts have now, and returns them.
func (g *Gate) current(ctx context.Context) ([]store.Sanction, error) {
	if err := g.refresh(ctx); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.sanctions), nil
}

// Role returns the role of a key; nil is a guest's. It says nothing about whether he may come in.
func (g *Gate) Role(key ssh.PublicKey) Role {
	if key == nil {
		return Guest
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(g.list[string(key.Marshal())].role, Player)
}

// Registered notes that a key has a new account, which has inherited the sanctions of an account that
// the key belonged to.
func (g *Gate) Registered(ctx context.Context) error { return g.refresh(ctx) }

// Admit decides whether somebody comes in. key is the one he has proved to own, nil for a guest;
// user is what he calls himself, which may be the code of an invitation. A refusal is a
// *lobby.Error whose message is for him.
func (g *Gate) Admit(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) (Visitor, error) {
	g.mu.Lock()
	policy, list := g.policy, g.list
	g.mu.Unlock()
	account := lobby.AccountID(0)
	v := Visitor{Role: g.Role(key)}
	if key != nil {
		// The row is there sooner than the goroutine that would stop its reading.
		switch a, err := g.kept.AccountByKey(context.WithoutCancel(ctx), key.Marshal()); {
		case err == nil:
			account, v.Account = a.ID, &a
		case !errors.Is(err, lobby.ErrUnknown):
			return Visitor{}, err
		}
	}
	if s, banned := g.banned(key, account, from, v.Role); banned {
		return Visitor{}, refuse("You are banned %s.%s", until(s.Until), because(s.Reason))
	}
	if key == nil {
		if !policy.Guests {
			return Visitor{}, refuse("Guests are not let in here: come with an SSH key. `ssh-keygen -t ed25519` makes one.")
		}
		if !policy.Open {
			return Visitor{}, refuse("This is a private club: come with an SSH key that it knows. `ssh-keygen -t ed25519` makes one.")
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
	member, err := g.kept.Member(ctx, key.Marshal())
	if err != nil || member {
		return v, err
	}
	return v, g.redeem(ctx, key, from, user)
}

// redeem lets a stranger in whose user name is the code of an invitation.
func (g *Gate) redeem(ctx context.Context, key ssh.PublicKey, from netip.Addr, user string) error {
	stranger := fmt.Sprintf("This is a private club, and it does not know your key %s. Show that to its host, or come with the code of an invitation as the user name.", ssh.FingerprintSHA256(key))
	if !IsCode(user) {
		return &lobby.Error{Code: lobby.NotAllowed, Message: stranger, Cause: ErrStranger}
	}
	if p := g.Policy(); !g.guesses.Take(from, time.Now(), p.Guesses/60, p.GuessBurst) {
		g.Hits.Add(hitInvitations)
		return refuse("Too many codes were tried from your address; wait a minute.")
	}
	err := g.kept.Redeem(ctx, hashOf(user), key.Marshal(), ssh.FingerprintSHA256(key), time.Now())
	if errors.Is(err, lobby.ErrUnknown) {
		return &lobby.Error{Code: lobby.NotAllowed, Message: "That invitation is wrong, used or too old. " + stranger, Cause: ErrStranger}
	}
	return err
}

func refuse(format string, args ...any) error {
	return &lobby.Error{Code: lobby.NotAllowed, Message: fmt.Sprintf(format, args...)}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " Reason: " + reason
}

func until(t time.Time) string {
	if t.IsZero() {
		return "for good"
	}
	return "until " + t.UTC().Format("2006-01-02 15:04 UTC")
}

// codeLetters is the length of an invitation's code, of 5 bits a letter: 100 random bits.
const codeLetters = 20

var letters = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func hashOf(code string) []byte {
	sum := sha256.Sum256([]byte("ayumu invitation " + strings.ToLower(code)))
	return sum[:]
}

// Invitations makes the code of a new invitation for so many keys, which ends after a time. The
// code is kept nowhere.
func Invitations(ctx context.Context, kept *store.SQLite, uses int, lasts time.Duration, issuer string) (code string, err error) {
	if uses < 1 || uses > 1000 || lasts <= 0 || lasts > 366*24*time.Hour {
		return "", refuse("an invitation is for 1 to 1000 keys and lasts at most a year")
	}
	random := make([]byte, (codeLetters*5+7)/8)
	rand.Read(random)
	code = letters.EncodeToString(random)[:codeLetters]
	now := time.Now()
	return code, kept.CreateInvite(ctx, hashOf(code), uses, now.Add(lasts), issuer, now)
}

// The kinds of sanctions.
const (
	kindBan  = "ban"
	kindMute = "mute"
	kindShut = "close" // of a room
)

func keySubject(key ssh.PublicKey) string      { return "key " + ssh.FingerprintSHA256(key) }
func accountSubject(id lobby.AccountID) string { return "account " + strconv.FormatInt(int64(id), 10) }
func addressSubject(p netip.Prefix) string     { return "address " + p.String() }
func (g *Gate) holds(s *store.Sanction, k string) bool {
	return s.Kind == k && (s.Until.IsZero() || time.Now().Before(s.Until))
}

// banned finds a ban of any of these; a nil key and the account 0 are nobody's. No ban holds
// against an owner, and that of an address not against a moderator either.
func (g *Gate) banned(key ssh.PublicKey, account lobby.AccountID, from netip.Addr, role Role) (store.Sanction, bool) {
	if role >= Owner {
		return store.Sanction{}, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.sanctions {
		s := &g.sanctions[i]
		if !g.holds(s, kindBan) {
			continue
		}
		if text, ok := strings.CutPrefix(s.Subject, "address "); ok {
			if p, err := netip.ParsePrefix(text); err == nil && role < Moderator && p.Contains(from.Unmap().WithZone("")) {
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

// MaySpeak returns why an account may not speak in a room, if so. It is lobby.Config.MaySpeak.
func (g *Gate) MaySpeak(a lobby.Account, room lobby.Room) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case room == lobby.LobbyRoom && !g.policy.Lobby:
		return refuse("talk in the lobby is closed")
	case room == lobby.GalleryRoom && !g.policy.Gallery:
		return refuse("talk of watchers is closed")
	}
	for i := range g.sanctions {
		switch s := &g.sanctions[i]; {
		case g.holds(s, kindMute) && s.Account == a.ID:
			return refuse("you are muted %s.%s", until(s.Until), because(s.Reason))
		case g.holds(s, kindShut) && s.Subject == roomSubject(room):
			return refuse("the moderators have closed this talk %s.%s", until(s.Until), because(s.Reason))
		}
	}
	return nil
}
