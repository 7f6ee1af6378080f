package lobby_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/table"
)

// Each limit of the lobby is exceeded, refused with the right code, and counted.
func TestLobbyLimitsAreEnforcedAndCounted(t *testing.T) {
	open2 := func(t *testing.T, s *lobby.Session) error {
		_, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
		return err
	}
	for _, c := range []struct {
		name  string
		limit func(l *limit.Limits)
		code  errcode.Code
		try   func(t *testing.T, h harness, ana, bob *lobby.Session) error // once more than allowed
	}{
		{limit.HitTables, func(l *limit.Limits) { l.Tables = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			if err := open2(t, ana); err != nil {
				return err
			}
			return open2(t, bob)
		}},
		{limit.HitTablesPerUser, func(l *limit.Limits) { l.TablesPerUser = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			if err := open2(t, ana); err != nil {
				return err
			}
			return open2(t, ana)
		}},
		{limit.HitMatches, func(l *limit.Limits) { l.Matches = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			h.pair(ana, bob, table.Proposal{})
			_, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, bob)
			return err
		}},
		{limit.HitMatchesPerUser, func(l *limit.Limits) { l.MatchesPerUser = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			h.pair(ana, bob, table.Proposal{})
			_, err := h.member("carol").StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, bob)
			return err
		}},
		{limit.HitTablesPerAddress, func(l *limit.Limits) { l.TablesPerAddress = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			ana.SetAddr(addr1)
			if err := open2(t, ana); err != nil {
				return err
			}
			bob.SetAddr(addr2)
			if err := open2(t, bob); err != nil {
				t.Error(err)
			}
			return open2(t, ana)
		}},
		{limit.HitMatchesPerAddress, func(l *limit.Limits) { l.MatchesPerAddress = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			ana.SetAddr(addr1)
			bob.SetAddr(addr2)
			seats := h.pair(ana, bob, table.Proposal{})
			h.pair(bob, ana, table.Proposal{}) // started by the other user
			if err := seats[0].Resign(t.Context()); err != nil {
				return err
			}
			h.pair(ana, bob, table.Proposal{}) // replaces the first
			_, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, bob)
			return err
		}},
		{limit.HitNewAccounts, func(l *limit.Limits) { l.NewAccountBurst, l.NewAccountRate = 2, 1 }, errcode.RateLimited, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			ctx := t.Context()
			for i, name := range []string{"carol", "ana", "dave"} { // a name that is taken creates no account
				_, err := h.Accounts.Register(ctx, name, []byte(name), addr1)
				if taken := i == 1; taken != (errorCode(err) == errcode.NotAllowed) {
					t.Error(name, err)
				}
			}
			if _, err := h.Accounts.Register(ctx, "eve", []byte("eve"), addr2); err != nil {
				t.Error(err)
			}
			_, err := h.Accounts.Register(ctx, "fred", []byte("fred"), addr1)
			advance(time.Minute)
			if _, err := h.Accounts.Register(ctx, "gina", []byte("gina"), addr1); err != nil {
				t.Error(err)
			}
			return err
		}},
		{limit.HitSessionsPerUser, func(l *limit.Limits) { l.SessionsPerUser = 2 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			h.enter(ana.Account()).Close(false)
			h.enter(ana.Account())
			_, err := h.Enter(ana.Account(), nil)
			return err
		}},
		{limit.HitWatchedPerSession, func(l *limit.Limits) { l.WatchedPerSession = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) (err error) {
			eve := h.member("eve")
			for range 2 {
				seats := h.pair(ana, bob, table.Proposal{})
				_, err = eve.Watch(seats[0].Match().Info.ID, "")
			}
			return err
		}},
		{limit.HitBlocks, func(l *limit.Limits) { l.BlocksPerUser = 1 }, errcode.Full, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			h.member("carol")
			if err := ana.Block(t.Context(), "carol"); err != nil {
				return err
			}
			return ana.Block(t.Context(), "bob")
		}},
		{limit.HitChat, func(l *limit.Limits) { l.ChatBurst, l.ChatRate = 2, 1 }, errcode.RateLimited, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			ana.Say("one")
			if err := ana.Say("two"); err != nil {
				t.Error(err)
			}
			return ana.Say("three")
		}},
		{limit.HitActions, func(l *limit.Limits) { l.ActionBurst, l.ActionRate = 2, 1 }, errcode.RateLimited, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			ana.CancelTable(t.Context(), "x")
			if err := ana.CancelTable(t.Context(), "x"); errorCode(err) != errcode.UnknownTable {
				t.Error(err)
			}
			return ana.CancelTable(t.Context(), "x")
		}},
		{limit.HitCodes, func(l *limit.Limits) { l.CodeBurst, l.CodeRate = 1, 0.1 }, errcode.NotAllowed, func(t *testing.T, h harness, ana, bob *lobby.Session) error {
			h.Accounts.GuestByCode("sebastbard", addr1) // not a code; the next ones are
			h.Accounts.GuestByCode("0123456789", addr2)
			h.Accounts.GuestByCode("0123456789", addr1)
			code, err := ana.LinkCode(t.Context())
			if err != nil {
				return err
			}
			_, err = h.Accounts.Link(t.Context(), code, []byte("another key"), addr1) // even the right one
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := open(t, memoryStore(t))
				defer h.Close()
				ana, bob := h.member("ana"), h.member("bob")
				limits := limit.Default()
				c.limit(&limits)
				h.SetLimits(limits) // while it runs
				if err := c.try(t, h, ana, bob); errorCode(err) != c.code {
					t.Errorf("beyond the limit: %v", err)
				}
				if got := h.LimitHits.All(); len(got) != 1 || got[c.name] != 1 {
					t.Errorf("counted %v", got)
				}
			})
		})
	}
}

func TestRatesComeBackWithTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		ana := h.member("ana")
		for ana.Say("again and again") == nil {
		}
		advance(time.Second)
		if err := ana.Say("and again"); err != nil {
			t.Errorf("a second later: %v", err)
		}
		if err := ana.Say("and again"); errorCode(err) != errcode.RateLimited {
			t.Errorf("at once after that: %v", err)
		}
	})
}

// TestOneAddressGetsAShareOfTheTables opens tables of several users from one address and from another.
func TestOneAddressGetsAShareOfTheTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		limits := h.Limits()
		limits.Tables, limits.TablesPerUser = 8, 2
		h.SetLimits(limits)
		tables := func(name, addr string) (n int) {
			s := h.member(name)
			s.SetAddr(netip.MustParseAddr(addr))
			for {
				if _, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu"}); err != nil {
					return n
				}
				n++
			}
		}
		for i, want := range []int{2, 2, 0} { // half of 8
			if n := tables("near"+string(rune('a'+i)), "192.0.2.1"); n != want {
				t.Errorf("player %d of one address has opened %d tables, want %d", i+1, n, want)
			}
		}
		if n := tables("far", "192.0.2.2"); n != 2 {
			t.Errorf("a player from another address has opened %d tables", n)
		}
		// On a small server one address may have what one user may have.
		limits.Tables, limits.TablesPerUser = 20, 13
		h.SetLimits(limits)
		if n := tables("small", "192.0.2.3"); n != 13 {
			t.Errorf("a player has opened %d tables, want 13", n)
		}
	})
}

// TestCommandsCountAsSessions checks that commands that run at once are as many as a user may have sessions, and that one that
// has ended makes room for another.
func TestCommandsCountAsSessions(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		limits := limit.Default()
		limits.SessionsPerUser = 4
		h.SetLimits(limits)
		ana := h.member("ana")
		var commands []*lobby.Session
		for range 3 {
			s, err := h.EnterForCommand(ana.Account(), addr1)
			if err != nil {
				t.Fatalf("command %d beside one session: %v", len(commands)+1, err)
			}
			commands = append(commands, s)
		}
		_, err := h.EnterForCommand(ana.Account(), addr1)
		wantCode(t, "a fourth command beside one session", err, errcode.Full)
		_, err = h.Enter(ana.Account(), nil)
		wantCode(t, "a second session beside three commands", err, errcode.Full)
		commands[0].Close(false)
		if _, err := h.Enter(ana.Account(), nil); err != nil {
			t.Errorf("a second session beside two commands: %v", err)
		}
	})
}
