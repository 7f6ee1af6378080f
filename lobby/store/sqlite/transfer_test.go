package sqlite

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	"ayumu/lobby/match"
	"ayumu/lobby/store"
	"ayumu/lobby/store/storetest"
)

// TestAnImportIsTheSameStore: nothing is lost or changed, and play goes on.
func TestAnImportIsTheSameStore(t *testing.T) {
	source, s := openFile(t, filepath.Join(t.TempDir(), FileName)), openFile(t, filepath.Join(t.TempDir(), FileName))
	info, log := storetest.Populate(t, source)
	want(t, "import", s.Import(t.Context(), source.Export(t.Context())), nil)
	wanted := storetest.Dump(t, source)
	if got := storetest.Dump(t, s); !slices.Equal(got, wanted) {
		t.Errorf("the copy has\n%q\nwant\n%q", got, wanted)
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %q, %v", found, err)
	}
	want(t, "append", s.Append(t.Context(), info.ID, match.NewLogEnd(log), turn("a1-a2")), nil)
	wanted = storetest.Dump(t, s)
	want(t, "import again", s.Import(t.Context(), source.Export(t.Context())), store.ErrNotEmpty)
	if got := storetest.Dump(t, s); !slices.Equal(got, wanted) {
		t.Errorf("after an import that was refused it has\n%q\nwant\n%q", got, wanted)
	}
}

// TestAFailedImportLeavesNothing, and says in which table it has failed.
func TestAFailedImportLeavesNothing(t *testing.T) {
	source, s := openFile(t, filepath.Join(t.TempDir(), FileName)), openFile(t, filepath.Join(t.TempDir(), FileName))
	storetest.Populate(t, source)
	errBroken := errors.New("the disk broke")
	// at20 has something else follow the first 20 rows of the source.
	at20 := func(then func(row store.Row, yield func(store.Row, error) bool) (goOn bool)) iter.Seq2[store.Row, error] {
		return func(yield func(store.Row, error) bool) {
			n := 0
			for row, err := range source.Export(t.Context()) {
				if n++; n == 20 && !then(row, yield) || !yield(row, err) {
					return
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, c := range []struct {
		what string
		rows iter.Seq2[store.Row, error]
		want error
		says string
	}{
		{"no row", at20(func(_ store.Row, yield func(store.Row, error) bool) bool { return yield(store.Row{}, errBroken) }), errBroken, "copying into"},
		{"a row with an error", at20(func(row store.Row, yield func(store.Row, error) bool) bool { return yield(row, errBroken) }), errBroken, "table "},
		{"a row twice", at20(func(row store.Row, yield func(store.Row, error) bool) bool { return yield(row, nil) }), nil, "table "},
		{"a context that ends", at20(func(store.Row, func(store.Row, error) bool) bool { cancel(); return true }), context.Canceled, "canceled"},
	} {
		err := s.Import(ctx, c.rows)
		if c.want != nil {
			want(t, c.what, err, c.want)
		}
		checkMessage(t, err, c.says)
		if got := storetest.Dump(t, s); len(got) != 0 {
			t.Errorf("%s: the store has %q", c.what, got)
		}
	}
	want(t, "afterwards", s.Import(t.Context(), source.Export(t.Context())), nil)
}
