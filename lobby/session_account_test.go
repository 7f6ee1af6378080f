package lobby_test

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
)

// overtakenStore calls a function before it returns what it has read or written of an account, once.
type overtakenStore struct {
	lobby.Store
	afterRename, afterSave, afterAccount func()
}

func (s *overtakenStore) Rename(ctx context.Context, id account.ID, name string, at time.Time) (account.Account, error) {
	a, err := s.Store.Rename(ctx, id, name, at)
	call(&s.afterRename)
	return a, err
}

func (s *overtakenStore) SaveSettings(ctx context.Context, id account.ID, settings []byte) error {
	err := s.Store.SaveSettings(ctx, id, settings)
	call(&s.afterSave)
	return err
}

func (s *overtakenStore) Account(ctx context.Context, id account.ID) (account.Account, error) {
	a, err := s.Store.Account(ctx, id)
	call(&s.afterAccount)
	return a, err
}

func call(f *func()) {
	if then := *f; then != nil {
		*f = nil
		then()
	}
}

// TestAccountInMemoryLosesNoChange: what one session changes of an account while another changes, reads or enters with an
// older state of it is in memory afterwards.
func TestAccountInMemoryLosesNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &overtakenStore{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		want := func(what string, session *lobby.Session) {
			t.Helper()
			synctest.Wait()
			stored, err := s.Store.Account(t.Context(), session.Account().ID)
			if got := session.Account(); err != nil || !reflect.DeepEqual(got, stored) {
				t.Errorf("%s: %+v in memory, %+v in the store, %v", what, got, stored, err)
			}
		}
		rename := func(session *lobby.Session, name string) {
			t.Helper()
			wantCode(t, "rename to "+name, session.RenameAccount(t.Context(), name), "")
		}
		save := func(session *lobby.Session, settings string) {
			t.Helper()
			wantCode(t, "save "+settings, session.SaveSettings(t.Context(), []byte(settings)), "")
		}
		ana, other := h.member("ana"), h.member("ana")
		s.afterRename = func() { save(other, `{"theme":"dark"}`) }
		rename(ana, "anna")
		want("settings saved during a rename", ana)
		s.afterSave = func() { save(other, `{"theme":"light"}`) }
		save(ana, `{"theme":"dark"}`)
		want("settings saved twice at once", ana)

		bob, old := h.member("bob"), h.member("bob").Account()
		rename(bob, "rob")
		h.enter(old)
		want("entered with the account before a rename", bob)

		cem := h.member("cem")
		seats := h.pair(cem, ana, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
		old = cem.Account()
		rename(cem, "cemal")
		cem.Close(false)
		want("entered after the last session, with the account before a rename", h.enter(old))
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")

		eve := h.member("eve")
		seats = h.pair(eve, ana, table.Proposal{Options: smallOptions})
		turn(t, seats)
		turn(t, seats)
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		want("the first match, which was casual", eve)

		dora := h.member("dora")
		seats = h.pair(dora, ana, table.Proposal{Options: smallOptions, Clock: &clock.Default, Rated: new(true)})
		for range 8 {
			turn(t, seats)
		}
		s.afterAccount = func() { rename(dora, "theodora"); save(ana, `{"theme":"dark"}`) }
		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		want("renamed during the end of a match", dora)
		want("settings saved during the end of a match", ana)
		if r, ok := dora.Account().Rating("ayu"); !ok || r.Value == 1500 {
			t.Errorf("the rating after the match is %v, %v", r, ok)
		}
	})
}

// unreadAccounts is a store that reads no account while it is armed.
type unreadAccounts struct {
	lobby.Store
	armed atomic.Bool
}

func (s *unreadAccounts) Account(ctx context.Context, id account.ID) (account.Account, error) {
	if s.armed.Load() {
		return account.Account{}, errors.New("the connection broke")
	}
	return s.Store.Account(ctx, id)
}

// TestAccountThatCannotBeRead: what a session has changed is read later, and until then it has the account as it was.
func TestAccountThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &unreadAccounts{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		ana := h.member("ana")
		before := ana.Account()
		s.armed.Store(true)
		wantCode(t, "save", ana.SaveSettings(t.Context(), []byte(`{"theme":"dark"}`)), "")
		if got := ana.Account(); !reflect.DeepEqual(got, before) {
			t.Errorf("before the account could be read it is %+v", got)
		}
		s.armed.Store(false)
		advance(10 * time.Second)
		if got := string(ana.Account().Settings); got != `{"theme":"dark"}` {
			t.Errorf("afterwards the settings are %q", got)
		}
	})
}
