package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

// week is the age from which on an account is not new.
const week = 7 * 24 * time.Hour

// established is a rating that is established, as StartRatings stores it.
var established = rating.Rating{Value: 1800, Deviation: 80, Volatility: 0.06}

// old creates an account a week before Start with an established rating.
func old(t *testing.T, s store.Store, name string) account.Account {
	t.Helper()
	a := Must[account.Account](t)(s.CreateAccount(t.Context(), name, []byte("key of "+name), Start.Add(-week)))
	Want(t, "a rating", s.StartRatings(t.Context(), a.ID, map[string]rating.Rating{"ayu": established, "mu-multi": established}), nil)
	return Must[account.Account](t)(s.Account(t.Context(), a.ID))
}

// testNewcomers: a newcomer moves the rating of an established player by a quarter, and their own in full. A newcomer has a
// rating that is not established, or an account that is younger than a week. Where access is closed, nobody is a newcomer.
func testNewcomers(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := old(t, s, "ana"), old(t, s, "bob")
	fresh := Account(t, s, "fresh") // with an established rating, but its account is new
	Want(t, "a rating", s.StartRatings(t.Context(), fresh.ID, map[string]rating.Rating{"ayu": established}), nil)
	weak := Must[account.Account](t)(s.CreateAccount(t.Context(), "weak", []byte("key of weak"), Start.Add(-week)))
	n := 0
	play := func(what string, end match.Entry, a, b account.Account, weights ...float64) {
		t.Helper()
		n++
		before := []rating.Rating{ratingOf(t, s, a), ratingOf(t, s, b)}
		Finish(t, s, Match(t, fmt.Sprint("n", n), "", a, b), 4, end)
		want := rating.UpdateEach(before, []int{0, 1}, weights)
		if got := []rating.Rating{ratingOf(t, s, a), ratingOf(t, s, b)}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	won := End(time.Minute, engine.ReasonResign, 0)
	play("two established players", won, ana, bob, 1, 1)
	play("against a provisional rating", won, ana, weak, .25, 1)
	play("a provisional rating wins", won, weak, bob, 1, .25)
	play("against a new account", won, ana, fresh, .25, 1)
	play("two newcomers", won, weak, fresh, 1, 1)
	play("when the account is a week old", End(week, engine.ReasonResign, 0), bob, fresh, 1, 1)
	Want(t, "close", s.SetOpen(t.Context(), false), nil)
	play("where access is closed", won, ana, weak, 1, 1)
	Want(t, "open", s.SetOpen(t.Context(), true), nil)

	last := End(time.Minute, engine.ReasonScore, 1)
	last.TurnsMade, last.Sides, last.Result.Places = []int{3, 3, 3}, []string{"", "", ""}, []int{1, 0, 2}
	info := Match(t, "three", "", ana, bob, fresh)
	info.Game, info.Options = "mu", Options(t, "mu", `{"players":3,"segments":1}`)
	Finish(t, s, info, 0, last)
	want := rating.UpdateEach([]rating.Rating{established, established, rating.New}, []int{1, 0, 2}, []float64{.625, .625, 1})
	for i, a := range []account.Account{ana, bob, fresh} {
		if got := Ratings(t, s, a.ID)["mu-multi"]; got != want[i] {
			t.Errorf("a newcomer among three: seat %d has %v, want %v", i, got, want[i])
		}
	}
}

// ratingOf returns the rating of an account in matches of Ayu.
func ratingOf(t *testing.T, s store.Store, a account.Account) rating.Rating {
	t.Helper()
	r, _ := Must[account.Account](t)(s.Account(t.Context(), a.ID)).Rating("ayu")
	return r
}

// testBuiltInPlayers: the rating of a built-in player begins where its level is, moves by a quarter, and is no
// newcomer's, although its account is new. Built-in players are neither members nor on the leaderboard.
func testBuiltInPlayers(t *testing.T, open func() store.Store) {
	s := open()
	ana := old(t, s, "ana")
	bot := Must[account.Account](t)(s.CreateAccount(t.Context(), "Summit", []byte(account.BuiltInKey+"5"), Start))
	Want(t, "a bot", s.SetBot(t.Context(), bot.ID, true), nil)
	start := func(value float64) {
		t.Helper()
		r := rating.Rating{Value: value, Deviation: 75, Volatility: 0.06}
		Want(t, "the first rating", s.StartRatings(t.Context(), bot.ID, map[string]rating.Rating{"ayu": r}), nil)
	}
	start(1500)
	start(1900) // the measurement has changed, and nobody has played
	bot = Must[account.Account](t)(s.Account(t.Context(), bot.ID))
	before := []rating.Rating{ratingOf(t, s, ana), ratingOf(t, s, bot)}
	if before[1].Value != 1900 || before[1].Games != 0 {
		t.Fatalf("the built-in player begins with %v", before[1])
	}
	Finish(t, s, Match(t, "m", "", ana, bot), 4, End(time.Minute, engine.ReasonResign, 0))
	after := rating.UpdateEach(before, []int{0, 1}, []float64{1, .25})
	changes, _, err := s.MatchRatings(t.Context(), "m")
	want := []rating.Change{{Before: before[0], After: after[0]}, {Before: before[1], After: after[1]}}
	if err != nil || !reflect.DeepEqual(changes, want) {
		t.Errorf("a win against it changes %v, want %v; %v", changes, want, err)
	}
	start(2500)
	if got := ratingOf(t, s, bot); got != after[1] {
		t.Errorf("after a game it has %v, want %v", got, after[1])
	}
	for _, a := range Must[[]account.Account](t)(s.Leaderboard(t.Context(), "ayu", Start, lobby.Requirements{}, 10)) {
		if a.ID == bot.ID {
			t.Error("it is on the leaderboard")
		}
	}
	for _, m := range Must[[]club.Member](t)(s.Members(t.Context(), "", 10)) {
		if m.Account.ID == bot.ID {
			t.Error("it is among the members")
		}
	}
}

// testManyNewcomers: who wins against ten new accounts within a week is reported to the moderators, once in a week, by the
// server. Neither a win against nine or against players who are not new is, nor what happens where access is closed. An
// old account without games is new.
func testManyNewcomers(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, cleo := old(t, s, "ana"), old(t, s, "bob"), old(t, s, "cleo")
	n := 0
	finish := func(winner, loser account.Account, isRated bool, after time.Duration) {
		t.Helper()
		n++
		seat, seats := n%2, []account.Account{winner, loser}
		if seat == 1 {
			slices.Reverse(seats)
		}
		info := Match(t, fmt.Sprint("w", n), "", seats...)
		info.Rated = isRated
		Finish(t, s, info, 4, End(after, engine.ReasonResign, seat))
	}
	play := func(winner, loser account.Account, after time.Duration) {
		t.Helper()
		finish(winner, loser, true, after)
	}
	reports := func() (about []string) {
		t.Helper()
		for _, r := range Must[[]club.Report](t)(s.OpenReports(t.Context(), 0, 10)) {
			about = append(about, r.About)
			if r.Reporter != "the server" || !strings.Contains(r.Text, "10 accounts that were younger than 7 days or have at most 3 rated games have lost rated games to "+r.About+" within 7 days") {
				t.Errorf("the report is %+v", r)
			}
		}
		return about
	}
	var others []account.Account // who have played before
	for i := range 12 {
		others = append(others, old(t, s, fmt.Sprint("other", i)))
		for _, o := range others[:i] {
			play(others[i], o, time.Minute)
		}
	}
	for i := range 12 {
		fresh := Account(t, s, fmt.Sprint("fresh", i))
		if i%2 == 1 {
			fresh = old(t, s, fmt.Sprint("waited", i))
		}
		play(ana, fresh, time.Duration(i)*time.Hour)
		if i < 9 {
			play(bob, fresh, time.Duration(i)*time.Hour)
			play(fresh, cleo, time.Duration(i)*time.Hour) // a newcomer who wins
		}
		play(cleo, others[i%len(others)], time.Duration(i)*time.Hour)
		want := []string(nil)
		if i >= 9 {
			want = []string{"ana"}
		}
		if got := reports(); !slices.Equal(got, want) {
			t.Fatalf("after %d newcomers about %v", i+1, got)
		}
	}
	Want(t, "close", s.CloseReport(t.Context(), 1, "mod", "resolves report 1", Start), nil)
	play(ana, Account(t, s, "late"), 20*time.Hour)
	if got := reports(); got != nil {
		t.Errorf("reported again within a week: %v", got)
	}
	// Bob has beaten nine. What else bob does with newcomers makes no tenth one.
	tenth := Account(t, s, "tenth")
	finish(bob, tenth, false, 20*time.Hour)
	play(tenth, bob, 20*time.Hour)
	play(bob, others[0], 20*time.Hour)
	play(bob, Account(t, s, "later"), 9*24*time.Hour)
	if got := reports(); got != nil {
		t.Errorf("reported for casual games, lost ones and those of another week: %v", got)
	}
	Want(t, "close", s.SetOpen(t.Context(), false), nil)
	play(bob, Account(t, s, "pupil"), 21*time.Hour)
	if got := reports(); got != nil {
		t.Errorf("reported where access is closed: %v", got)
	}
}
