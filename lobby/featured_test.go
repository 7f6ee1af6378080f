package lobby_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestFeaturedMatchHasPlayers: a match between people who are present is featured before one with a bot, and
// matches whose people have all gone are neither featured nor offered for watching until somebody is back.
func TestFeaturedMatchHasPlayers(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		bot := func(name string) *lobby.Session {
			s := h.member(name)
			s.Close(false)
			if err := h.store.SetBot(t.Context(), s.Account().ID, true); err != nil {
				t.Fatal(err)
			}
			return h.member(name)
		}
		pebble, brook, eve := bot("pebble"), bot("brook"), h.member("eve")
		names := make(map[string]string)
		start := func(name string, a, b *lobby.Session) {
			id := h.pair(a, b, table.Proposal{Options: smallOptions})[0].Match().Info.ID
			names[id] = name
			advance(time.Second)
		}
		want := func(what string, featured string, offered ...string) {
			t.Helper()
			v := h.View()
			var got []string
			for _, m := range v.WatchableBy(eve.Account().ID) {
				got = append(got, names[m.ID])
			}
			if names[v.Featured] != featured || !slices.Equal(got, offered) {
				t.Errorf("%s: %q is featured and %q are offered, want %q and %q", what, names[v.Featured], got, featured, offered)
			}
		}
		want("no matches", "")
		start("bots", pebble, brook)
		want("only bots play", "bots", "bots")
		ana := h.member("ana")
		start("ana-pebble", ana, pebble)
		want("a person plays a bot", "ana-pebble", "ana-pebble", "bots")
		bob, cleo := h.member("bob"), h.member("cleo")
		start("bob-cleo", bob, cleo)
		want("two people play", "bob-cleo", "bob-cleo", "ana-pebble", "bots")
		dora := h.member("dora")
		start("dora-ana", dora, ana)
		want("a second match of people", "bob-cleo", "bob-cleo", "dora-ana", "ana-pebble", "bots")
		cleo.Close(false)
		advance(time.Second)
		want("cleo may be back at once", "bob-cleo", "bob-cleo", "dora-ana", "ana-pebble", "bots")
		advance(10 * time.Second)
		want("cleo is away", "dora-ana", "dora-ana", "bob-cleo", "ana-pebble", "bots")
		bob.Close(false)
		ana.Close(false)
		advance(10 * time.Second)
		want("bob, cleo and ana are away", "dora-ana", "dora-ana", "bots")
		dora.Close(false)
		advance(10 * time.Second)
		want("only bots are left", "bots", "bots")
		if n := len(h.View().Matches); n != 4 {
			t.Errorf("%d matches are listed, want all 4", n)
		}
		h.member("ana")
		advance(time.Second)
		want("ana is back", "dora-ana", "dora-ana", "ana-pebble", "bots")
	})
}

// TestMatchesOfPeopleAreOfferedFirst: an older match of people comes before a newer one with a bot.
func TestMatchesOfPeopleAreOfferedFirst(t *testing.T) {
	listing := func(id string, interest match.Interest) *lobby.MatchListing {
		return &lobby.MatchListing{ID: id, Info: new(match.Info), Interest: interest}
	}
	v := &lobby.View{Featured: "featured", Matches: []*lobby.MatchListing{
		listing("bots", match.InterestBots), listing("new", match.InterestPeople), listing("person", match.InterestPerson),
		listing("left", match.InterestNone), listing("old", match.InterestPeople), listing("featured", match.InterestPeople),
	}}
	var got []string
	for _, m := range v.WatchableBy(1) {
		got = append(got, m.ID)
	}
	if want := []string{"featured", "new", "old", "bots", "person"}; !slices.Equal(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
}

// TestStrongestMatchIsFeatured: among matches of people the strongest is featured, and among equals the one with
// the latest turn. It stays featured while it runs.
func TestStrongestMatchIsFeatured(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		start := func(a, b *lobby.Session) [2]*lobby.Player {
			seats := h.pair(a, b, table.Proposal{Options: smallOptions})
			advance(time.Second)
			return seats
		}
		guests := start(h.enter(h.Accounts.NewGuest()), h.enter(h.Accounts.NewGuest()))
		first, second := start(h.member("ana"), h.member("bob")), start(h.member("cleo"), h.member("dora"))
		turn(t, first)
		want := func(what string, seats [2]*lobby.Player) {
			t.Helper()
			if got := h.View().Featured; got != seats[0].Match().Info.ID {
				t.Errorf("%s: %q is featured", what, got)
			}
		}
		want("the latest turn", first)
		advance(time.Second)
		turn(t, second)
		want("it stays", first)
		if err := first[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		want("the next one", second)
		if err := second[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		want("guests", guests)
		if err := guests[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		long := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}})
		advance(time.Second)
		want("a game over days", long)
		live := h.pair(h.enter(h.Accounts.NewGuest()), h.enter(h.Accounts.NewGuest()), table.Proposal{Options: smallOptions, Clock: &clock.Control{Initial: 5 * time.Minute}})
		advance(time.Second)
		want("a live game, however weak its players", live)
	})
}
