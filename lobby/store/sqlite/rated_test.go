package sqlite

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/rating"
)

// TestRepeatedGamesCountLess: of the games of two accounts within a day three count fully, three count
// less, and further ones do not count; a day later they count again. Games of other accounts are not
// affected.
func TestRepeatedGamesCountLess(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob, cleo := account(t, s, "ana"), account(t, s, "bob"), account(t, s, "cleo")
		now := map[lobby.AccountID]lobby.Rating{ana.ID: rating.New, bob.ID: rating.New, cleo.ID: rating.New}
		n := 0
		play := func(black, white lobby.Account, after time.Duration, weight float64) {
			t.Helper()
			n++
			id := fmt.Sprint("m", n)
			finish(t, s, match(t, id, "", black, white), 4, end(after, engine.ReasonResign, 0))
			got, unrated, err := s.MatchRatings(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if weight == 0 {
				if got != nil || unrated != lobby.UnratedRepeated {
					t.Errorf("%s: %v, %q", id, got, unrated)
				}
				return
			}
			given := rating.UpdateWeighted([]lobby.Rating{now[black.ID], now[white.ID]}, []int{0, 1}, weight)
			want := []lobby.RatingChange{{Before: now[black.ID], After: given[0]}, {Before: now[white.ID], After: given[1]}}
			if !reflect.DeepEqual(got, want) || unrated != "" {
				t.Errorf("%s: %v, %q, want %v", id, got, unrated, want)
			}
			now[black.ID], now[white.ID] = given[0], given[1]
			for _, a := range []lobby.Account{black, white} {
				if r := rated(t, s, a.ID)["ayu"]; r != now[a.ID] {
					t.Errorf("%s: %s has %v, want %v", id, a.Name, r, now[a.ID])
				}
			}
		}
		for i, weight := range []float64{1, 1, 1, .5, .25, .125, 0, 0} {
			pair := []lobby.Account{ana, bob}
			play(pair[i%2], pair[1-i%2], time.Duration(i)*time.Hour, weight) // with either player as Black
		}
		play(ana, cleo, 8*time.Hour, 1)
		play(ana, bob, 24*time.Hour+time.Minute, .125) // the first of them is a day old
		play(ana, bob, 60*time.Hour, 1)
	})
}

// TestManyAtATableMeetByPairs: the pair that has met most often counts.
func TestManyAtATableMeetByPairs(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		last := end(time.Minute, engine.ReasonScore, 1)
		last.TurnsMade, last.Sides, last.Result.Places = []int{3, 3, 3}, []string{"", "", ""}, []int{1, 0, 2}
		for n, third := range []string{"cleo", "dora", "eve", "fay", "gil", "hal", "ian", "joe"} {
			info := match(t, third, "", ana, bob, account(t, s, third))
			info.Game, info.Options = "mu", options(t, "mu", `{"players":3,"segments":1}`)
			want(t, "create", s.CreateMatch(t.Context(), info), nil)
			want(t, "end", s.Append(t.Context(), info.ID, 0, last), nil)
			_, unrated, err := s.MatchRatings(t.Context(), info.ID)
			if repeated := unrated == lobby.UnratedRepeated; repeated != (n >= 6) || err != nil {
				t.Errorf("game %d: %q, %v", n+1, unrated, err)
			}
		}
	})
}

// TestLeaderboardAsksForOpponents: an account that has met only one other is not listed, whatever its
// rating.
func TestLeaderboardAsksForOpponents(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		var all []lobby.Account
		for _, name := range []string{"champ", "puppet", "ana", "bob", "cleo", "dora"} {
			all = append(all, account(t, s, name))
		}
		n := 0
		play := func(black, white lobby.Account, day, hour, winner int) {
			n++
			at := time.Duration(24*day+hour) * time.Hour
			finish(t, s, match(t, fmt.Sprint("m", n), "", black, white), 4, end(at, engine.ReasonResign, winner))
		}
		for day := range 10 {
			for hour := range 3 {
				play(all[0], all[1], day, hour, hour/2) // champ wins two of three
			}
			for i, a := range all[2:] { // everybody plays everybody else
				for _, b := range all[2:][:i] {
					play(a, b, day, 5, day%2)
				}
			}
		}
		names := func(since time.Time) (names []string) {
			for _, a := range must[[]lobby.Account](t)(s.Leaderboard(t.Context(), "ayu", since, lobby.LeaderboardOpponents, 10)) {
				names = append(names, a.Name)
				if !a.Ratings["ayu"].IsEstablished() {
					t.Errorf("%s: %v", a.Name, a.Ratings)
				}
			}
			return names
		}
		if r := rated(t, s, all[0].ID)["ayu"]; !r.IsEstablished() || r.Value < 1540 {
			t.Fatalf("champ has %v, which would lead", r)
		}
		if got := names(start); len(got) != 4 {
			t.Errorf("honest players are settled after 30 games each, and only they lead: %v", got)
		}
		if got := names(start.Add(9 * 24 * time.Hour)); len(got) != 4 {
			t.Errorf("within the last day: %v", got)
		}
		if got := names(start.Add(10 * 24 * time.Hour)); len(got) != 0 {
			t.Errorf("nobody has played since: %v", got)
		}
	})
}

func options(t *testing.T, game, text string) engine.Options {
	t.Helper()
	g, _ := enginetest.Games.ByName(game)
	return must[engine.Options](t)(g.ParseOptions([]byte(text)))
}
