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

// testConditions: a change needs the end of the log and the version of the conditions, as an append of a turn does, and the
// end of a match deletes them.
func testConditions(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	turns := Log(t, info, 4, NewChance())
	turns[0].AppendID, turns[1].AppendID = match.AppendID{1}, match.AppendID{2}
	first, second := match.NewLogEnd(turns[:1]), match.NewLogEnd(turns[:2])
	row := func(seat int, version int64, data string) match.ConditionsRow {
		return match.ConditionsRow{Seat: seat, Version: version, Data: []byte(data)}
	}
	_, err := s.Conditions(ctx, "m")
	Want(t, "unknown match", err, errcode.ErrNotFound)
	Want(t, "saving for an unknown match", s.SaveConditions(ctx, "m", After(0), 1, row(1, 1, "a")), errcode.ErrVersionConflict)
	Want(t, "appending to an unknown match", s.AppendTurn(ctx, "m", After(0), 1, turns[0]), errcode.ErrNotFound)
	Want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
	// want compares the rows, and returns the version of the conditions.
	want := func(what string, rows ...match.ConditionsRow) int64 {
		t.Helper()
		got := Must[match.StoredConditions](t)(s.Conditions(ctx, "m"))
		if !reflect.DeepEqual(got.Rows, rows) {
			t.Errorf("%s: %+v", what, got)
		}
		return got.Version
	}
	none := want("none")
	if none != 1 {
		t.Errorf("without conditions their version is %d", none)
	}
	Want(t, "of another end", s.SaveConditions(ctx, "m", After(1), none, row(1, 1, "a")), errcode.ErrVersionConflict)
	Want(t, "of another version", s.SaveConditions(ctx, "m", After(0), none+1, row(1, 1, "a")), errcode.ErrVersionConflict)
	if v := want("after refused changes"); v != none {
		t.Errorf("after refused changes the version is %d, not %d", v, none)
	}
	Want(t, "first", s.SaveConditions(ctx, "m", After(0), none, row(1, 1, "a")), nil)
	Want(t, "first again", s.SaveConditions(ctx, "m", After(0), none, row(1, 1, "b")), errcode.ErrVersionConflict)
	one := want("the first", row(1, 1, "a"))
	Want(t, "turn on the earlier conditions", s.AppendTurn(ctx, "m", After(0), none, turns[0]), errcode.ErrVersionConflict)
	Want(t, "turn", s.AppendTurn(ctx, "m", After(0), one, turns[0]), nil)
	Want(t, "turn repeated", s.AppendTurn(ctx, "m", After(0), none, turns[0]), nil)
	Want(t, "after the turn", s.SaveConditions(ctx, "m", After(0), one, row(1, 2, "b")), errcode.ErrVersionConflict)
	Want(t, "after another append", s.SaveConditions(ctx, "m", After(1), one, row(1, 2, "b")), errcode.ErrVersionConflict)
	Want(t, "second", s.SaveConditions(ctx, "m", first, one, row(1, 2, "b")), nil)
	two := want("the second", row(1, 2, "b"))
	Want(t, "on the first", s.SaveConditions(ctx, "m", first, one, row(1, 2, "c")), errcode.ErrVersionConflict)
	Want(t, "other seat", s.SaveConditions(ctx, "m", first, two, row(0, 1, "c")), nil)
	three := want("of both seats", row(0, 1, "c"), row(1, 2, "b"))
	Want(t, "whatever they are", s.Append(ctx, "m", first, turns[1]), nil)
	end := End(1, engine.ReasonResign, 0)
	Want(t, "answer and end on the earlier conditions", s.AppendTurn(ctx, "m", second, two, turns[2], end), errcode.ErrVersionConflict)
	if v := want("a refused end", row(0, 1, "c"), row(1, 2, "b")); v != three {
		t.Errorf("after a refused end the version is %d, not %d", v, three)
	}
	Want(t, "answer and end", s.AppendTurn(ctx, "m", second, three, turns[2], end), nil)
	want("after the end")
	Want(t, "after the end", s.SaveConditions(ctx, "m", After(4), three, row(1, 3, "b")), errcode.ErrVersionConflict)
}

// testConditionVersions makes the same changes in two matches: no version of the conditions follows from the changes
// before. A database that has lost the newest changes would otherwise give other conditions the version with which an
// append that is under way names the lost ones.
func testConditionVersions(t *testing.T, open func() store.Store) {
	s := open()
	ctx := t.Context()
	ana, bob := Account(t, s, "ana"), Account(t, s, "bob")
	const changes = 5
	seen := make(map[int64]bool)
	for _, id := range []string{"m", "n"} {
		Want(t, "create", s.CreateMatch(ctx, Match(t, id, "", ana, bob), lobby.MatchStart{}), nil)
		for n := range int64(changes) {
			stored := Must[match.StoredConditions](t)(s.Conditions(ctx, id))
			Want(t, "change", s.SaveConditions(ctx, id, After(0), stored.Version, match.ConditionsRow{Seat: 1, Version: n + 1, Data: []byte("a")}), nil)
			seen[Must[match.StoredConditions](t)(s.Conditions(ctx, id)).Version] = true
		}
	}
	if len(seen) != 2*changes || seen[0] || seen[1] {
		t.Errorf("%d changes made the versions %v", 2*changes, seen)
	}
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
			saved = stores[0].SaveConditions(ctx, id, After(0), 1, match.ConditionsRow{Seat: 1, Version: 1, Data: []byte("a")}) == nil
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
		case saved && appended && version == 1:
			t.Errorf("%s: a turn on conditions %d was recorded beside later ones", id, version)
		case saved && appended:
			both++
		}
	}
	t.Logf("both were recorded %d of %d times", both, matches)
}
