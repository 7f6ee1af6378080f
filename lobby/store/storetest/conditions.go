package storetest

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// testConditions: a change needs the end of the log and the version of the row, an append of a turn the version of the
// conditions, and the end of a match deletes them.
func testConditions(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	turns := Log(t, info, 4, NewChance())
	turns[0].AppendID, turns[1].AppendID = match.AppendID{1}, match.AppendID{2}
	first, second := match.EndOf(turns[:1]), match.EndOf(turns[:2])
	row := func(seat int, version int64, data string) match.ConditionsRow {
		return match.ConditionsRow{Seat: seat, Version: version, Data: []byte(data)}
	}
	_, err := s.Conditions(ctx, "m")
	Want(t, "unknown match", err, errcode.ErrNotFound)
	Want(t, "saving for an unknown match", s.SaveConditions(ctx, "m", After(0), row(1, 0, "a")), errcode.ErrVersionConflict)
	Want(t, "appending to an unknown match", s.AppendTurn(ctx, "m", After(0), 1, turns[0]), errcode.ErrNotFound)
	Want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
	want := func(what string, version int64, rows ...match.ConditionsRow) {
		t.Helper()
		got := Must[match.StoredConditions](t)(s.Conditions(ctx, "m"))
		if !reflect.DeepEqual(got, match.StoredConditions{Version: version, Rows: rows}) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	want("none", 1)
	Want(t, "of another end", s.SaveConditions(ctx, "m", After(1), row(1, 0, "a")), errcode.ErrVersionConflict)
	Want(t, "of a later version", s.SaveConditions(ctx, "m", After(0), row(1, 1, "a")), errcode.ErrVersionConflict)
	want("after refused changes", 1)
	Want(t, "first", s.SaveConditions(ctx, "m", After(0), row(1, 0, "a")), nil)
	Want(t, "first again", s.SaveConditions(ctx, "m", After(0), row(1, 0, "b")), errcode.ErrVersionConflict)
	want("the first", 2, row(1, 1, "a"))
	Want(t, "turn on the earlier conditions", s.AppendTurn(ctx, "m", After(0), 1, turns[0]), errcode.ErrVersionConflict)
	Want(t, "turn", s.AppendTurn(ctx, "m", After(0), 2, turns[0]), nil)
	Want(t, "turn repeated", s.AppendTurn(ctx, "m", After(0), 1, turns[0]), nil)
	Want(t, "after the turn", s.SaveConditions(ctx, "m", After(0), row(1, 1, "b")), errcode.ErrVersionConflict)
	Want(t, "after another append", s.SaveConditions(ctx, "m", After(1), row(1, 1, "b")), errcode.ErrVersionConflict)
	Want(t, "second", s.SaveConditions(ctx, "m", first, row(1, 1, "b")), nil)
	Want(t, "other seat", s.SaveConditions(ctx, "m", first, row(0, 0, "c")), nil)
	want("of both seats", 4, row(0, 1, "c"), row(1, 2, "b"))
	Want(t, "whatever they are", s.Append(ctx, "m", first, turns[1]), nil)
	end := End(1, engine.ReasonResign, 0)
	Want(t, "answer and end on the earlier conditions", s.AppendTurn(ctx, "m", second, 3, turns[2], end), errcode.ErrVersionConflict)
	want("a refused end", 4, row(0, 1, "c"), row(1, 2, "b"))
	Want(t, "answer and end", s.AppendTurn(ctx, "m", second, 4, turns[2], end), nil)
	want("after the end", 4)
	Want(t, "after the end", s.SaveConditions(ctx, "m", After(4), row(1, 2, "b")), errcode.ErrVersionConflict)
}

// testConditionsAtOnce changes the conditions of matches while turns are appended to them: a turn is only recorded on
// the conditions that were stored before it, and conditions only on the log that they were made for.
func testConditionsAtOnce(t *testing.T, open func() store.Store) {
	stores := pair(open)
	ctx := t.Context()
	ana, bob := Account(t, stores[0], "ana"), Account(t, stores[0], "bob")
	const matches = 3 * rounds
	turns := Log(t, Match(t, "log", "", ana, bob), 1, NewChance())
	for i := range matches {
		Want(t, "create", stores[0].CreateMatch(ctx, Match(t, fmt.Sprint("m", i), "", ana, bob), lobby.MatchStart{}), nil)
	}
	both := 0
	for i := range matches {
		id := fmt.Sprint("m", i)
		var saved, appended bool
		var version int64
		var done sync.WaitGroup
		done.Go(func() {
			saved = stores[0].SaveConditions(ctx, id, After(0), match.ConditionsRow{Seat: 1, Data: []byte("a")}) == nil
		})
		done.Go(func() {
			stored, err := stores[1].Conditions(ctx, id)
			version = stored.Version
			appended = err == nil && stores[1].AppendTurn(ctx, id, After(0), version, turns...) == nil
		})
		done.Wait()
		switch {
		case !saved && !appended:
			t.Errorf("%s: neither was recorded", id)
		case saved && appended && version != 2:
			t.Errorf("%s: a turn on conditions %d was recorded beside later ones", id, version)
		case saved && appended:
			both++
		}
	}
	t.Logf("both were recorded %d of %d times", both, matches)
}
