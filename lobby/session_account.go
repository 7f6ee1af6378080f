package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// ReturnCode returns the code with which a guest gets their seats back from a new connection; "" for
// others.
func (s *Session) ReturnCode() string {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.guests.code(s.Account().ID)
}

// LinkCode returns a code with which Link adds a key to the session's account, once, within ten minutes. It
// replaces an earlier code.
func (s *Session) LinkCode(ctx context.Context) (string, error) {
	a := s.Account()
	if a.IsGuest() {
		return "", errcode.Errorf(errcode.NotAllowed, "guests have no account to add a key to; connect with an SSH key to get one")
	}
	if s.user.deleted.Load() {
		return "", errDeleted
	}
	l, code := s.l, newCode()
	now := l.node.Now()
	if err := l.rows.links.Set(ctx, a.ID, code, now, now.Add(LinkCodeTTL)); err != nil {
		return "", err
	}
	l.node.Changed()
	return code, nil
}

// Keys lists the account's keys, oldest first; a guest has none.
func (s *Session) Keys(ctx context.Context) ([]account.Key, error) {
	if s.Account().IsGuest() {
		return nil, nil
	}
	return s.l.store.Keys(ctx, s.Account().ID)
}

// RemoveKey removes a key from the account, but not the last one.
func (s *Session) RemoveKey(ctx context.Context, key []byte) error {
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	err := s.l.store.RemoveKey(ctx, s.Account().ID, key, time.Now())
	switch {
	case errors.Is(err, errcode.ErrLastKey):
		return errcode.Errorf(errcode.NotAllowed, "that is your only key; add another before you remove it")
	case errors.Is(err, errcode.ErrNotFound):
		return errcode.Errorf(errcode.BadRequest, "the account has no such key")
	}
	return err
}

// RenameAccount changes the account's name, at most once in 24 hours. The first change is free at any time.
func (s *Session) RenameAccount(ctx context.Context, name string) error {
	a := s.Account()
	if a.IsGuest() {
		return errcode.Errorf(errcode.NotAllowed, "guests cannot change their name; connect with an SSH key to get an account")
	}
	if s.user.deleted.Load() {
		return errDeleted
	}
	if err := account.CheckName(name); err != nil {
		return err
	}
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	now := time.Now()
	if wait := renameInterval - now.Sub(a.RenamedAt); !a.RenamedAt.IsZero() && wait > 0 {
		return errcode.Errorf(errcode.NotAllowed, "you can change your name once a day; try again in %s", text.Plural(int((wait+time.Hour-1)/time.Hour), "hour"))
	}
	_, err := s.l.store.Rename(ctx, a.ID, name, now)
	if errors.Is(err, errcode.ErrTaken) {
		return errcode.Errorf(errcode.NotAllowed, "the name %s, or a similar one, is taken; choose another", name)
	}
	if err != nil {
		return err
	}
	_, _ = s.l.Accounts.reload(ctx, s.user) // after an error it is read later
	s.l.Accounts.notifyNodes(s.user)
	s.l.lists.accountChanged(s.user)
	return nil
}

// SaveSettings stores the front ends' settings for the account. A guest's last as long as the guest.
func (s *Session) SaveSettings(ctx context.Context, settings []byte) error {
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	a := s.Account()
	if a.IsGuest() {
		s.user.setGuestSettings(settings)
		return nil
	}
	if err := s.l.store.SaveSettings(ctx, a.ID, settings); err != nil {
		return err
	}
	_, _ = s.l.Accounts.reload(ctx, s.user) // after an error it is read later
	s.l.Accounts.notifyNodes(s.user)
	return nil
}

// setGuestSettings replaces the settings of a guest, whose account is only in memory.
func (u *user) setGuestSettings(settings []byte) {
	for {
		before := u.account.Load()
		a := *before
		a.Settings = settings
		if u.account.CompareAndSwap(before, &a) {
			return
		}
	}
}

// DeleteAccount deletes the account's name, keys and ratings permanently, and ends all of its sessions
// (Config.Deleted). It fails while the account plays a match.
func (s *Session) DeleteAccount(ctx context.Context) error {
	a, l := s.Account(), s.l
	if a.IsGuest() {
		return errcode.Errorf(errcode.NotAllowed, "guests have no account to delete")
	}
	if err := l.Accounts.beginDeletion(s.user); err != nil {
		return err
	}
	_, _ = l.rows.links.Remove(ctx, a.ID), l.removeVacations(ctx, a.ID) // which are of no use without the account
	l.changeTables(l.ctx, func(t table.State) table.Change { return t.Remove(a.ID) })
	if err := l.store.DeleteAccount(ctx, a.ID, time.Now()); err != nil {
		l.mu.Lock()
		delete(l.Accounts.deleted, a.ID)
		s.user.deleted.Store(false)
		l.mu.Unlock()
		return err
	}
	if _, err := l.Accounts.reload(ctx, s.user); err != nil { // with its neutral name
		s.user.account.Store(&account.Account{ID: a.ID, Name: account.DeletedName(a.ID)})
	}
	l.Accounts.notifyNodes(s.user)
	l.lists.accountChanged(s.user)
	if l.onDeleted != nil {
		l.onDeleted(ctx, a.ID)
	}
	return nil
}

// errDeleted is the error of everything done in sessions of a deleted account.
var errDeleted = errcode.Errorf(errcode.NotAllowed, "%s", AccountDeleted)

// AccountDeleted is the notice with which all sessions of a deleted account end.
const AccountDeleted = "The account was deleted."
