package bots_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// fastEngine plays the first legal actions at once.
func fastEngine(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
	var actions []string
	for over := false; !over; over = !p.MidTurn() {
		action := p.Legal()[0]
		next, err := p.Play(action)
		if err != nil {
			return search.Advice{}, err
		}
		actions, p = append(actions, action), next
	}
	choice := search.Choice{Actions: actions, Chance: 0.5}
	return search.Advice{Choices: []search.Choice{choice, choice}}, nil // undecided
}

// slowEngine plays the first legal actions after all of its time.
func slowEngine(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	select {
	case <-time.After(o.Time):
	case <-ctx.Done():
		return search.Advice{}, ctx.Err()
	}
	return fastEngine(ctx, p, o)
}

// harness is a lobby with bots and one account, in a synctest bubble.
type harness struct {
	l       *lobby.Lobby
	builtin *bots.Bots
	ana     *lobby.Session
}

type searchFunc = func(context.Context, engine.Position, search.Options) (search.Advice, error)

func withHarness(t *testing.T, search searchFunc, f func(t *testing.T, h harness)) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		report := func(msg string, kv ...any) { t.Error(msg, kv) }
		builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, search), Workers: 1, Report: report})
		if err != nil {
			t.Fatal(err)
		}
		defer builtin.Close()
		ana := lobbytest.Member(t, l, "ana")
		defer ana.Close(false)
		f(t, harness{l, builtin, ana})
	})
}

// advance lets time pass, and waits for what follows.
func advance(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// finish plays the session's turns at once until the match is over.
func finish(t *testing.T, s *lobby.Session, match string) *match.Snapshot {
	t.Helper()
	p, err := s.AsPlayer(match)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		snap := p.Snapshot()
		if snap.IsOver() {
			return snap
		}
		if snap.Position.Turn() != p.Seat() {
			advance(100 * time.Millisecond)
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
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		for level := bots.MinLevel; level <= bots.Adaptive; level++ {
			match, err := h.builtin.Play(t.Context(), h.ana, level, table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`)})
			if err != nil {
				t.Fatal(err)
			}
			s := finish(t, h.ana, match)
			if s.Result.Reason != engine.ReasonImmobile {
				t.Errorf("ended by %s", s.Result.Reason)
			}
			marked := 0
			for _, seat := range s.Info.Seats {
				if seat.Bot && seat.Name == h.builtin.Name(level) {
					marked++
				}
			}
			if marked != 1 {
				t.Errorf("level %d sits as %+v", level, s.Info.Seats)
			}
		}
		if _, err := h.builtin.Play(t.Context(), h.ana, bots.Adaptive+1, table.Proposal{Game: "ayu"}); err == nil {
			t.Error("there is a level above the adaptive bot")
		}
		rated := true
		for _, level := range []int{bots.MinLevel, bots.Adaptive} {
			if _, err := h.builtin.Play(t.Context(), h.ana, level, table.Proposal{Game: "ayu", Rated: &rated}); err == nil || !strings.Contains(err.Error(), "casual games only") {
				t.Errorf("level %d plays a rated game: %v", level, err)
			}
		}
		if _, err := h.builtin.Play(t.Context(), h.ana, bots.Adaptive, table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`)}); err == nil {
			t.Error("the adaptive bot plays a game of three")
		}
	})
}

func TestBotsFillATableOfMu(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		match, err := h.builtin.Play(t.Context(), h.ana, 3, table.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1}`)})
		if err != nil {
			t.Fatal(err)
		}
		if s := finish(t, h.ana, match); len(s.Info.Seats) != 4 {
			t.Errorf("%d seats", len(s.Info.Seats))
		}
	})
}

func TestABotTakesAChallengeAndARematch(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		if _, err := h.ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), To: h.builtin.Name(2)}); err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		all := h.ana.SeatedMatches()
		if len(all) != 1 {
			t.Fatalf("ana sits at %d matches", len(all))
		}
		finish(t, h.ana, all[0].Info.ID)
		p, err := h.ana.AsPlayer(all[0].Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Offer(t.Context(), match.OfferRematch); err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		if p.Snapshot().Rematch == "" {
			t.Error("the bot does not play again")
		}
	})
}

func TestABotNeverLosesOnTime(t *testing.T) {
	for _, c := range []clock.Control{{Initial: 10 * time.Second}, {Initial: time.Minute, Increment: time.Second}, {Increment: 2 * time.Second}} {
		withHarness(t, slowEngine, func(t *testing.T, h harness) {
			match, err := h.builtin.Play(t.Context(), h.ana, 5, table.Proposal{Game: "ayu", Options: []byte(`{"size":7}`), Clock: &c})
			if err != nil {
				t.Fatal(err)
			}
			if s := finish(t, h.ana, match); s.Result.Reason != engine.ReasonImmobile {
				t.Errorf("%v: ended by %s with %v", c, s.Result.Reason, s.Clocks)
			}
		})
	}
}

func TestManyGamesAtOnceAreAnsweredInTime(t *testing.T) {
	withHarness(t, slowEngine, func(t *testing.T, h harness) {
		for _, games := range []int{4, 16} {
			var matches []string
			for range games {
				match, err := h.builtin.Play(t.Context(), h.ana, 4, table.Proposal{Game: "ayu", Options: []byte(`{"size":11,"pie":false}`)})
				if err != nil {
					t.Fatal(err)
				}
				matches = append(matches, match)
			}
			advance(time.Minute) // until all first turns of bots have been made
			began := time.Now()
			for _, id := range matches { // now all turns are due at once
				p, err := h.ana.AsPlayer(id)
				if err != nil {
					t.Fatal(err)
				}
				s := p.Snapshot()
				if _, err := p.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
					t.Fatal(err)
				}
			}
			worst := time.Duration(0)
			for _, id := range matches {
				p, err := h.ana.AsPlayer(id)
				if err != nil {
					t.Fatal(err)
				}
				for p.Snapshot().Position.Turn() != p.Seat() && time.Since(began) < time.Minute {
					advance(50 * time.Millisecond)
				}
				worst = max(worst, p.Snapshot().LastAt.Sub(began))
				p.Resign(t.Context())
			}
			// Two seconds for up to four games, and never more than five.
			if limit := map[int]time.Duration{4: 2 * time.Second, 16: 5 * time.Second}[games]; worst > limit {
				t.Errorf("%d games: the last answer came after %v", games, worst)
			}
		}
	})
}

// TestAPanicOfABotIsReported: one in the engine is reported, and the bot plays on when it has passed; other games
// go on meanwhile.
func TestAPanicOfABotIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var isBroken atomic.Bool
		engine := func(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
			if isBroken.Load() && len(p.Legal()) > 20 { // on the larger board
				panic("the engine is broken")
			}
			return fastEngine(ctx, p, o)
		}
		var mu sync.Mutex
		var reports []string
		report := func(msg string, kv ...any) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, fmt.Sprint(msg, kv))
		}
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, engine), Workers: 1, Report: report})
		if err != nil {
			t.Fatal(err)
		}
		defer builtin.Close()
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		defer ana.Close(false)
		defer bob.Close(false)
		start := func(s *lobby.Session, size int) string {
			match, err := builtin.Play(t.Context(), s, 2, table.Proposal{Game: "ayu", Options: fmt.Appendf(nil, `{"size":%d,"pie":false}`, size), First: table.FirstOwner})
			if err != nil {
				t.Fatal(err)
			}
			return match
		}
		large, small := start(ana, 11), start(bob, 5)
		act := func(s *lobby.Session, match string) *lobby.Player {
			p, err := s.AsPlayer(match)
			if err == nil {
				_, err = p.Act(t.Context(), p.Snapshot().Version, p.Snapshot().Position.Legal()[:1])
			}
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		isBroken.Store(true)
		p := act(ana, large)
		advance(10 * time.Second)
		if len(reports) == 0 || !strings.Contains(reports[0], "the engine is broken") || p.Snapshot().Position.Turn() == p.Seat() {
			t.Errorf("while the engine panics %q is reported, and it is the turn of %d", reports, p.Snapshot().Position.Turn())
		}
		if s := finish(t, bob, small); !s.IsOver() {
			t.Error("another game does not go on")
		}
		isBroken.Store(false)
		advance(10 * time.Second)
		if p.Snapshot().Position.Turn() != p.Seat() {
			t.Error("the bot does not play when the engine is whole again")
		}
	})
}

// A bot's turn takes a moment, so that people can follow it, unless the bot has no choice.
func TestABotTakesAMoment(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		const moment = 400 * time.Millisecond
		quick, slow := 0, 0
		for n := 0; n < 100 && (quick == 0 || slow == 0); n++ { // the first segment has only one place
			match, err := h.builtin.Play(t.Context(), h.ana, 1, table.Proposal{Game: "mu", Options: []byte(`{"players":2,"segments":1}`)})
			if err != nil {
				t.Fatal(err)
			}
			p, err := h.ana.AsPlayer(match)
			if err != nil {
				t.Fatal(err)
			}
			began, s := time.Now(), p.Snapshot()
			// The bot chooses only after a turn of the player. If it begins, it may have played already.
			choice := s.Version == 0 && s.Position.Turn() == p.Seat()
			if choice {
				if _, err := p.Act(t.Context(), 0, s.Position.Legal()[:1]); err != nil {
					t.Fatal(err)
				}
			}
			advance(time.Second)
			switch took := p.Snapshot().LastAt.Sub(began); {
			case choice && took < moment || took > 2*moment:
				t.Errorf("an answer came after %v", took)
			case !choice && took > 0:
				t.Errorf("the only turn came after %v", took)
			case choice:
				slow++
			default:
				quick++
			}
			p.Resign(t.Context())
		}
		if quick == 0 || slow == 0 {
			t.Errorf("%d answers at once, %d after a moment", quick, slow)
		}
	})
}

// Hints are computed by the bots' workers, after the turns that are due. A hint ends with its context, and
// is refused if there are too many.
func TestAdvice(t *testing.T) {
	withHarness(t, slowEngine, func(t *testing.T, h harness) {
		p := ayu.Game{}.New(ayu.Options{Size: 5})
		began := time.Now()
		advice, err := h.builtin.Advise(t.Context(), h.ana, ayu.Game{}, p)
		if took := time.Since(began); err != nil || len(advice.Choices) == 0 || took > time.Second {
			t.Errorf("%+v after %v: %v", advice, took, err)
		}
		const many = 40
		ctx, cancel := context.WithCancel(t.Context())
		refused := make(chan error, many)
		for range many {
			guest, err := h.l.Enter(h.l.Accounts.NewGuest(), nil)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_, err := h.builtin.Advise(ctx, guest, ayu.Game{}, p)
				refused <- err
			}()
		}
		synctest.Wait()
		if n := len(refused); n == 0 || n == many {
			t.Errorf("%d of %d are refused at once", n, many)
		}
		match, err := h.builtin.Play(t.Context(), h.ana, 1, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
		if err != nil {
			t.Fatal(err)
		}
		seat, err := h.ana.AsPlayer(match)
		if err != nil {
			t.Fatal(err)
		}
		if s := seat.Snapshot(); s.Position.Turn() == seat.Seat() {
			if _, err := seat.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
				t.Fatal(err)
			}
		}
		advance(4 * time.Second)
		if s := seat.Snapshot(); s.Position.Turn() != seat.Seat() {
			t.Error("a bot waits for those who ask for advice")
		}
		cancel()
		for range many {
			if err := <-refused; err != nil && err != bots.ErrBusy && err != context.Canceled {
				t.Error(err)
			}
		}
	})
}

// A bot checks for challenges when the tables may have changed, and not after each turn of a match, because
// that takes time for each running match.
func TestTurnsMakeBotsReadNoLists(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		match, err := h.builtin.Play(t.Context(), h.ana, 1, table.Proposal{Game: "ayu", Options: []byte(`{"size":7,"pie":false}`)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.ana.AsPlayer(match)
		if err != nil {
			t.Fatal(err)
		}
		advance(5 * time.Second)
		before := h.l.View().Builds
		for range 4 {
			s := p.Snapshot()
			if s.Position.Turn() != p.Seat() {
				t.Fatal("the bot has not made its turn")
			}
			if _, err := p.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
				t.Fatal(err)
			}
			advance(5 * time.Second)
		}
		if n := h.l.View().Builds - before - 1; n != 0 {
			t.Errorf("eight turns made the lists anew %d times", n)
		}
	})
}

// TestRatedGamesChangeTheRatingOfABot checks that the rating that the lobby shows of a bot follows its rated games, as
// that of its opponent does.
func TestRatedGamesChangeTheRatingOfABot(t *testing.T) {
	withHarness(t, fastEngine, func(t *testing.T, h harness) {
		rated := true
		match, err := h.builtin.Play(t.Context(), h.ana, 2, table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), Rated: &rated})
		if err != nil {
			t.Fatal(err)
		}
		s := finish(t, h.ana, match)
		if len(s.Ratings) != 2 {
			t.Fatalf("the ratings are %v: %v", s.Ratings, s.Unrated)
		}
		for seat, change := range s.Ratings {
			if change.After.Value == change.Before.Value {
				t.Errorf("the rating of %s has not changed", s.Info.Seats[seat].Name)
			}
			for u := range h.l.View().Users.All() {
				if u.Name != s.Info.Seats[seat].Name {
					continue
				}
				if shown := u.Ratings[account.Pool("ayu", 2)]; shown != change.After {
					t.Errorf("the lobby shows %v for %s, not %v", shown, u.Name, change.After)
				}
			}
		}
	})
}
