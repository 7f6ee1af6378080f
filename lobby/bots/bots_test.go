package bots_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/store"
)

// first takes the first legal action, after the time it was given.
type first struct{ slow bool }

func (f first) Think(ctx context.Context, p engine.Position, level int, budget time.Duration) (string, error) {
	if f.slow {
		select {
		case <-time.After(budget):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return p.Legal()[0], nil
}

// house is a lobby with bots and one member, in a bubble.
type house struct {
	l   *lobby.Lobby
	co  *bots.Company
	ana *lobby.Session
}

func inBubble(t *testing.T, th bots.Thinker, f func(t *testing.T, h house)) {
	synctest.Test(t, func(t *testing.T) {
		kept, err := store.OpenMemory()
		if err != nil {
			t.Fatal(err)
		}
		defer kept.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Store: kept})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		report := func(msg string, kv ...any) { t.Error(msg, kv) }
		co, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: kept, Thinker: th, Workers: 1, Report: report})
		if err != nil {
			t.Fatal(err)
		}
		defer co.Close()
		a, err := l.Register(t.Context(), "ana", []byte("key"))
		if err != nil {
			t.Fatal(err)
		}
		ana, err := l.Enter(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer ana.Close(false)
		f(t, house{l, co, ana})
	})
}

// pass lets time pass, and whatever it sets off happen.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// finish plays the session's own turns at once until the match is over.
func finish(t *testing.T, s *lobby.Session, match string) *lobby.Snapshot {
	t.Helper()
	p, err := s.Sit(match)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		snap := p.Snapshot()
		if snap.Over() {
			return snap
		}
		if snap.Position.Turn() != p.Seat() {
			pass(100 * time.Millisecond)
			continue
		}
		var actions []string
		for pos := snap.Position; ; {
			legal := pos.Legal()
			action := legal[len(legal)-1]
			if snap.Turns > 60 {
				action = legal[0] // "end", once there was enough of it
			}
			if pos, err = pos.Play(action); err != nil {
				t.Fatal(err)
			}
			if actions = append(actions, action); !pos.MidTurn() {
				break
			}
		}
		if _, err := p.Act(t.Context(), snap.Version, actions); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("the match does not end: %s", p.Snapshot().Position)
	return nil
}

func TestBotsPlayWholeGames(t *testing.T) {
	inBubble(t, first{}, func(t *testing.T, h house) {
		for level := 1; level <= bots.Levels; level++ {
			match, err := h.co.Play(t.Context(), h.ana, level, lobby.Proposal{Game: "ayu", Options: []byte(`{"size":5}`)})
			if err != nil {
				t.Fatal(err)
			}
			s := finish(t, h.ana, match)
			if s.Result.Reason != engine.Immobile {
				t.Errorf("ended by %s", s.Result.Reason)
			}
			marked := 0
			for _, seat := range s.Info.Seats {
				if seat.Bot && seat.Name == h.co.Name(level) {
					marked++
				}
			}
			if marked != 1 {
				t.Errorf("level %d sits as %+v", level, s.Info.Seats)
			}
		}
		if _, err := h.co.Play(t.Context(), h.ana, 6, lobby.Proposal{Game: "ayu"}); err == nil {
			t.Error("there is a sixth level")
		}
	})
}

func TestBotsFillATableOfMu(t *testing.T) {
	inBubble(t, first{}, func(t *testing.T, h house) {
		match, err := h.co.Play(t.Context(), h.ana, 3, lobby.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		if s := finish(t, h.ana, match); len(s.Info.Seats) != 4 {
			t.Errorf("%d seats", len(s.Info.Seats))
		}
	})
}

func TestABotTakesAChallengeAndARematch(t *testing.T) {
	inBubble(t, first{}, func(t *testing.T, h house) {
		if _, err := h.ana.Open(t.Context(), lobby.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), To: h.co.Name(2)}); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		all := h.ana.Seated()
		if len(all) != 1 {
			t.Fatalf("ana sits at %d matches", len(all))
		}
		finish(t, h.ana, all[0].Info.ID)
		p, err := h.ana.Sit(all[0].Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Offer(t.Context(), lobby.OfferRematch); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if p.Snapshot().Next == "" {
			t.Error("the bot does not play again")
		}
	})
}

func TestABotNeverLosesOnTime(t *testing.T) {
	for _, c := range []clock.Control{{Initial: 10 * time.Second}, {Initial: time.Minute, Increment: time.Second}, {Increment: 2 * time.Second}} {
		inBubble(t, first{slow: true}, func(t *testing.T, h house) {
			match, err := h.co.Play(t.Context(), h.ana, 5, lobby.Proposal{Game: "ayu", Options: []byte(`{"size":7}`), Clock: &c})
			if err != nil {
				t.Fatal(err)
			}
			if s := finish(t, h.ana, match); s.Result.Reason != engine.Immobile {
				t.Errorf("%v: ended by %s with %v", c, s.Result.Reason, s.Clocks)
			}
		})
	}
}

func TestManyGamesAtOnceAreAnsweredInTime(t *testing.T) {
	inBubble(t, first{slow: true}, func(t *testing.T, h house) {
		for _, games := range []int{4, 16} {
			began := time.Now()
			var matches []string
			for range games {
				match, err := h.co.Play(t.Context(), h.ana, 4, lobby.Proposal{Game: "ayu", Options: []byte(`{"size":11,"pie":false}`)})
				if err != nil {
					t.Fatal(err)
				}
				matches = append(matches, match)
			}
			worst := time.Duration(0)
			for _, id := range matches {
				p, err := h.ana.Sit(id)
				if err != nil {
					t.Fatal(err)
				}
				for p.Snapshot().Position.Turn() != p.Seat() && time.Since(began) < time.Minute {
					pass(50 * time.Millisecond)
				}
				worst = max(worst, p.Snapshot().LastAt.Sub(began))
				p.Resign(t.Context())
			}
			// Two seconds for up to four, and never over five.
			if limit := map[int]time.Duration{4: 2 * time.Second, 16: 5 * time.Second}[games]; worst > limit {
				t.Errorf("%d games: the last answer came after %v", games, worst)
			}
		}
	})
}
