package postgres

import (
	"errors"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/store/storetest"
)

func openFile(t *testing.T) store.Store {
	t.Helper()
	s := must[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), sqlite.FileName), enginetest.Games))
	t.Cleanup(func() { s.Close() })
	return s
}

// TestAStoreIsCopiedToAnotherDatabaseAndBack: nothing is lost or changed, and the copies go on where the original
// stands.
func TestAStoreIsCopiedToAnotherDatabaseAndBack(t *testing.T) {
	first := openFile(t)
	info, log := storetest.Populate(t, first)
	want := storetest.Dump(t, first)
	second := openURL(t, postgrestest.URL(t))
	storetest.Want(t, "to PostgreSQL", second.Import(t.Context(), first.Export(t.Context())), nil)
	third := openFile(t)
	storetest.Want(t, "back", third.Import(t.Context(), second.Export(t.Context())), nil)
	for name, s := range map[string]store.Store{"PostgreSQL": second, "SQLite": third} {
		if got := storetest.Dump(t, s); !slices.Equal(got, want) {
			t.Errorf("%s has\n%q\nwant\n%q", name, got, want)
		}
		if found, err := s.Check(t.Context()); err != nil || found != nil {
			t.Errorf("%s: check: %q, %v", name, found, err)
		}
		got, entries, err := s.Match(t.Context(), info.ID)
		if err != nil || !reflect.DeepEqual(got, info) || !reflect.DeepEqual(entries, log) {
			t.Errorf("%s: the running match is %+v %+v, %v", name, got, entries, err)
		}
		next := match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: storetest.Start}
		storetest.Want(t, name+": append", s.Append(t.Context(), info.ID, match.NewLogEnd(log), next), nil)
		if a := storetest.Account(t, s, "late"); a.ID != 5 {
			t.Errorf("%s: a new account has the id %d", name, a.ID)
		}
		storetest.Want(t, name+": invite", s.CreateInvitation(t.Context(), []byte("next"), 1, storetest.Start, "mod", storetest.Start), nil)
	}
}

// TestAFailedImportLeavesNothing: the rows end with an error.
func TestAFailedImportLeavesNothing(t *testing.T) {
	source := openFile(t)
	storetest.Populate(t, source)
	errBroken := errors.New("the disk broke")
	broken := func(rows iter.Seq2[store.Row, error]) iter.Seq2[store.Row, error] {
		return func(yield func(store.Row, error) bool) {
			n := 0
			for row, err := range rows {
				if n++; n == 20 {
					yield(store.Row{}, errBroken)
					return
				}
				if !yield(row, err) {
					return
				}
			}
		}
	}
	for name, s := range map[string]store.Store{"PostgreSQL": openURL(t, postgrestest.URL(t)), "SQLite": openFile(t)} {
		storetest.Want(t, name, s.Import(t.Context(), broken(source.Export(t.Context()))), errBroken)
		if got := storetest.Dump(t, s); len(got) != 0 {
			t.Errorf("%s has %q", name, got)
		}
		storetest.Want(t, name, s.Import(t.Context(), source.Export(t.Context())), nil)
	}
}
