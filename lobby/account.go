package lobby

import (
	"context"
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"net/netip"
	"strings"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/table"
)

// Times and sizes of codes and names.
const (
	accountCodeBits = 50               // of return and link codes; attempts are limited
	linkCodeTTL     = 10 * time.Minute // validity of a link code
	renameInterval  = 24 * time.Hour   // between two changes of a name
)

// linkCode is a code that adds a key to an account.
type linkCode struct {
	account AccountID
	expires time.Time
}

// AccountByKey returns the account of a key in SSH wire format; ok is false for an unknown key.
func (l *Lobby) AccountByKey(ctx context.Context, key []byte) (a Account, ok bool, err error) {
	a, err = l.store.AccountByKey(ctx, key)
	if errors.Is(err, ErrNotFound) {
		return Account{}, false, nil
	}
	return a, err == nil, err
}

// Register creates an account for a new key. The number of new accounts is limited by the address from.
func (l *Lobby) Register(ctx context.Context, name string, key []byte, from netip.Addr) (Account, error) {
	if err := CheckName(name); err != nil {
		return Account{}, err
	}
	now, origin := time.Now(), limit.Origin(from)
	if from.IsValid() && !l.newAccounts.Take(origin, now, 1) {
		l.LimitHits.Add(HitNewAccounts)
		return Account{}, errcode.Errorf(errcode.RateLimited, "too many new accounts were created from your address; try again in a few minutes, or connect without a key as a guest")
	}
	a, err := l.store.CreateAccount(ctx, name, key, now)
	if err != nil {
		l.newAccounts.GiveBack(origin, now, 1)
	}
	if errors.Is(err, ErrTaken) {
		return Account{}, errcode.Errorf(errcode.NotAllowed, "the name %s, or a similar one, is taken; choose another", name)
	}
	return a, err
}

// RegisterLike creates an account for a new key, with a free name that is similar to hint.
func (l *Lobby) RegisterLike(ctx context.Context, hint string, key []byte, from netip.Addr) (Account, error) {
	base := nameLike(hint)
	name := base
	for attempt := 0; ; attempt++ {
		a, err := l.Register(ctx, name, key, from)
		var e *Error
		if err == nil || !errors.As(err, &e) || e.Code != CodeNotAllowed || attempt == 20 {
			return a, err
		}
		digits := []byte{'2' + byte(mathrand.IntN(8))}
		for range 1 + attempt/4 {
			digits = append(digits, '2'+byte(mathrand.IntN(8)))
		}
		name = base[:min(len(base), MaxName-1-len(digits))] + "-" + string(digits)
	}
}

// NewGuest returns a new guest account, which lasts as long as its sessions and matches.
func (l *Lobby) NewGuest() Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := Account{ID: l.guests.newID(), Name: l.users.freeGuestName(), CreatedAt: time.Now()}
	l.guests.byCode[newCode()] = a.ID
	return a
}

// IsGuest reports whether a guest of that name has a session or a seat of a match in memory.
func (l *Lobby) IsGuest(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.users {
		if a := p.Account(); a.IsGuest() && a.Name == name {
			return true
		}
	}
	return false
}

// ReturnCode returns the code with which a guest gets their seats back from a new connection; "" for
// others.
func (s *Session) ReturnCode() string {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.guests.returnCode(s.Account().ID)
}

// newCode returns a code of accountCodeBits bits with a digit, so that it is not a plain word.
func newCode() string {
	for {
		if code := RandomCode(accountCodeBits); isCode(code) {
			return code
		}
	}
}

// isCode reports whether a text has the form of a code.
func isCode(text string) bool {
	return len(text) == accountCodeBits/5 && IsCodeText(text) && strings.ContainsAny(text, "0123456789")
}

// GuestByCode returns the guest of a return code, who must have a session or a seat. Attempts are limited
// by the address from. A text that does not have the form of a code is no attempt.
func (l *Lobby) GuestByCode(code string, from netip.Addr) (Account, bool) {
	if !isCode(code) || !l.allowCodeGuess(from) {
		return Account{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.users[l.guests.withCode(code)]
	if p == nil {
		return Account{}, false
	}
	return p.Account(), true
}

// LinkCode returns a code with which Link adds a key to the session's account, once, within ten minutes. It
// replaces an earlier code.
func (s *Session) LinkCode() (string, error) {
	a := s.Account()
	if a.IsGuest() {
		return "", errcode.Errorf(errcode.NotAllowed, "guests have no account to add a key to; connect with an SSH key to get one")
	}
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.user.deleted.Load() {
		return "", errDeleted
	}
	for code, old := range l.linkCodes {
		if old.account == a.ID || time.Now().After(old.expires) {
			delete(l.linkCodes, code) // a new code replaces the old one
		}
	}
	code := newCode()
	l.linkCodes[code] = linkCode{account: a.ID, expires: time.Now().Add(linkCodeTTL)}
	return code, nil
}

// Link adds a key to the account of a link code, and returns that account. Attempts are limited by the
// address from.
func (l *Lobby) Link(ctx context.Context, code string, key []byte, from netip.Addr) (Account, error) {
	ok := l.allowCodeGuess(from)
	code = strings.ToLower(code)
	l.mu.Lock()
	link, known := l.linkCodes[code]
	if ok {
		delete(l.linkCodes, code)
	}
	l.mu.Unlock()
	if !ok || !known || time.Now().After(link.expires) {
		return Account{}, errcode.Errorf(errcode.NotAllowed, "that link code is wrong, used or older than %d minutes; get a new one in your settings", int(linkCodeTTL.Minutes()))
	}
	err := l.store.AddKey(ctx, link.account, key, time.Now())
	if errors.Is(err, ErrTaken) {
		return Account{}, errcode.Errorf(errcode.NotAllowed, "this key already has an account")
	}
	if err != nil {
		return Account{}, err
	}
	return l.store.Account(ctx, link.account)
}

// Keys lists the account's keys, oldest first; a guest has none.
func (s *Session) Keys(ctx context.Context) ([]Key, error) {
	if s.Account().IsGuest() {
		return nil, nil
	}
	return s.l.store.Keys(ctx, s.Account().ID)
}

// RemoveKey removes a key from the account, but not the last one.
func (s *Session) RemoveKey(ctx context.Context, key []byte) error {
	if err := s.mayStore(); err != nil {
		return err
	}
	err := s.l.store.RemoveKey(ctx, s.Account().ID, key, time.Now())
	switch {
	case errors.Is(err, ErrLastKey):
		return errcode.Errorf(errcode.NotAllowed, "that is your only key; add another before you remove it")
	case errors.Is(err, ErrNotFound):
		return errcode.Errorf(errcode.BadRequest, "the account has no such key")
	}
	return err
}

// Rename changes the account's name, at most once in 24 hours. The first change is free at any time.
func (s *Session) Rename(ctx context.Context, name string) error {
	a := s.Account()
	if a.IsGuest() {
		return errcode.Errorf(errcode.NotAllowed, "guests cannot change their name; connect with an SSH key to get an account")
	}
	if s.user.deleted.Load() {
		return errDeleted
	}
	if err := CheckName(name); err != nil {
		return err
	}
	if err := s.mayStore(); err != nil {
		return err
	}
	now := time.Now()
	if wait := renameInterval - now.Sub(a.RenamedAt); !a.RenamedAt.IsZero() && wait > 0 {
		return errcode.Errorf(errcode.NotAllowed, "you can change your name once a day; try again in %d hours", int((wait+time.Hour-1)/time.Hour))
	}
	a, err := s.l.store.Rename(ctx, a.ID, name, now)
	if errors.Is(err, ErrTaken) {
		return errcode.Errorf(errcode.NotAllowed, "the name %s, or a similar one, is taken; choose another", name)
	}
	if err != nil {
		return err
	}
	s.user.account.Store(&a)
	s.l.lists.changed()
	return nil
}

// SaveSettings stores the screens' settings for the account. It does nothing for a guest.
func (s *Session) SaveSettings(ctx context.Context, settings []byte) error {
	a := s.Account()
	if a.IsGuest() {
		return nil
	}
	if err := s.mayStore(); err != nil {
		return err
	}
	if err := s.l.store.SaveSettings(ctx, a.ID, settings); err != nil {
		return err
	}
	a.Settings = settings
	s.user.account.Store(&a)
	return nil
}

// errDeleted is the error of everything done in sessions of a deleted account.
var errDeleted = errcode.Errorf(errcode.NotAllowed, "%s", AccountDeleted)

// AccountDeleted is the notice with which all sessions of a deleted account end.
const AccountDeleted = "The account was deleted."

// DeleteAccount deletes the account's name, keys and ratings permanently, and ends all of its sessions
// (Config.Deleted). It fails while the account plays a match.
func (s *Session) DeleteAccount(ctx context.Context) error {
	a, l := s.Account(), s.l
	if a.IsGuest() {
		return errcode.Errorf(errcode.NotAllowed, "guests have no account to delete")
	}
	if err := l.beginDeletion(s.user); err != nil {
		return err
	}
	if err := l.store.DeleteAccount(ctx, a.ID, time.Now()); err != nil {
		l.mu.Lock()
		delete(l.deleted, a.ID)
		s.user.deleted.Store(false)
		l.mu.Unlock()
		return err
	}
	deleted, err := l.store.Account(ctx, a.ID) // with its neutral name
	if err != nil {
		deleted = Account{ID: a.ID, Name: "deleted"}
	}
	s.user.account.Store(&deleted)
	l.lists.changed()
	if l.onDeleted != nil {
		l.onDeleted(ctx, a.ID)
	}
	return nil
}

// beginDeletion removes the account from tables and prevents it from entering, acting and playing.
func (l *Lobby) beginDeletion(p *user) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range p.seatedMatches() {
		if !m.liveSnapshot.Load().IsOver() {
			return errcode.Errorf(errcode.NotAllowed, "match %s is still running; finish or resign it first", m.Info.ID)
		}
	}
	id := p.Account().ID
	l.deleted[id] = struct{}{}
	p.deleted.Store(true)
	l.tables.changeAll(func(t table.State) table.Change { return t.Remove(id) })
	maps.DeleteFunc(l.linkCodes, func(_ string, to linkCode) bool { return to.account == id })
	return nil
}
