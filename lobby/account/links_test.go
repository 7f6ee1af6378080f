package account_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// node is the link codes as one node knows them.
type node struct {
	*account.Links
	kinds *rows.Kinds
}

func newNode(s rows.Store) node {
	n := node{account.NewLinks(), rows.NewKinds(rows.Config{Store: s})}
	n.kinds.Add(n.Rows())
	return n
}

// follow has nodes take over all rows.
func follow(t *testing.T, s rows.Store, all ...node) {
	t.Helper()
	found, _, err := s.Changes(t.Context(), "0")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		for _, n := range all {
			if err := n.kinds.Follow(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLinks: a code that one node gave is taken once on any; a new code replaces it, and all codes expire.
func TestLinks(t *testing.T) {
	s := new(rows.Memory)
	a, b := newNode(s), newNode(s)
	set := func(l node, id account.ID, code string, now time.Time) {
		t.Helper()
		if err := l.Set(t.Context(), id, code, now, now.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(l node, code string, now time.Time, want account.ID) {
		t.Helper()
		if id, err := l.Take(t.Context(), code, now); id != want || err != nil {
			t.Errorf("code %q is that of %d, %v; want %d", code, id, err, want)
		}
	}
	set(a, 7, "first", began)
	set(b, 7, "second", began) // without having heard of the first
	set(a, 8, "other", began)
	follow(t, s, a, b)
	want(a, "first", began, 0)
	want(a, "second", began, 7)
	want(b, "second", began, 0) // b has not heard of it
	want(b, "other", began.Add(2*time.Minute), 0)
	set(b, 9, "third", began.Add(2*time.Minute)) // which removes the one that has expired
	if found, err := s.Read(t.Context(), rows.Key{Kind: "link", ID: "8"}); err != nil || len(found) != 0 {
		t.Errorf("an expired code is kept: %v, %v", found, err)
	}
	if err := b.Remove(t.Context(), 9); err != nil {
		t.Error(err)
	}
	want(b, "third", began.Add(2*time.Minute), 0)
}

// TestALinkCodeIsTakenOnce: of those who use a code at once on several nodes one succeeds.
func TestALinkCodeIsTakenOnce(t *testing.T) {
	s := new(rows.Memory)
	nodes := make([]node, 8)
	for i := range nodes {
		nodes[i] = newNode(s)
	}
	if err := nodes[0].Set(t.Context(), 7, "code", began, began.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	follow(t, s, nodes...)
	var wg sync.WaitGroup
	var taken atomic.Int32
	for _, l := range nodes {
		wg.Go(func() {
			id, err := l.Take(t.Context(), "code", began)
			if err != nil {
				t.Error(err)
			}
			if id == 7 {
				taken.Add(1)
			}
		})
	}
	wg.Wait()
	if taken.Load() != 1 {
		t.Errorf("taken %d times", taken.Load())
	}
}

type brokenStore struct{ rows.Memory }

var errBroken = errors.New("the store is gone")

func (*brokenStore) Write(context.Context, ...rows.Write) ([]rows.Row, error) {
	return nil, errBroken
}

func TestLinksReportFailures(t *testing.T) {
	l := newNode(new(brokenStore))
	if err := l.Set(t.Context(), 7, "code", began, began.Add(time.Minute)); !errors.Is(err, errBroken) {
		t.Errorf("a code without a store: %v", err)
	}
}
