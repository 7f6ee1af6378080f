package search_test

import (
	"context"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
)

// TestRandomPlaysEveryGame plays each game to its end without an engine, and again with the same seed.
func TestRandomPlaysEveryGame(t *testing.T) {
	for _, g := range enginetest.Games {
		o, err := engine.MatchOptions(g, map[string]string{"size": "5", "segments": "1", "players": "3"})
		if err != nil {
			t.Fatal(err)
		}
		play := func(seed uint64) (played [][]string) {
			s := search.Engines{}.NewSearcher(g)
			p := g.New(o)
			for len(played) < 2000 {
				a, err := s.Search(t.Context(), p, search.Options{Level: search.MaxLevel, Seed: seed + uint64(len(played))})
				if _, over := p.Result(); over {
					if err != search.ErrNoTurn {
						t.Errorf("%s: after the end the error is %v", g.Name(), err)
					}
					return played
				}
				sum := 0.0
				for _, c := range a.Chances {
					sum += c
				}
				if err != nil || math.Abs(sum-1) > 1e-9 || len(a.Chances) != p.Seats() {
					t.Fatalf("%s: %+v, %v", g.Name(), a, err)
				}
				turn := a.Choices[0].Actions
				if p, err = engine.PlayTurn(p, turn); err != nil {
					t.Fatal(err)
				}
				played = append(played, turn)
			}
			return played
		}
		if first := play(1); !reflect.DeepEqual(first, play(1)) || reflect.DeepEqual(first, play(2)) {
			t.Errorf("%s: the seed does not decide the game", g.Name())
		}
	}
}

func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			given    search.Options
			level    int
			playouts int
			time     time.Duration // 0: no limit
		}{
			{search.Options{}, 0, 0, search.DefaultTime},
			{search.Options{}, 30, 30, 0},
			{search.Options{Playouts: 20}, 30, 20, 0},
			{search.Options{Playouts: 40, Time: time.Minute}, 30, 30, time.Minute},
			{search.Options{Playouts: 40}, 0, 40, 0},
		} {
			playouts, isTimeUp := c.given.Limits(t.Context(), c.level)
			before := isTimeUp()
			<-time.After(max(c.time, time.Nanosecond) - time.Nanosecond)
			almost := isTimeUp()
			<-time.After(time.Nanosecond)
			if playouts != c.playouts || before || almost || isTimeUp() != (c.time > 0) {
				t.Errorf("%+v on a level of %d: %d playouts, time is up: %t, %t, %t", c.given, c.level, playouts, before, almost, isTimeUp())
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, isTimeUp := search.Options{Playouts: 1}.Limits(ctx, 0)
		cancel()
		if !isTimeUp() {
			t.Error("a search goes on after the end of its context")
		}
	})
}
