package bots_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

// scaledEngine plays like another engine at once, and has the scale of a real one.
type scaledEngine struct {
	search.Engine
	search.Scaled
}

func (e scaledEngine) NewSearcher() search.Searcher { return e.Engine.NewSearcher() }

// withRatedBots is withHarness with bots whose levels have the scale of the real engines.
func withRatedBots(t *testing.T, f func(t *testing.T, l *lobby.Lobby, builtin *bots.Bots, reopen func() *bots.Bots)) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		engines := searchtest.Engines(enginetest.Games, fastEngine)
		for name, e := range engines {
			engines[name] = scaledEngine{e, enginetest.Engines[name].(search.Scaled)}
		}
		open := func() *bots.Bots {
			builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: engines, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			return builtin
		}
		builtin := open()
		f(t, l, builtin, func() *bots.Bots {
			builtin.Close()
			builtin = open()
			return builtin
		})
		builtin.Close()
	})
}

// ratingsOf returns the ratings of a user who is online.
func ratingsOf(t *testing.T, l *lobby.Lobby, name string) map[string]rating.Rating {
	t.Helper()
	for u := range l.View().Users.All() {
		if u.Name == name {
			return u.Ratings
		}
	}
	t.Fatalf("%s is not online", name)
	return nil
}

// TestBotsBeginWithTheRatingOfTheirLevel, in all pools, established and without games; further bots of a level too.
func TestBotsBeginWithTheRatingOfTheirLevel(t *testing.T) {
	withRatedBots(t, func(t *testing.T, l *lobby.Lobby, builtin *bots.Bots, reopen func() *bots.Bots) {
		want := map[string][bots.MaxLevel + 1]float64{
			"ayu": {624, 1300, 1575, 1977, 2413, 2977},
			"mu":  {696, 1300, 1450, 1580, 1723, 1964},
		}
		want["mu-multi"] = want["mu"]
		check := func(name string, level int) {
			t.Helper()
			got := ratingsOf(t, l, name)
			if len(got) != len(want) {
				t.Errorf("%s has %v", name, got)
			}
			for pool, values := range want {
				if r := got[pool]; r.Value != values[level] || !r.IsEstablished() || r.Games != 0 {
					t.Errorf("%s has %v in %s, want %v", name, r, pool, values[level])
				}
			}
		}
		for level := bots.MinLevel; level <= bots.MaxLevel; level++ {
			check(builtin.Name(level), level)
		}
		ana := lobbytest.Member(t, l, "ana")
		defer ana.Close(false)
		match, err := builtin.Play(t.Context(), ana, 2, table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		check("Brook-2", 2)
		for _, seat := range finish(t, ana, match).Info.Seats {
			if seat.Bot && (seat.Rating == nil || seat.Rating.Value != 1450) {
				t.Errorf("%s begins with %v", seat.Name, seat.Rating)
			}
		}
	})
}

// TestLossesAgainstBotsCountByLevel: a newcomer who loses a rated game to level 5 loses about nothing, to level 1 a lot. The
// bot keeps the rating that it has then when the server starts again.
func TestLossesAgainstBotsCountByLevel(t *testing.T) {
	withRatedBots(t, func(t *testing.T, l *lobby.Lobby, builtin *bots.Bots, reopen func() *bots.Bots) {
		rated := true
		for level, want := range map[int]float64{1: -302, 3: -36, 5: 0} {
			name := builtin.Name(level)
			ana := lobbytest.Member(t, l, "loses-to-"+name)
			match, err := builtin.Play(t.Context(), ana, level, table.Proposal{Game: "ayu", Rated: &rated, Options: []byte(`{"size":5,"pie":false}`)})
			if err != nil {
				t.Fatal(err)
			}
			p, err := ana.AsPlayer(match)
			if err != nil {
				t.Fatal(err)
			}
			for p.Snapshot().Turns < 4 {
				if snap := p.Snapshot(); snap.Position.Turn() == p.Seat() {
					if _, err := p.Act(t.Context(), snap.Version, snap.Position.Legal()[:1]); err != nil {
						t.Fatal(err)
					}
				}
				advance(2 * time.Second)
			}
			if err := p.Resign(t.Context()); err != nil {
				t.Fatal(err)
			}
			advance(time.Minute)
			s := p.Snapshot()
			if len(s.Ratings) != 2 {
				t.Fatalf("level %d: the ratings %v, %q", level, s.Ratings, s.Unrated)
			}
			own, bot := s.Ratings[p.Seat()], s.Ratings[1-p.Seat()]
			if change := own.After.Value - own.Before.Value; math.Abs(change-want) > 1 {
				t.Errorf("a loss against level %d costs %.1f, want %.0f", level, change, want)
			}
			if gain := bot.After.Value - bot.Before.Value; gain < 0 || gain > 5 {
				t.Errorf("the bot of level %d gains %.1f", level, gain)
			}
			ana.Close(false)
			after := ratingsOf(t, l, name)["ayu"]
			if builtin = reopen(); ratingsOf(t, l, name)["ayu"] != after || after.Games != 1 {
				t.Errorf("level %d begins again with %v, want %v", level, ratingsOf(t, l, name)["ayu"], after)
			}
		}
	})
}
