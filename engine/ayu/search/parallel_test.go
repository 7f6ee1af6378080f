package search

import (
	"context"
	"reflect"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// TestThreads checks that a search with several goroutines makes all playouts, adds up their visits, and can be
// repeated.
func TestThreads(t *testing.T) {
	p := ayu.FromBoard(opening(9, 6, 1))
	o := search.Options{Level: search.MaxLevel, Playouts: 900, Seed: 1, Threads: 3}
	advise := func(o search.Options) search.Advice {
		a, err := new(searcher).Search(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := advise(o)
	if again := advise(o); !reflect.DeepEqual(a, again) {
		t.Errorf("the second time the advice is %v instead of %v", again, a)
	}
	visits := 0
	for _, c := range a.Choices {
		visits += c.Visits
	}
	if a.Playouts != 900 || visits <= 900/2 || visits > 900 {
		t.Errorf("%d playouts with %d visits of the best moves, want 900 and most of them", a.Playouts, visits)
	}
	o.Threads = 1
	if one := advise(o); reflect.DeepEqual(a, one) {
		t.Error("one thread has the same visits as three")
	}
}

// TestThreadsEnd checks that all goroutines end with the context, and when one has proven the result.
func TestThreadsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := ayu.FromBoard(opening(9, 6, 1))
	o := search.Options{Level: search.MaxLevel, Time: search.DefaultTime * 3600, Threads: 3}
	if a, err := new(searcher).Search(ctx, p, o); err != nil || a.Playouts > 3*simulationsPerTimeCheck {
		t.Errorf("after the end of the context it makes %d playouts, %v", a.Playouts, err)
	}
	// A move joins the last two units of the side to move.
	b, err := ayu.ParseBoard("5 b ...../oxxx./....x/o.x.x/.o..x")
	if err != nil {
		t.Fatal(err)
	}
	a, err := new(searcher).Search(context.Background(), ayu.FromBoard(b), o)
	if err != nil || a.Choices[0].Chance != 1 {
		t.Errorf("%v, %v, want a proven win", a, err)
	}
}
