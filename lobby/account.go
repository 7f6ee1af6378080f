package lobby

import (
	"context"
	"errors"
	mathrand "math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
)

// Times and sizes of codes and names.
const (
	accountCodeBits = 50               // of return and link codes; attempts are limited
	LinkCodeTTL     = 10 * time.Minute // validity of a link code
	renameInterval  = 24 * time.Hour   // between two changes of a name
)

// Accounts creates and finds the accounts and guests of a lobby, and adds keys to accounts. It is a field of
// the Lobby, whose mutex guards deleted.
type Accounts struct {
	l             *Lobby
	Registrations account.Registrations
	updates       *account.Updates             // accounts of which the store may have another state
	deleted       map[account.ID]struct{}      // accounts that have been deleted since the start, or are being deleted
	guesses       *limit.Buckets[netip.Prefix] // attempts at return and link codes
	created       *limit.Buckets[netip.Prefix] // new accounts
}

func (as *Accounts) init(l *Lobby) {
	as.l, as.updates = l, account.NewUpdates()
	as.deleted = make(map[account.ID]struct{})
	as.guesses, as.created = limit.NewBuckets[netip.Prefix](limit.Rate{}), limit.NewBuckets[netip.Prefix](limit.Rate{})
}

// setLimits sets the rates of codes and new accounts.
func (as *Accounts) setLimits(limits *limit.Limits) {
	as.guesses.SetRate(limit.Rate{Refill: limits.CodeRate, Burst: limits.CodeBurst})
	as.created.SetRate(limit.PerMinute(limits.NewAccountRate, limits.NewAccountBurst))
}

// ByKey returns the account of a key in SSH wire format; ok is false for an unknown key.
func (as *Accounts) ByKey(ctx context.Context, key []byte) (a account.Account, ok bool, err error) {
	a, err = as.l.store.AccountByKey(ctx, key)
	if errors.Is(err, errcode.ErrNotFound) {
		return account.Account{}, false, nil
	}
	return a, err == nil, err
}

// ByName returns the account with this name, ignoring case, without its settings and blocks.
func (as *Accounts) ByName(ctx context.Context, name string) (account.Account, error) {
	a, err := as.l.store.AccountByName(ctx, name)
	if errors.Is(err, errcode.ErrNotFound) {
		return account.Account{}, errcode.Errorf(errcode.BadRequest, "there is no account %q; guests have none", sanitize.Line(name, account.MaxName))
	}
	a.Settings, a.Blocks = nil, nil // private
	return a, err
}

// Register creates an account for a new key. If another session of the key has just created one, it returns
// that. The number of new accounts is limited by the address from.
func (as *Accounts) Register(ctx context.Context, name string, key []byte, from netip.Addr) (account.Account, error) {
	if err := account.CheckName(name); err != nil {
		return account.Account{}, err
	}
	// One session of a key at a time creates its account: the others are neither refused for its name nor counted.
	done, err := as.Registrations.Begin(ctx, string(key))
	if err != nil {
		return account.Account{}, errcode.Errorf(errcode.Unavailable, "the connection ended before the account was created")
	}
	defer done()
	if a, known, err := as.ByKey(ctx, key); known || err != nil {
		return a, err
	}
	now, origin := time.Now(), limit.Origin(from)
	if from.IsValid() && !as.created.Take(origin, now, 1) {
		as.l.LimitHits.Add(limit.HitNewAccounts)
		return account.Account{}, errcode.Errorf(errcode.RateLimited, "too many new accounts were created from your address; try again in a few minutes, or connect without a key as a guest")
	}
	a, err := as.l.store.CreateAccount(ctx, name, key, now)
	if as.Registrations.Count(err) != nil {
		as.created.GiveBack(origin, now, 1)
	}
	if errors.Is(err, errcode.ErrTaken) {
		return account.Account{}, errcode.Errorf(errcode.NotAllowed, "the name %s, or a similar one, is taken; choose another (if it is yours, connect with its key and add this one to your account)", name)
	}
	return a, err
}

// RegisterLike creates an account for a new key, with a free name that is similar to hint.
func (as *Accounts) RegisterLike(ctx context.Context, hint string, key []byte, from netip.Addr) (account.Account, error) {
	base := account.NameLike(hint)
	name := base
	for attempt := 0; ; attempt++ {
		a, err := as.Register(ctx, name, key, from)
		var e *errcode.Error
		if err == nil || !errors.As(err, &e) || e.Code != errcode.NotAllowed || attempt == 20 {
			return a, err
		}
		digits := []byte{'2' + byte(mathrand.IntN(8))}
		for range 1 + attempt/4 {
			digits = append(digits, '2'+byte(mathrand.IntN(8)))
		}
		name = base[:min(len(base), account.MaxName-1-len(digits))] + "-" + string(digits)
	}
}

// NewGuest returns a new guest account, which lasts as long as its sessions and matches.
func (as *Accounts) NewGuest() account.Account {
	as.l.mu.Lock()
	defer as.l.mu.Unlock()
	return account.Account{ID: as.l.guests.add(newCode()), Name: as.l.users.freeGuestName(as.l.guestNames), CreatedAt: time.Now()}
}

// GuestByName returns the id of the guest of that name who has a session or a seat of a match in memory.
func (as *Accounts) GuestByName(name string) (id account.ID, ok bool) {
	as.l.mu.Lock()
	defer as.l.mu.Unlock()
	u := as.l.users.guests[name]
	if u == nil {
		return 0, false
	}
	return u.Account().ID, true
}

// SessionsOnOtherNodes returns the number of a user's sessions on other nodes, and their valid origins.
func (as *Accounts) SessionsOnOtherNodes(id account.ID) (sessions int, origins []netip.Prefix) {
	as.l.mu.Lock()
	u := as.l.users.byID[id]
	as.l.mu.Unlock()
	if u == nil {
		return 0, nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.presence.Sessions(), u.presence.Origins()
}

// newCode returns a code of accountCodeBits bits with a digit, so that it is not a plain word.
func newCode() string {
	for {
		if text := RandomCode(accountCodeBits); isCode(text) {
			return text
		}
	}
}

// isCode reports whether a text has the form of a code.
func isCode(text string) bool {
	return len(text) == accountCodeBits/5 && IsCodeText(text) && strings.ContainsAny(text, "0123456789")
}

// GuestByCode returns the guest of a return code, who must have a session or a seat. Attempts are limited
// by the address from. A text that does not have the form of a code is not an attempt.
func (as *Accounts) GuestByCode(code string, from netip.Addr) (account.Account, bool) {
	if !isCode(code) || !as.allowCodeGuess(from) {
		return account.Account{}, false
	}
	as.l.mu.Lock()
	defer as.l.mu.Unlock()
	digest := guestDigest(code)
	u := as.l.users.byID[guestID(digest)]
	if u == nil || u.returnDigest(&as.l.guests) != digest {
		return account.Account{}, false
	}
	as.l.guests.add(code)
	return u.Account(), true
}

// Link adds a key to the account of a link code, and returns that account. Attempts are limited by the
// address from.
func (as *Accounts) Link(ctx context.Context, code string, key []byte, from netip.Addr) (account.Account, error) {
	var id account.ID
	if as.allowCodeGuess(from) {
		var err error
		if id, err = as.l.rows.links.Take(ctx, strings.ToLower(code), as.l.node.Now()); err != nil {
			return account.Account{}, err
		}
		as.l.node.Changed()
	}
	if id == 0 {
		return account.Account{}, errcode.Errorf(errcode.NotAllowed, "that link code is wrong, used or older than %d minutes; get a new one with the account's other key", int(LinkCodeTTL.Minutes()))
	}
	err := as.l.store.AddKey(ctx, id, key, time.Now())
	if errors.Is(err, errcode.ErrTaken) {
		return account.Account{}, errcode.Errorf(errcode.NotAllowed, "this key already has an account")
	}
	if err != nil {
		return account.Account{}, err
	}
	return as.l.store.Account(ctx, id)
}

// beginDeletion marks a user as deleted, or returns an error if they play a match.
func (as *Accounts) beginDeletion(u *user) error {
	as.l.mu.Lock()
	defer as.l.mu.Unlock()
	for _, m := range u.seatedMatches() {
		if !m.playerSnapshot.Load().IsOver() {
			return errcode.Errorf(errcode.NotAllowed, "game %s is still running; finish or resign it first", m.Info.ID)
		}
	}
	as.markDeleted(u)
	return nil
}

// markDeleted prevents the account from entering, acting and playing. The caller holds
// Lobby.mu.
func (as *Accounts) markDeleted(u *user) {
	id := u.Account().ID
	as.deleted[id] = struct{}{}
	u.deleted.Store(true)
}

// endDeleted ends the sessions of a user whose account was deleted on another node.
func (as *Accounts) endDeleted(ctx context.Context, u *user) {
	as.l.mu.Lock()
	_, known := as.deleted[u.Account().ID]
	as.markDeleted(u)
	as.l.mu.Unlock()
	if !known && as.l.onDeleted != nil {
		as.l.onDeleted(ctx, u.Account().ID)
	}
}

// Snapshots returns the newest states of the matches in which an account has a seat, as players see them.
func (as *Accounts) Snapshots(id account.ID) (all []*match.Snapshot) {
	as.l.mu.Lock()
	u := as.l.users.byID[id]
	as.l.mu.Unlock()
	if u == nil {
		return nil
	}
	for _, m := range u.seatedMatches() {
		all = append(all, m.playerSnapshot.Load())
	}
	return all
}

// Keys lists an account's keys, oldest first.
func (as *Accounts) Keys(ctx context.Context, id account.ID) ([]account.Key, error) {
	return as.l.store.Keys(ctx, id)
}

// allowCodeGuess counts an attempt at a code, and reports whether it is within the rate.
func (as *Accounts) allowCodeGuess(from netip.Addr) bool {
	ok := !from.IsValid() || as.guesses.Take(limit.Origin(from), time.Now(), 1)
	if !ok {
		as.l.LimitHits.Add(limit.HitCodes)
	}
	return ok
}

// notifyNodes has the other nodes read a user's account again, which a session of this node has changed in the store.
// The caller holds no lock.
func (as *Accounts) notifyNodes(u *user) {
	if as.l.node == nil {
		return
	}
	as.l.mu.Lock()
	defer as.l.mu.Unlock()
	u.changes++
	as.l.writePresence(u)
	as.updates.Add(u.Account().ID) // in case another node has changed it at the same time
}

// adopt takes over the account with which a session of a user begins. It was read before, so that it can be older than
// that in memory: if they differ, the account is read again. The caller holds Lobby.mu.
func (as *Accounts) adopt(u *user, a account.Account) {
	before := u.account.Load()
	if !u.hasSessionHere() {
		u.account.Store(&a)
	}
	if !before.CreatedAt.IsZero() && !reflect.DeepEqual(*before, a) { // without a time it is only that of a seat
		as.updates.Add(a.ID)
	}
}

// reload replaces a user's account in memory by that in the store, and returns it. Whoever has changed an account in the
// store calls it then: of several at once, one that was overtaken while it read reads again, so that none loses what
// another has changed. After an error of the store the account is read later. The caller holds no lock.
func (as *Accounts) reload(ctx context.Context, u *user) (account.Account, error) {
	for {
		before := u.account.Load()
		a, err := as.l.store.Account(ctx, before.ID)
		if errors.Is(err, errcode.ErrNotFound) {
			return account.Account{}, err
		}
		if err != nil {
			as.updates.Add(before.ID)
			return account.Account{}, err
		}
		if u.account.CompareAndSwap(before, &a) {
			return a, nil
		}
	}
}

// Refresh reads the account of a user again, which another node or an owner may have changed, and ends the user's
// sessions if the account was deleted.
func (as *Accounts) Refresh(ctx context.Context, id account.ID) error {
	as.l.mu.Lock()
	u := as.l.users.byID[id]
	as.l.mu.Unlock()
	if u == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	var a account.Account
	unchanged, err := u.blocks.Read(func() (_ []account.Block, err error) {
		a, err = as.reload(ctx, u)
		return a.Blocks, err
	})
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return nil // it has never existed
	case err != nil:
		return err
	case !unchanged:
		as.updates.Add(id) // a session of this node has changed the blocks meanwhile
	}
	if a.IsDeleted() {
		as.endDeleted(ctx, u)
	}
	as.l.lists.accountChanged(u)
	u.wake()
	return nil
}
