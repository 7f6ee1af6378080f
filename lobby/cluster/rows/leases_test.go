package rows_test

import (
	"context"
	"errors"
	"testing"

	"ayumu/lobby/cluster/rows"
)

// leases are those of a node.
type leases struct {
	rows.Leases
	kinds *rows.Kinds
}

// newLeases returns the leases of a node, "" for one that is alone.
func newLeases(s rows.Store, node string, isAlive func(string) bool) *leases {
	l := &leases{kinds: rows.NewKinds(rows.Config{Store: s, Node: node, IsAlive: isAlive})}
	l.Name = "x"
	l.kinds.Add(&l.Leases)
	return l
}

// follow has a node take over a row.
func (l *leases) follow(t *testing.T, r rows.Row) {
	t.Helper()
	if err := l.kinds.Follow(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func (l *leases) acquire(t *testing.T, what string, want bool) {
	t.Helper()
	if got, err := l.Acquire(t.Context(), "1"); got != want || err != nil {
		t.Errorf("%s: %v, %v", what, got, err)
	}
}

var lease = rows.Key{Kind: "x", ID: "1"}

// TestOneNodeHasALease, whichever asks first and whatever they know of each other, until it is dead.
func TestOneNodeHasALease(t *testing.T) {
	var store rows.Memory
	dead := make(map[string]bool)
	isAlive := func(node string) bool { return !dead[node] }
	a, b, c := newLeases(&store, "a", isAlive), newLeases(&store, "b", isAlive), newLeases(&store, "c", isAlive)
	a.acquire(t, "a", true)
	b.acquire(t, "b, which has not heard of a", false)
	a.acquire(t, "a again", true)
	for range 3 {
		b.acquire(t, "b, which has heard of a", false)
		a.acquire(t, "a once more", true)
	}
	newLeases(&store, "a", isAlive).acquire(t, "a process of a that has started again", true)
	dead["a"] = true
	b.acquire(t, "b after the death of a", true)
	c.acquire(t, "c, which has heard of neither", false)
	dead["b"] = true
	c.follow(t, rows.Row{Key: lease, Version: 1, Data: []byte(`"a"`)}) // an old state
	c.acquire(t, "c after the death of b", true)
	c.follow(t, rows.Row{Key: lease, Version: 2}) // deleted, in an old state
	c.acquire(t, "c again", true)
	newLeases(&store, "", nil).acquire(t, "alone", true)
}

// TestReleasedLease: the row is deleted by the node that has the lease, and by no other while that is alive.
func TestReleasedLease(t *testing.T) {
	withKinds(t, func(t *testing.T, store *rows.Memory, open func(node string) *rows.Kinds, kill func(node string)) {
		var a, b rows.Leases
		a.Name, b.Name = "x", "x"
		open("a").Add(&a)
		onB := open("b")
		onB.Add(&b)
		wantRow := func(what string, want int) {
			t.Helper()
			settle()
			if found, err := store.Read(t.Context(), lease); err != nil || len(found) != want {
				t.Errorf("%s: %v, %v, want %d", what, found, err, want)
			}
		}
		b.Release("1")
		if got, err := a.Acquire(t.Context(), "1"); !got || err != nil {
			t.Fatal(err)
		}
		followAll(t, store, onB)
		b.Release("1")
		wantRow("released by another node", 1)
		a.Release("1")
		wantRow("released", 0)
	})
}

// TestLeaseThatTheStoreHasLost: a node that knows of a lease which the store has lost can get it after that.
func TestLeaseThatTheStoreHasLost(t *testing.T) {
	var store rows.Memory
	if _, err := store.Write(t.Context(), rows.Write{Key: lease, Data: []byte(`"a"`)}); err != nil {
		t.Fatal(err)
	}
	b := newLeases(&store, "b", func(node string) bool { return node != "a" })
	b.follow(t, rows.Row{Key: lease, Version: 2, Data: []byte(`"c"`)}) // which the store has lost
	b.acquire(t, "while c has it", false)
	found, _, err := store.Changes(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b.kinds.FollowLoss(t.Context(), found)
	b.follow(t, found[0])
	b.acquire(t, "after the loss", true)
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

// TestLeaseThatCannotBeRead: a lease that has gone at that moment is nobody's, and without the store no node has one.
func TestLeaseThatCannotBeRead(t *testing.T) {
	errDown := errors.New("the store is gone")
	for _, c := range []struct{ write, read, want error }{
		{rows.ErrConflict, nil, nil}, {rows.ErrConflict, errDown, errDown}, {errDown, nil, errDown},
	} {
		l := newLeases(&conflictStore{write: c.write, read: c.read}, "a", func(string) bool { return true })
		if got, err := l.Acquire(t.Context(), "1"); got || !errors.Is(err, c.want) {
			t.Errorf("a write with %v and a read with %v: %t, %v", c.write, c.read, got, err)
		}
	}
}

// TestDeletedLeaseIsFree: a node that has read the deletion of a lease can have it, also after the store has forgotten it.
func TestDeletedLeaseIsFree(t *testing.T) {
	var store rows.Memory
	l := newLeases(&store, "a", func(string) bool { return true })
	l.follow(t, rows.Row{Key: lease, Version: 1, Data: []byte(`"b"`)})
	l.follow(t, rows.Row{Key: lease, Version: 2})
	l.acquire(t, "deleted", true)
}
