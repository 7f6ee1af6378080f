package lobby_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

// TestTheSameChallengeTwice: a second identical challenge is refused, a different one is not.
func TestTheSameChallengeTwice(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		h.member("cleo")
		first, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, To: "bob"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, To: "Bob"})
		wantCode(t, "the same again", err, errcode.NotAllowed)
		for _, p := range []table.Proposal{
			{Game: "ayu", Options: smallOptions, To: "cleo"},
			{Game: "ayu", Options: []byte(`{"size":7}`), To: "bob"},
			{Game: "mu", To: "bob"},
		} {
			if _, err := ana.OpenTable(t.Context(), p); err != nil {
				t.Errorf("another challenge: %v", err)
			}
		}
		if err := bob.DeclineChallenge(t.Context(), first.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, To: "bob"}); err != nil {
			t.Errorf("after an answer: %v", err)
		}
	})
}

// TestCheckChallenge: whom one cannot challenge is said before the terms are chosen.
func TestCheckChallenge(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		h.member("gone").Close(false)
		eve := h.member("eve")
		if err := eve.Block(t.Context(), "ana"); err != nil {
			t.Fatal(err)
		}
		if err := bob.Block(t.Context(), "eve"); err != nil {
			t.Fatal(err)
		}
		if name, err := ana.CheckChallenge(t.Context(), "BOB"); err != nil || name != "bob" {
			t.Errorf("%q, %v", name, err)
		}
		for _, c := range []struct {
			by   *lobby.Session
			to   string
			want errcode.Code
			says string
		}{
			{ana, "ana", errcode.BadRequest, "yourself"},
			{ana, "nobody", errcode.BadRequest, "no player"},
			{ana, "Gone", errcode.BadRequest, "gone is not online; open a table with days for each turn, such as 3d"},
			{ana, "eve", errcode.NotAllowed, "not accepting"},
			{bob, "eve", errcode.NotAllowed, "unblock"},
		} {
			_, err := c.by.CheckChallenge(t.Context(), c.to)
			wantCode(t, c.to, err, c.want)
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.to, err)
			}
		}
	})
}

// TestWhoMovesFirst: seat 0 is the owner's, the other's, or random.
func TestWhoMovesFirst(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		names := func(first table.First) map[string]bool {
			all := make(map[string]bool)
			for range 20 {
				<-time.After(time.Second)
				seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, To: "bob", First: first})
				all[seats[0].Snapshot().Info.Seats[0].Name] = true
				if err := seats[0].Resign(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			return all
		}
		for first, want := range map[table.First]map[string]bool{
			table.FirstOwner: {"ana": true}, table.FirstOpponent: {"bob": true}, table.FirstRandom: {"ana": true, "bob": true},
		} {
			if got := names(first); !maps.Equal(got, want) {
				t.Errorf("%q: %v move first", first, got)
			}
		}
	})
}

// TestQuickMatchOfAnyGame pairs a request for any game with one for Mu, and shows what it accepts.
func TestQuickMatchOfAnyGame(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		casual := false
		opened, err := ana.OpenTable(t.Context(), table.Proposal{Quick: true, Rated: &casual})
		if err != nil {
			t.Fatal(err)
		}
		if want := (table.AnyTerms{Game: true, Options: true, Clock: true}); opened.Any != want {
			t.Errorf("the request accepts any %+v", opened.Any)
		}
		_, err = bob.OpenTable(t.Context(), table.Proposal{Quick: true, Options: smallOptions})
		wantCode(t, "options of any game", err, errcode.BadRequest)
		if _, err := bob.OpenTable(t.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":2}`), Quick: true}); err != nil {
			t.Fatal(err)
		}
		<-time.After(5 * time.Second)
		if all := ana.SeatedMatches(); len(all) != 1 || all[0].Info.Game != "mu" {
			t.Errorf("ana plays %+v", all)
		}
	})
}

// TestSettingsOfAGuest last as long as the guest.
func TestSettingsOfAGuest(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		guest := h.enter(h.Accounts.NewGuest())
		if err := guest.SaveSettings(t.Context(), []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if got := string(guest.Account().Settings); got != "{}" {
			t.Errorf("settings %q", got)
		}
	})
}
