package lobby_test

import (
	"context"
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
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

var errUnread = errors.New("the connection broke")

func (s *unreadAccounts) Account(ctx context.Context, id account.ID) (account.Account, error) {
	if s.armed.Load() {
		return account.Account{}, errUnread
	}
	return s.Store.Account(ctx, id)
}

func (s *unreadAccounts) AccountByName(ctx context.Context, name string) (account.Account, error) {
	if s.armed.Load() {
		return account.Account{}, errUnread
	}
	return s.Store.AccountByName(ctx, name)
}

func (s *unreadAccounts) AccountByKey(ctx context.Context, key []byte) (account.Account, error) {
	if s.armed.Load() {
		return account.Account{}, errUnread
	}
	return s.Store.AccountByKey(ctx, key)
}

func withUnreadAccounts(t *testing.T, f func(t *testing.T, h harness, s *unreadAccounts)) {
	synctest.Test(t, func(t *testing.T) {
		s := &unreadAccounts{Store: memoryStore(t)}
		h := open(t, s)
		defer h.Close()
		f(t, h, s)
	})
}

// TestAccountThatCannotBeRead: what a session has changed is read later, and until then it has the account as it was.
func TestAccountThatCannotBeRead(t *testing.T) {
	withUnreadAccounts(t, func(t *testing.T, h harness, s *unreadAccounts) {
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

// TestByNameTellsNothingPrivate: settings and blocks are the account's own.
func TestByNameTellsNothingPrivate(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana := h.member("ana")
		h.member("bob")
		if err := ana.Block(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		if err := ana.SaveSettings(t.Context(), []byte(`{"bell":true}`)); err != nil {
			t.Fatal(err)
		}
		own, err := h.store.Account(t.Context(), ana.Account().ID)
		if err != nil || len(own.Blocks) != 1 || len(own.Settings) == 0 {
			t.Fatalf("the store has %+v, %v", own, err)
		}
		a, err := h.Accounts.ByName(t.Context(), "ANA")
		if err != nil || a.ID != own.ID || a.Blocks != nil || a.Settings != nil {
			t.Errorf("ana is found as %+v, %v", a, err)
		}
		_, err = h.Accounts.ByName(t.Context(), "nobody")
		wantCode(t, "a name that nobody has", err, errcode.BadRequest)
	})
}

// TestRegisterLikeFindsAFreeName: each key gets a name of its own, within the length of names; what is no question of the
// name is returned.
func TestRegisterLikeFindsAFreeName(t *testing.T) {
	withUnreadAccounts(t, func(t *testing.T, h harness, s *unreadAccounts) {
		hint := strings.Repeat("a", account.MaxName)
		names := make(map[string]bool)
		for i := range 5 {
			a, err := h.Accounts.RegisterLike(t.Context(), hint, []byte{byte(i)}, netip.Addr{})
			if err != nil {
				t.Fatal(err)
			}
			if err := account.CheckName(a.Name); err != nil || names[a.Name] || !strings.HasPrefix(a.Name, "aaaaaaaa") {
				t.Errorf("key %d is %q: %v", i, a.Name, err)
			}
			names[a.Name] = true
		}
		s.armed.Store(true)
		if _, err := h.Accounts.RegisterLike(t.Context(), hint, []byte("other"), netip.Addr{}); !errors.Is(err, errUnread) {
			t.Errorf("without an answer of the store: %v", err)
		}
		s.armed.Store(false)
		limits := limit.Default()
		limits.NewAccountBurst = 1
		h.SetLimits(limits)
		if _, err := h.Accounts.RegisterLike(t.Context(), hint, []byte("last"), addr1); err != nil {
			t.Error(err)
		}
		_, err := h.Accounts.RegisterLike(t.Context(), hint, []byte("one more"), addr1)
		wantCode(t, "one more account from the address", err, errcode.RateLimited)
	})
}

// TestAStoreThatDoesNotAnswerKnowsNobody: its error is returned, for nobody would otherwise know an account from one that
// does not exist.
func TestAStoreThatDoesNotAnswerKnowsNobody(t *testing.T) {
	withUnreadAccounts(t, func(t *testing.T, h harness, s *unreadAccounts) {
		ana := h.member("ana")
		s.armed.Store(true)
		if _, known, err := h.Accounts.ByKey(t.Context(), []byte("key of ana")); known || !errors.Is(err, errUnread) {
			t.Errorf("by key: known %t, %v", known, err)
		}
		if _, err := h.Accounts.ByName(t.Context(), "ana"); !errors.Is(err, errUnread) {
			t.Errorf("by name: %v", err)
		}
		if err := h.Accounts.Refresh(t.Context(), ana.Account().ID); !errors.Is(err, errUnread) {
			t.Errorf("refresh: %v", err)
		}
		if name := ana.Account().Name; name != "ana" {
			t.Errorf("the session is now %q", name)
		}
	})
}

// TestRefreshShowsTheChange: the session of an account that an owner has changed has it, and is woken to draw it.
func TestRefreshShowsTheChange(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana := h.member("ana")
		id := ana.Account().ID
		if _, err := h.store.Rename(t.Context(), id, "anna", time.Now()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var wakes atomic.Int32
		ana.OnWake(func() { wakes.Add(1) })
		wakes.Store(0) // OnWake repeats a signal that nobody has received
		if err := h.Accounts.Refresh(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if name := ana.Account().Name; name != "anna" {
			t.Errorf("the session is %q", name)
		}
		if wakes.Load() == 0 {
			t.Error("the session was not woken")
		}
		if err := h.Accounts.Refresh(t.Context(), id+100); err != nil {
			t.Errorf("an account that is not here: %v", err)
		}
	})
}

// TestGuestsAreFoundByName while they are here, and nobody else is.
func TestGuestsAreFoundByName(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		guest, ana := h.enter(h.Accounts.NewGuest()), h.member("ana")
		a := guest.Account()
		if id, ok := h.Accounts.GuestByName(a.Name); !ok || id != a.ID {
			t.Errorf("%s is %d, %t; want %d", a.Name, id, ok, a.ID)
		}
		for _, name := range []string{"", "Nobody", ana.Account().Name} {
			if id, ok := h.Accounts.GuestByName(name); ok || id != 0 {
				t.Errorf("%q is the guest %d, %t", name, id, ok)
			}
		}
		guest.Close(false)
		if _, ok := h.Accounts.GuestByName(a.Name); ok {
			t.Error("a guest who has left is found")
		}
	})
}
