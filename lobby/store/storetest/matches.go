package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/table"
)

func testMatch(t *testing.T, open func() store.Store) {
	s := open()
	ana := Account(t, s, "ana")
	info := Match(t, "m1", `{"size":7,"pie":true}`, ana, Guest)
	info.Rated, info.Private, info.Code, info.RematchOf, info.Delay = false, true, "secret", "m0", 3
	info.Tournament = match.Tournament{ID: "t1", Round: 2, Table: 3, FirstTurn: 90 * time.Second, NoVacation: true}
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	Want(t, "create again", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), errcode.ErrTaken)
	got, entries, err := s.Match(t.Context(), "m1")
	if err != nil || len(entries) != 0 {
		t.Fatal(entries, err)
	}
	info.Seats[1].Account = 0 // guests have no account after a restart
	if !reflect.DeepEqual(got, info) {
		t.Errorf("got %+v\nwant %+v", got, info)
	}
	turns := Log(t, info, 6, NewChance())
	Want(t, "append one", s.Append(t.Context(), "m1", After(0), turns[0]), nil)
	Want(t, "append four", s.Append(t.Context(), "m1", After(1), turns[1:5]...), nil)
	Want(t, "append none", s.Append(t.Context(), "m1", After(5)), nil)
	if _, entries, err = s.Match(t.Context(), "m1"); err != nil || !reflect.DeepEqual(entries, turns[:5]) {
		t.Errorf("got %+v, %v\nwant %+v", entries, err, turns[:5])
	}
	_, _, err = s.Match(t.Context(), "m2")
	Want(t, "unknown match", err, errcode.ErrNotFound)
	for i, start := range starts(t) {
		info.ID, info.RematchOf, info.Game, info.Options = fmt.Sprint("start", i), "", start.Game().Name(), start
		Want(t, "create from a position", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		if got, _, err = s.Match(t.Context(), info.ID); err != nil || got.Options != start {
			t.Errorf("%v, %v is read as %+v", start, err, got)
		}
	}
}

// starts returns the options of matches of two that begin with the usual position or with another: with a handicap and
// from a position of Ayu, and from one of a long game of Mu.
func starts(t testing.TB) []engine.Options {
	t.Helper()
	long := &match.Info{Game: "mu", Options: Options(t, "mu", `{"players":2,"segments":8}`)}
	p := long.Options.Game().New(long.Options)
	for _, e := range Log(t, long, 40, NewChance()) {
		p = Must[engine.Position](t)(engine.PlayTurn(p, e.Actions))
	}
	return []engine.Options{
		Options(t, "ayu", `{"size":5,"handicap":2}`),
		Options(t, "ayu", `{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`),
		Must[engine.Options](t)(long.Options.Game().(engine.Starter).StartAt(p)),
	}
}

func testConditionalAppend(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	turns := Log(t, info, 6, NewChance())
	Want(t, "unknown match", s.Append(ctx, "m", After(0), turns[0]), errcode.ErrNotFound)
	Want(t, "unknown match's end", s.Append(ctx, "m", After(0), End(1, engine.ReasonAbort)), errcode.ErrNotFound)
	Want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
	Want(t, "gap at the beginning", s.Append(ctx, "m", After(1), turns[0]), errcode.ErrVersionConflict)
	Want(t, "negative", s.Append(ctx, "m", After(-1), turns[0]), errcode.ErrVersionConflict)
	Want(t, "first two", s.Append(ctx, "m", After(0), turns[:2]...), nil)
	Want(t, "stale", s.Append(ctx, "m", After(1), turns[1]), errcode.ErrVersionConflict)
	Want(t, "overlapping", s.Append(ctx, "m", After(1), turns[1:4]...), errcode.ErrVersionConflict)
	Want(t, "gap", s.Append(ctx, "m", After(3), turns[3]), errcode.ErrVersionConflict)
	Want(t, "stale end", s.Append(ctx, "m", After(1), End(1, engine.ReasonResign, 0)), errcode.ErrVersionConflict)
	noEnd := End(1, engine.ReasonResign, 0)
	noEnd.Result = nil
	Want(t, "end without a result", s.Append(ctx, "m", After(2), noEnd), store.ErrInvalidEnd)
	noEnd = End(1, engine.ReasonResign, 0)
	noEnd.TurnsMade = noEnd.TurnsMade[:1]
	Want(t, "end that lacks a seat", s.Append(ctx, "m", After(2), noEnd), store.ErrInvalidEnd)
	noEnd = End(1, engine.ReasonResign, 0)
	noEnd.TurnsMade, noEnd.Sides = []int{1, 1, 1}, []string{"", "", ""}
	if err := s.Append(ctx, "m", After(2), noEnd); err == nil {
		t.Error("an end with a seat too many was taken")
	}
	Want(t, "something after the end", s.Append(ctx, "m", After(2), End(1, engine.ReasonResign, 0), turns[2]), store.ErrInvalidEnd)
	if _, entries, err := s.Match(ctx, "m"); err != nil || !reflect.DeepEqual(entries, turns[:2]) {
		t.Errorf("a refused append changed the log: %+v, %v", entries, err)
	}
	Want(t, "end", s.Append(ctx, "m", After(2), End(1, engine.ReasonResign, 0)), nil)
	Want(t, "after the end", s.Append(ctx, "m", After(3), turns[2]), errcode.ErrVersionConflict)
	Want(t, "a second end", s.Append(ctx, "m", After(3), End(1, engine.ReasonResign, 1)), errcode.ErrVersionConflict)
}

func testAppendIDs(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	RunAppends(t, s, ana, bob)
	if r := Ratings(t, s, ana.ID)["ayu"]; r.Games != 1 {
		t.Errorf("a repeated end is rated %d times", r.Games)
	}
	// Another process, which knows no end of a log, looks for the id in the log of that match only.
	info := Match(t, "o", "", ana, bob)
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	turn := Log(t, info, 1, NewChance())[0]
	turn.AppendID = match.AppendID{1}
	other := open()
	Want(t, "an append with the id of one to another match", other.Append(t.Context(), "o", After(0), turn), nil)
	if _, entries, err := other.Match(t.Context(), "o"); err != nil || len(entries) != 1 {
		t.Errorf("the log has %d entries, %v", len(entries), err)
	}
}

// Appends is the part of a store that RunAppends needs.
type Appends interface {
	CreateMatch(ctx context.Context, info *match.Info, with lobby.MatchStart) error
	Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error
	Match(ctx context.Context, match string) (*match.Info, []match.Entry, error)
}

// RunAppends tests on a match between two accounts that an append is recorded once however often it is repeated, and
// follows only the append that it was made for.
func RunAppends(t *testing.T, s Appends, ana, bob account.Account) {
	ctx := t.Context()
	info := Match(t, "m", "", ana, bob)
	Want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
	turns := Log(t, info, 5, NewChance())
	turns[1].AppendID, turns[2].AppendID = match.AppendID{1}, match.AppendID{0xff, 15: 2}
	other := turns[2]
	other.AppendID = match.AppendID{3}
	first, second := match.NewLogEnd(turns[:2]), match.NewLogEnd(turns[:3])
	for range 2 {
		Want(t, "two entries", s.Append(ctx, "m", After(0), turns[:2]...), nil)
	}
	Want(t, "after another append", s.Append(ctx, "m", match.LogEnd{Version: 2, Last: match.AppendID{9}}, other), errcode.ErrVersionConflict)
	Want(t, "after no append", s.Append(ctx, "m", After(2), other), errcode.ErrVersionConflict)
	Want(t, "after that append", s.Append(ctx, "m", first, turns[2]), nil)
	Want(t, "another turn in its place", s.Append(ctx, "m", first, other), errcode.ErrVersionConflict)
	early := End(1, engine.ReasonResign, 0)
	early.AppendID = match.AppendID{8}
	Want(t, "an end after another append", s.Append(ctx, "m", match.LogEnd{Version: 3, Last: match.AppendID{9}}, early), errcode.ErrVersionConflict)
	Want(t, "without an id", s.Append(ctx, "m", second, turns[3]), nil)
	Want(t, "after an append without an id", s.Append(ctx, "m", After(4), turns[4]), nil)
	Want(t, "repeated later", s.Append(ctx, "m", first, turns[2]), nil)
	Want(t, "without an id, repeated", s.Append(ctx, "m", second, turns[3]), errcode.ErrVersionConflict)
	if _, entries, err := s.Match(ctx, "m"); err != nil || !reflect.DeepEqual(entries, turns) {
		t.Errorf("got %+v, %v\nwant %+v", entries, err, turns)
	}
	last := End(1, engine.ReasonResign, 0)
	last.AppendID = match.AppendID{4}
	for range 2 {
		Want(t, "end", s.Append(ctx, "m", After(5), last), nil)
	}
	last.AppendID = match.AppendID{5}
	Want(t, "another end", s.Append(ctx, "m", After(5), last), errcode.ErrVersionConflict)

	next := Match(t, "n", "", ana, bob)
	Want(t, "create another match", s.CreateMatch(ctx, next, lobby.MatchStart{}), nil)
	Want(t, "the same appends to it", s.Append(ctx, "n", After(0), turns[:2]...), nil)
	Want(t, "the same appends to it", s.Append(ctx, "n", first, turns[2]), nil)
	if _, entries, err := s.Match(ctx, "n"); err != nil || !reflect.DeepEqual(entries, turns[:3]) {
		t.Errorf("another match has %+v, %v\nwant %+v", entries, err, turns[:3])
	}
}

// testUnfinished has more matches than a store needs to read at once.
func testUnfinished(t *testing.T, open func() store.Store) {
	s := open()
	chance := NewChance()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	logs := make(map[string][]match.Entry)
	var running []string
	for i := range 2*128 + 3 {
		info := Match(t, fmt.Sprintf("m%03d", i), "", ana, bob)
		Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
		entries := Log(t, info, i%5, chance)
		if i%4 == 3 {
			entries = append(entries, End(time.Second, engine.ReasonAbort))
		} else {
			running = append(running, info.ID)
		}
		Want(t, "append", s.Append(t.Context(), info.ID, After(0), entries...), nil)
		logs[info.ID] = entries
	}
	var seen []string
	check := func(info *match.Info, entries []match.Entry) error {
		seen = append(seen, info.ID)
		if len(info.Seats) != 2 || info.Seats[1].Name != "bob" || len(entries) != len(logs[info.ID]) {
			t.Errorf("%+v came with %d entries", info, len(entries))
		}
		for i, e := range entries {
			if !reflect.DeepEqual(e, logs[info.ID][i]) {
				t.Errorf("match %s: entry %d is %+v", info.ID, i+1, e)
			}
		}
		// The function may use the store.
		_, _, err := s.Match(t.Context(), info.ID)
		return err
	}
	Want(t, "unfinished", s.Unfinished(t.Context(), check), nil)
	if !slices.Equal(seen, running) {
		t.Errorf("unfinished are %v, want %v", seen, running)
	}
	seen = nil
	Want(t, "all", s.AllMatches(t.Context(), check), nil)
	if len(seen) != len(logs) || !slices.IsSorted(seen) {
		t.Errorf("all are %v", seen)
	}
	stop := errors.New("enough")
	Want(t, "stopped", s.AllMatches(t.Context(), func(*match.Info, []match.Entry) error { return stop }), stop)
}

// testLobby plays through the lobby: the turns and sides of its ends are those that were
// played.
func testLobby(t *testing.T, open func() store.Store) {
	s := open()
	ctx, yes := t.Context(), true
	l := Must[*lobby.Lobby](t)(lobby.New(ctx, lobby.Config{Games: enginetest.Games, Store: s}))
	defer l.Close()
	var who [2]*lobby.Session
	for i, name := range []string{"ana", "bob"} {
		who[i] = Must[*lobby.Session](t)(l.Enter(Account(t, s, name), nil))
	}
	table := Must[*table.View](t)(who[0].OpenTable(ctx, table.Proposal{Game: "ayu", Options: []byte(`{"size":5}`), Rated: &yes}))
	id := Must[string](t)(who[1].JoinTable(ctx, table.ID, ""))
	var seats [2]*lobby.Player
	for _, s := range who {
		p := Must[*lobby.Player](t)(s.AsPlayer(id))
		seats[p.Seat()] = p
	}
	for v, action := range []string{"b1-b2", "swap", "", ""} {
		p := seats[0].Snapshot().Position
		if action == "" {
			action = p.Legal()[0]
		}
		Must[int](t)(seats[p.Turn()].Act(ctx, v, []string{action}))
	}
	Want(t, "resign", seats[0].Resign(ctx), nil)
	found := Must[[]lobby.FinishedMatch](t)(s.FinishedMatches(ctx, lobby.MatchQuery{Limit: 1}))
	if len(found) != 1 || found[0].Turns != 4 || len(found[0].RatingsAfter) != 2 || found[0].RatingsAfter[1].Value <= found[0].RatingsAfter[0].Value {
		t.Fatalf("the archive has %+v", found)
	}
	for i, want := range []lobby.Tally{{Lost: 1}, {Won: 1}} {
		side := []string{"w", "b"}[i] // they swapped
		tally := Must[lobby.Tally](t)(s.Tally(ctx, found[0].Info.Seats[i].Account, "ayu"))
		if got := tally.BySide[side]; !reflect.DeepEqual(got, want) {
			t.Errorf("seat %d as %s: %+v", i, side, tally)
		}
	}
}
