package lobby_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestFarmingGivesNoRating repeats an attack that led a leaderboard within four seconds: two accounts play
// 340 rated games of two turns, all of which one account loses.
func TestFarmingGivesNoRating(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		winner, loser, yes := h.member("winner"), h.member("loser"), true
		for range 340 {
			seats := h.pair(winner, loser, table.Proposal{Rated: &yes})
			turn(t, seats)
			turn(t, seats)
			resign(t, loser, seats)
			s := seats[0].Snapshot()
			if s.Ratings != nil || s.Unrated != match.UnratedShort {
				t.Fatalf("ratings %v, unrated %q", s.Ratings, s.Unrated)
			}
			advance(10 * time.Second)
		}
		for _, who := range []*lobby.Session{winner, loser} {
			p, err := h.Archive.ProfileByID(t.Context(), who.Account().ID)
			if err != nil || len(p.Account.Ratings) != 0 {
				t.Errorf("%s has %v, %v", who.Account().Name, p.Account.Ratings, err)
			}
		}
	})
}

func resign(t *testing.T, s *lobby.Session, seats [2]*lobby.Player) {
	t.Helper()
	p, err := s.AsPlayer(seats[0].Match().Info.ID)
	if err == nil {
		err = p.Resign(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestLongFarmingIsBounded: two accounts play games that are long enough all day: six of them count, and
// neither account gets onto the leaderboard, however many days they continue.
func TestLongFarmingIsBounded(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		winner, loser, yes := h.member("winner"), h.member("loser"), true
		counted := 0
		for i := range 40 {
			seats := h.pair(winner, loser, table.Proposal{Options: smallOptions, Rated: &yes})
			for range 4 {
				turn(t, seats)
			}
			resign(t, loser, seats)
			s := seats[0].Snapshot()
			if len(s.Ratings) == 2 {
				counted++
			} else if s.Unrated != match.UnratedRepeated {
				t.Fatalf("game %d: %v, %q", i, s.Ratings, s.Unrated)
			}
			advance(time.Hour)
		}
		if counted != 12 { // within two days
			t.Errorf("%d of 40 games counted", counted)
		}
		if top, err := h.Archive.Leaderboard(t.Context(), "ayu", 10); err != nil || len(top) != 0 {
			t.Errorf("the leaderboard has %v, %v", top, err)
		}
	})
}

// TestEarlyLeaverOfManyDoesNotUndoTheRating: the others in a game of three have played on.
func TestEarlyLeaverOfManyDoesNotUndoTheRating(t *testing.T) {
	options := options(t, "mu", `{"players":3,"segments":2}`) // 5 turns are needed
	for _, c := range []struct {
		made []int
		want bool
	}{
		{[]int{9, 9, 9}, true}, {[]int{1, 5, 5}, true}, {[]int{0, 5, 5}, false}, {[]int{4, 4, 5}, false}, {[]int{4, 4, 4}, false},
	} {
		if got := match.IsLongEnough(options, match.Entry{TurnsMade: c.made}); got != c.want {
			t.Errorf("turns %v: %v", c.made, got)
		}
	}
}

// TestMinimumOfTurns has all sizes that can be chosen.
func TestMinimumOfTurns(t *testing.T) {
	for _, c := range []struct {
		game, options string
		least         int
	}{
		{"ayu", `{"size":3}`, 1}, {"ayu", `{"size":5}`, 2}, {"ayu", `{"size":7}`, 3}, {"ayu", `{"size":9}`, 4},
		{"ayu", `{"size":11}`, 5}, {"ayu", `{"size":13}`, 6}, {"ayu", `{"size":15}`, 7},
		{"mu", `{"players":2,"segments":1}`, 3}, {"mu", `{"players":2,"segments":7}`, 15}, {"mu", `{"players":2,"segments":8}`, 17},
	} {
		o := options(t, c.game, c.options)
		for made, want := range map[int]bool{c.least - 1: false, c.least: true} {
			if got := match.IsLongEnough(o, match.Entry{TurnsMade: []int{c.least, made}}); got != want {
				t.Errorf("%s, %d turns: %v", fmt.Sprint(c.game, " ", o), made, got)
			}
		}
	}
}

func options(t *testing.T, game, text string) engine.Options {
	t.Helper()
	g, _ := enginetest.Games.ByName(game)
	o, err := g.ParseOptions([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestRatedGamesFromOneAddress: rated games from one address are allowed unless the setting forbids them,
// in every way to start a game; casual games and other addresses are always allowed.
func TestRatedGamesFromOneAddress(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		yes := true
		ana, bob, far := h.member("ana"), h.member("bob"), h.member("far")
		ana.SetAddr(addr1)
		bob.SetAddr(addr1)
		far.SetAddr(addr2)
		rated, casual := table.Proposal{Game: "ayu", Options: smallOptions, Rated: &yes}, table.Proposal{Game: "ayu", Options: smallOptions}
		seats := h.pair(ana, bob, rated)
		resign(t, bob, seats)
		limits := h.Limits()
		limits.RatedDistinctAddresses = true
		h.SetLimits(limits)
		for _, p := range seats {
			err := p.Offer(t.Context(), match.OfferRematch)
			if p == seats[1] {
				wantCode(t, "rematch", err, errcode.NotAllowed)
			}
		}
		table, err := ana.OpenTable(t.Context(), rated)
		if err != nil {
			t.Fatal(err)
		}
		_, err = bob.JoinTable(t.Context(), table.ID, "")
		wantCode(t, "join", err, errcode.NotAllowed)
		quick := rated
		quick.Quick = true
		if _, err := bob.OpenTable(t.Context(), quick); err != nil {
			t.Fatal(err)
		}
		advance(10 * time.Second)
		if n := len(bob.SeatedMatches()); n != 1 {
			t.Errorf("bob sits at %d matches", n)
		}
		h.pair(ana, bob, casual)
		h.pair(far, bob, rated)
	})
}
