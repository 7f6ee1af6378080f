package sqlite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/rating"
	"ayumu/lobby/store/storetest"
)

// world is a server in a simulation, with the ratings and the leaderboard of a real store. No address occurs in it: what
// happens with accounts does not depend on whether they come from one address or from many.
type world struct {
	t     *testing.T
	s     *Store
	games int
}

const day = 24 * time.Hour

// newWorld returns a server with open or closed access. Where access is closed, everything is rated and listed as it was
// everywhere before newcomers had rules of their own.
func newWorld(t *testing.T, open bool) *world {
	s, err := OpenMemory(enginetest.Games)
	opened(t, s, err)
	want(t, "access", s.SetOpen(t.Context(), open), nil)
	return &world{t: t, s: s}
}

// accounts creates n accounts at a time after the start.
func (w *world) accounts(n int, at time.Duration) (all []account.Account) {
	for range n {
		w.games++
		name := fmt.Sprint("u", w.games)
		all = append(all, must[account.Account](w.t)(w.s.CreateAccount(w.t.Context(), name, []byte("key of "+name), start.Add(at))))
	}
	return all
}

// veterans creates n accounts of a year ago with an established rating.
func (w *world) veterans(n int, value float64) []account.Account {
	all := w.accounts(n, -365*day)
	for _, a := range all {
		r := rating.Rating{Value: value, Deviation: 80, Volatility: 0.06}
		want(w.t, "a rating", w.s.StartRatings(w.t.Context(), a.ID, map[string]rating.Rating{"ayu": r}), nil)
	}
	return all
}

// play stores a rated game between two accounts that ends at a time after the start; the winners are its seats.
func (w *world) play(a, b account.Account, at time.Duration, winners ...int) {
	w.games++
	finish(w.t, w.s, newMatch(w.t, fmt.Sprint("m", w.games), "", a, b), 0, storetest.End(at, engine.ReasonResign, winners...))
}

func (w *world) rating(a account.Account) rating.Rating {
	r, _ := must[account.Account](w.t)(w.s.Account(w.t.Context(), a.ID)).Rating("ayu")
	return r
}

// places returns how many of the accounts are on the leaderboard at a time, and how many of them among the first ten.
func (w *world) places(of []account.Account, at time.Duration) (listed, first int) {
	ours := make(map[account.ID]bool)
	for _, a := range of {
		ours[a.ID] = true
	}
	r := lobby.ClosedRequirements
	if must[bool](w.t)(w.s.IsOpen(w.t.Context())) {
		r = lobby.OpenRequirements
	}
	for i, a := range must[[]account.Account](w.t)(w.s.Leaderboard(w.t.Context(), "ayu", start.Add(at-lobby.LeaderboardWindow), r, 100)) {
		if ours[a.ID] {
			if listed++; i < 10 {
				first++
			}
		}
	}
	return listed, first
}

// farm has 40 accounts lose to each champion, all within a minute. Then the champions draw with each other three times
// within a day, or once on each of three days.
func (w *world) farm(champions, puppets []account.Account, at time.Duration, days int) {
	for i, puppet := range puppets {
		w.play(champions[i/40], puppet, at+time.Duration(i)*100*time.Millisecond, 0)
	}
	for i, a := range champions {
		for _, b := range champions[:i] {
			for n := range 3 {
				w.play(a, b, at+time.Duration(n%days)*day+time.Minute, 0, 1)
			}
		}
	}
}

// farmed is what an attack with ten champions and 400 puppets, 535 games, achieved.
type farmed struct{ value, listed, first, reports int }

func (w *world) farmed(champions []account.Account, at time.Duration) farmed {
	listed, first := w.places(champions, at)
	return farmed{int(w.rating(champions[9]).Value + .5), listed, first, must[int](w.t)(w.s.CountReports(w.t.Context()))}
}

// TestFarmedRatings measures what accounts that are made to lose to others are worth. docs/ratings.md has the figures.
func TestFarmedRatings(t *testing.T) {
	for _, test := range []struct {
		name                          string
		open                          bool
		championsAge, puppetsAge, day time.Duration
		days                          int
		want                          farmed
	}{
		{"before", false, 0, 0, 0, 1, farmed{2208, 10, 10, 0}},
		{"at once", true, 0, 0, 0, 1, farmed{2208, 0, 0, 10}},
		{"three days", true, 0, 0, 0, 3, farmed{2208, 0, 0, 10}},
		{"champions that waited for a week", true, 7 * day, 0, 7 * day, 1, farmed{2208, 0, 0, 10}},
		// This is not prevented: the moderators have been told for three days.
		{"champions that waited for a week, three days", true, 7 * day, 0, 7 * day, 3, farmed{2208, 10, 10, 10}},
		{"all waited for a week, three days", true, 7 * day, 7 * day, 7 * day, 3, farmed{2208, 10, 10, 10}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.open)
			champions, puppets := w.accounts(10, test.day-test.championsAge), w.accounts(400, test.day-test.puppetsAge)
			w.farm(champions, puppets, test.day, test.days)
			if got := w.farmed(champions, test.day+time.Duration(test.days)*day); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

// TestNewcomersMoveTheEstablishedLess: what an established player gains and loses by newcomers, and by others.
func TestNewcomersMoveTheEstablishedLess(t *testing.T) {
	for _, open := range []bool{false, true} {
		for _, test := range []struct {
			what            string
			newcomers, wins int // games, each against another opponent
			closed, open    int // the change
		}{
			{"40 newcomers lose", 40, 40, 222, 70},
			{"10 newcomers win", 10, 0, -150, -41},
			{"20 newcomers, half of them win", 20, 10, -74, -21},
		} {
			w := newWorld(t, open)
			v := w.veterans(1, 1700)[0]
			for i, n := range w.accounts(test.newcomers, 0) {
				winner := 0
				if i*(test.newcomers-test.wins)/test.newcomers != (i+1)*(test.newcomers-test.wins)/test.newcomers {
					winner = 1
				}
				w.play(v, n, time.Minute, winner)
				if r := w.rating(n); r.Deviation > 320 {
					t.Errorf("%s: a newcomer moves to %v", test.what, r)
				}
			}
			want := test.closed
			if open {
				want = test.open
			}
			if got := int(math.Round(w.rating(v).Value - 1700)); got != want {
				t.Errorf("open %v: %s: %+d, want %+d", open, test.what, got, want)
			}
		}
	}
}

// TestSchoolGetsOntoTheLeaderboard: 30 honest newcomers of one school, with strengths that differ as those of people do,
// play four games each on two evenings a week. Their ratings become right as fast as where nobody is a newcomer, and they
// are on the leaderboard about one evening later.
func TestSchoolGetsOntoTheLeaderboard(t *testing.T) {
	type evening struct {
		established, listed int
		off                 float64 // root mean square error of the ratings
	}
	school := func(open bool) (all []evening) {
		w, rnd := newWorld(t, open), rand.New(rand.NewPCG(3, 1))
		pupils, strength := w.accounts(30, 0), make([]float64, 30)
		for i := range strength {
			strength[i] = 1500 + 250*rnd.NormFloat64()
		}
		for n := range 12 {
			at := time.Duration(n/2*7+n%2*3) * day
			for range 4 {
				order := rnd.Perm(len(pupils))
				for i := 0; i < len(order); i += 2 {
					a, b := order[i], order[i+1]
					winner := 0
					if rnd.Float64() > 1/(1+math.Pow(10, (strength[b]-strength[a])/400)) {
						winner = 1
					}
					w.play(pupils[a], pupils[b], at+time.Hour, winner)
				}
			}
			e, variance := evening{}, 0.0
			e.listed, _ = w.places(pupils, at+2*time.Hour)
			for i, p := range pupils {
				r := w.rating(p)
				if r.IsEstablished() {
					e.established++
				}
				variance += (r.Value - strength[i]) * (r.Value - strength[i]) / 30
			}
			e.off = math.Sqrt(variance)
			all = append(all, e)
			t.Logf("open %v, day %d, %d games: %+v", open, at/day, 4*(n+1), e)
		}
		if n := must[int](t)(w.s.CountReports(t.Context())); n != 0 {
			t.Errorf("%d reports about honest newcomers", n)
		}
		return all
	}
	closed, open := school(false), school(true)
	for n := range open {
		if open[n].off > closed[n].off*1.1+5 {
			t.Errorf("after evening %d the ratings are off by %.0f, %.0f where nobody is a newcomer", n+1, open[n].off, closed[n].off)
		}
	}
	if e := open[4]; e.listed < 20 { // two weeks after the first evening
		t.Errorf("after five evenings %+v", e)
	}
	if e := open[11]; e.listed < 29 {
		t.Errorf("after twelve evenings %+v", e)
	}
}

// TestClubIsListedAsBefore: in a club of eight with closed access everybody is on the leaderboard after an evening on which
// everybody has played everybody three times. Where access is open nobody is, until they have met on more days.
func TestClubIsListedAsBefore(t *testing.T) {
	for _, open := range []bool{false, true} {
		w := newWorld(t, open)
		members := w.accounts(8, 0)
		for _, at := range []time.Duration{0, 7 * day, 8 * day, 14 * day} {
			for i, a := range members {
				for _, b := range members[:i] {
					for n := range 3 {
						w.play(a, b, at+time.Minute, n%2)
					}
				}
			}
			want := 8
			if open && at < 14*day {
				want = 0
			}
			if listed, _ := w.places(members, at+day); listed != want {
				t.Errorf("open %v: after day %d are listed %d, want %d", open, at/day, listed, want)
			}
		}
	}
}
