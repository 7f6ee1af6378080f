// Package sharedtest tests implementations of shared.Store.
package sharedtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ayumu/lobby/shared"
)

// Run tests the stores that open returns: two stores on the same rows, of which there are none yet.
func Run(t *testing.T, open func(t *testing.T) (a, b shared.Store)) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, a, b shared.Store)
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

func key(id string) shared.Key { return shared.Key{Kind: "test", ID: id} }

// put writes one row and returns its version.
func put(t *testing.T, s shared.Store, id string, replaces int64, data string) int64 {
	t.Helper()
	w := shared.Write{Key: key(id), Replaces: replaces, Data: []byte(data)}
	if data == "" {
		w.Data = nil
	}
	rows, err := s.Write(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || rows[0].Key != w.Key || rows[0].At.IsZero() || !bytes.Equal(rows[0].Data, w.Data) {
		t.Fatalf("wrote %+v", rows)
	}
	return rows[0].Version
}

// wantConflict writes one row, which must fail.
func wantConflict(t *testing.T, s shared.Store, id string, replaces int64) {
	t.Helper()
	if _, err := s.Write(t.Context(), shared.Write{Key: key(id), Replaces: replaces, Data: []byte("wrong")}); !errors.Is(err, shared.ErrConflict) {
		t.Errorf("error of a write that replaces version %d: %v", replaces, err)
	}
}

// read returns the data of a row; "" if there is none.
func read(t *testing.T, s shared.Store, id string) string {
	t.Helper()
	rows, err := s.Read(t.Context(), key(id))
	if err != nil || len(rows) > 1 {
		t.Fatal(rows, err)
	}
	if len(rows) == 0 {
		return ""
	}
	return string(rows[0].Data)
}

func testCompareAndSwap(t *testing.T, a, b shared.Store) {
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

func testAllOrNone(t *testing.T, a, b shared.Store) {
	put(t, a, "x", 0, "one")
	_, err := b.Write(t.Context(),
		shared.Write{Key: key("new"), Data: []byte("new")},
		shared.Write{Key: key("x"), Replaces: 7, Data: []byte("two")},
	)
	if !errors.Is(err, shared.ErrConflict) || read(t, a, "new") != "" || read(t, a, "x") != "one" {
		t.Errorf("error %v; rows %q, %q", err, read(t, a, "new"), read(t, a, "x"))
	}
	rows, err := b.Write(t.Context(),
		shared.Write{Key: key("x"), Replaces: 1, Data: []byte("two")},
		shared.Write{Key: key("a"), Data: []byte("new")},
	)
	if err != nil || rows[0].ID != "x" || rows[0].Version != 2 || rows[1].ID != "a" || rows[1].Version != 1 {
		t.Errorf("wrote %+v: %v", rows, err)
	}
	if rows, err = a.Read(t.Context(), key("x"), key("a"), key("none")); err != nil || len(rows) != 2 {
		t.Errorf("read %+v: %v", rows, err)
	}
}

func testChanges(t *testing.T, a, b shared.Store) {
	changes := func(since shared.Mark) (map[string]string, shared.Mark) {
		rows, next, err := b.Changes(t.Context(), since)
		if err != nil {
			t.Fatal(err)
		}
		all := make(map[string]string)
		for _, r := range rows {
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
	if _, _, err := a.Changes(t.Context(), "no mark"); err == nil {
		t.Error("a wrong mark is taken")
	}
}

func testBounds(t *testing.T, a, _ shared.Store) {
	x := shared.Write{Key: key("x"), Data: []byte("x")}
	for name, changes := range map[string][]shared.Write{
		"twice":     {x, x},
		"no kind":   {{Key: shared.Key{ID: "x"}, Data: x.Data}},
		"no id":     {{Key: shared.Key{Kind: "test"}, Data: x.Data}},
		"long kind": {{Key: shared.Key{Kind: strings.Repeat("k", 17), ID: "x"}, Data: x.Data}},
		"long id":   {{Key: key(strings.Repeat("x", 101)), Data: x.Data}},
		"long data": {{Key: key("x"), Data: make([]byte, shared.MaxData+1)}},
	} {
		if _, err := a.Write(t.Context(), changes...); err == nil || errors.Is(err, shared.ErrConflict) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if rows, _, err := a.Changes(t.Context(), ""); err != nil || len(rows) != 0 {
		t.Errorf("rows %+v: %v", rows, err)
	}
	put(t, a, "x", 0, strings.Repeat("x", shared.MaxData))
	longest := shared.Key{Kind: strings.Repeat("k", 16), ID: strings.Repeat("x", 100)}
	if _, err := a.Write(t.Context(), shared.Write{Key: longest, Data: x.Data}); err != nil {
		t.Errorf("the longest key: %v", err)
	}
}

// testConcurrentWrites: of those who replace the same version one succeeds, so that counters count exactly.
func testConcurrentWrites(t *testing.T, a, b shared.Store) {
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
func increment(ctx context.Context, t *testing.T, s shared.Store, ids ...string) bool {
	var changes []shared.Write
	for _, id := range ids {
		rows, err := s.Read(ctx, key(id))
		if err != nil || len(rows) != 1 {
			t.Error(rows, err)
			return true
		}
		n := 0
		_, _ = fmt.Sscan(string(rows[0].Data), &n)
		changes = append(changes, shared.Write{Key: key(id), Replaces: rows[0].Version, Data: fmt.Append(nil, n+1)})
	}
	_, err := s.Write(ctx, changes...)
	if err != nil && !errors.Is(err, shared.ErrConflict) {
		t.Error(err)
		return true
	}
	return err == nil
}

// testNoChangeIsMissed: whoever reads from mark to mark while others write has the newest rows in the end. Each row is
// written twice only, so that no later change hides one that is missed, and by one writer, so that none waits for
// another.
func testNoChangeIsMissed(t *testing.T, a, b shared.Store) {
	const writers, each = 6, 60
	seen := make(map[string]int64)
	var mark shared.Mark
	follow := func() {
		rows, next, err := b.Changes(t.Context(), mark)
		if err != nil {
			t.Fatal(err)
		}
		mark = next
		for _, r := range rows {
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
					changes := []shared.Write{{Key: key(fmt.Sprint(i, "/", n)), Data: []byte("new")}}
					if n > 0 {
						changes = append(changes, shared.Write{Key: key(fmt.Sprint(i, "/", n-1)), Replaces: 1, Data: []byte("replaced")})
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
	rows, _, err := a.Changes(t.Context(), "")
	if err != nil || len(rows) == 0 {
		t.Fatal(rows, err)
	}
	for _, r := range rows {
		if seen[r.ID] != r.Version {
			t.Errorf("row %s: version %d seen, the newest is %d", r.ID, seen[r.ID], r.Version)
		}
	}
}
