package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/tournament"
)

// cup is a tournament in a lobby that stops and starts again, with players by name.
type cup struct {
	t       *testing.T
	store   lobby.Store
	h       harness
	id      string
	names   []string
	players map[string]*lobby.Session
	host    *lobby.Session
}

func cupTerms(t *testing.T, format tournament.Format, r tournament.Request) tournament.Terms {
	t.Helper()
	name := "ayu"
	if format == tournament.FormatTables {
		name = "mu"
	} else {
		r.Options = smallOptions
	}
	game, _ := enginetest.Games.ByName(name)
	if r.Clock == nil {
		r.Clock = &clock.Control{Initial: 5 * time.Minute}
	}
	terms, err := tournament.NewTerms("Cup", format, r, game)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

func newCup(t *testing.T, s lobby.Store, format tournament.Format, r tournament.Request, n int) *cup {
	t.Helper()
	c := &cup{t: t, store: s}
	for i := range n {
		c.names = append(c.names, fmt.Sprint("player", i))
	}
	c.start()
	id, err := c.host.CreateTournament(t.Context(), cupTerms(t, format, r), false)
	if err != nil {
		t.Fatal(err)
	}
	c.id = id
	return c
}

// start opens the lobby, into which all players come.
func (c *cup) start() {
	c.h = open(c.t, c.store)
	c.players = make(map[string]*lobby.Session)
	c.host = c.h.member("host")
	for _, name := range c.names {
		c.players[name] = c.h.member(name)
	}
	synctest.Wait()
}

func (c *cup) restart() {
	c.h.Close()
	c.start()
}

func (c *cup) do(s *lobby.Session, kind tournament.InputKind) error {
	return s.ChangeTournament(c.t.Context(), c.id, tournament.Input{Kind: kind})
}

func (c *cup) must(s *lobby.Session, kind tournament.InputKind) {
	c.t.Helper()
	if err := c.do(s, kind); err != nil {
		c.t.Fatalf("input %d: %v", kind, err)
	}
	synctest.Wait()
}

func (c *cup) state() *tournament.State {
	c.t.Helper()
	s, err := c.h.Tournaments.State(c.t.Context(), c.id)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// resignAll has the seat to move of each running game resign, except in games that skip accepts.
func (c *cup) resignAll() {
	for _, name := range c.names {
		s := c.players[name]
		for _, m := range s.SeatedMatches() {
			p, err := s.AsPlayer(m.Info.ID)
			if snap := s.Snapshot(m); err == nil && !snap.IsOver() && snap.Position.Turn() == p.Seat() {
				_ = p.Resign(c.t.Context()) // a failing store refuses it
				synctest.Wait()
			}
		}
	}
}

// check checks what must be true of the log at any time.
func (c *cup) check() {
	c.t.Helper()
	s := c.state()
	entries, err := c.store.TournamentEntries(c.t.Context(), c.id, 0)
	if err != nil {
		return // the store fails
	}
	folded, err := tournament.Fold(c.id, entries)
	if err != nil || folded.Version < s.Version {
		c.t.Fatalf("the log has version %d, the lobby %d: %v", folded.Version, s.Version, err)
	}
	for _, r := range folded.Rounds {
		seen := make(map[int]bool)
		for _, g := range r.Games {
			for _, p := range g.Seats {
				if seen[p] {
					c.t.Fatalf("player %d has two games in round %d", p, r.Number)
				}
				seen[p] = true
			}
		}
	}
}

// finish plays until the tournament is over.
func (c *cup) finish(each func()) *tournament.State {
	c.t.Helper()
	for range 400 {
		if c.state().IsOver() {
			return c.state()
		}
		c.resignAll()
		c.check()
		advance(2 * time.Second)
		each()
	}
	c.t.Fatalf("the tournament does not end: %+v", c.state())
	return nil
}

// matches returns the matches of the tournament in the store by their ids.
func (c *cup) matches() map[string]*match.Info {
	all := make(map[string]*match.Info)
	if err := c.store.AllMatches(c.t.Context(), func(info *match.Info, _ []match.Entry) error {
		if info.Tournament.ID == c.id {
			all[info.ID] = info
		}
		return nil
	}); err != nil {
		c.t.Fatal(err)
	}
	return all
}

func TestSwissIsPlayedToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCup(t, memoryStore(t), tournament.FormatSwiss, tournament.Request{Pause: new(1)}, 5)
		defer func() { c.h.Close() }()
		var notices []string
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		wantCode(t, "entering twice", c.do(c.players["player0"], tournament.InputEnter), errcode.NotAllowed)
		wantCode(t, "started by a player", c.do(c.players["player0"], tournament.InputStart), errcode.NotAllowed)
		c.must(c.host, tournament.InputStart)
		games := 0
		s := c.finish(func() {})
		if s.Phase != tournament.PhaseClosed || len(s.Rounds) != s.Planned {
			t.Fatalf("%s after %d of %d rounds", s.Phase, len(s.Rounds), s.Planned)
		}
		for _, r := range s.Rounds {
			for _, g := range r.Games {
				if g.Table == 0 {
					continue
				}
				games++
				if g.Kind != tournament.GamePlayed {
					t.Errorf("round %d, table %d is %q", g.Round, g.Table, g.Kind)
				}
				info := c.matches()[tournament.MatchID(c.id, g.Round, g.Table)]
				if info == nil || info.Tournament.Round != g.Round || info.Tournament.Table != g.Table || info.Tournament.FirstTurn != s.Terms.FirstTurn || !info.Rated {
					t.Errorf("round %d, table %d has the match %+v", g.Round, g.Table, info)
				}
			}
		}
		if got := c.matches(); len(got) != games {
			t.Errorf("%d matches for %d games", len(got), games)
		}
		advance(time.Second)
		for _, n := range c.players["player0"].TournamentNotices(0) {
			notices = append(notices, string(n.Kind))
		}
		if !slices.Contains(notices, "game") || notices[len(notices)-1] != "closed" {
			t.Errorf("notices %v", notices)
		}
		if left, err := c.store.UnsettledTournaments(t.Context()); err != nil || len(left) != 0 {
			t.Errorf("unsettled: %v, %v", left, err)
		}
		if a, err := c.store.Attendance(t.Context(), c.players["player0"].Account().ID); err != nil || len(a) != 1 || a[0].NoShow {
			t.Errorf("attendance %+v, %v", a, err)
		}
		list, err := c.h.Tournaments.List(t.Context(), lobby.TournamentQuery{Limit: 9})
		if err != nil || len(list) != 1 || list[0].Phase != tournament.PhaseClosed || len(list[0].Winners) == 0 || list[0].Entered != 5 {
			t.Errorf("listed as %+v, %v", list, err)
		}
		advance(20 * time.Minute)
		if c.h.Tournaments.Known(c.id) != nil {
			t.Error("it is still in memory")
		}
		if c.state().Version != s.Version {
			t.Error("it is read from the store as another")
		}
		wantCode(t, "entering after the end", c.do(c.host, tournament.InputEnter), errcode.Closed)
	})
}

func TestTablesArePlayedToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCup(t, memoryStore(t), tournament.FormatTables, tournament.Request{Pause: new(0)}, 7)
		defer func() { c.h.Close() }()
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		c.must(c.host, tournament.InputStart)
		n := 0
		s := c.finish(func() {
			if n++; n%3 == 0 {
				c.restart()
			}
		})
		if s.Phase != tournament.PhaseClosed || len(s.Rounds) != 3 {
			t.Fatalf("%s after %d rounds", s.Phase, len(s.Rounds))
		}
		for _, r := range s.Rounds {
			if len(r.Games) != 2 || len(r.Games[0].Seats)+len(r.Games[1].Seats) != 7 {
				t.Errorf("round %d has %d tables", r.Number, len(r.Games))
			}
		}
	})
}

// flakyStore is a store whose changes of tournaments and matches fail now and then, before or after they were made.
type flakyStore struct {
	lobby.Store

	mu    sync.Mutex
	r     *rand.Rand
	fails bool
}

// setFails sets whether changes can fail.
func (s *flakyStore) setFails(fails bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = fails
}

// intN returns a random number below n.
func (s *flakyStore) intN(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.IntN(n)
}

// draw returns a random number below n if changes can fail, and otherwise n.
func (s *flakyStore) draw(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fails {
		return n
	}
	return s.r.IntN(n)
}

var errFlaky = errors.New("the store fails")

func (s *flakyStore) flaky(do func() error) error {
	switch s.draw(4) {
	case 0:
		return errFlaky
	case 1:
		if err := do(); err != nil {
			return err
		}
		return errFlaky
	}
	return do()
}

func (s *flakyStore) AppendTournament(ctx context.Context, a lobby.TournamentAppend) error {
	return s.flaky(func() error { return s.Store.AppendTournament(ctx, a) })
}

func (s *flakyStore) CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error {
	return s.flaky(func() error { return s.Store.CreateMatch(ctx, info, with) })
}

func (s *flakyStore) TournamentEntries(ctx context.Context, id string, after int) ([]tournament.Entry, error) {
	if s.draw(5) == 0 {
		return nil, errFlaky
	}
	return s.Store.TournamentEntries(ctx, id, after)
}

func (s *flakyStore) SettleTournament(ctx context.Context, id string, version int) error {
	return s.flaky(func() error { return s.Store.SettleTournament(ctx, id, version) })
}

// TestFailuresLoseNothing has the store fail before and after committing, and the server start again, at any time.
func TestFailuresLoseNothing(t *testing.T) {
	for seed := range uint64(12) {
		synctest.Test(t, func(t *testing.T) {
			s := &flakyStore{Store: memoryStore(t), r: rand.New(rand.NewPCG(seed, 1))}
			c := newCup(t, s, []tournament.Format{tournament.FormatSwiss, tournament.FormatRoundRobin}[seed%2], tournament.Request{Pause: new(1)}, 4+int(seed%3))
			defer func() { c.h.Close() }()
			for _, name := range c.names {
				c.must(c.players[name], tournament.InputEnter)
			}
			c.must(c.host, tournament.InputStart)
			s.setFails(true)
			state := c.finishFlaky(s)
			if state.Phase != tournament.PhaseClosed {
				t.Fatalf("seed %d: %s", seed, state.Phase)
			}
			wanted := make(map[string]bool)
			for _, r := range state.Rounds {
				for _, g := range r.Games {
					if g.Table > 0 && g.Kind != tournament.GameNoShow {
						wanted[tournament.MatchID(c.id, g.Round, g.Table)] = true
					}
				}
			}
			for id := range c.matches() {
				if !wanted[id] {
					t.Errorf("seed %d: there is a match %s that nobody wants", seed, id)
				}
			}
			if got := c.matches(); len(got) < len(wanted) {
				t.Errorf("seed %d: %d matches of %d", seed, len(got), len(wanted))
			}
		})
	}
}

// finishFlaky plays until the log in the store says that the tournament is over, and restarts now and then.
func (c *cup) finishFlaky(s *flakyStore) *tournament.State {
	c.t.Helper()
	for range 600 {
		entries, err := s.Store.TournamentEntries(c.t.Context(), c.id, 0)
		if err != nil {
			c.t.Fatal(err)
		}
		state, err := tournament.Fold(c.id, entries)
		if err != nil {
			c.t.Fatal(err)
		}
		if state.IsOver() {
			return &state
		}
		c.resignAll()
		advance(time.Duration(s.intN(4000)) * time.Millisecond)
		if s.intN(10) == 0 {
			s.setFails(false) // a server does not start with a store that fails
			c.restart()
			s.setFails(true)
		}
	}
	c.t.Fatal("the tournament does not end")
	return nil
}

func TestGamesOfATournament(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		c := newCup(t, db, tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1}, 2)
		defer func() { c.h.Close() }()
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		c.must(c.host, tournament.InputStart)
		id := tournament.MatchID(c.id, 1, 1)
		var seats [2]*lobby.Player
		for _, name := range c.names {
			p, err := c.players[name].AsPlayer(id)
			if err != nil {
				t.Fatal(err)
			}
			seats[p.Seat()] = p
		}
		if seats[0].Snapshot().CanAbort {
			t.Error("it can be aborted")
		}
		wantCode(t, "abort", seats[0].Abort(t.Context()), errcode.NotAllowed)
		turn(t, seats)
		wantCode(t, "takeback", seats[0].Offer(t.Context(), match.OfferUndo), errcode.NotAllowed)
		// The limit of games does not count it.
		limits := c.h.Limits()
		limits.MatchesPerUser = 1
		c.h.SetLimits(limits)
		other := c.h.pair(c.players[c.names[0]], c.host, table.Proposal{Options: smallOptions})
		if err := other[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := seats[1].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		wantCode(t, "rematch", seats[0].Offer(t.Context(), match.OfferRematch), errcode.NotAllowed)
		if s := c.state(); s.Phase != tournament.PhaseClosed || s.Final[s.PlayerIndex(c.players[c.names[0]].Account().ID)] == 0 {
			t.Errorf("%+v", s)
		}
	})
}

// TestNoShow: who does not make the first turn in time loses unrated and is paused; the round goes on.
func TestNoShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCup(t, memoryStore(t), tournament.FormatSwiss, tournament.Request{Min: 2, Rounds: 1, FirstTurn: 20}, 2)
		defer func() { c.h.Close() }()
		for _, name := range c.names {
			c.must(c.players[name], tournament.InputEnter)
		}
		c.must(c.host, tournament.InputStart)
		advance(19 * time.Second)
		if s := c.state(); s.Phase != tournament.PhaseRunning {
			t.Fatalf("%s before the limit", s.Phase)
		}
		advance(3 * time.Second)
		s := c.state()
		g := s.Rounds[0].Games[0]
		if s.Phase != tournament.PhaseClosed || g.Kind != tournament.GameNoShow || !slices.Equal(g.NoShows, []int{0}) || g.Points[1] != tournament.Point {
			t.Errorf("%s, game %+v", s.Phase, g)
		}
		if _, unrated, err := c.store.MatchRatings(t.Context(), tournament.MatchID(c.id, 1, 1)); err != nil || unrated != match.UnratedAborted {
			t.Errorf("unrated: %q, %v", unrated, err)
		}
		a, err := c.store.Attendance(t.Context(), s.Players[g.Seats[0]].User)
		if err != nil || len(a) != 1 || !a[0].NoShow {
			t.Errorf("attendance %+v, %v", a, err)
		}
	})
}

// TestBannedPlayersAreWithdrawn: and lose their running games, whose matches end without a winner.
func TestBannedPlayersAreWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memoryStore(t)
		var banned atomic.Int64
		c := newCup(t, db, tournament.FormatSwiss, tournament.Request{Min: 2}, 4)
		c.h.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: db, IsBanned: func(id account.ID) bool { return id == account.ID(banned.Load()) }})
		if err != nil {
			t.Fatal(err)
		}
		c.h = harness{l, t, db}
		defer l.Close()
		c.host = c.h.member("host")
		for _, name := range c.names {
			c.players[name] = c.h.member(name)
			c.must(c.players[name], tournament.InputEnter)
		}
		c.must(c.host, tournament.InputStart)
		id := c.players["player1"].Account().ID
		banned.Store(int64(id))
		advance(3 * time.Second)
		s := c.state()
		p := s.PlayerIndex(id)
		if s.Players[p].Status != tournament.StatusBanned {
			t.Errorf("status %s", s.Players[p].Status)
		}
		for _, g := range s.Rounds[0].Games {
			if !slices.Contains(g.Seats, p) {
				continue
			}
			m, err := l.Match(tournament.MatchID(c.id, g.Round, g.Table))
			if g.Kind != tournament.GameRuled || err != nil || !m.Snapshot().IsOver() || len(m.Snapshot().Ratings) > 0 {
				t.Errorf("the game is %q, its match %v", g.Kind, err)
			}
		}
	})
}

// TestTournamentOnTwoNodes: players on two nodes take part, of which one stops while the tournament goes on.
func TestTournamentOnTwoNodes(t *testing.T) {
	withClusterOf(t, func(t *testing.T, cluster *sharedStore) {
		a, b := cluster.node("a"), cluster.node("b")
		defer b.Close()
		host := a.member("host")
		id, err := host.CreateTournament(t.Context(), cupTerms(t, tournament.FormatSwiss, tournament.Request{Pause: new(0), Rounds: 3}), false)
		if err != nil {
			t.Fatal(err)
		}
		// Players of the other node enter before it has followed the new tournament.
		c := &cup{t: t, store: cluster.store, h: b, id: id, players: make(map[string]*lobby.Session)}
		for i := range 4 {
			name := fmt.Sprint("player", i)
			c.names = append(c.names, name)
			c.players[name] = []harness{a, b}[i%2].member(name)
			if err := c.do(c.players[name], tournament.InputEnter); err != nil {
				t.Fatal(err)
			}
		}
		wantCode(t, "entering on another node", b.member("player0").ChangeTournament(t.Context(), id, tournament.Input{Kind: tournament.InputEnter}), errcode.NotAllowed)
		if err := c.do(host, tournament.InputStart); err != nil {
			t.Fatal(err)
		}
		advance(3 * time.Second)
		c.resignAll()
		advance(3 * time.Second)
		a.Close() // with the lease
		for _, name := range c.names {
			c.players[name] = b.member(name)
		}
		s := c.finish(func() {})
		games := 0
		for _, r := range s.Rounds {
			games += len(r.Games)
		}
		if s.Phase != tournament.PhaseClosed || len(s.Rounds) != 3 || len(c.matches()) != games {
			t.Errorf("%s after %d rounds, %d matches for %d games", s.Phase, len(s.Rounds), len(c.matches()), games)
		}
	})
}
