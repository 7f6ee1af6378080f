package table_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

func rated(pool string, value float64) func(*table.User) {
	return func(u *table.User) {
		u.Ratings = map[string]rating.Rating{pool: {Value: value, Deviation: 60}}
	}
}

// any is the game of a quick match that accepts any game.
const any = "any"

// TestAQuickMatchAcceptsNoChallenge: whoever looks for any opponent has not accepted a challenge to them.
func TestAQuickMatchAcceptsNoChallenge(t *testing.T) {
	u := newUsers()
	quick, plain := open(t, u, table.Proposal{Quick: true}), openBy(t, u, bob, table.Proposal{})
	challenge, err := plain.Challenge(u[bob], u[ana])
	if err != nil {
		t.Fatal(err)
	}
	if _, found := quick.Pair([]*table.State{&challenge}, u.get, rules, opened); found {
		t.Error("the quick match of the challenged user is paired with the challenge")
	}
	if _, found := quick.Pair([]*table.State{&plain}, u.get, rules, opened); !found {
		t.Error("the quick match is not paired with the same table that is no challenge")
	}
}

func TestPair(t *testing.T) {
	no, slow := false, &clock.Control{Initial: clock.MaxInitial}
	quick, two := table.Proposal{Quick: true}, json.RawMessage(`{"players":2}`)
	for _, c := range []struct {
		what  string
		users users
		mine  table.Proposal
		other table.Proposal
		waves int
		want  bool
	}{
		{"two that accept any", newUsers(), quick, quick, 0, true},
		{"an open table", newUsers(), quick, table.Proposal{}, 0, true},
		{"an open table with a clock", newUsers(), quick, table.Proposal{Clock: slow}, 0, true},
		{"a correspondence table", newUsers(), quick, table.Proposal{Clock: days}, 0, false},
		{"a correspondence table that was asked for", newUsers(), table.Proposal{Quick: true, Clock: days}, table.Proposal{Clock: days}, 0, true},
		{"a private table", newUsers(), quick, table.Proposal{Private: true}, 0, false},
		{"other clocks", newUsers(), table.Proposal{Quick: true, Clock: slow}, table.Proposal{Quick: true, Clock: &clock.Default}, 0, false},
		{"one clock", newUsers(), table.Proposal{Quick: true, Clock: slow}, quick, 0, true},
		{"rated and casual", newUsers(), table.Proposal{Quick: true, Rated: &yes}, table.Proposal{Quick: true, Rated: &no}, 0, false},
		{"rated and any", newUsers(), table.Proposal{Quick: true, Rated: &yes}, quick, 0, true},
		{"rated and a casual table", newUsers(), table.Proposal{Quick: true, Rated: &yes}, table.Proposal{}, 0, false},
		{"other sizes", newUsers(), table.Proposal{Quick: true, Options: json.RawMessage(`{"size":5}`)},
			table.Proposal{Quick: true, Options: json.RawMessage(`{"size":7}`)}, 0, false},
		{"options that complete each other", newUsers(), table.Proposal{Quick: true, Options: json.RawMessage(`{"size":5}`)},
			table.Proposal{Quick: true, Options: json.RawMessage(`{"pie":false}`)}, 0, true},
		{"any game and a game", newUsers(), table.Proposal{Game: any, Quick: true}, table.Proposal{Game: "mu", Options: two, Quick: true}, 0, true},
		{"a game and any game", newUsers(), table.Proposal{Game: "mu", Options: two, Quick: true}, table.Proposal{Game: any, Quick: true}, 0, true},
		{"any game and any game", newUsers(), table.Proposal{Game: any, Quick: true}, table.Proposal{Game: any, Quick: true}, 0, true},
		{"any game and an open table", newUsers(), table.Proposal{Game: any, Quick: true}, table.Proposal{Game: "mu", Options: two}, 0, true},
		{"a table with a handicap", newUsers(), quick, table.Proposal{Options: json.RawMessage(`{"handicap":2}`)}, 0, false},
		{"a table from a position", newUsers(), quick, table.Proposal{Game: "mu", Options: fromLayout}, 0, false},
		{"other games", newUsers(), table.Proposal{Game: "mu", Quick: true}, quick, 0, false},
		{"another game's table", newUsers(), table.Proposal{Game: "mu", Quick: true}, table.Proposal{}, 0, false},
		{"any clock and days", newUsers(), quick, table.Proposal{Quick: true, Clock: days}, 0, false},
		{"days on both sides", newUsers(), table.Proposal{Quick: true, Clock: days}, table.Proposal{Quick: true, Clock: days}, 0, true},
		{"rated and a guest who accepts any", newUsers().with(bob, func(u *table.User) { u.ID = guest }), table.Proposal{Quick: true, Rated: &yes}, quick, 0, false},
		{"blocked", newUsers().with(bob, blocks(ana)), quick, quick, 0, false},
		{"a busy owner", newUsers().with(bob, func(u *table.User) { u.Running, u.Starting = 4, 1 }), quick, quick, 0, false},
		{"close ratings", newUsers().with(ana, rated("ayu", 1500)).with(bob, rated("ayu", 1600)), quick, quick, 0, true},
		{"distant ratings", newUsers().with(ana, rated("ayu", 1500)).with(bob, rated("ayu", 1601)), quick, quick, 0, false},
		{"distant ratings, after a wave", newUsers().with(ana, rated("ayu", 1500)).with(bob, rated("ayu", 1601)), quick, quick, 1, true},
	} {
		mine, other := openBy(t, c.users, ana, c.mine), openBy(t, c.users, bob, c.other)
		now := opened.Add(time.Duration(c.waves+1)*table.WaveInterval - 1)
		change, found := mine.Pair([]*table.State{&mine, &other}, c.users.get, rules, now)
		if found != c.want {
			t.Errorf("%s: paired is %v", c.what, found)
			continue
		}
		if !found {
			continue
		}
		if closed := change[0].Next; closed.ID != mine.ID || !closed.Closed || len(closed.Events) > 0 {
			t.Errorf("%s: the quick match is %+v", c.what, closed)
		}
		next := change[1].Next
		if next.ID != other.ID || !next.IsStarting() || !slices.Equal(next.Seated, []account.ID{bob, ana}) || other.IsSeated(ana) {
			t.Errorf("%s leads to %+v", c.what, next)
		}
		// Both are as before if the match cannot be started.
		back := next.StartFailed()
		if len(back) != 2 || back[0].Next.ID != other.ID || back[0].Next.IsSeated(ana) || back[0].Next.Control != other.Control ||
			back[1].Next.ID != mine.ID || !back[1].Next.CanPair() || back[1].Next.Version != change[0].Next.Version+1 {
			t.Errorf("%s: after a failed start %+v", c.what, back)
		}
	}
}

// TestPairAgreesOnTerms pairs two requests, of which each leaves open what the other asks for.
func TestPairAgreesOnTerms(t *testing.T) {
	slow := &clock.Control{Initial: clock.MaxInitial}
	for _, c := range []struct {
		what        string
		mine, other table.Proposal
		title       string
		control     clock.Control
		rated       bool
	}{
		{"nothing asked for", table.Proposal{Game: any}, table.Proposal{Game: any}, "Ayu 11×11, pie", clock.Default, false},
		{"the game of one", table.Proposal{Game: any}, table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":2,"segments":3}`)}, "Mu 2 players, 3 segments each", clock.Default, false},
		{"the game of the other", table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":2,"segments":3}`)}, table.Proposal{Game: any}, "Mu 2 players, 3 segments each", clock.Default, false},
		{"the rest in parts", table.Proposal{Game: "ayu", Clock: slow}, table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":7}`), Rated: &yes}, "Ayu 7×7, pie", *slow, true},
	} {
		c.mine.Quick, c.other.Quick = true, true
		u := newUsers()
		mine, other := openBy(t, u, ana, c.mine), openBy(t, u, bob, c.other)
		change, ok := mine.Pair([]*table.State{&other}, u.get, rules, opened)
		if !ok {
			t.Errorf("%s: not paired", c.what)
			continue
		}
		if n := change[1].Next; match.Title(n.Options) != c.title || n.Game != n.Options.Game().Name() || n.Control != c.control || n.Rated != c.rated {
			t.Errorf("%s: %s, %s of %s, rated is %v", c.what, match.Title(n.Options), n.Control, n.Game, n.Rated)
		}
	}
}

// TestPairKeepsWhatWasAgreed: who joins a request of two for a table of three has to accept what both asked for.
func TestPairKeepsWhatWasAgreed(t *testing.T) {
	u := newUsers()
	three := json.RawMessage(`{"players":3}`)
	slow := &clock.Control{Initial: clock.MaxInitial}
	first := openBy(t, u, ana, table.Proposal{Game: "mu", Options: three, Quick: true})
	second := openBy(t, u, bob, table.Proposal{Game: "mu", Options: three, Clock: slow, Quick: true})
	c, ok := second.Pair([]*table.State{&first}, u.get, rules, opened)
	if !ok {
		t.Fatal("two requests are not paired")
	}
	both := c[1].Next
	third := openBy(t, u, cyn, table.Proposal{Game: "mu", Options: three, Clock: &clock.Default, Quick: true})
	if _, ok := third.Pair([]*table.State{&both}, u.get, rules, opened); ok {
		t.Error("another clock replaces the one that was agreed on")
	}
	third = openBy(t, u, cyn, table.Proposal{Game: "mu", Quick: true})
	if c, ok := third.Pair([]*table.State{&both}, u.get, rules, opened); !ok || c[1].Next.Control != *slow || !c[1].Next.IsStarting() {
		t.Errorf("paired is %v: %+v", ok, c[1].Next.Terms)
	}
}

// TestPairTakesTheOldest has a quick match for a table of three, at which a seat stays free.
func TestPairTakesTheOldest(t *testing.T) {
	u := newUsers()
	three := table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`)}
	first, second := openBy(t, u, bob, three), openBy(t, u, cyn, three)
	three.Quick = true
	mine := openBy(t, u, ana, three)
	c, found := mine.Pair([]*table.State{&first, &second, &mine}, u.get, rules, opened)
	if !found || c[1].Next.ID != first.ID || c[1].Next.IsStarting() || !slices.Contains(c[1].Next.Ready, ana) {
		t.Errorf("paired %v: %+v", found, c[1].Next)
	}
}

// TestRatingsOfOnePoolAreCompared pairs users whose ratings are far apart for two players and close for
// three.
func TestRatingsOfOnePoolAreCompared(t *testing.T) {
	request := table.Proposal{Game: "mu", Quick: true, Options: json.RawMessage(`{"players":3}`)}
	ratings := func(two, many float64) func(*table.User) {
		return func(u *table.User) {
			u.Ratings = map[string]rating.Rating{
				account.Pool("mu", 2): {Value: two, Deviation: 60}, account.Pool("mu", 3): {Value: many, Deviation: 60},
			}
		}
	}
	for _, c := range []struct {
		what      string
		two, many float64 // of the other user; those of the first are 1500 and 2000
		fits      bool
	}{
		{"close in the pool that is played", 1000, 2010, true},
		{"far in the pool that is played", 2000, 1500, false},
	} {
		u := newUsers().with(ana, ratings(1500, 2000)).with(bob, ratings(c.two, c.many))
		mine, other := openBy(t, u, ana, request), openBy(t, u, bob, request)
		if _, ok := mine.Pair([]*table.State{&other}, u.get, rules, opened); ok != c.fits {
			t.Errorf("%s: fits is %v", c.what, ok)
		}
	}
}
