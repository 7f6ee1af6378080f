package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// row is a change of a row that the tests of starts use.
func row(id string, replaces int64) rows.Write {
	return rows.Write{Key: rows.Key{Kind: "test", ID: id}, Replaces: replaces, Data: []byte("new"), Durable: id == "durable"}
}

// versions returns the versions of the rows of these ids; 0 for one that does not exist.
func versions(t *testing.T, s store.Store, ids ...string) (all []int64) {
	t.Helper()
	for _, id := range ids {
		found := Must[[]rows.Row](t)(s.Shared().Read(t.Context(), row(id, 0).Key))
		version := int64(0)
		for _, r := range found {
			version = r.Version
		}
		all = append(all, version)
	}
	return all
}

// testMatchStart: rows change with a match or not at all; the limit of unfinished matches and the one rematch hold.
func testMatchStart(t *testing.T, open func() store.Store) {
	s := open()
	ana, bob, cleo := Account(t, s, "ana"), Account(t, s, "bob"), Account(t, s, "cleo")
	create := func(id, rematchOf string, with lobby.MatchStart, accounts ...account.Account) error {
		info := Match(t, id, "", accounts...)
		for i := range info.Seats {
			info.Seats[i].Bot = accounts[i].Bot
		}
		info.RematchOf = rematchOf
		return s.CreateMatch(t.Context(), info, with)
	}
	exists := func(id string, want bool) {
		t.Helper()
		if _, _, err := s.Match(t.Context(), id); (err == nil) != want {
			t.Errorf("match %s: %v", id, err)
		}
	}
	Must[[]rows.Row](t)(s.Shared().Write(t.Context(), row("live", 0), row("durable", 0)))
	Want(t, "start", create("m1", "", lobby.MatchStart{Rows: []rows.Write{row("live", 1), row("durable", 1)}}, ana, bob), nil)
	Want(t, "start after another change", create("m2", "", lobby.MatchStart{Rows: []rows.Write{row("durable", 2), row("live", 1)}}, ana, bob), rows.ErrConflict)
	exists("m2", false)
	if got := fmt.Sprint(versions(t, s, "live", "durable")); got != "[2 2]" {
		t.Errorf("versions %s", got)
	}
	Want(t, "start with the id of another", create("m1", "", lobby.MatchStart{Rows: []rows.Write{row("live", 2)}}, ana, bob), errcode.ErrTaken)

	var unfinished *lobby.UnfinishedError
	err := create("m3", "", lobby.MatchStart{MaxUnfinished: 1, Rows: []rows.Write{row("live", 2)}}, cleo, bob)
	if !errors.As(err, &unfinished) || *unfinished != (lobby.UnfinishedError{Account: bob.ID, Count: 1}) {
		t.Errorf("above the limit: %v", err)
	}
	exists("m3", false)
	Want(t, "within the limit", create("m4", "", lobby.MatchStart{MaxUnfinished: 2}, cleo, bob), nil)
	bot := bob
	bot.Bot = true
	Want(t, "a bot above the limit", create("m5", "", lobby.MatchStart{MaxUnfinished: 2}, cleo, bot), nil)

	game := Match(t, "m4t", "", cleo, bob)
	game.Tournament = match.Tournament{ID: "t1", Round: 1, Table: 1}
	Want(t, "a game of a tournament", s.CreateMatch(t.Context(), game, lobby.MatchStart{}), nil)
	err = create("m4u", "", lobby.MatchStart{MaxUnfinished: 3}, cleo, bob)
	if !errors.As(err, &unfinished) || unfinished.Count != 3 {
		t.Errorf("above the limit beside a game of a tournament: %v", err)
	}

	// The repetition of a start that was recorded finds its match, also where that one reaches the limit.
	dora := Account(t, s, "dora")
	for i, want := range []error{nil, errcode.ErrTaken} {
		Want(t, fmt.Sprint("start ", i+1), create("m4r", "", lobby.MatchStart{MaxUnfinished: 1}, dora, Guest), want)
	}
	Want(t, "end", s.Append(t.Context(), "m4r", After(0), End(time.Minute, engine.ReasonAbort)), nil)
	Want(t, "start after one that has ended", create("m4s", "", lobby.MatchStart{MaxUnfinished: 1}, dora, Guest), nil)

	Want(t, "rematch of another match", create("m5r", "m4", lobby.MatchStart{}, cleo, bob), nil)
	Want(t, "rematch", create("m6", "m1", lobby.MatchStart{}, ana, bob), nil)
	var again *lobby.RematchError
	if err := create("m7", "m1", lobby.MatchStart{Rows: []rows.Write{row("live", 2)}}, bob, ana); !errors.As(err, &again) || again.ID != "m6" {
		t.Errorf("second rematch: %v", err)
	}
	exists("m7", false)
	if got := fmt.Sprint(versions(t, s, "live", "durable")); got != "[2 2]" {
		t.Errorf("versions %s after refused starts", got)
	}
}

// testStartsAtOnce starts matches of one account, which replace the same row, at once.
func testStartsAtOnce(t *testing.T, open func() store.Store) {
	s := open()
	ana := Account(t, s, "ana")
	for round := range rounds {
		id := fmt.Sprint("row", round)
		Must[[]rows.Row](t)(s.Shared().Write(t.Context(), row(id, 0)))
		started := atOnce(t, 4, func(i int) error {
			info := Match(t, fmt.Sprint("m", round, "-", i), "", ana, Guest)
			return s.CreateMatch(t.Context(), info, lobby.MatchStart{Rows: []rows.Write{row(id, 1)}})
		}, rows.ErrConflict)
		if got := versions(t, s, id); started != 1 || got[0] != 2 {
			t.Errorf("round %d: %d matches started, the row has version %d", round, started, got[0])
		}
	}
}
