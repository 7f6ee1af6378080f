package lobby_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/table"
)

func TestLogShowsWhatOneMaySee(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve := h.member("ana").Account(), h.member("bob"), h.member("eve").Account()
		shown := func(you account.ID, match string) int {
			t.Helper()
			info, log, err := h.Archive.MatchLog(t.Context(), you, match)
			if err != nil || info.ID != match {
				t.Fatalf("%+v, %v", info, err)
			}
			return len(log)
		}
		late := h.pair(h.enter(ana), bob, table.Proposal{Options: smallOptions, Delay: 2})
		for range 3 {
			turn(t, late)
		}
		id := late[0].Match().Info.ID
		if a, e, guest := shown(ana.ID, id), shown(eve.ID, id), shown(0, id); a != 3 || e != 1 || guest != 1 {
			t.Errorf("of 3 turns with a delay of 2 a player sees %d, others %d and %d", a, e, guest)
		}
		if err := late[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := shown(0, id); n != 4 {
			t.Errorf("after the end others see %d entries", n)
		}
		_, _, err := h.Archive.MatchLog(t.Context(), ana.ID, "nosuch")
		wantCode(t, "no such match", err, errcode.UnknownMatch)
	})
}

func TestPrivateMatchesAreTheirPlayersAlone(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
		guest := h.enter(h.Accounts.NewGuest())
		you := func(s *lobby.Session) account.ID { return s.Account().ID }
		private := func(a, b *lobby.Session) string {
			table, err := a.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, Private: true})
			if err != nil {
				t.Fatal(err)
			}
			id, err := b.JoinTable(t.Context(), table.ID, table.Code(you(a)))
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		id := private(ana, guest)
		check := func(when string) {
			for who, want := range map[account.ID]errcode.Code{you(ana): "", you(bob): errcode.NotAllowed, you(eve): errcode.NotAllowed, 0: errcode.NotAllowed} {
				_, _, err := h.Archive.MatchLog(t.Context(), who, id)
				wantCode(t, fmt.Sprintf("%s, account %d", when, who), err, want)
			}
		}
		check("while it goes on")
		p, err := ana.AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("after its end")
		if _, _, err := h.Archive.MatchLog(t.Context(), you(guest), id); err != nil {
			t.Errorf("a guest who played: %v", err)
		}
		advance(2 * time.Hour)
		if _, err := h.Match(id); errorCode(err) != errcode.UnknownMatch {
			t.Fatal("the match is still in memory")
		}
		check("in the archive")
	})
}

func TestGamesAreListedNewestFirst(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ctx, ana, bob, eve := t.Context(), h.member("ana"), h.member("bob"), h.member("eve")
		var played []string // oldest first
		for i := range 9 {
			a, b := ana, bob
			if i%3 == 1 {
				b = eve
			}
			table, err := a.OpenTable(ctx, table.Proposal{Game: "ayu", Options: smallOptions, Private: i%2 == 1})
			if err != nil {
				t.Fatal(err)
			}
			id, err := b.JoinTable(ctx, table.ID, table.Code(a.Account().ID))
			if err != nil {
				t.Fatal(err)
			}
			p, err := b.AsPlayer(id)
			if err != nil {
				t.Fatal(err)
			}
			advance(time.Minute)
			if err := p.Resign(ctx); err != nil {
				t.Fatal(err)
			}
			played = append(played, id)
		}
		for _, c := range []struct {
			name, player, before string
			you                  *lobby.Session
			limit                int
			want                 []int
		}{
			{"a player sees their own private ones", "", "", ana, 200, []int{8, 7, 6, 5, 4, 3, 2, 1, 0}},
			{"another player only those of their own", "", "", eve, 200, []int{8, 7, 6, 4, 2, 1, 0}},
			{"a user without a seat none of them", "", "", nil, 200, []int{8, 6, 4, 2, 0}},
			{"private ones do not shorten a page", "", "", nil, 3, []int{8, 6, 4}},
			{"the next page", "", played[4], nil, 3, []int{2, 0}},
			{"of one player", "EVE", "", ana, 200, []int{7, 4, 1}},
			{"of one player to others", "eve", "", nil, 200, []int{4}},
		} {
			you := account.ID(0)
			if c.you != nil {
				you = c.you.Account().ID
			}
			list, err := h.Archive.FinishedMatches(ctx, you, c.player, c.before, c.limit)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			var got, want []string
			for _, f := range list {
				got = append(got, f.Info.ID)
			}
			for _, i := range c.want {
				want = append(want, played[i])
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: got %v, want %v", c.name, got, want)
			}
		}
		_, err := h.Archive.FinishedMatches(ctx, 0, "nobody", "", 10)
		wantCode(t, "unknown player", err, errcode.BadRequest)
		_, err = h.Archive.FinishedMatches(ctx, 0, "", "", 0)
		wantCode(t, "no limit", err, errcode.BadRequest)
		_, err = h.Archive.FinishedMatches(ctx, 0, "", "", lobby.MaxFinishedMatches+1)
		wantCode(t, "high limit", err, errcode.BadRequest)
	})
}
