// Package lobbytest opens lobbies for the tests of other packages. Only tests import it.
package lobbytest

import (
	"net/netip"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
)

// Store returns an empty store in memory, which is closed at the end of the test.
func Store(t testing.TB) *sqlite.Store {
	t.Helper()
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Open returns a lobby with a store in memory. Both are closed at the end of the test.
func Open(t testing.TB) *lobby.Lobby {
	t.Helper()
	return New(t, lobby.Config{Store: Store(t)})
}

// New returns a lobby of the games of enginetest, unless c has others. What is reported to the operator is an
// error of the test, unless c reports it elsewhere. The lobby is closed at the end of the test, before the
// stores that were opened earlier.
func New(t testing.TB, c lobby.Config) *lobby.Lobby {
	t.Helper()
	if c.Games == nil {
		c.Games = enginetest.Games
	}
	if c.Report == nil {
		c.Report = func(msg string, keyvals ...any) { t.Error(msg, keyvals) }
	}
	l, err := lobby.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// Member enters the lobby with the account of a name, whose key is Key of it, and registers it first if it
// does not exist.
func Member(t testing.TB, l *lobby.Lobby, name string) *lobby.Session {
	t.Helper()
	a, known, err := l.Accounts.ByKey(t.Context(), Key(name))
	if err == nil && !known {
		a, err = l.Accounts.Register(t.Context(), name, Key(name), netip.Addr{})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Enter(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Key returns the key of the account that Member registers.
func Key(name string) []byte { return []byte("key of " + name) }

// Guests enters n new guests.
func Guests(t testing.TB, l *lobby.Lobby, n int) []*lobby.Session {
	t.Helper()
	all := make([]*lobby.Session, n)
	for i := range all {
		s, err := l.Enter(l.Accounts.NewGuest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = s
	}
	return all
}

// Start starts a match for two by a table, which may be private, and returns its id.
func Start(t testing.TB, owner, other *lobby.Session, p table.Proposal) (match string) {
	t.Helper()
	table, err := owner.OpenTable(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	match, err = other.JoinTable(t.Context(), table.ID, table.Code(owner.Account().ID))
	if err != nil {
		t.Fatal(err)
	}
	return match
}
