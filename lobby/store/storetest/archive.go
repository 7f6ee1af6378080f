package storetest

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/store"
)

func testFinishedMatches(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	// m03 and m04 end at the same time.
	for i, after := range []time.Duration{5, 1, 4, 3, 3, 2} {
		other := bob
		if i%2 == 1 {
			other = cleo
		}
		Finish(t, s, Match(t, fmt.Sprintf("m%02d", i), "", ana, other), 4, End(after*time.Hour, engine.ReasonResign, 0))
	}
	Want(t, "create", s.CreateMatch(t.Context(), Match(t, "open", "", ana, bob), lobby.MatchStart{}), nil)
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
		{lobby.MatchQuery{Limit: 10, Player: Guest.ID}, nil},
		{lobby.MatchQuery{}, []string{"m00"}},
	} {
		var got []string
		for _, f := range Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), c.q)) {
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
}

func testTally(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	const pie = `{"size":7,"pie":true}`
	Finish(t, s, Match(t, "m1", "", ana, bob), 4, End(1, engine.ReasonImmobile, 0))
	Finish(t, s, Match(t, "m2", "", bob, ana), 4, End(2, engine.ReasonImmobile, 0))
	Finish(t, s, Match(t, "m3", "", bob, ana), 4, End(3, engine.ReasonDraw, 0, 1))
	Finish(t, s, Match(t, "m4", "", ana, bob), 4, End(4, engine.ReasonAbort))
	swapped := End(5, engine.ReasonTime, 0)
	swapped.Sides = []string{"w", "b"}
	Finish(t, s, Match(t, "m5", pie, ana, bob), 4, swapped)

	got := Must[lobby.Tally](t)(s.Tally(t.Context(), ana.ID, "ayu"))
	want := lobby.Tally{
		Won: 2, Drawn: 1, Lost: 1,
		BySide:    map[string]lobby.Tally{"b": {Won: 1}, "w": {Won: 1, Drawn: 1, Lost: 1}},
		ByOptions: map[string]lobby.Tally{"5×5": {Won: 1, Drawn: 1, Lost: 1}, "7×7, pie": {Won: 1}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	carl := Account(t, s, "carl")
	for i, reason := range []string{engine.ReasonAbort, engine.ReasonImmobile} {
		if a := Must[account.Account](t)(s.Account(t.Context(), carl.ID)); a.HasPlayed {
			t.Errorf("an account has played after %d aborted matches", i)
		}
		Finish(t, s, Match(t, fmt.Sprint("c", i), "", ana, carl), 4, End(6, reason, 0))
	}
	if a := Must[account.Account](t)(s.Account(t.Context(), carl.ID)); !a.HasPlayed {
		t.Error("an account that has finished a match has not played")
	}
	if none := Must[lobby.Tally](t)(s.Tally(t.Context(), ana.ID, "mu")); none.Won+none.Drawn+none.Lost != 0 {
		t.Errorf("of a game never played: %+v", none)
	}
}

func testRatingHistory(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	now := []rating.Rating{rating.New, rating.New}
	var points []lobby.RatingPoint
	for i := range 5 {
		after := time.Duration(i+1) * time.Hour
		Finish(t, s, Match(t, fmt.Sprint(i), "", ana, bob), 2, End(after, engine.ReasonTime, i%2))
		now = rating.UpdateWeighted(now, []int{i % 2, 1 - i%2}, rating.Weight(i))
		points = append(points, lobby.RatingPoint{At: Start.Add(after), Value: now[0].Value})
	}
	for _, limit := range []int{1, 3, 5, 9} {
		got := Must[[]lobby.RatingPoint](t)(s.RatingHistory(t.Context(), ana.ID, "ayu", limit))
		if want := points[max(len(points)-limit, 0):]; !reflect.DeepEqual(got, want) {
			t.Errorf("the last %d: %v, want %v", limit, got, want)
		}
	}
}

// testLeaderboard: where access is closed, an account that has met only one other is not listed, whatever its rating;
// where it is open, it also has to have met established players, whose accounts are not new, on several days.
func testLeaderboard(t *testing.T, open func() store.Store) {
	s := open()
	var all []account.Account
	for _, name := range []string{"champ", "puppet", "ana", "bob", "cleo", "dora", "eve", "fay"} {
		all = append(all, Account(t, s, name))
	}
	n := 0
	finish := func(black, white account.Account, isRated bool, day, hour, winner int) {
		n++
		at := time.Duration(24*day+hour) * time.Hour
		info := Match(t, fmt.Sprint("m", n), "", black, white)
		info.Rated = isRated
		Finish(t, s, info, 4, End(at, engine.ReasonResign, winner))
	}
	play := func(black, white account.Account, day, hour, winner int) {
		finish(black, white, true, day, hour, winner)
	}
	for day := range 10 {
		for hour := range 3 {
			play(all[0], all[1], day, hour, hour/2) // champ wins two of three
		}
		for i, a := range all[2:] { // everybody plays everybody else
			for _, b := range all[2:][:i] {
				play(a, b, day, 3, day%2)
			}
			finish(all[0], a, false, day, 4, 0)
		}
	}
	// What is rated in another pool does not count, and casual games do not.
	known := rating.Rating{Value: 3000, Deviation: 50, Volatility: 0.06}
	gus := Account(t, s, "gus")
	for _, a := range []account.Account{gus, all[2], all[3]} {
		Want(t, "a rating of another pool", s.StartRatings(t.Context(), a.ID, map[string]rating.Rating{"mu": known}), nil)
	}
	play(all[2], gus, 9, 5, 1)
	listed := func(since time.Time, r lobby.Requirements) (names []string) {
		last := math.Inf(1)
		for _, a := range Must[[]account.Account](t)(s.Leaderboard(t.Context(), "ayu", since, r, 10)) {
			names = append(names, a.Name)
			if value := a.Ratings["ayu"].Value; value > last {
				t.Errorf("%s with %v is listed below %v", a.Name, value, last)
			} else {
				last = value
			}
			if !a.Ratings["ayu"].IsEstablished() {
				t.Errorf("%s: %v", a.Name, a.Ratings)
			}
		}
		return names
	}
	if r := Ratings(t, s, all[0].ID)["ayu"]; !r.IsEstablished() || r.Value < 1540 {
		t.Fatalf("champ has %v, which would lead", r)
	}
	day := func(n int) time.Time { return Start.Add(time.Duration(n) * 24 * time.Hour) }
	for _, test := range []struct {
		what  string
		since time.Time
		r     lobby.Requirements
		want  int
	}{
		{"closed: all but those who have met only each other", Start, lobby.ClosedRequirements, 6},
		{"closed: within the last day", day(9), lobby.ClosedRequirements, 6},
		{"closed: nobody has played since", day(10), lobby.ClosedRequirements, 0},
		{"with any opponent: all but the one whose rating is of another pool", Start, lobby.Requirements{Opponents: 1, Days: 1}, 8},
		{"open: with established opponents on three days", day(7), lobby.OpenRequirements, 6},
		{"open: on two days", day(8), lobby.OpenRequirements, 0},
		{"open: the opponents are five", day(7), lobby.Requirements{Opponents: 6, Days: 3, Established: true}, 0},
		{"open: the accounts are a week old on the last three days only", Start, lobby.Requirements{Opponents: 5, Days: 4, Established: true}, 0},
	} {
		if got := listed(test.since, test.r); len(got) != test.want {
			t.Errorf("%s: %v, want %d", test.what, got, test.want)
		}
	}
	// Bots do not count as opponents where access is open.
	Want(t, "a bot", s.SetBot(t.Context(), all[7].ID, true), nil)
	if got := listed(Start, lobby.OpenRequirements); !slices.Equal(got, []string{"fay"}) {
		t.Errorf("of five people and a bot are listed %v", got)
	}
	if got := listed(Start, lobby.ClosedRequirements); len(got) != 6 {
		t.Errorf("closed, of five people and a bot are listed %v", got)
	}
}

// testOpenAccess: access is open until it is said to be closed.
func testOpenAccess(t *testing.T, open func() store.Store) {
	s := open()
	for i, want := range []bool{true, true, false, false, true} {
		if i > 0 {
			Want(t, "store", s.SetOpen(t.Context(), want), nil)
		}
		if got := Must[bool](t)(s.IsOpen(t.Context())); got != want {
			t.Errorf("after %d changes access is open: %v", i, got)
		}
	}
}

// testFaults: the faults of an account or guest are found by time, newest first, whoever else was in the match.
func testFaults(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	fault := func(after time.Duration, seat int) match.Entry {
		end := End(after, engine.ReasonAbort)
		end.Seat, end.Fault = seat, true
		return end
	}
	digest, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	guests := func(id string) *match.Info {
		info := Match(t, id, "", Guest, Guest)
		info.Rated, info.Seats[0].ReturnDigest, info.Seats[1].ReturnDigest = false, digest, other
		return info
	}
	Finish(t, s, Match(t, "m1", "", ana, bob), 0, fault(1*time.Hour, 0))
	Finish(t, s, Match(t, "m2", "", ana, bob), 0, fault(2*time.Hour, 1))
	Finish(t, s, Match(t, "m3", "", bob, ana), 0, fault(3*time.Hour, 1))
	Finish(t, s, Match(t, "m4", "", ana, bob), 4, End(4*time.Hour, engine.ReasonResign, 0))
	Finish(t, s, Match(t, "m5", "", ana, bob), 0, End(5*time.Hour, engine.ReasonAbort))
	Finish(t, s, guests("g1"), 0, fault(6*time.Hour, 0))
	Finish(t, s, guests("g2"), 0, fault(7*time.Hour, 1))
	three := &match.Info{ID: "t", Game: "mu", Options: Options(t, "mu", `{"players":3,"segments":1}`), Started: Start}
	three.Seats = []match.Seat{Seat(ana), Seat(bob), Seat(Account(t, s, "cleo"))}
	Want(t, "create", s.CreateMatch(t.Context(), three, lobby.MatchStart{}), nil)
	leave := match.Entry{Kind: match.EntryLeave, Seat: 0, Reason: "absent", Fault: true, At: Start.Add(8 * time.Hour)}
	last := End(9*time.Hour, engine.ReasonLeft, 1)
	last.TurnsMade, last.Sides = []int{1, 1, 0}, []string{"", "", ""}
	Want(t, "leave", s.Append(t.Context(), "t", After(0), leave), nil)
	Want(t, "end", s.Append(t.Context(), "t", After(1), last), nil)
	for _, c := range []struct {
		id    account.ID
		guest string
		since time.Duration
		limit int
		want  []time.Duration // in hours
	}{
		{ana.ID, "", 0, 9, []time.Duration{9, 3, 1}}, {ana.ID, "", 0, 2, []time.Duration{9, 3}}, {ana.ID, "", time.Hour, 9, []time.Duration{9, 3}},
		{bob.ID, "", 0, 9, []time.Duration{2}}, {Guest.ID, digest, 0, 9, []time.Duration{6}}, {Guest.ID, other, 0, 9, []time.Duration{7}},
		{Guest.ID, digest, 6 * time.Hour, 9, nil}, {Guest.ID, "none", 0, 9, nil}, {ana.ID, "", 9 * time.Hour, 9, nil},
	} {
		got := Must[[]time.Time](t)(s.Faults(t.Context(), c.id, c.guest, Start.Add(c.since), c.limit))
		var want []time.Time
		for _, hours := range c.want {
			want = append(want, Start.Add(hours*time.Hour))
		}
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("faults of %d %q since %v: %v, want %v", c.id, c.guest, c.since, got, want)
		}
	}
}

// testDepartures: the archive has why seats left a match of three or more, also if the match was not read
// since.
func testDepartures(t *testing.T, open func() store.Store) {
	s := open()
	info := &match.Info{ID: "m", Game: "mu", Options: Options(t, "mu", `{"players":3,"segments":1}`), Started: Start}
	for _, name := range []string{"ana", "bob", "cleo"} {
		info.Seats = append(info.Seats, Seat(Account(t, s, name)))
	}
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	leave := func(seat int, reason string) match.Entry {
		return match.Entry{Kind: match.EntryLeave, Seat: seat, Reason: reason, At: Start}
	}
	Want(t, "leave", s.Append(t.Context(), "m", After(0), leave(2, "time")), nil)
	last := End(time.Minute, engine.ReasonLeft, 1)
	last.TurnsMade, last.Sides = []int{1, 1, 0}, []string{"", "", ""}
	Want(t, "leave and end", s.Append(t.Context(), "m", After(1), leave(0, "resign"), last), nil)
	found := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(t.Context(), lobby.MatchQuery{Limit: 1}))
	if want := []string{"resign", "", "time"}; len(found) != 1 || !slices.Equal(found[0].Departures, want) || found[0].Turns != 2 {
		t.Errorf("the archive has %+v, want the departures %q", found, want)
	}
}
