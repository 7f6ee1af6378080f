package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

func testRatingsOnce(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	info := Match(t, "m", "", ana, bob)
	Finish(t, s, info, 4, End(time.Minute, engine.ReasonResign, 1))
	first := rating.Update([]rating.Rating{rating.New, rating.New}, []int{1, 0})
	check := func(what string, want []rating.Rating) {
		t.Helper()
		for i, id := range []account.ID{ana.ID, bob.ID} {
			if got := Ratings(t, s, id); !reflect.DeepEqual(got, map[string]rating.Rating{"ayu": want[i]}) {
				t.Errorf("%s: seat %d has %+v, want %+v", what, i, got, want[i])
			}
		}
	}
	check("after one game", first)
	// Further attempts to end it, at any version, change nothing.
	for version := range 8 {
		Want(t, "end again", s.Append(ctx, "m", After(version), End(time.Hour, engine.ReasonResign, 0)), errcode.ErrVersionConflict)
	}
	check("after the refused ends", first)
	second := Match(t, "n", "", ana, bob)
	Finish(t, s, second, 4, End(time.Hour, engine.ReasonDraw, 0, 1))
	check("after a draw", rating.Update(first, []int{0, 0}))
	found := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 2}))
	if len(found) != 2 || !reflect.DeepEqual(found[1].RatingsAfter, first) {
		t.Errorf("the archive has %+v", found)
	}
}

func testUnrated(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, gone := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "gone")
	casual := Match(t, "casual", "", ana, bob)
	casual.Rated = false
	Finish(t, s, casual, 4, End(time.Minute, engine.ReasonResign, 0))
	Finish(t, s, Match(t, "abort", "", ana, bob), 4, End(time.Minute, engine.ReasonAbort))
	unstarted := End(time.Minute, engine.ReasonResign, 0)
	unstarted.TurnsMade = []int{1, 0}
	Finish(t, s, Match(t, "unstarted", "", ana, bob), 1, unstarted)
	Finish(t, s, Match(t, "guest", "", ana, Guest), 4, End(time.Minute, engine.ReasonResign, 0))
	deleted := Match(t, "deleted", "", ana, gone)
	Want(t, "delete", s.DeleteAccount(t.Context(), gone.ID, Start), nil)
	Finish(t, s, deleted, 4, End(time.Minute, engine.ReasonResign, 0))
	for _, id := range []account.ID{ana.ID, bob.ID} {
		if got := Ratings(t, s, id); len(got) != 0 {
			t.Errorf("account %d has %+v", id, got)
		}
	}
	found := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), lobby.MatchQuery{Limit: 10}))
	reasons := map[string]match.UnratedReason{"abort": match.UnratedAborted, "unstarted": match.UnratedShort,
		"guest": match.UnratedAccount, "deleted": match.UnratedAccount}
	for _, f := range found {
		if f.RatingsAfter != nil || f.Unrated != reasons[f.Info.ID] {
			t.Errorf("%s: %+v, %q", f.Info.ID, f.RatingsAfter, f.Unrated)
		}
		after, unrated, err := s.MatchRatings(t.Context(), f.Info.ID)
		if after != nil || unrated != f.Unrated || err != nil {
			t.Errorf("%s: %+v, %q, %v", f.Info.ID, after, unrated, err)
		}
		if f.Info.ID == "unstarted" && f.Turns != 1 {
			t.Errorf("%s: %d turns stand", f.Info.ID, f.Turns)
		}
	}
	if len(found) != 5 {
		t.Errorf("%d finished", len(found))
	}
}

func testPlaces(t *testing.T, open func() store.Store) {
	s := open()
	options := Options(t, "mu", `{"players":3,"segments":1}`)
	info := &match.Info{ID: "mu", Game: "mu", Options: options, Rated: true, Started: Start}
	for _, name := range []string{"ana", "bob", "cleo"} {
		info.Seats = append(info.Seats, Seat(Account(t, s, name)))
	}
	last := End(time.Minute, engine.ReasonScore, 1)
	last.Result.Scores, last.Result.Places = []int{7, 12, 9}, []int{2, 0, 1}
	last.TurnsMade, last.Sides = []int{1, 3, 3}, []string{"", "", ""} // one player has left early
	Finish(t, s, info, 6, last)
	after := rating.Update([]rating.Rating{rating.New, rating.New, rating.New}, []int{2, 0, 1})
	for i := range info.Seats {
		got := Ratings(t, s, info.Seats[i].Account)
		if !reflect.DeepEqual(got, map[string]rating.Rating{"mu-multi": after[i]}) {
			t.Errorf("seat %d has %+v, want %+v", i, got, after[i])
		}
	}
	found := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), lobby.MatchQuery{Limit: 1}))
	if len(found) != 1 || !reflect.DeepEqual(found[0].Result, *last.Result) || found[0].Info.Options != options {
		t.Errorf("the archive has %+v", found)
	}
	tally := Must[lobby.Tally](t)(s.Tally(t.Context(), info.Seats[1].Account, "mu"))
	if got := tally.BySide[""]; got.Won != 1 || tally.ByOptions["3 players, 1 segment each"].Won != 1 {
		t.Errorf("the record is %+v", tally)
	}
}

// testRepeatedMatches: of the games of two accounts within a day three count fully, three count
// less, and further ones do not count; a day later they count again. Games of other accounts are not
// affected.
func testRepeatedMatches(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	now := map[account.ID]rating.Rating{ana.ID: rating.New, bob.ID: rating.New, cleo.ID: rating.New}
	n := 0
	play := func(black, white account.Account, after time.Duration, weight float64) {
		t.Helper()
		n++
		id := fmt.Sprint("m", n)
		Finish(t, s, Match(t, id, "", black, white), 4, End(after, engine.ReasonResign, 0))
		got, unrated, err := s.MatchRatings(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if weight == 0 {
			if got != nil || unrated != match.UnratedRepeated {
				t.Errorf("%s: %v, %q", id, got, unrated)
			}
			return
		}
		given := rating.UpdateWeighted([]rating.Rating{now[black.ID], now[white.ID]}, []int{0, 1}, weight)
		want := []rating.Change{{Before: now[black.ID], After: given[0]}, {Before: now[white.ID], After: given[1]}}
		if !reflect.DeepEqual(got, want) || unrated != "" {
			t.Errorf("%s: %v, %q, want %v", id, got, unrated, want)
		}
		now[black.ID], now[white.ID] = given[0], given[1]
		for _, a := range []account.Account{black, white} {
			if r := Ratings(t, s, a.ID)["ayu"]; r != now[a.ID] {
				t.Errorf("%s: %s has %v, want %v", id, a.Name, r, now[a.ID])
			}
		}
	}
	for i, weight := range []float64{1, 1, 1, .5, .25, .125, 0, 0} {
		pair := []account.Account{ana, bob}
		play(pair[i%2], pair[1-i%2], time.Duration(i)*time.Hour, weight) // with either player as Black
	}
	play(ana, cleo, 8*time.Hour, 1)
	play(ana, bob, 24*time.Hour+time.Minute, .125) // the first of them is a day old
	play(ana, bob, 60*time.Hour, 1)
}

// testRepeatedMeetings: the pair that has met most often counts.
func testRepeatedMeetings(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	last := End(time.Minute, engine.ReasonScore, 1)
	last.TurnsMade, last.Sides, last.Result.Places = []int{3, 3, 3}, []string{"", "", ""}, []int{1, 0, 2}
	for n, third := range []string{"cleo", "dora", "eve", "fay", "gil", "hal", "ian", "joe"} {
		info := Match(t, third, "", ana, bob, Account(t, s, third))
		info.Game, info.Options = "mu", Options(t, "mu", `{"players":3,"segments":1}`)
		Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		Want(t, "end", s.Append(t.Context(), info.ID, After(0), last), nil)
		_, unrated, err := s.MatchRatings(t.Context(), info.ID)
		if repeated := unrated == match.UnratedRepeated; repeated != (n >= 6) || err != nil {
			t.Errorf("game %d: %q, %v", n+1, unrated, err)
		}
	}
}
