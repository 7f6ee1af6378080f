package lobby_test

import (
	"context"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
)

// The tests of this file are of the rules of tournaments that the lobby keeps, because they depend on accounts, matches or presence.

// withCup calls f with a tournament that players have entered.
func withCup(t *testing.T, format tournament.Format, r tournament.Request, players int, f func(t *testing.T, c *cup)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := newCup(t, memoryStore(t), format, r, players)
		defer func() { c.h.Close() }()
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		f(t, c)
	})
}

// playerOf returns what the tournament has of a user; nil: nothing.
func (c *cup) playerOf(id account.ID) *tournament.Player {
	c.t.Helper()
	s := c.state()
	if i := s.PlayerIndex(id); i >= 0 {
		return &s.Players[i]
	}
	return nil
}

// accountAt returns the account of a player of the tournament.
func (c *cup) accountAt(player int) account.Account {
	c.t.Helper()
	id := c.state().Players[player].User
	for _, name := range c.names {
		if a := c.players[name].Account(); a.ID == id {
			return a
		}
	}
	c.t.Fatalf("player %d is nobody", player)
	return account.Account{}
}

// first returns the players of table 1 of round 1 by seat.
func (c *cup) first() [2]*lobby.Player {
	c.t.Helper()
	var seats [2]*lobby.Player
	for _, name := range c.names {
		if p, err := c.players[name].AsPlayer(tournament.MatchID(c.id, 1, 1)); err == nil {
			seats[p.Seat()] = p
		}
	}
	if seats[0] == nil || seats[1] == nil {
		c.t.Fatal("there is no game at table 1")
	}
	return seats
}

// becomeBot makes the account of a player that of a program.
func (c *cup) becomeBot(id account.ID) {
	c.t.Helper()
	if err := c.store.SetBot(c.t.Context(), id, true); err != nil {
		c.t.Fatal(err)
	}
	if err := c.h.Accounts.Refresh(c.t.Context(), id); err != nil {
		c.t.Fatal(err)
	}
}

// TestAccountThatBecomesABotIsWithdrawn, while it waits for the start, between rounds, and also if the server has started again
// meanwhile and nobody has seen the account since. Its running game goes on.
func TestAccountThatBecomesABotIsWithdrawn(t *testing.T) {
	for _, bots := range []bool{false, true} {
		withCup(t, tournament.FormatSwiss, tournament.Request{Bots: bots, Rounds: 2, Pause: new(30), Clock: &clock.Control{Days: 2}}, 6, func(t *testing.T, c *cup) {
			waits, unseen := c.players["player0"].Account().ID, c.players["player2"].Account().ID
			c.becomeBot(waits)
			advance(2 * time.Second)
			if p := c.playerOf(waits); (p == nil) == bots {
				t.Errorf("bots %v: before the start the player is %+v", bots, p)
			}
			c.must(c.host, tournament.InputStart)
			player := c.names[slices.IndexFunc(c.names, func(name string) bool { // one of the others may have the bye
				s := c.state()
				i := s.PlayerIndex(c.players[name].Account().ID)
				return i >= 0 && s.Players[i].User != waits && s.Players[i].User != unseen &&
					slices.ContainsFunc(s.Rounds[0].Games, func(g *tournament.Game) bool { return g.Table > 0 && slices.Contains(g.Seats, i) })
			})]
			plays := c.players[player].Account().ID
			c.becomeBot(plays)
			advance(2 * time.Second)
			if p := c.playerOf(plays); p.IsIn() != bots {
				t.Errorf("bots %v: the player is %s", bots, p.Status)
			}
			running := 0
			for _, m := range c.players[player].SeatedMatches() {
				if m.Info.IsOfTournament() && !m.Snapshot().IsOver() {
					running++
				}
			}
			if running != 1 {
				t.Errorf("bots %v: %d running games of the new bot", bots, running)
			}
			c.resignAll()
			c.h.Close()
			if err := c.store.SetBot(c.t.Context(), unseen, true); err != nil {
				t.Fatal(err)
			}
			c.names = slices.DeleteFunc(c.names, func(name string) bool { return name == "player2" }) // who stays away
			c.start()
			advance(time.Minute)
			if p := c.playerOf(unseen); p.IsIn() != bots {
				t.Errorf("bots %v: after a restart the player is %s", bots, p.Status)
			}
			for _, g := range c.state().Rounds[1].Games {
				_, exists := c.matches()[tournament.MatchID(c.id, g.Round, g.Table)]
				if hasUnseen := slices.Contains(g.Seats, c.state().PlayerIndex(unseen)); g.Table > 0 && exists == (hasUnseen && !bots) {
					t.Errorf("bots %v: the game %+v has a match: %v", bots, g, exists)
				}
			}
		})
	}
}

// TestDeletedAccountIsWithdrawn: an account cannot be deleted while it plays; after it was, nobody waits for it, also if the server
// has started again meanwhile.
func TestDeletedAccountIsWithdrawn(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{Rounds: 3, Pause: new(30), Clock: &clock.Control{Days: 2}}, 7, func(t *testing.T, c *cup) {
		before := c.players["player0"].Account().ID
		if err := c.players["player0"].DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		advance(2 * time.Second)
		if p := c.playerOf(before); p != nil {
			t.Errorf("before the start the player is %+v", p)
		}
		c.names = c.names[1:]
		c.must(c.host, tournament.InputStart)
		seats := c.first()
		wantCode(t, "deleting while playing", c.players[seats[0].Snapshot().Info.Seats[0].Name].DeleteAccount(t.Context()), errcode.NotAllowed)
		c.resignAll()
		gone := c.players[c.names[0]]
		if err := gone.DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.h.Close() // before anything was recorded
		c.names = c.names[1:]
		c.start()
		advance(time.Minute)
		if p := c.playerOf(gone.Account().ID); p.IsIn() {
			t.Errorf("after a restart the player is %s", p.Status)
		}
		if s := c.finish(func() {}); s.Phase != tournament.PhaseClosed || len(s.Rounds) != 3 {
			t.Errorf("%s after %d rounds", s.Phase, len(s.Rounds))
		}
		names, err := c.h.Tournaments.NamesIn(t.Context(), c.state())
		if err != nil || names(gone.Account().ID) != account.DeletedName(gone.Account().ID) {
			t.Errorf("the name is %q, %v", names(gone.Account().ID), err)
		}
	})
}

// TestNamesFollowTheAccount: who has changed the name has the new one in the tournament.
func TestNamesFollowTheAccount(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{}, 3, func(t *testing.T, c *cup) {
		s := c.players["player0"]
		if err := s.RenameAccount(t.Context(), "renamed"); err != nil {
			t.Fatal(err)
		}
		names, err := c.h.Tournaments.NamesIn(t.Context(), c.state())
		if err != nil || names(s.Account().ID) != "renamed" {
			t.Errorf("the name is %q, %v", names(s.Account().ID), err)
		}
	})
}

// TestPlayersOfOneAddress: the organizer is shown their games, and with the setting ratings.apart they are not rated, but count
// for the tournament.
func TestPlayersOfOneAddress(t *testing.T) {
	for _, apart := range []bool{false, true} {
		withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2}, 4, func(t *testing.T, c *cup) {
			limits := c.h.Limits()
			limits.RatedDistinctAddresses = apart
			c.h.SetLimits(limits)
			for i, from := range []netip.Addr{addr1, addr1, addr1, addr2} { // so that one of two games is between players of one address
				c.players[c.names[i]].SetAddr(from)
			}
			c.must(c.host, tournament.InputStart)
			games, remarks := c.state().Rounds[0].Games, c.state().Remarks(c.h.Tournaments.ShareAddress)
			for i := range remarks {
				if !remarks[i].IsOneAddress {
					t.Errorf("%+v", remarks[i])
				}
			}
			for _, g := range games {
				one := []account.ID{c.state().Players[g.Seats[0]].User, c.state().Players[g.Seats[1]].User}
				same := c.h.Tournaments.ShareAddress(one...)
				isListed := slices.ContainsFunc(remarks, func(r tournament.Remark) bool { return r.Game == g })
				info := c.matches()[tournament.MatchID(c.id, g.Round, g.Table)]
				if same != isListed || info.Rated != (!same || !apart) {
					t.Errorf("apart %v: players of one address: %v, among the remarks: %v, rated: %v", apart, same, isListed, info.Rated)
				}
			}
			if len(remarks) != 1 {
				t.Errorf("%d remarks", len(remarks))
			}
			if s := c.finish(func() {}); s.Phase != tournament.PhaseClosed {
				t.Errorf("the tournament is %s", s.Phase)
			}
		})
	}
}

// TestGamesAreAsTheTermsSay: public, with the delay and the rating of the terms, from the usual start and without a handicap.
func TestGamesAreAsTheTermsSay(t *testing.T) {
	for _, rated := range []bool{true, false} {
		withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rated: &rated, Delay: 4}, 2, func(t *testing.T, c *cup) {
			c.must(c.host, tournament.InputStart)
			info := c.first()[0].Match().Info
			if info.Private || info.Rated != rated || info.Delay != 4 || engine.NeverRated(info.Options) {
				t.Errorf("the game is %+v", info)
			}
		})
	}
}

// TestVacationInATournament: a vacation stops the clock of a game if the terms allow it, and the round ends at its cap all the same,
// by a ruling that changes no rating.
func TestVacationInATournament(t *testing.T) {
	const day = 24 * time.Hour
	for _, vacation := range []bool{true, false} {
		withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1, Clock: &clock.Control{Days: 2}, Cap: 6 * 24, Vacation: &vacation}, 2, func(t *testing.T, c *cup) {
			c.must(c.host, tournament.InputStart)
			seats := c.first()
			name := seats[0].Snapshot().Info.Seats[0].Name
			if _, err := c.players[name].BeginVacation(t.Context(), 14); err != nil {
				t.Fatal(err)
			}
			advance(2*day + time.Hour)
			if over := seats[0].Snapshot().IsOver(); over == vacation {
				t.Errorf("vacation %v: after two days the game is over: %v", vacation, over)
			}
			if !vacation {
				return
			}
			advance(6*day - 2*day - 2*time.Hour)
			if g := c.state().Rounds[0].Games[0]; g.IsOver() {
				t.Errorf("before the cap the game is %+v", g)
			}
			advance(2 * time.Hour)
			s := c.state()
			g := s.Rounds[0].Games[0]
			if s.Phase != tournament.PhaseClosed || g.Kind != tournament.GameRuled || g.Cause != tournament.CauseTimeUp || g.Points[0] != g.Points[1] {
				t.Errorf("%s, game %+v", s.Phase, g)
			}
			if snap := seats[0].Snapshot(); !snap.IsOver() || len(snap.Ratings) > 0 {
				t.Errorf("the match ended with %+v, ratings %v", snap.Result, snap.Ratings)
			}
		})
	}
}

// TestGameThatNobodyComesTo: if both players are away when the time for the first turn is up, both have not come: nobody has a point,
// and both are paused.
func TestGameThatNobodyComesTo(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 2, FirstTurn: 60}, 2, func(t *testing.T, c *cup) {
		c.must(c.host, tournament.InputStart)
		for _, name := range c.names {
			c.players[name].Close(false)
		}
		advance(65 * time.Second)
		s := c.state()
		g := s.Rounds[0].Games[0]
		if g.Kind != tournament.GameNoShow || g.Places != nil || !slices.Equal(g.NoShows, []int{0, 1}) || !slices.Equal(g.Points, []int{0, 0}) {
			t.Errorf("the game is %+v", g)
		}
		for i := range s.Players {
			if p := &s.Players[i]; p.Status != tournament.StatusPaused || !p.NoShow {
				t.Errorf("player %d is %+v", i, p)
			}
		}
		m := c.matches()[tournament.MatchID(c.id, 1, 1)]
		if _, unrated, err := c.store.MatchRatings(t.Context(), m.ID); err != nil || unrated != match.UnratedAborted {
			t.Errorf("unrated: %q, %v", unrated, err)
		}
		if list, err := c.store.Attendance(t.Context(), s.Players[0].User); err != nil || len(list) != 1 || !list[0].NoShow {
			t.Errorf("attendance %+v, %v", list, err)
		}
	})
}

// TestDisconnectedBeforeTheFirstTurn: a player whose connection breaks 10 seconds after the game began has the rest of the minute for
// the first turn. Who does not make it then loses unrated and is paused, also if they are back; the opponent, who cannot claim the
// game before, has the point. Who is back and makes it goes on playing.
func TestDisconnectedBeforeTheFirstTurn(t *testing.T) {
	for name, test := range map[string]struct {
		seat        int // that disconnects; seat 0 makes its turn first if it is 1
		back, moves bool
	}{
		"first to move":                       {seat: 0},
		"first to move, back":                 {seat: 0, back: true, moves: true},
		"first to move, back without a turn":  {seat: 0, back: true},
		"second to move":                      {seat: 1},
		"second to move, back":                {seat: 1, back: true, moves: true},
		"second to move, back without a turn": {seat: 1, back: true},
	} {
		t.Run(name, func(t *testing.T) {
			withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 2, FirstTurn: 60}, 2, func(t *testing.T, c *cup) {
				c.must(c.host, tournament.InputStart)
				seats := c.first()
				act := func(seat int) {
					t.Helper()
					snap := seats[seat].Snapshot()
					if _, err := seats[seat].Act(t.Context(), snap.Version, snap.Position.Legal()[:1]); err != nil {
						t.Fatal(err)
					}
				}
				game := c.state().Rounds[0].Games[0]
				gone, other := c.accountAt(game.Seats[test.seat]), c.accountAt(game.Seats[1-test.seat])
				advance(10 * time.Second)
				c.players[gone.Name].Close(true)
				if test.seat == 1 {
					act(0)
				}
				advance(48 * time.Second) // the limit of seat 1 runs from the turn of seat 0
				if test.seat == 1 {
					advance(10 * time.Second)
				}
				wantCode(t, "claiming", seats[1-test.seat].Claim(t.Context(), "win"), errcode.NotAllowed)
				if s := c.state(); s.Rounds[0].Games[0].IsOver() {
					t.Fatalf("before the limit the game is %+v", s.Rounds[0].Games[0])
				}
				if test.back {
					c.players[gone.Name] = c.h.member(gone.Name)
					seats = c.first()
				}
				if test.moves {
					act(test.seat)
					act(1 - test.seat)
				}
				advance(5 * time.Second)

				s := c.state()
				g, p, o := s.Rounds[0].Games[0], c.playerOf(gone.ID), c.playerOf(other.ID)
				if o.Status != tournament.StatusIn || o.NoShow {
					t.Errorf("the opponent is %+v", o)
				}
				if test.moves {
					if g.IsOver() || p.Status != tournament.StatusIn || p.NoShow {
						t.Errorf("the game is %+v, the player %+v", g, p)
					}
					return
				}
				if g.Kind != tournament.GameNoShow || !slices.Equal(g.NoShows, []int{test.seat}) || g.Points[test.seat] != 0 || g.Points[1-test.seat] != tournament.Point ||
					p.Status != tournament.StatusPaused || !p.NoShow {
					t.Errorf("the game is %+v, the player %+v", g, p)
				}
				if _, unrated, err := c.store.MatchRatings(t.Context(), tournament.MatchID(c.id, 1, 1)); err != nil || unrated != match.UnratedAborted {
					t.Errorf("unrated: %q, %v", unrated, err)
				}
			})
		})
	}
}

// TestDowntimeStopsTheFirstTurn: the limit for the first turn does not run while the server is down, begins anew after it, and whoever
// does not make the turn then is no no-show, because the server has kept them from it.
func TestDowntimeStopsTheFirstTurn(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1, FirstTurn: 60}, 2, func(t *testing.T, c *cup) {
		c.must(c.host, tournament.InputStart)
		advance(50 * time.Second)
		c.h.Close()
		advance(time.Hour)
		c.start()
		advance(59 * time.Second)
		if s := c.state(); s.Phase != tournament.PhaseRunning {
			t.Fatalf("%s before the limit", s.Phase)
		}
		advance(30 * time.Second)
		s := c.state()
		g := s.Rounds[0].Games[0]
		if g.Kind != tournament.GameRuled || g.Cause != tournament.CauseAborted || len(g.NoShows) > 0 || g.Points[0] != g.Points[1] {
			t.Errorf("the game is %+v", g)
		}
		if list, err := c.store.Attendance(t.Context(), s.Players[0].User); err != nil || len(list) != 1 || list[0].NoShow {
			t.Errorf("attendance %+v, %v", list, err)
		}
	})
}

// TestOpponentWhoResignsIsNoNoShow: a game that the opponent has ended before the first turn is played, and nobody is paused.
func TestOpponentWhoResignsIsNoNoShow(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 2, Pause: new(60)}, 2, func(t *testing.T, c *cup) {
		c.must(c.host, tournament.InputStart)
		if err := c.first()[1].Resign(t.Context()); err != nil { // who is not to move
			t.Fatal(err)
		}
		advance(time.Second)
		s := c.state()
		if g := s.Rounds[0].Games[0]; g.Kind != tournament.GamePlayed || len(g.NoShows) > 0 || s.Players[0].Status != tournament.StatusIn || s.Players[1].Status != tournament.StatusIn {
			t.Errorf("the game is %+v, the players %+v", g, s.Players)
		}
	})
}

// TestEntrantInAnotherLiveGame is paired and notified, or absent if the terms say so. A game of days is no such game.
func TestEntrantInAnotherLiveGame(t *testing.T) {
	for _, test := range []struct {
		elsewhere tournament.Elsewhere
		clock     *clock.Control
		want      tournament.GameKind
		notice    tournament.NoticeKind
	}{
		{tournament.ElsewherePair, &clock.Default, tournament.GamePlaying, tournament.NoticeGame},
		{tournament.ElsewhereAbsent, &clock.Default, tournament.GameAbsent, tournament.NoticeAbsent},
		{tournament.ElsewhereAbsent, &clock.Control{Days: 1}, tournament.GamePlaying, tournament.NoticeGame},
	} {
		withCup(t, tournament.FormatSwiss, tournament.Request{Elsewhere: test.elsewhere, Min: 3}, 3, func(t *testing.T, c *cup) {
			s := c.players["player0"]
			c.h.pair(s, c.h.member("other"), table.Proposal{Options: smallOptions, Clock: test.clock})
			c.must(c.players["player2"], tournament.InputWithdraw)
			c.players["player3"] = c.h.member("player3")
			c.must(c.players["player3"], tournament.InputEnter)
			c.must(c.host, tournament.InputStart)
			me := c.state().PlayerIndex(s.Account().ID)
			kind := tournament.GameKind("")
			for _, g := range c.state().Rounds[0].Games {
				if slices.Contains(g.Seats, me) {
					kind = g.Kind
				}
			}
			told := slices.ContainsFunc(s.TournamentNotices(0), func(n lobby.SeenNotice) bool { return n.Kind == test.notice })
			if isBye := kind == tournament.GameBye; kind != test.want && !isBye || !told && !isBye || isBye && test.want == tournament.GameAbsent {
				t.Errorf("%s, %v: the game is %q, and the player was notified: %v", test.elsewhere, test.clock, kind, told)
			}
		})
	}
}

// TestBlocksChangeNoPairing: two who have blocked each other are paired as all others, and do not see each other's lines.
func TestBlocksChangeNoPairing(t *testing.T) {
	withCup(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1}, 2, func(t *testing.T, c *cup) {
		a, b := c.players["player0"], c.players["player1"]
		for _, block := range []error{a.Block(t.Context(), "player1"), b.Block(t.Context(), "player0")} {
			if block != nil {
				t.Fatal(block)
			}
		}
		c.must(c.host, tournament.InputStart)
		if g := c.state().Rounds[0].Games[0]; g.Kind != tournament.GamePlaying || len(g.Seats) != 2 {
			t.Errorf("the game is %+v", g)
		}
		c.first()
		if err := b.SayInTournament(c.id, "hello"); err != nil {
			t.Fatal(err)
		}
		room := c.h.Tournaments.Chat(c.id)
		if blocked, others := a.VisibleChat(room, 0), c.host.VisibleChat(room, 0); len(blocked) != 0 || len(others) != 1 {
			t.Errorf("who has blocked the author sees %v, others %v", blocked, others)
		}
	})
}

// TestEntriesAreLimited: three live tournaments, and ten in all. Those that are over, or that the player has left, do not count.
func TestEntriesAreLimited(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		h.member("host").Close(false)
		ana := h.member("ana")
		open := func(c *clock.Control) string {
			host := h.member(fmt.Sprint("host", h.Tournaments.Revision()))
			id, err := host.CreateTournament(t.Context(), cupTerms(t, tournament.FormatSwiss, tournament.Request{Clock: c}), true)
			if err != nil {
				t.Fatal(err)
			}
			advance(time.Minute)
			return id
		}
		enter := func(id string) error {
			return ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter})
		}
		live, days := &clock.Default, &clock.Control{Days: 2}
		var entered []string
		for range tournament.MaxRunningLive {
			entered = append(entered, open(live))
			wantCode(t, "a live tournament", enter(entered[len(entered)-1]), "")
		}
		fourth := open(live)
		wantCode(t, "a fourth live one", enter(fourth), errcode.NotAllowed)
		if err := ana.ChangeTournament(t.Context(), entered[0], tournament.Input{Kind: tournament.InputWithdraw}); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "the fourth after leaving one", enter(fourth), "")
		for range tournament.MaxRunning - tournament.MaxRunningLive {
			wantCode(t, "one of days", enter(open(days)), "")
		}
		eleventh := open(days)
		wantCode(t, "an eleventh", enter(eleventh), errcode.NotAllowed)
		organizer := h.member("organizer")
		if err := organizer.ChangeTournament(t.Context(), fourth, tournament.Input{Kind: tournament.InputCancel, Moderator: true}); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "the eleventh after one was cancelled", enter(eleventh), "")
	})
}

// TestSandbaggersDoNotEnter: who has lost rating on purpose is still refused for 90 days, and who has too few rated games as well.
func TestSandbaggersDoNotEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		h := open(t, db)
		defer func() { h.Close() }()
		ana, host, yes := h.member("ana"), h.member("host"), true
		pass := func(days int) { // with the lobby closed, whose seconds take time
			h.Close()
			advance(time.Duration(days) * 24 * time.Hour)
			h = open(t, db)
			ana, host = h.member("ana"), h.member("host")
		}
		play := func(wins bool) {
			other := h.member(fmt.Sprint("other", time.Now().Unix()))
			seats := h.pair(ana, other, table.Proposal{Options: smallOptions, Rated: &yes})
			for range 4 {
				turn(t, seats)
			}
			loser := ana
			if wins {
				loser = other
			}
			resign(t, loser, seats)
			pass(1)
		}
		enter := func(r tournament.Request) error {
			t.Helper()
			id, err := host.CreateTournament(t.Context(), cupTerms(t, tournament.FormatSwiss, r), true)
			if err != nil {
				t.Fatal(err)
			}
			pass(0)
			err = ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter})
			_ = ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputWithdraw})
			return err
		}
		wantCode(t, "no games", enter(tournament.Request{MinGames: 1}), errcode.NotAllowed)
		play(true)
		wantCode(t, "one game", enter(tournament.Request{MinGames: 1}), "")
		play(true)
		high := ratingOf(t, h, ana)
		for range 4 {
			play(false)
		}
		low := ratingOf(t, h, ana)
		if low >= high {
			t.Fatalf("four lost games lead from %d to %d", high, low)
		}
		limit := tournament.Request{MaxRating: (low + high) / 2}
		wantCode(t, "a lower rating after a high one", enter(limit), errcode.NotAllowed)
		pass(60)
		play(false)
		pass(22)
		wantCode(t, "before 90 days", enter(limit), errcode.NotAllowed)
		pass(33)
		wantCode(t, "after 90 days", enter(limit), "")
	})
}

// ratingOf returns the rating of a player of Ayu.
func ratingOf(t *testing.T, h harness, s *lobby.Session) int {
	t.Helper()
	p, err := h.Archive.ProfileByID(t.Context(), s.Account().ID)
	if err != nil {
		t.Fatal(err)
	}
	r, ok := p.Account.Rating(account.Pool("ayu", 2))
	if !ok {
		t.Fatalf("%s has no rating", s.Account().Name)
	}
	return int(r.Value)
}

// TestNoShowsGrowAndHalve: after the second tournament to which a player did not come they cannot enter for a day, after the third for
// two, and a finished one halves that. The refusal says until when.
func TestNoShowsGrowAndHalve(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		host, ana, bob := h.member("host"), h.member("ana"), h.member("bob")
		begin := func() (string, error) {
			terms := cupTerms(t, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1, FirstTurn: 15})
			id, err := host.CreateTournament(t.Context(), terms, true)
			if err != nil {
				t.Fatal(err)
			}
			advance(time.Minute)
			if err := ana.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter}); err != nil {
				return id, err
			}
			for _, in := range []struct {
				who  *lobby.Session
				kind tournament.InputKind
			}{{bob, tournament.InputEnter}, {host, tournament.InputStart}} {
				if err := in.who.ChangeTournament(t.Context(), id, tournament.Input{Kind: in.kind}); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			return id, nil
		}
		// If the first turn is that of bob, bob makes it, so that ana is the one who does not come.
		miss := func() {
			t.Helper()
			id, err := begin()
			if err != nil {
				t.Fatal(err)
			}
			if p, err := bob.AsPlayer(tournament.MatchID(id, 1, 1)); err == nil && p.Seat() == 0 {
				if _, err := p.Act(t.Context(), 0, p.Snapshot().Position.Legal()[:1]); err != nil {
					t.Fatal(err)
				}
			}
			advance(40 * time.Second)
			if s := h.Tournaments.Known(id); s.Phase != tournament.PhaseClosed || !s.Players[s.PlayerIndex(ana.Account().ID)].NoShow {
				t.Fatalf("%s, %+v", s.Phase, s.Players)
			}
		}
		refusedFor := func(d time.Duration) {
			t.Helper()
			at := time.Now()
			_, err := begin()
			if wantCode(t, "entering", err, errcode.NotAllowed); err == nil {
				return
			}
			if until := at.Add(d).UTC().Format("2006-01-02 15:"); !strings.Contains(err.Error(), until) && !strings.Contains(err.Error(), at.Add(d-time.Hour).UTC().Format("2006-01-02 15:")) {
				t.Errorf("refused with %q, want until about %s", err, until)
			}
			advance(d)
		}
		miss()
		miss()
		refusedFor(24 * time.Hour)
		miss()
		refusedFor(48 * time.Hour)
		id, err := begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*lobby.Session{ana, bob} {
			if p, err := s.AsPlayer(tournament.MatchID(id, 1, 1)); err == nil && p.Seat() == 0 {
				if err := p.Resign(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		advance(time.Minute)
		miss()
		refusedFor(48 * time.Hour) // one day, doubled again
	})
}

// TestMembersOpenTwoTournaments: a member has two tournaments that have not started, however they come about; a moderator any number.
func TestMembersOpenTwoTournaments(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		host := h.member("host")
		terms := cupTerms(t, tournament.FormatSwiss, tournament.Request{})
		var ids []string
		create := func(isModerator bool) error {
			id, err := host.CreateTournament(t.Context(), terms, isModerator)
			if err == nil {
				ids = append(ids, id)
			}
			advance(time.Minute)
			return err
		}
		for range tournament.MaxOpen {
			wantCode(t, "a tournament", create(false), "")
		}
		wantCode(t, "a third", create(false), errcode.NotAllowed)
		wantCode(t, "a third of a moderator", create(true), "")
		for _, id := range ids[1:] {
			if err := host.ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputCancel}); err != nil {
				t.Fatal(err)
			}
		}
		wantCode(t, "after two were cancelled", create(false), "")
	})
}

// TestMassTimeoutsCountOnce: a player who comes to none of the games of a round robin whose games begin together did not come to one
// tournament.
func TestMassTimeoutsCountOnce(t *testing.T) {
	withCup(t, tournament.FormatRoundRobin, tournament.Request{Pause: new(0), FirstTurn: 15}, 4, func(t *testing.T, c *cup) {
		gone := c.players["player0"].Account().ID
		c.must(c.host, tournament.InputStart)
		c.players["player0"].Close(false)
		c.names = c.names[1:]
		s := c.finish(func() {
			p := c.playerOf(gone)
			if p.Status == tournament.StatusPaused { // comes back and goes again
				again := c.h.member("player0")
				_ = c.do(again, tournament.InputResume)
				again.Close(false)
			}
		})
		missed := 0
		for _, r := range s.Rounds {
			for _, g := range r.Games {
				if seat := slices.Index(g.Seats, s.PlayerIndex(gone)); seat >= 0 && slices.Contains(g.NoShows, seat) {
					missed++
				}
			}
		}
		list, err := c.store.Attendance(t.Context(), gone)
		if err != nil || len(list) != 1 || !list[0].NoShow || missed == 0 {
			t.Errorf("%d missed games, attendance %+v, %v", missed, list, err)
		}
		if until := tournament.NoEntryUntil(list); !until.IsZero() {
			t.Errorf("no entry until %v", until)
		}
	})
}

// TestBannedPlayerIsNotPaired: also if the ban came while the server was down.
func TestBannedPlayerIsNotPaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		var banned atomic.Int64
		c := newCup(t, db, tournament.FormatSwiss, tournament.Request{}, 4)
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		banned.Store(int64(c.players["player1"].Account().ID))
		c.h.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: db, IsBanned: func(id account.ID) bool { return id == account.ID(banned.Load()) }})
		if err != nil {
			t.Fatal(err)
		}
		c.h = harness{l, t, db}
		defer l.Close()
		advance(2 * time.Second)
		if p := c.playerOf(account.ID(banned.Load())); p != nil {
			t.Errorf("the banned player is %+v", p)
		}
	})
}

// TestNoticesOfNodes: notices are passed on by whichever node has the tournament, each at least once and always the same, although passing
// on fails now and then and the node that began stops.
func TestNoticesOfNodes(t *testing.T) {
	withClusterOf(t, func(t *testing.T, cluster *sharedStore) {
		var mu sync.Mutex
		passed := make(map[string]lobby.TournamentNotice)
		calls := 0
		cluster.configure = func(config *lobby.Config) {
			config.Notices = func(_ context.Context, notices []lobby.TournamentNotice) error {
				mu.Lock()
				defer mu.Unlock()
				if calls++; calls%3 == 0 {
					return errFlaky
				}
				for _, n := range notices {
					n.At, n.Until = n.At.UTC().Round(0), n.Until.UTC().Round(0) // which one node has read, and the other from its clock
					if before, known := passed[n.Key]; known && !reflect.DeepEqual(before, n) {
						t.Errorf("a notice was %+v, and now is %+v", before, n)
					}
					passed[n.Key] = n
				}
				return nil
			}
		}
		a, b := cluster.node("a"), cluster.node("b")
		defer b.Close()
		id, err := a.member("host").CreateTournament(t.Context(), cupTerms(t, tournament.FormatSwiss, tournament.Request{Pause: new(0), Rounds: 3}), false)
		if err != nil {
			t.Fatal(err)
		}
		advance(3 * time.Second)
		c := &cup{t: t, store: cluster.store, h: b, id: id, players: make(map[string]*lobby.Session)}
		for i := range 4 {
			name := fmt.Sprint("player", i)
			c.names = append(c.names, name)
			c.players[name] = []harness{a, b}[i%2].member(name)
			c.must(c.players[name], tournament.InputEnter)
		}
		c.must(a.member("host"), tournament.InputStart)
		advance(3 * time.Second)
		c.resignAll()
		advance(3 * time.Second)
		a.Close()
		for _, name := range c.names {
			c.players[name] = b.member(name)
		}
		s := c.finish(func() {})
		advance(30 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		for i := range s.Players {
			user := s.Players[i].User
			for _, key := range []string{"game/1", "game/2", "game/3", "closed/"} {
				n, ok := passed[fmt.Sprintf("%s/%s/%s", id, key, user)]
				if !ok || n.User != user || n.Name != "Cup" || n.Tournament != id || key != "closed/" && (len(n.Against) != 1 || !strings.HasPrefix(n.Against[0], "player") || n.Match == "" || n.Game != "Ayu 5×5") {
					t.Errorf("the notice %s to %s is %+v", key, user, n)
				}
			}
		}
	})
}
