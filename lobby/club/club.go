package club

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// Club decides who may enter, chat and moderate. New is the constructor. The exported fields are set before
// the first session and then not changed. Methods may be called from any goroutine.
type Club struct {
	// Sessions are the admitted sessions.
	Sessions Sessions
	// Bulletin is what the club shows to its users.
	Bulletin Bulletin
	// Roles are the stored roles of accounts.
	Roles Roles
	// Announce writes a notice into all chat rooms; nil: nobody can see it.
	Announce func(notice string)
	// Remove resigns the games of an account and deletes it; nil: no lobby runs.
	Remove func(ctx context.Context, a account.Account) error
	// Users finds the users of the lobby; nil: only those of Sessions are known.
	Users Users
	// SharedChat is lobby.Lobby.SharedChat, which has the evidence of a report; nil: there is none.
	SharedChat func(reader, author account.ID) (match string, room lobby.Room, lines []lobby.ChatLine)
	// Share writes a row that Follow of the other nodes gets; nil: this is the only node. It must not block.
	Share func(id string, data []byte)
	// ReportPanic reports a panic of a timer to the operator; nil discards it.
	ReportPanic func(error)
	// LimitHits counts the exceeded limits.
	LimitHits limit.Hits

	store   Store
	guesses *limit.Buckets[netip.Prefix] // attempts at invitation codes, by the origin
	reports *limit.Buckets[netip.Prefix] // by the origin
	actions actions

	// mu guards the fields below. It is a leaf and is not held while the store is called.
	mu         sync.Mutex
	policy     Policy
	keys       KeyList
	sanctions  []Sanction
	reads      uint64         // how often reading the sanctions has begun
	newestRead uint64         // the number of the reading that sanctions comes from
	enforced   map[int64]bool // the bans by which the sessions of this node have been ended
	shares     uint64         // how many rows were written
}

// Users finds the users of all nodes of the lobby. Its methods may be called from any goroutine.
type Users interface {
	// GuestByName returns the id of a guest who is online or has a seat of a match in memory.
	GuestByName(name string) (id account.ID, ok bool)
	// SessionsOnOtherNodes returns the number of a user's sessions on other nodes, and their valid origins.
	SessionsOnOtherNodes(id account.ID) (sessions int, origins []netip.Prefix)
	// Refresh reads an account again that was changed in the store, and ends its sessions on this node if it was
	// deleted.
	Refresh(ctx context.Context, id account.ID) error
}

// noUsers implements Users for a club without a lobby.
type noUsers struct{}

func (noUsers) GuestByName(string) (id account.ID, ok bool)                            { return 0, false }
func (noUsers) Refresh(context.Context, account.ID) error                              { return nil }
func (noUsers) SessionsOnOtherNodes(account.ID) (sessions int, origins []netip.Prefix) { return 0, nil }

// users returns who finds the users of the lobby.
func (c *Club) users() Users {
	if c.Users == nil {
		return noUsers{}
	}
	return c.Users
}

// guestSanctionTTL is the time for which sanctions of guests last at least. A guest who does not play is forgotten
// after it.
const guestSanctionTTL = 24 * time.Hour

// The names of the limits in LimitHits.
const (
	hitInviteCodes = "invite_codes"
	hitReports     = "reports"
	hitActions     = "moderation"
)

// New returns a club with the data of a store. Nobody is admitted before SetPolicy.
func New(ctx context.Context, store Store) (*Club, error) {
	c := &Club{store: store, guesses: limit.NewBuckets[netip.Prefix](limit.Rate{}), reports: limit.NewBuckets[netip.Prefix](limit.Rate{}), actions: newActions()}
	c.Bulletin = Bulletin{store: store, sessions: &c.Sessions, findMute: c.mute, share: func() { c.shareChange(bulletinRow) }, reportPanic: func(err error) {
		if c.ReportPanic != nil {
			c.ReportPanic(err)
		}
	}}
	c.Roles.store = store
	all, err := c.currentSanctions(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.Account < 0 && time.Since(s.Created) > guestSanctionTTL {
			if err := store.LiftSanction(ctx, s.ID, "the server", "removes the sanction of the guest "+s.SubjectName, time.Now()); err != nil {
				return nil, err
			}
		}
	}
	if err = c.ReloadSanctions(ctx); err == nil {
		err = c.Roles.read(ctx)
	}
	if err == nil {
		_, err = c.Bulletin.read(ctx)
	}
	c.newBans() // there are no sessions yet
	return c, err
}

// SetPolicy replaces the policy and the list of keys.
func (c *Club) SetPolicy(p Policy, keys KeyList) {
	c.guesses.SetRate(limit.PerMinute(p.GuessRate, p.GuessBurst))
	c.reports.SetRate(limit.PerMinute(p.ReportRate, p.ReportBurst))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.policy, c.keys = p, keys
}

// StoreAccess stores whether access is open (Policy.Open), on which ratings and the leaderboard depend.
func (c *Club) StoreAccess(ctx context.Context) error { return c.store.SetOpen(ctx, c.Policy().Open) }

// Policy returns the current policy.
func (c *Club) Policy() Policy {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.policy
}

// Listed returns the entry of a key in the list of keys; ok is false if it is not listed.
func (c *Club) Listed(key []byte) (entry ListedKey, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok = c.keys[string(key)]
	return entry, ok
}

// Role returns the role of a key by the list of keys; of a guest for nil. It does not decide whether the key is
// admitted.
func (c *Club) Role(key []byte) Role {
	if key == nil {
		return RoleGuest
	}
	entry, _ := c.Listed(key)
	return max(entry.Role, RolePlayer)
}

// roleByFingerprint returns the role of a key by its fingerprint: that of the list of keys, or the stored one of its account.
func (c *Club) roleByFingerprint(ctx context.Context, fingerprint string) (Role, error) {
	role := c.keyList().role(fingerprint)
	for id, stored := range c.Roles.all() {
		keys, err := c.store.Keys(ctx, id)
		if err != nil {
			return role, err
		}
		if slices.ContainsFunc(keys, func(k account.Key) bool { return k.Fingerprint() == fingerprint }) {
			role = max(role, stored)
		}
	}
	return role, nil
}

// keyList returns the list of keys, which must not be changed.
func (c *Club) keyList() KeyList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys
}

func keyFingerprint(key []byte) string { return account.Key{Wire: key}.Fingerprint() }

// IsMember reports whether a key that is not listed, or another key of the same account, was invited.
func (c *Club) IsMember(ctx context.Context, key []byte) (bool, error) {
	return c.store.IsMember(ctx, key)
}

// AccountByKey returns the account of a key, or errcode.ErrNotFound.
func (c *Club) AccountByKey(ctx context.Context, key []byte) (account.Account, error) {
	return c.store.AccountByKey(ctx, key)
}

// ReloadSanctions reads the sanctions from the store, on all nodes. It is called when an account was created,
// which inherits the sanctions of its key's former account, and when one was deleted.
func (c *Club) ReloadSanctions(ctx context.Context) error {
	c.shareChange(sanctionsRow)
	_, err := c.currentSanctions(ctx)
	return err
}

// currentSanctions reads the sanctions, with the current names of accounts. Of several readings the one
// that began last counts, because it has every change that was stored before.
func (c *Club) currentSanctions(ctx context.Context) ([]Sanction, error) {
	number := c.beginRead()
	all, err := c.store.Sanctions(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	var changed map[account.ID]bool
	if number > c.newestRead {
		changed = changedMutes(c.sanctions, all)
		c.sanctions, c.newestRead = all, number
	}
	c.mu.Unlock()
	c.Sessions.wakeAccounts(changed)
	return slices.Clone(all), nil
}

// changedMutes returns the accounts that only one of two lists of sanctions mutes.
func changedMutes(before, after []Sanction) map[account.ID]bool {
	changed := make(map[account.ID]bool)
	count := func(all []Sanction) map[int64]account.ID {
		mutes := make(map[int64]account.ID)
		for _, s := range all {
			if s.Kind == KindMute {
				mutes[s.ID] = s.Account
			}
		}
		return mutes
	}
	old, now := count(before), count(after)
	for id, account := range old {
		if _, ok := now[id]; !ok {
			changed[account] = true
		}
	}
	for id, account := range now {
		if _, ok := old[id]; !ok {
			changed[account] = true
		}
	}
	return changed
}

// mute returns a copy of the mute of an account that is in force and lasts longest; nil if there is none.
func (c *Club) mute(account account.ID) (longest *Sanction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for _, s := range c.sanctions {
		if s.Kind != KindMute || s.Account != account || !s.inForce(now) {
			continue
		}
		if longest == nil || !longest.Until.IsZero() && (s.Until.IsZero() || s.Until.After(longest.Until)) {
			longest = &s
		}
	}
	return longest
}

func (c *Club) beginRead() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	return c.reads
}

// AccountDeleted ends all sessions of a deleted account and reloads the sanctions, which from now on hold
// for its keys. It is used as lobby.Config.Deleted.
func (c *Club) AccountDeleted(ctx context.Context, id account.ID) {
	_ = c.ReloadSanctions(context.WithoutCancel(ctx)) // the store reports its failures
	c.Sessions.end(lobby.AccountDeleted, func(_ *Session, account account.Account) bool { return account.ID == id })
}

// CheckBan returns the refusal of a banned user, or nil. A ban applies to a key, an account or an address;
// nil and 0 are no key and no account. No ban applies to a server owner, and no ban of an address to a
// moderator.
func (c *Club) CheckBan(key []byte, account account.ID, from netip.Addr, role Role) error {
	if role >= RoleServerOwner {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for i := range c.sanctions {
		s := &c.sanctions[i]
		if s.inForce(now) && s.bans(key, account, from, role) {
			return refusal("you are banned %s%s", UntilText(s.Until), reasonClause(s.Reason))
		}
	}
	return nil
}

// bans reports whether the sanction is a ban that applies to a user.
func (s *Sanction) bans(key []byte, account account.ID, from netip.Addr, role Role) bool {
	if s.Kind != KindBan || role >= RoleServerOwner {
		return false
	}
	if text, ok := strings.CutPrefix(s.Subject, "address "); ok {
		p, err := netip.ParsePrefix(text)
		return err == nil && role < RoleModerator && p.Contains(from.Unmap().WithZone(""))
	}
	return key != nil && (s.Subject == keySubject(keyFingerprint(key)) || slices.Contains(s.Keys, sha256.Sum256(key))) ||
		account > 0 && s.Account == account
}

// IsBanned reports whether an account is banned. It is used as lobby.Config.IsBanned.
func (c *Club) IsBanned(id account.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	return slices.ContainsFunc(c.sanctions, func(s Sanction) bool { return s.Kind == KindBan && s.Account == id && s.inForce(now) })
}

// CheckChat returns why an account may not chat in a room, or nil. It is used as lobby.Config.CheckChat.
func (c *Club) CheckChat(account account.Account, room lobby.Room) error {
	muted := c.mute(account.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case room == lobby.LobbyRoom && !c.policy.LobbyChat:
		return refusal("the lobby chat is closed")
	case room == lobby.SpectatorRoom && !c.policy.SpectatorChat:
		return refusal("the spectator chat is closed")
	}
	if muted != nil {
		return refusal("%s", muted.MuteText())
	}
	now := time.Now()
	for i := range c.sanctions {
		switch s := &c.sanctions[i]; {
		case s.Kind == KindClose && s.inForce(now) && s.Room() == room:
			return refusal("the moderators have closed this room %s%s", UntilText(s.Until), reasonClause(s.Reason))
		}
	}
	return nil
}

func refusal(format string, args ...any) error {
	return &errcode.Error{Code: errcode.NotAllowed, Message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: fmt.Sprintf(format, args...)}
}

// isBadRequest reports whether an error is one of badRequest.
func isBadRequest(err error) bool {
	var e *errcode.Error
	return errors.As(err, &e) && e.Code == errcode.BadRequest
}

func reasonSuffix(reason string) string {
	if reason == "" {
		return ""
	}
	return " Reason: " + reason
}

// reasonClause is reasonSuffix for errors, which are clauses.
func reasonClause(reason string) string {
	if reason == "" {
		return ""
	}
	return "; reason: " + reason
}

// UntilText returns the end of a sanction for a sentence: "until 2006-01-02 15:04 UTC", or "permanently" for
// the zero time.
func UntilText(t time.Time) string {
	if t.IsZero() {
		return "permanently"
	}
	return "until " + t.UTC().Format("2006-01-02 15:04 UTC")
}
