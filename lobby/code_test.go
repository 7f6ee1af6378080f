package lobby_test

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestACodeEndsWithItsMatch uses the code of a private match, another and none while it runs and after its end.
func TestACodeEndsWithItsMatch(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve, zoe := h.member("ana"), h.member("bob"), h.member("eve"), h.member("zoe")
		table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, Private: true})
		if err != nil {
			t.Fatal(err)
		}
		code := table.Code(ana.Account().ID)
		if found, _ := bob.FindByCode(strings.ToUpper(code)); found != table.ID {
			t.Errorf("the code in capitals finds %q", found)
		}
		id, err := bob.JoinTable(t.Context(), table.ID, strings.ToUpper(code))
		if err != nil {
			t.Fatal(err)
		}
		if _, match := eve.FindByCode(strings.ToUpper(code)); match != id {
			t.Errorf("in the match it finds %q", match)
		}
		refused := func(when string, codes ...string) {
			t.Helper()
			for _, typed := range codes {
				if table, match := zoe.FindByCode(typed); table != "" || match != "" {
					t.Errorf("%s the code %q finds the table %q or the match %q", when, typed, table, match)
				}
				_, err := zoe.Watch(id, typed)
				wantCode(t, fmt.Sprintf("%s to watch with the code %q", when, typed), err, errcode.NotAllowed)
				_, err = zoe.FindSnapshot(id, typed)
				wantCode(t, fmt.Sprintf("%s to look with the code %q", when, typed), err, errcode.NotAllowed)
			}
		}
		refused("before the end", "", "wrong", code[:len(code)-1])
		w, err := eve.Watch(id, strings.ToUpper(code))
		if err != nil {
			t.Fatal(err)
		}
		if w.Snapshot().Code != code {
			t.Errorf("a spectator sees the code %q", w.Snapshot().Code)
		}
		var seats []*lobby.Player
		for _, s := range []*lobby.Session{ana, bob} {
			p, err := s.AsPlayer(id)
			if err != nil {
				t.Fatal(err)
			}
			seats = append(seats, p)
		}
		if err := seats[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		refused("after the end", "", "wrong", code)
		if _, err := eve.FindSnapshot(id, ""); err != nil {
			t.Errorf("who watches may go on: %v", err)
		}
		if info, s := w.Match().Info, w.Snapshot(); info.Code != "" || s.Code != "" {
			t.Errorf("the code is kept: %q, %q", info.Code, s.Code)
		}
		if info, _, err := h.store.Match(t.Context(), id); err != nil || info.Code != "" || !info.Private {
			t.Errorf("the store keeps %+v, %v", info, err)
		}
		for _, p := range seats {
			if err := p.Offer(t.Context(), match.OfferRematch); err != nil {
				t.Fatal(err)
			}
		}
		s := w.Snapshot()
		if s.Rematch == "" || s.NextCode == "" || s.NextCode == code {
			t.Errorf("the rematch is %q with the code %q", s.Rematch, s.NextCode)
		}
		if _, err := eve.Watch(s.Rematch, s.NextCode); err != nil {
			t.Errorf("who watched cannot watch the rematch: %v", err)
		}
	})
}

func TestALinkCodeInCapitals(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		code, err := h.member("ana").LinkCode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a, err := h.Accounts.Link(t.Context(), strings.ToUpper(code), []byte("another key"), addr1); err != nil || a.Name != "ana" {
			t.Errorf("linked to %+v, %v", a, err)
		}
	})
}

// TestFirstSessionsOfAKeyShareAnAccount lets many sessions of a new key begin at the same time, such as those
// of a program, with a limit of new accounts that they would exceed.
func TestFirstSessionsOfAKeyShareAnAccount(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		const sessions = 60
		limits := limit.Default()
		limits.NewAccountBurst = 1
		h.SetLimits(limits)
		from := netip.MustParseAddr("192.0.2.1")
		ids, errs := make([]account.ID, sessions), make([]error, sessions)
		var all sync.WaitGroup
		for i := range sessions {
			all.Go(func() {
				a, err := h.Accounts.RegisterLike(t.Context(), "hostile", []byte("key"), from)
				ids[i], errs[i] = a.ID, err
			})
		}
		all.Wait()
		for i := range sessions {
			if errs[i] != nil || ids[i] != ids[0] {
				t.Fatalf("session %d has the account %d, the first %d: %v", i, ids[i], ids[0], errs[i])
			}
		}
	})
}
