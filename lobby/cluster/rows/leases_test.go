package rows_test

import (
	"context"
	"errors"
	"testing"

	"ayumu/lobby/cluster/rows"
)

// TestOneNodeHasALease, whichever asks first and whatever they know of each other, until it is dead.
func TestOneNodeHasALease(t *testing.T) {
	var store rows.Memory
	dead := make(map[string]bool)
	isAlive := func(node string) bool { return !dead[node] }
	a, b, c := rows.NewLeases(&store, "a", isAlive), rows.NewLeases(&store, "b", isAlive), rows.NewLeases(&store, "c", isAlive)
	k := rows.Key{Kind: "x", ID: "1"}
	claim := func(name string, l *rows.Leases, want bool) {
		t.Helper()
		if got, err := l.Claim(t.Context(), k); got != want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	claim("a", a, true)
	claim("b, which has not heard of a", b, false)
	claim("a again", a, true)
	for range 3 {
		claim("b, which has heard of a", b, false)
		claim("a once more", a, true)
		claim("b again", b, false)
	}
	claim("a process of a that follows", rows.NewLeases(&store, "a", isAlive), true)
	dead["a"] = true
	claim("b after the death of a", b, true)
	claim("c, which has heard of neither", c, false)
	dead["b"] = true
	found, _, err := store.Changes(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	c.Follow(rows.Row{Key: k, Version: 1, Data: []byte("a")}) // an old state
	c.Follow(found[0])
	claim("c after the death of b", c, true)
	c.Follow(rows.Row{Key: k, Version: 2}) // deleted, in an old state
	if found, err = store.Read(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	b.Follow(found[0])
	if b.Forget(k) || !c.Forget(k) || c.Forget(k) {
		t.Error("c alone deletes the row, once")
	}
	var alone *rows.Leases
	alone.Follow(found[0])
	alone.Reset()
	claim("alone", alone, true)
	if alone.Forget(k) {
		t.Error("a node that is alone has rows")
	}
}

// TestLeaseThatTheStoreHasLost: a node that knows of a claim which the store has lost can get it after Reset.
func TestLeaseThatTheStoreHasLost(t *testing.T) {
	var store rows.Memory
	k := rows.Key{Kind: "x", ID: "1"}
	if _, err := store.Write(t.Context(), rows.Write{Key: k, Data: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	b := rows.NewLeases(&store, "b", func(string) bool { return false })
	b.Follow(rows.Row{Key: k, Version: 2, Data: []byte("c")}) // which the store has lost
	for i, want := range []bool{false, false, false, true} {
		if i == 2 {
			b.Reset()
		}
		if got, err := b.Claim(t.Context(), k); got != want || err != nil { // the first after Reset reads the row
			t.Errorf("claim %d: %v, %v", i, got, err)
		}
	}
}

// conflictStore is a Store whose writes conflict with a row that has gone by the time it is read, or fail.
type conflictStore struct {
	rows.Store
	write, read error
}

func (s *conflictStore) Write(context.Context, ...rows.Write) ([]rows.Row, error) {
	return nil, s.write
}

func (s *conflictStore) Read(context.Context, ...rows.Key) ([]rows.Row, error) {
	return nil, s.read
}

// TestLeaseThatCannotBeRead: a claim that has gone at that moment is nobody's, and without the store no node has one.
func TestLeaseThatCannotBeRead(t *testing.T) {
	errDown := errors.New("the store is gone")
	for _, c := range []struct{ write, read, want error }{
		{rows.ErrConflict, nil, nil}, {rows.ErrConflict, errDown, errDown}, {errDown, nil, errDown},
	} {
		l := rows.NewLeases(&conflictStore{write: c.write, read: c.read}, "a", func(string) bool { return true })
		if got, err := l.Claim(t.Context(), rows.Key{Kind: "x", ID: "1"}); got || !errors.Is(err, c.want) {
			t.Errorf("a write with %v and a read with %v: %t, %v", c.write, c.read, got, err)
		}
	}
}

// TestDeletedLeaseIsFree: a node that has read the deletion of a claim can have it, also after the store has forgotten it.
func TestDeletedLeaseIsFree(t *testing.T) {
	var store rows.Memory
	k := rows.Key{Kind: "x", ID: "1"}
	l := rows.NewLeases(&store, "a", func(string) bool { return true })
	l.Follow(rows.Row{Key: k, Version: 1, Data: []byte("b")})
	l.Follow(rows.Row{Key: k, Version: 2})
	if got, err := l.Claim(t.Context(), k); !got || err != nil {
		t.Errorf("%t, %v", got, err)
	}
}
