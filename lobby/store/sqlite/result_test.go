package sqlite

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/rating"
)

func rated(t *testing.T, s *Store, id lobby.AccountID) map[string]lobby.Rating {
	t.Helper()
	return must[lobby.Account](t)(s.Account(t.Context(), id)).Ratings
}

func TestResultAndRatingsComeOnce(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		info := match(t, "m", "", ana, bob)
		finish(t, s, info, 4, end(time.Minute, engine.ReasonResign, 1))
		first := rating.Update([]lobby.Rating{rating.New, rating.New}, []int{1, 0})
		check := func(what string, want []lobby.Rating) {
			t.Helper()
			for i, id := range []lobby.AccountID{ana.ID, bob.ID} {
				if got := rated(t, s, id); !reflect.DeepEqual(got, map[string]lobby.Rating{"ayu": want[i]}) {
					t.Errorf("%s: seat %d has %+v, want %+v", what, i, got, want[i])
				}
			}
		}
		check("after one game", first)
		// Further attempts to end it, at any version, change nothing.
		for version := range 8 {
			want(t, "end again", s.Append(ctx, "m", version, end(time.Hour, engine.ReasonResign, 0)), lobby.ErrVersionConflict)
		}
		check("after the refused ends", first)
		second := match(t, "n", "", ana, bob)
		finish(t, s, second, 4, end(time.Hour, engine.ReasonDraw, 0, 1))
		check("after a draw", rating.Update(first, []int{0, 0}))
		found := must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 2}))
		if len(found) != 2 || !reflect.DeepEqual(found[1].RatingsAfter, first) {
			t.Errorf("the archive has %+v", found)
		}
	})
}

// TestEndsAtOnce ends the same matches, and matches of the same accounts, concurrently.
func TestEndsAtOnce(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		const matches, tries = 20, 4
		var done sync.WaitGroup
		taken := make(chan string, matches*tries)
		for i := range matches {
			info := match(t, fmt.Sprintf("m%02d", i), "", ana, bob)
			want(t, "create", s.CreateMatch(t.Context(), info), nil)
			turns := log(t, info, 2, newChance())
			want(t, "append", s.Append(t.Context(), info.ID, 0, turns...), nil)
			for range tries {
				done.Go(func() {
					if s.Append(t.Context(), info.ID, 2, end(time.Minute, engine.ReasonResign, i%2)) == nil {
						taken <- info.ID
					}
				})
			}
		}
		done.Wait()
		if len(taken) != matches {
			t.Errorf("%d of %d ends were taken for %d matches", len(taken), matches*tries, matches)
		}
		const count = 6 // of one day; see rating.Weight
		for _, id := range []lobby.AccountID{ana.ID, bob.ID} {
			if r := rated(t, s, id)["ayu"]; r.Games != count {
				t.Errorf("rated %d times for %d matches, want %d", r.Games, matches, count)
			}
			if h := must[[]lobby.RatingPoint](t)(s.RatingHistory(t.Context(), id, "ayu", 100)); len(h) != count {
				t.Errorf("%d points of history for %d matches, want %d", len(h), matches, count)
			}
		}
	})
}

func TestWhatIsNotRated(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob, gone := account(t, s, "ana"), account(t, s, "bob"), account(t, s, "gone")
		casual := match(t, "casual", "", ana, bob)
		casual.Rated = false
		finish(t, s, casual, 4, end(time.Minute, engine.ReasonResign, 0))
		finish(t, s, match(t, "abort", "", ana, bob), 4, end(time.Minute, engine.ReasonAbort))
		unstarted := end(time.Minute, engine.ReasonResign, 0)
		unstarted.TurnsMade = []int{1, 0}
		finish(t, s, match(t, "unstarted", "", ana, bob), 1, unstarted)
		finish(t, s, match(t, "guest", "", ana, guest), 4, end(time.Minute, engine.ReasonResign, 0))
		deleted := match(t, "deleted", "", ana, gone)
		want(t, "delete", s.DeleteAccount(t.Context(), gone.ID, start), nil)
		finish(t, s, deleted, 4, end(time.Minute, engine.ReasonResign, 0))
		for _, id := range []lobby.AccountID{ana.ID, bob.ID} {
			if got := rated(t, s, id); len(got) != 0 {
				t.Errorf("account %d has %+v", id, got)
			}
		}
		found := must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), lobby.MatchQuery{Limit: 10}))
		reasons := map[string]lobby.UnratedReason{"abort": lobby.UnratedAborted, "unstarted": lobby.UnratedShort,
			"guest": lobby.UnratedAccount, "deleted": lobby.UnratedAccount}
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
	})
}

func TestLargerTableIsRatedByPlaces(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		game, _ := enginetest.Games.ByName("mu")
		options := must[engine.Options](t)(game.ParseOptions([]byte(`{"players":3,"segments":1}`)))
		info := &lobby.MatchInfo{ID: "mu", Game: "mu", Options: options, Rated: true, Started: start}
		for _, name := range []string{"ana", "bob", "cleo"} {
			info.Seats = append(info.Seats, seat(account(t, s, name)))
		}
		last := end(time.Minute, engine.ReasonScore, 1)
		last.Result.Scores, last.Result.Places = []int{7, 12, 9}, []int{2, 0, 1}
		last.TurnsMade, last.Sides = []int{1, 3, 3}, []string{"", "", ""} // one player has left early
		finish(t, s, info, 6, last)
		after := rating.Update([]lobby.Rating{rating.New, rating.New, rating.New}, []int{2, 0, 1})
		for i := range info.Seats {
			got := rated(t, s, info.Seats[i].Account)
			if !reflect.DeepEqual(got, map[string]lobby.Rating{"mu-multi": after[i]}) {
				t.Errorf("seat %d has %+v, want %+v", i, got, after[i])
			}
		}
		found := must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), lobby.MatchQuery{Limit: 1}))
		if len(found) != 1 || !reflect.DeepEqual(found[0].Result, *last.Result) || found[0].Info.Options != options {
			t.Errorf("the archive has %+v", found)
		}
		tally := must[lobby.Tally](t)(s.Tally(t.Context(), info.Seats[1].Account, "mu"))
		if got := tally.BySide[""]; got.Won != 1 || tally.ByOptions["3 players, 1 segment each"].Won != 1 {
			t.Errorf("the record is %+v", tally)
		}
	})
}

func TestFinishedPages(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob, cleo := account(t, s, "ana"), account(t, s, "bob"), account(t, s, "cleo")
		// m03 and m04 end at the same time.
		for i, after := range []time.Duration{5, 1, 4, 3, 3, 2} {
			other := bob
			if i%2 == 1 {
				other = cleo
			}
			finish(t, s, match(t, fmt.Sprintf("m%02d", i), "", ana, other), 4, end(after*time.Hour, engine.ReasonResign, 0))
		}
		want(t, "create", s.CreateMatch(t.Context(), match(t, "open", "", ana, bob)), nil)
		for _, c := range []struct {
			q    lobby.MatchQuery
			want []string
		}{
			{lobby.MatchQuery{Limit: 10}, []string{"m00", "m02", "m04", "m03", "m05", "m01"}},
			{lobby.MatchQuery{Limit: 3}, []string{"m00", "m02", "m04"}},
			{lobby.MatchQuery{Limit: 3, Before: "m04"}, []string{"m03", "m05", "m01"}},
			{lobby.MatchQuery{Limit: 10, Player: ana.ID, Before: "m02"}, []string{"m04", "m03", "m05", "m01"}},
			{lobby.MatchQuery{Limit: 10, Player: cleo.ID}, []string{"m03", "m05", "m01"}},
			{lobby.MatchQuery{Limit: 1, Player: cleo.ID, Before: "m03"}, []string{"m05"}},
			{lobby.MatchQuery{Limit: 10, Before: "m01"}, nil},
			{lobby.MatchQuery{Limit: 10, Before: "open"}, nil},
			{lobby.MatchQuery{Limit: 10, Before: "nothing"}, nil},
			{lobby.MatchQuery{Limit: 10, Player: guest.ID}, nil},
			{lobby.MatchQuery{}, []string{"m00"}},
		} {
			var got []string
			for _, f := range must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), c.q)) {
				got = append(got, f.Info.ID)
				if len(f.Info.Seats) != 2 || f.Info.Seats[0].Name != "ana" || f.Turns != 4 || len(f.RatingsAfter) != 2 ||
					f.Result.Reason != engine.ReasonResign || !slices.Equal(f.Result.Winners, []int{0}) || f.Info.Options == nil {
					t.Errorf("%+v", f)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v, want %v", c.q, got, c.want)
			}
		}
	})
}

func TestRecordCountsBySideAndOptions(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		const pie = `{"size":7,"pie":true}`
		finish(t, s, match(t, "m1", "", ana, bob), 4, end(1, engine.ReasonImmobile, 0))
		finish(t, s, match(t, "m2", "", bob, ana), 4, end(2, engine.ReasonImmobile, 0))
		finish(t, s, match(t, "m3", "", bob, ana), 4, end(3, engine.ReasonDraw, 0, 1))
		finish(t, s, match(t, "m4", "", ana, bob), 4, end(4, engine.ReasonAbort))
		swapped := end(5, engine.ReasonTime, 0)
		swapped.Sides = []string{"w", "b"}
		finish(t, s, match(t, "m5", pie, ana, bob), 4, swapped)

		got := must[lobby.Tally](t)(s.Tally(t.Context(), ana.ID, "ayu"))
		want := lobby.Tally{
			Won: 2, Drawn: 1, Lost: 1,
			BySide:    map[string]lobby.Tally{"b": {Won: 1}, "w": {Won: 1, Drawn: 1, Lost: 1}},
			ByOptions: map[string]lobby.Tally{"5×5": {Won: 1, Drawn: 1, Lost: 1}, "7×7, pie": {Won: 1}},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
		if none := must[lobby.Tally](t)(s.Tally(t.Context(), ana.ID, "mu")); none.Won+none.Drawn+none.Lost != 0 {
			t.Errorf("of a game never played: %+v", none)
		}
	})
}

func TestTopListsSettledRatingsBestFirst(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		for i, value := range []float64{1500, 1800, 2400, 1800, 1650} {
			a := account(t, s, []string{"ana", "bob", "new", "cleo", "dora"}[i])
			deviation := 60.0
			if a.Name == "new" {
				deviation = 300
			}
			for pool, v := range map[string]float64{"ayu": value, "mu": 3000 - value} {
				r := lobby.Rating{Value: v, Deviation: deviation, Volatility: 0.06, Games: 9}
				if _, err := s.write.Exec("INSERT INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
					int64(a.ID), pool, r.Value, r.Deviation, r.Volatility, r.Games, r.IsEstablished()); err != nil {
					t.Fatal(err)
				}
			}
		}
		names := func(pool string, limit int) (names []string) {
			for _, a := range must[[]lobby.Account](t)(s.Leaderboard(t.Context(), pool, time.Time{}, 0, limit)) {
				names = append(names, a.Name)
				if len(a.Ratings) != 2 || a.Ratings[pool].Games != 9 {
					t.Errorf("%s has %+v", a.Name, a.Ratings)
				}
			}
			return names
		}
		if got := names("ayu", 10); !slices.Equal(got, []string{"bob", "cleo", "dora", "ana"}) {
			t.Errorf("top of ayu: %v", got)
		}
		if got := names("mu", 2); !slices.Equal(got, []string{"ana", "dora"}) {
			t.Errorf("top of mu: %v", got)
		}
		if got := names("go", 10); got != nil {
			t.Errorf("top of nothing: %v", got)
		}
	})
}

func TestHistoryIsTheLastGamesOldestFirst(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		now := []lobby.Rating{rating.New, rating.New}
		var points []lobby.RatingPoint
		for i := range 5 {
			after := time.Duration(i+1) * time.Hour
			finish(t, s, match(t, fmt.Sprint(i), "", ana, bob), 2, end(after, engine.ReasonTime, i%2))
			now = rating.UpdateWeighted(now, []int{i % 2, 1 - i%2}, rating.Weight(i))
			points = append(points, lobby.RatingPoint{At: start.Add(after), Value: now[0].Value})
		}
		for _, limit := range []int{1, 3, 5, 9} {
			got := must[[]lobby.RatingPoint](t)(s.RatingHistory(t.Context(), ana.ID, "ayu", limit))
			if want := points[max(len(points)-limit, 0):]; !reflect.DeepEqual(got, want) {
				t.Errorf("the last %d: %v, want %v", limit, got, want)
			}
		}
	})
}

func TestDeletedAccountLeavesItsGamesUnderANeutralName(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := account(t, s, "ana"), account(t, s, "bob")
		finish(t, s, match(t, "m", "", ana, bob), 4, end(time.Minute, engine.ReasonResign, 0))
		want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte("x")), nil)
		want(t, "delete", s.DeleteAccount(ctx, ana.ID, start), nil)
		want(t, "delete again", s.DeleteAccount(ctx, ana.ID, start), lobby.ErrNotFound)
		want(t, "delete nobody", s.DeleteAccount(ctx, 99, start), lobby.ErrNotFound)

		neutral := fmt.Sprintf("deleted-%d", ana.ID)
		a := must[lobby.Account](t)(s.Account(ctx, ana.ID))
		if a.Name != neutral || len(a.Ratings) != 0 || a.Settings != nil {
			t.Errorf("left is %+v", a)
		}
		_, err := s.AccountByKey(ctx, []byte("key of ana"))
		want(t, "key", err, lobby.ErrNotFound)
		for _, name := range []string{"ana", neutral} {
			_, err = s.AccountByName(ctx, name)
			want(t, "name "+name, err, lobby.ErrNotFound)
		}
		if h := must[[]lobby.RatingPoint](t)(s.RatingHistory(ctx, ana.ID, "ayu", 9)); len(h) != 0 {
			t.Errorf("history %v", h)
		}
		info, _, err := s.Match(ctx, "m")
		if err != nil || info.Seats[0].Name != neutral || info.Seats[1].Name != "bob" {
			t.Errorf("the match is %+v, %v", info, err)
		}
		if f := must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 9, Player: bob.ID})); len(f) != 1 || f[0].Info.Seats[0].Name != neutral {
			t.Errorf("the archive has %+v", f)
		}
		// A session that is still open restores nothing.
		_, err = s.Rename(ctx, ana.ID, "anna", start)
		want(t, "rename", err, lobby.ErrNotFound)
		want(t, "key", s.AddKey(ctx, ana.ID, []byte("second"), start), lobby.ErrNotFound)
		want(t, "settings", s.SaveSettings(ctx, ana.ID, []byte("x")), lobby.ErrNotFound)
		// The name and similar ones are not free for 30 days.
		late := start.Add(30 * 24 * time.Hour)
		for _, name := range []string{"ana", "ANA", "a-n_a"} {
			_, err := s.CreateAccount(ctx, name, []byte("new key"), late.Add(-1))
			want(t, "create "+name, err, lobby.ErrTaken)
			_, err = s.Rename(ctx, bob.ID, name, late.Add(-1))
			want(t, "rename to "+name, err, lobby.ErrTaken)
		}
		again, err := s.CreateAccount(ctx, "ana", []byte("key of ana"), late)
		if err != nil || again.ID == ana.ID {
			t.Errorf("after 30 days: %+v, %v", again, err)
		}
		want(t, "delete", s.DeleteAccount(ctx, bob.ID, late), nil)
		reserved := 0
		if err := s.read.QueryRow("SELECT count(*) FROM reserved").Scan(&reserved); err != nil || reserved != 1 {
			t.Errorf("%d names are reserved, %v", reserved, err)
		}
	})
}

// TestLobbyEndsAreFiled plays through the lobby: the turns and sides of its ends are those that were
// played.
func TestLobbyEndsAreFiled(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		ctx, yes := t.Context(), true
		l := must[*lobby.Lobby](t)(lobby.New(ctx, lobby.Config{Games: enginetest.Games, Store: s}))
		defer l.Close()
		var who [2]*lobby.Session
		for i, name := range []string{"ana", "bob"} {
			who[i] = must[*lobby.Session](t)(l.Enter(account(t, s, name), nil))
		}
		table := must[*lobby.Table](t)(who[0].Open(ctx, lobby.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), Rated: &yes}))
		id := must[string](t)(who[1].Join(ctx, table.ID, ""))
		var seats [2]*lobby.Player
		for _, s := range who {
			p := must[*lobby.Player](t)(s.Sit(id))
			seats[p.Seat()] = p
		}
		for v, action := range []string{"b1-b2", "swap", "", ""} {
			p := seats[0].Snapshot().Position
			if action == "" {
				action = p.Legal()[0]
			}
			must[int](t)(seats[p.Turn()].Act(ctx, v, []string{action}))
		}
		want(t, "resign", seats[0].Resign(ctx), nil)
		found := must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 1}))
		if len(found) != 1 || found[0].Turns != 4 || len(found[0].RatingsAfter) != 2 || found[0].RatingsAfter[1].Value <= found[0].RatingsAfter[0].Value {
			t.Fatalf("the archive has %+v", found)
		}
		for i, want := range []lobby.Tally{{Lost: 1}, {Won: 1}} {
			side := []string{"w", "b"}[i] // they swapped
			tally := must[lobby.Tally](t)(s.Tally(ctx, found[0].Info.Seats[i].Account, "ayu"))
			if got := tally.BySide[side]; !reflect.DeepEqual(got, want) {
				t.Errorf("seat %d as %s: %+v", i, side, tally)
			}
		}
	})
}
