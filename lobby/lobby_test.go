package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
)

// harness is a lobby and its test.
type harness struct {
	*lobby.Lobby
	t     *testing.T
	store lobby.Store
}

// Addresses of users.
var addr1, addr2 = netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")

func open(t *testing.T, s lobby.Store) harness {
	t.Helper()
	l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s, Report: func(msg string, kv ...any) { t.Log(msg, kv) }})
	if err != nil {
		t.Fatal(err)
	}
	return harness{l, t, s}
}

// memoryStore returns an empty store that is closed at the end of the test.
func memoryStore(t testing.TB) lobby.Store {
	t.Helper()
	s, err := sqlite.OpenMemory(enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// member enters the lobby with an account of that name, which it creates if necessary.
func (h harness) member(name string) *lobby.Session {
	h.t.Helper()
	key := []byte("key of " + name)
	a, known, err := h.Accounts.ByKey(h.t.Context(), key)
	if err == nil && !known {
		a, err = h.Accounts.Register(h.t.Context(), name, key, netip.Addr{})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return h.enter(a)
}

func (h harness) enter(a account.Account) *lobby.Session {
	h.t.Helper()
	s, err := h.Enter(a, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// pair starts a match between two sessions and returns their players by seat.
func (h harness) pair(a, b *lobby.Session, p table.Proposal) [2]*lobby.Player {
	h.t.Helper()
	if p.Game == "" {
		p.Game = "ayu"
	}
	table, err := a.OpenTable(h.t.Context(), p)
	if err != nil {
		h.t.Fatal(err)
	}
	id, err := b.JoinTable(h.t.Context(), table.ID, "")
	if err != nil || id == "" {
		h.t.Fatalf("join gave %q, %v", id, err)
	}
	var seats [2]*lobby.Player
	for _, s := range []*lobby.Session{a, b} {
		p, err := s.AsPlayer(id)
		if err != nil {
			h.t.Fatal(err)
		}
		seats[p.Seat()] = p
	}
	return seats
}

// turn plays the first legal action of the seat to move.
func turn(t *testing.T, seats [2]*lobby.Player) {
	t.Helper()
	snap := seats[0].Snapshot()
	p := seats[snap.Position.Turn()]
	if _, err := p.Act(t.Context(), snap.Version, snap.Position.Legal()[:1]); err != nil {
		t.Fatal(err)
	}
}

func errorCode(err error) errcode.Code {
	if err == nil {
		return ""
	}
	c, _ := lobby.PublicError(err)
	return c
}

func wantCode(t *testing.T, what string, err error, want errcode.Code) {
	t.Helper()
	if errorCode(err) != want {
		t.Errorf("%s: got %v, want code %q", what, err, want)
	}
}

// advance lets time pass in a synctest bubble, and waits for what follows.
func advance(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

var smallOptions = []byte(`{"size":5,"pie":false}`)

func withHarness(t *testing.T, f func(t *testing.T, h harness)) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, memoryStore(t))
		defer h.Close()
		f(t, h)
	})
}

func TestRefusedTurnsChangeNothing(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		m := seats[0].Match()
		before := m.Snapshot()
		_, err := seats[0].Act(t.Context(), 7, []string{"b1-b2"})
		wantCode(t, "stale", err, errcode.StaleVersion)
		_, err = seats[1].Act(t.Context(), 0, []string{"b1-b2"})
		wantCode(t, "not the seat's turn", err, errcode.NotYourTurn)
		_, err = seats[1].Act(t.Context(), 7, []string{"b1-b2"})
		wantCode(t, "stale comes before turn", err, errcode.StaleVersion)
		for _, bad := range [][]string{nil, {"b1-b9"}, {"garbage\x00"}, {"b1-b2", "a2-a3"}, {"leave 1"}} {
			_, err = seats[0].Act(t.Context(), 0, bad)
			wantCode(t, fmt.Sprint(bad), err, errcode.IllegalAction)
		}
		if m.Snapshot().Version != before.Version || m.Snapshot().Position.String() != before.Position.String() {
			t.Error("a refused turn changed the match")
		}
		v, err := seats[0].Act(t.Context(), 0, []string{" B1-B2 "})
		if err != nil || v != 1 {
			t.Fatalf("got %d, %v", v, err)
		}
		if got := m.Snapshot().Log[0].Actions; !slices.Equal(got, []string{"b1-b2"}) {
			t.Errorf("recorded as %q", got)
		}
		_, err = seats[0].Act(t.Context(), 0, []string{"b1-b2"})
		wantCode(t, "repeated", err, errcode.StaleVersion)
		if err := seats[1].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = seats[0].Act(t.Context(), 0, []string{"b1-b2"})
		wantCode(t, "game over comes before stale", err, errcode.GameOver)
		if _, err := ana.AsPlayer("nosuch"); errorCode(err) != errcode.UnknownMatch {
			t.Error(err)
		}
		if _, err := h.member("eve").AsPlayer(m.Info.ID); errorCode(err) != errcode.NotAllowed {
			t.Error(err)
		}
	})
}

func TestGameIsPlayedToItsEnd(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.enter(h.Accounts.NewGuest()), table.Proposal{Options: []byte(`{"size":5}`)})
		m := seats[0].Match()
		for !m.Snapshot().IsOver() {
			turn(t, seats)
		}
		s := m.Snapshot()
		if s.Result.Reason != engine.ReasonImmobile || len(s.Result.Winners) != 1 || s.Result.Winners[0] != s.Position.Turn() {
			t.Errorf("ended with %+v", s.Result)
		}
		if last := s.Log[len(s.Log)-1]; last.Kind != match.EntryEnd || s.Version != s.Turns+1 {
			t.Errorf("log ends with %+v at version %d after %d turns", last, s.Version, s.Turns)
		}
		positions, err := s.Positions()
		if err != nil || len(positions) != s.Turns+1 || positions[s.Turns].String() != s.Position.String() {
			t.Errorf("the log folds to something else: %v", err)
		}
	})
}

func TestClockEndsTheGame(t *testing.T) {
	control := &clock.Control{Initial: 30 * time.Second, Increment: time.Second}
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: control})
		m := seats[0].Match()
		advance(10 * time.Second)
		turn(t, seats)
		turn(t, seats)
		s := m.Snapshot()
		if left, _ := s.Remaining(0, time.Now()); left != 21*time.Second {
			t.Errorf("seat 0 has %v left", left)
		}
		advance(21*time.Second - time.Millisecond)
		if m.Snapshot().IsOver() {
			t.Fatal("flagged early")
		}
		advance(5 * time.Millisecond)
		r := m.Snapshot().Result
		if r == nil || r.Reason != engine.ReasonTime || !slices.Equal(r.Winners, []int{1}) {
			t.Errorf("got %+v", r)
		}
	})
}

func TestUnstartedGameIsAborted(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Default})
		turn(t, seats)
		advance(time.Minute + time.Second)
		r := seats[0].Match().Snapshot().Result
		if r == nil || r.Reason != engine.ReasonAbort || r.Winners == nil || len(r.Winners) != 0 {
			t.Errorf("got %+v", r)
		}
	})
}

// slowStore delays appends, so that a clock can run out during one.
type slowStore struct {
	lobby.Store
	delay time.Duration
}

func (s *slowStore) Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error {
	<-time.After(s.delay)
	return s.Store.Append(ctx, match, after, entries...)
}

func TestTurnCountsFromItsArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowStore{Store: memoryStore(t)}
		h := open(t, slow)
		defer h.Close()
		seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions,
			Clock: &clock.Control{Initial: 10 * time.Second}})
		turn(t, seats)
		turn(t, seats)
		slow.delay = 4 * time.Second
		advance(8 * time.Second)
		turn(t, seats) // in time, although its append ends too late
		if s := seats[0].Match().Snapshot(); s.IsOver() {
			t.Errorf("a turn that arrived in time lost: %+v", s.Result)
		}
	})
}

// unclearStore fails as a disk does: the caller cannot know whether the entries were stored.
type unclearStore struct {
	lobby.Store
	keep, fail bool
}

func (s *unclearStore) Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error {
	if !s.fail {
		return s.Store.Append(ctx, match, after, entries...)
	}
	if s.keep {
		s.Store.Append(ctx, match, after, entries...)
	}
	return errors.New("disk went away")
}

// TestUnclearAppendIsReadBack: the log decides whether a turn is acknowledged.
func TestUnclearAppendIsReadBack(t *testing.T) {
	for _, keep := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			lossy := &unclearStore{Store: memoryStore(t), keep: keep}
			h := open(t, lossy)
			defer h.Close()
			seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})
			turn(t, seats)
			lossy.fail = true
			snap := seats[1].Match().Snapshot()
			_, err := seats[1].Act(t.Context(), 1, snap.Position.Legal()[:1])
			lossy.fail = false
			_, log, _ := lossy.Match(t.Context(), snap.Info.ID)
			if s := seats[1].Match().Snapshot(); (err == nil) != keep || s.Version != len(log) {
				t.Errorf("keep %v: error %v, match at %d, log has %d", keep, err, s.Version, len(log))
			}
			turn(t, seats)
		})
	}
}

func TestOffers(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		m := seats[0].Match()
		ctx := t.Context()
		wantCode(t, "nothing to take back", seats[1].Offer(ctx, match.OfferUndo), errcode.NotAllowed)
		start := m.Snapshot().Position.String()
		turn(t, seats)
		wantCode(t, "undo offered", seats[0].Offer(ctx, match.OfferUndo), "")
		wantCode(t, "own offer accepted", seats[0].Offer(ctx, match.OfferUndo), errcode.NotAllowed)
		wantCode(t, "undo accepted", seats[1].Offer(ctx, match.OfferUndo), "")
		s := m.Snapshot()
		if s.Version != 2 || s.Turns != 0 || s.Position.String() != start || len(s.Offers) != 0 {
			t.Errorf("after the take-back: version %d, %d turns, %s, %v", s.Version, s.Turns, s.Position, s.Offers)
		}
		turn(t, seats)
		wantCode(t, "draw offered", seats[0].Offer(ctx, match.OfferDraw), "")
		turn(t, seats) // the other side's turn declines it
		if len(m.Snapshot().Offers) != 0 {
			t.Error("an offer is open after the answer")
		}
		wantCode(t, "refuse nothing", seats[1].Refuse(ctx, match.OfferDraw), errcode.NotAllowed)
		wantCode(t, "early rematch", seats[1].Offer(ctx, match.OfferRematch), errcode.NotAllowed)
		wantCode(t, "draw", seats[1].Offer(ctx, match.OfferDraw), "")
		wantCode(t, "agreed", seats[0].Offer(ctx, match.OfferDraw), "")
		if r := m.Snapshot().Result; r == nil || r.Reason != engine.ReasonDraw || len(r.Winners) != 2 {
			t.Fatalf("got %+v", r)
		}
		wantCode(t, "rematch", seats[1].Offer(ctx, match.OfferRematch), "")
		wantCode(t, "agreed", seats[0].Offer(ctx, match.OfferRematch), "")
		next, err := ana.Lobby().Match(m.Snapshot().Rematch)
		if err != nil {
			t.Fatal(err)
		}
		if next.Info.Seats[0].Name != m.Info.Seats[1].Name {
			t.Error("the sides did not change")
		}
	})
}

func TestAbsenceAndClaim(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		turn(t, seats)
		turn(t, seats)
		gone, stays := bob, seats[0]
		if h.member("ana").Account().ID != ana.Account().ID {
			t.Fatal("another account")
		}
		if p, _ := ana.AsPlayer(stays.Match().Info.ID); p.Seat() == 1 {
			stays = seats[1]
		}
		m, away := stays.Match(), 1-stays.Seat()
		gone.Close(false)
		advance(6 * time.Second)
		if a := m.Snapshot().Away[away]; a.Since.IsZero() || a.Claimable || a.Dropped {
			t.Errorf("after 6 s: %+v", a)
		}
		wantCode(t, "claim too early", stays.Claim(t.Context(), "win"), errcode.NotAllowed)
		back := h.member("bob")
		synctest.Wait()
		if a := m.Snapshot().Away[away]; !a.Since.IsZero() {
			t.Errorf("the player is back: %+v", a)
		}
		back.Close(true)
		advance(30 * time.Second)
		wantCode(t, "a dropped one has longer", stays.Claim(t.Context(), "win"), errcode.NotAllowed)
		advance(31 * time.Second)
		if a := m.Snapshot().Away[away]; !a.Claimable || !a.Dropped {
			t.Errorf("after the grace: %+v", a)
		}
		wantCode(t, "what is claimed", stays.Claim(t.Context(), "money"), errcode.BadRequest)
		wantCode(t, "claim", stays.Claim(t.Context(), "win"), "")
		if r := m.Snapshot().Result; r == nil || r.Reason != engine.ReasonLeft || r.Winners[0] != stays.Seat() {
			t.Errorf("got %+v", r)
		}
	})
}

func TestTables(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ctx := t.Context()
		ana, bob, guest := h.member("ana"), h.member("bob"), h.enter(h.Accounts.NewGuest())
		yes := true
		_, err := guest.OpenTable(ctx, table.Proposal{Game: "ayu", Rated: &yes})
		wantCode(t, "rated guest", err, errcode.NotAllowed)
		_, err = ana.OpenTable(ctx, table.Proposal{Game: "go"})
		wantCode(t, "no such game", err, errcode.BadRequest)
		_, err = ana.OpenTable(ctx, table.Proposal{Game: "ayu", Options: []byte(`{"size":4}`)})
		wantCode(t, "even size", err, errcode.BadRequest)
		_, err = ana.OpenTable(ctx, table.Proposal{Game: "ayu", To: "nobody-here"})
		wantCode(t, "absent person", err, errcode.BadRequest)

		private, err := ana.OpenTable(ctx, table.Proposal{Game: "ayu", Private: true})
		if err != nil || private.Code(ana.Account().ID) == "" || private.Code(bob.Account().ID) != "" {
			t.Fatalf("%+v, %v", private, err)
		}
		if seen := h.TableList().TablesFor(bob.Account().ID); len(seen) != 0 {
			t.Errorf("bob sees the private table")
		}
		_, err = bob.JoinTable(ctx, private.ID, "wrong")
		wantCode(t, "wrong code", err, errcode.NotAllowed)
		challenge, err := ana.OpenTable(ctx, table.Proposal{Game: "ayu", To: "BOB"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = guest.JoinTable(ctx, challenge.ID, "")
		wantCode(t, "another's challenge", err, errcode.NotAllowed)
		wantCode(t, "another's to decline", guest.DeclineChallenge(t.Context(), challenge.ID), errcode.NotAllowed)
		wantCode(t, "decline", bob.DeclineChallenge(t.Context(), challenge.ID), "")
		wantCode(t, "gone", bob.DeclineChallenge(t.Context(), challenge.ID), errcode.UnknownTable)
		wantCode(t, "not the owner", bob.CancelTable(t.Context(), private.ID), errcode.NotAllowed)
		if _, err := ana.JoinTable(ctx, private.ID, private.Code(ana.Account().ID)); errorCode(err) != errcode.NotAllowed {
			t.Errorf("a user plays against the same user: %v", err)
		}
		id, err := bob.JoinTable(ctx, private.ID, private.Code(ana.Account().ID))
		if err != nil {
			t.Fatal(err)
		}
		_, err = guest.Watch(id, "")
		wantCode(t, "private match", err, errcode.NotAllowed)
		if _, err := guest.Watch(id, private.Code(ana.Account().ID)); err != nil {
			t.Error(err)
		}
		if len(h.View().Matches) != 0 {
			t.Error("a private match is listed")
		}
	})
}

func TestTableDiesWithItsOwner(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		if _, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu"}); err != nil {
			t.Fatal(err)
		}
		if _, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Clock: &clock.Control{Days: 3}}); err != nil {
			t.Fatal(err)
		}
		ana.Close(true)
		advance(8 * time.Second)
		if n := len(h.TableList().Tables); n != 2 {
			t.Errorf("%d tables during the grace", n)
		}
		advance(8 * time.Second)
		if left := h.TableList().TablesFor(bob.Account().ID); len(left) != 1 || left[0].Control.Days != 3 {
			t.Errorf("after the grace: %+v", left)
		}
	})
}

func TestQuickMatch(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ctx := t.Context()
		ana, bob, cleo := h.member("ana"), h.member("bob"), h.member("cleo")
		quick := func(s *lobby.Session, options string) {
			t.Helper()
			if _, err := s.OpenTable(ctx, table.Proposal{Game: "ayu", Quick: true, Options: []byte(options)}); err != nil {
				t.Fatal(err)
			}
		}
		quick(ana, `{"size":9}`)
		advance(time.Millisecond) // for the order of arrival
		quick(bob, `{"size":13}`)
		advance(4 * time.Second)
		if n := len(h.View().Matches); n != 0 {
			t.Fatalf("%d matches between different wishes", n)
		}
		quick(cleo, ``)
		advance(4 * time.Second)
		v := h.View()
		if len(v.Matches) != 1 || len(v.Tables) != 1 {
			t.Fatalf("%d matches, %d tables", len(v.Matches), len(v.Tables))
		}
		if m := v.Matches[0]; m.Info.Options.String() != "9×9, pie" || m.Info.Control != clock.Default {
			t.Errorf("paired for %s, %s", m.Info.Options, m.Info.Control)
		}
		// An ordinary table is taken as it is.
		dora, emil := h.member("dora"), h.member("emil")
		control := &clock.Control{Initial: time.Minute}
		if _, err := dora.OpenTable(ctx, table.Proposal{Game: "ayu", Clock: control, Options: []byte(`{"size":7}`)}); err != nil {
			t.Fatal(err)
		}
		quick(emil, `{"size":7}`)
		advance(4 * time.Second)
		if ms := emil.SeatedMatches(); len(ms) != 1 || ms[0].Info.Control != *control {
			t.Errorf("emil sits at %v", ms)
		}
	})
}

// TestCommandsDoNotEndAnAbsence: the session of a command neither shows a player who has left nor gives them time.
func TestCommandsDoNotEndAnAbsence(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, bob := a.member("ana"), a.member("bob")
		seats := a.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		stays := seats[0]
		if p, _ := ana.AsPlayer(stays.Match().Info.ID); p.Seat() == 1 {
			stays = seats[1]
		}
		bob.Close(false)
		for range 4 {
			advance(3 * time.Second)
			for _, h := range []harness{a, b} {
				s, err := h.EnterForCommand(bob.Account(), netip.MustParseAddr("192.0.2.1"))
				if err != nil {
					t.Fatal(err)
				}
				c.settle()
				h.wantOnline("ana")
				s.Close(false)
			}
		}
		wantCode(t, "claim after 12 s", stays.Claim(t.Context(), "win"), "")
	})
}
