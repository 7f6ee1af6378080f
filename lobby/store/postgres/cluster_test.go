package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/cluster/rows/rowstest"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

func TestSharedRows(t *testing.T) {
	rowstest.Run(t, func(t *testing.T) (a, b rows.Store) {
		url := postgrestest.URL(t)
		return openURL(t, url).Cluster(), openURL(t, url).Cluster()
	})
}

// TestChangedMatches: another node finds new matches and new entries, each of them, and the entries that it lacks.
func TestChangedMatches(t *testing.T) {
	url := postgrestest.URL(t)
	s, other := openURL(t, url), openURL(t, url).Cluster()
	var cursor rows.Cursor
	changed := func() (all []cluster.ChangedMatch) {
		t.Helper()
		all, next, err := other.ChangedMatches(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		cursor = next
		return all
	}
	if all := changed(); len(all) != 0 {
		t.Errorf("with the empty cursor: %+v", all)
	}
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	info := storetest.Match(t, "m1", `{"size":5,"pie":false}`, ana, bob)
	log := append(storetest.Log(t, info, 4, storetest.NewChance()), storetest.End(time.Hour, engine.ReasonResign, 0))
	if err := s.CreateMatch(t.Context(), info, lobby.MatchStart{}); err != nil {
		t.Fatal(err)
	}
	if all := changed(); len(all) != 1 || all[0] != (cluster.ChangedMatch{ID: "m1"}) {
		t.Errorf("after the start: %+v", all)
	}
	for i := range log {
		log[i].AppendID = match.AppendID{byte(i + 1)}
		if err := s.Append(t.Context(), "m1", match.NewLogEnd(log[:i]), log[i]); err != nil {
			t.Fatal(err)
		}
		want := cluster.ChangedMatch{ID: "m1", End: match.NewLogEnd(log[:i+1]), Ended: log[i].Kind == match.EntryEnd}
		if all := changed(); len(all) != 1 || all[0] != want {
			t.Errorf("after entry %d: %+v, want %+v", i+1, all, want)
		}
	}
	for version := range len(log) + 2 {
		after, entries, err := other.LogAfter(t.Context(), "m1", version)
		known := min(version, len(log))
		if err != nil || after != match.NewLogEnd(log[:known]) || !slices.EqualFunc(entries, log[known:], sameEntry) {
			t.Errorf("after version %d: %+v, %+v, %v", version, after, entries, err)
		}
	}
	// A database that was started since the cursor may have lost what the cursor counts.
	number, _, _ := strings.Cut(string(cursor), "@")
	cursor = rows.Cursor(number + "@1")
	open := storetest.Match(t, "m2", "", ana, bob)
	if err := s.CreateMatch(t.Context(), open, lobby.MatchStart{}); err != nil {
		t.Fatal(err)
	}
	changed()
	cursor = rows.Cursor("99999999@1")
	if all := changed(); len(all) != 1 || all[0].ID != "m2" {
		t.Errorf("after a restart of the database: %+v", all)
	}
	_, _, err := other.LogAfter(t.Context(), "none", 0)
	storetest.Want(t, "an unknown match", err, errcode.ErrNotFound)
}

func sameEntry(a, b match.Entry) bool {
	return a.Kind == b.Kind && a.AppendID == b.AppendID && a.Digest == b.Digest && fmt.Sprint(a.Actions) == fmt.Sprint(b.Actions)
}
