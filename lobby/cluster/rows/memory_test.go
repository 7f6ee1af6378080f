package rows_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/cluster/rows/rowstest"
)

func TestMemory(t *testing.T) {
	rowstest.Run(t, func(*testing.T) (a, b rows.Store) {
		m := new(rows.Memory)
		return m, m
	})
}

// TestDeletedRowsAreForgotten: after KeepDeleted they take no memory, unless they exist again.
func TestDeletedRowsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m rows.Memory
		write := func(id string, replaces int64, data []byte) {
			t.Helper()
			if _, err := m.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "test", ID: id}, Replaces: replaces, Data: data}); err != nil {
				t.Fatal(err)
			}
		}
		deleted := func() string {
			found, _, err := m.Changes(t.Context(), "0")
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, r := range found {
				if r.IsDeleted() {
					ids = append(ids, r.ID)
				}
			}
			return strings.Join(ids, " ")
		}
		for _, id := range []string{"a", "b"} {
			write(id, 0, []byte("x"))
			write(id, 1, nil)
		}
		write("b", 0, []byte("again"))
		if got := deleted(); got != "a" {
			t.Errorf("deleted: %q", got)
		}
		<-time.After(rows.KeepDeleted)
		write("d", 0, []byte("x"))
		if got := deleted(); got != "a" {
			t.Errorf("deleted for an hour: %q", got)
		}
		<-time.After(time.Second)
		write("c", 0, []byte("x"))
		if got := deleted(); got != "" {
			t.Errorf("deleted after an hour: %q", got)
		}
		write("b", 3, []byte("it still exists"))
		write("a", 0, []byte("a new row"))
	})
}

// TestPreparedChanges are visible once they are valid, and changes of their rows wait for them, those of others do not.
func TestPreparedChanges(t *testing.T) {
	for _, isValid := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var m rows.Memory
			key := func(id string) rows.Key { return rows.Key{Kind: "test", ID: id} }
			content := func() (text string) {
				found, err := m.Read(t.Context(), key("a"), key("b"), key("c"), key("gone"), key("unknown"))
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range found {
					text += r.ID + string(r.Data) + " "
				}
				return text
			}
			write := func(ctx context.Context, id, data string, replaces int64) error {
				w := rows.Write{Key: key(id), Data: []byte(data), Replaces: replaces}
				if data == "" {
					w.Data = nil
				}
				_, err := m.Write(ctx, w)
				return err
			}
			m.Load([]rows.Row{{Key: key("a"), Version: 1, Data: []byte("1")}})
			if err := errors.Join(write(t.Context(), "gone", "1", 0), write(t.Context(), "gone", "", 1)); err != nil {
				t.Fatal(err)
			}
			p, err := m.Prepare(t.Context(), rows.Write{Key: key("a"), Data: []byte("2"), Replaces: 1})
			other, err2 := m.Prepare(t.Context(), rows.Write{Key: key("b"), Data: []byte("1")})
			if err := errors.Join(err, err2, write(t.Context(), "c", "1", 0)); err != nil {
				t.Fatal(err)
			}
			if got := content(); got != "a1 c1 " {
				t.Errorf("while changes are prepared: %s", got)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := write(ctx, "a", "3", 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a change of a prepared row: %v", err)
			}
			waited := make(chan error, 1)
			go func() { waited <- write(t.Context(), "a", "3", 1) }()
			synctest.Wait()
			p.End(isValid)
			other.End(true)
			want, wantErr := "a3 b1 c1 ", error(nil)
			if isValid {
				want, wantErr = "a2 b1 c1 ", rows.ErrConflict
			}
			if err := <-waited; !errors.Is(err, wantErr) || content() != want {
				t.Errorf("valid %t: %v, %s, want %v, %s", isValid, err, content(), wantErr, want)
			}
		})
	}
}

// TestCursors: changes that were visible at a cursor may be lost once the store was started again.
func TestCursors(t *testing.T) {
	for _, c := range []struct {
		before, after rows.Cursor
		want          bool
	}{{"", "1@a", false}, {"1@a", "2@a", false}, {"1@a", "2@b", true}, {"1", "2", false}, {"1", "2@a", true}, {"", "", false}} {
		if got := c.before.MayHaveLost(c.after); got != c.want {
			t.Errorf("%q and %q: %t", c.before, c.after, got)
		}
	}
}
