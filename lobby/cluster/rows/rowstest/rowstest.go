// Package rowstest tests implementations of rows.Store.
package rowstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ayumu/lobby/cluster/rows"
)

// Run tests the stores that open returns: two stores on the same rows, of which there are none yet.
func Run(t *testing.T, open func(t *testing.T) (a, b rows.Store)) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, a, b rows.Store)
	}{
		{"CompareAndSwap", testCompareAndSwap},
		{"AllOrNone", testAllOrNone},
		{"Changes", testChanges},
		{"Bounds", testBounds},
		{"ConcurrentWrites", testConcurrentWrites},
		{"NoChangeIsMissed", testNoChangeIsMissed},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := open(t)
			c.test(t, a, b)
		})
	}
}

func key(id string) rows.Key { return rows.Key{Kind: "test", ID: id} }

// put writes one row and returns its version.
func put(t *testing.T, s rows.Store, id string, replaces int64, data string) int64 {
	t.Helper()
	w := rows.Write{Key: key(id), Replaces: replaces, Data: []byte(data)}
	if data == "" {
		w.Data = nil
	}
	found, err := s.Write(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Key != w.Key || found[0].At.IsZero() || !bytes.Equal(found[0].Data, w.Data) {
		t.Fatalf("wrote %+v", found)
	}
	return found[0].Version
}

// wantConflict writes one row, which must fail.
func wantConflict(t *testing.T, s rows.Store, id string, replaces int64) {
	t.Helper()
	if _, err := s.Write(t.Context(), rows.Write{Key: key(id), Replaces: replaces, Data: []byte("wrong")}); !errors.Is(err, rows.ErrConflict) {
		t.Errorf("error of a write that replaces version %d: %v", replaces, err)
	}
}

// read returns the data of a row; "" if there is none.
func read(t *testing.T, s rows.Store, id string) string {
	t.Helper()
	found, err := s.Read(t.Context(), key(id))
	if err != nil || len(found) > 1 {
		t.Fatal(found, err)
	}
	if len(found) == 0 {
		return ""
	}
	return string(found[0].Data)
}

func testCompareAndSwap(t *testing.T, a, b rows.Store) {
	v := put(t, a, "x", 0, "one")
	if v != 1 || read(t, b, "x") != "one" {
		t.Errorf("version %d, data %q", v, read(t, b, "x"))
	}
	wantConflict(t, b, "x", 0)
	wantConflict(t, b, "x", 2)
	v = put(t, b, "x", 1, "two")
	wantConflict(t, a, "x", 1)
	if v != 2 || read(t, a, "x") != "two" {
		t.Errorf("version %d, data %q", v, read(t, a, "x"))
	}
	if v = put(t, a, "x", 2, ""); v != 3 || read(t, b, "x") != "" {
		t.Errorf("version %d after deleting, data %q", v, read(t, b, "x"))
	}
	wantConflict(t, b, "x", 2)
	if v = put(t, b, "x", 0, "again"); v != 4 || read(t, a, "x") != "again" {
		t.Errorf("version %d of a row that was deleted, data %q", v, read(t, a, "x"))
	}
	put(t, a, "empty", 0, " ")
}

func testAllOrNone(t *testing.T, a, b rows.Store) {
	put(t, a, "x", 0, "one")
	_, err := b.Write(t.Context(),
		rows.Write{Key: key("new"), Data: []byte("new")},
		rows.Write{Key: key("x"), Replaces: 7, Data: []byte("two")},
	)
	if !errors.Is(err, rows.ErrConflict) || read(t, a, "new") != "" || read(t, a, "x") != "one" {
		t.Errorf("error %v; rows %q, %q", err, read(t, a, "new"), read(t, a, "x"))
	}
	found, err := b.Write(t.Context(),
		rows.Write{Key: key("x"), Replaces: 1, Data: []byte("two")},
		rows.Write{Key: key("a"), Data: []byte("new")},
	)
	if err != nil || found[0].ID != "x" || found[0].Version != 2 || found[1].ID != "a" || found[1].Version != 1 {
		t.Errorf("wrote %+v: %v", found, err)
	}
	if found, err = a.Read(t.Context(), key("x"), key("a"), key("none")); err != nil || len(found) != 2 {
		t.Errorf("read %+v: %v", found, err)
	}
}

func testChanges(t *testing.T, a, b rows.Store) {
	changes := func(since rows.Cursor) (map[string]string, rows.Cursor) {
		found, next, err := b.Changes(t.Context(), since)
		if err != nil {
			t.Fatal(err)
		}
		all := make(map[string]string)
		for _, r := range found {
			all[r.ID] = fmt.Sprintf("%d %s", r.Version, r.Data)
		}
		return all, next
	}
	_, first := changes("")
	put(t, a, "x", 0, "one")
	put(t, a, "y", 0, "one")
	put(t, a, "gone", 0, "one")
	put(t, a, "gone", 1, "")
	put(t, a, "x", 1, "two")
	got, second := changes(first)
	if want := map[string]string{"x": "2 two", "y": "1 one", "gone": "2 "}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("changes %v", got)
	}
	put(t, a, "y", 1, "")
	put(t, b, "z", 0, "one")
	got, _ = changes(second)
	for id, want := range map[string]string{"y": "2 ", "z": "1 one"} {
		if got[id] != want {
			t.Errorf("changes %v", got)
		}
	}
	if got, _ = changes(""); fmt.Sprint(got) != fmt.Sprint(map[string]string{"x": "2 two", "z": "1 one"}) {
		t.Errorf("all rows %v", got)
	}
	if _, _, err := a.Changes(t.Context(), "no cursor"); err == nil {
		t.Error("a wrong cursor is taken")
	}
}

func testBounds(t *testing.T, a, _ rows.Store) {
	x := rows.Write{Key: key("x"), Data: []byte("x")}
	for name, changes := range map[string][]rows.Write{
		"twice":     {x, x},
		"no kind":   {{Key: rows.Key{ID: "x"}, Data: x.Data}},
		"no id":     {{Key: rows.Key{Kind: "test"}, Data: x.Data}},
		"long kind": {{Key: rows.Key{Kind: strings.Repeat("k", 17), ID: "x"}, Data: x.Data}},
		"long id":   {{Key: key(strings.Repeat("x", 101)), Data: x.Data}},
		"long data": {{Key: key("x"), Data: make([]byte, rows.MaxData+1)}},
	} {
		if _, err := a.Write(t.Context(), changes...); err == nil || errors.Is(err, rows.ErrConflict) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if found, _, err := a.Changes(t.Context(), ""); err != nil || len(found) != 0 {
		t.Errorf("rows %+v: %v", found, err)
	}
	put(t, a, "x", 0, strings.Repeat("x", rows.MaxData))
	longest := rows.Key{Kind: strings.Repeat("k", 16), ID: strings.Repeat("x", 100)}
	if _, err := a.Write(t.Context(), rows.Write{Key: longest, Data: x.Data}); err != nil {
		t.Errorf("the longest key: %v", err)
	}
}

// testConcurrentWrites: of those who replace the same version one succeeds, so that counters count exactly.
func testConcurrentWrites(t *testing.T, a, b rows.Store) {
	const writers, each = 4, 40 // few writers: each waits for the rows of the others, and a store gives up after some seconds
	put(t, a, "x", 0, "0")
	put(t, a, "y", 0, "0")
	var wg sync.WaitGroup
	for i := range writers {
		s, first, second := a, "x", "y"
		if i%2 == 1 {
			s, first, second = b, "y", "x" // the other order must not deadlock
		}
		wg.Go(func() {
			for n := 0; n < each; {
				if increment(t.Context(), t, s, first, second) {
					n++
				}
			}
		})
	}
	wg.Wait()
	if want := fmt.Sprint(writers * each); read(t, a, "x") != want || read(t, b, "y") != want {
		t.Errorf("counted %s and %s, want %s", read(t, a, "x"), read(t, b, "y"), want)
	}
}

// increment adds 1 to two counters, and reports whether nobody else did meanwhile.
func increment(ctx context.Context, t *testing.T, s rows.Store, ids ...string) bool {
	var changes []rows.Write
	for _, id := range ids {
		found, err := s.Read(ctx, key(id))
		if err != nil || len(found) != 1 {
			t.Error(found, err)
			return true
		}
		n := 0
		_, _ = fmt.Sscan(string(found[0].Data), &n)
		changes = append(changes, rows.Write{Key: key(id), Replaces: found[0].Version, Data: fmt.Append(nil, n+1)})
	}
	_, err := s.Write(ctx, changes...)
	if err != nil && !errors.Is(err, rows.ErrConflict) {
		t.Error(err)
		return true
	}
	return err == nil
}

// testNoChangeIsMissed: whoever reads from cursor to cursor while others write has the newest rows in the end. Each row is
// written twice only, so that no later change hides one that is missed, and by one writer, so that none waits for
// another.
func testNoChangeIsMissed(t *testing.T, a, b rows.Store) {
	const writers, each = 6, 60
	seen := make(map[string]int64)
	var cursor rows.Cursor
	follow := func() {
		found, next, err := b.Changes(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		cursor = next
		for _, r := range found {
			seen[r.ID] = max(seen[r.ID], r.Version)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for n := range each {
					changes := []rows.Write{{Key: key(fmt.Sprint(i, "/", n)), Data: []byte("new")}}
					if n > 0 {
						changes = append(changes, rows.Write{Key: key(fmt.Sprint(i, "/", n-1)), Replaces: 1, Data: []byte("replaced")})
					}
					if _, err := a.Write(t.Context(), changes...); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		follow()
	}
	found, _, err := a.Changes(t.Context(), "")
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, r := range found {
		if seen[r.ID] != r.Version {
			t.Errorf("row %s: version %d seen, the newest is %d", r.ID, seen[r.ID], r.Version)
		}
	}
}
