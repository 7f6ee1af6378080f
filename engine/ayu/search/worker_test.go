package search

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// TestWorkersShareATree checks that a search with several workers makes all simulations, and that each of them counts once on its
// path, with one value.
func TestWorkersShareATree(t *testing.T) {
	for _, size := range []int{5, 9} {
		b := opening(size, 6, 1)
		var m searcher
		const made = 3000
		o := search.Options{Level: search.MaxLevel, Seed: 1, Threads: 3}
		n := m.search(ayu.FromBoard(b), o, made, 0, func(int) bool { return false })
		nodes := m.tree.nodes
		if root := nodes[0]; n > made || n < made && root.proof == unproven || int(root.boardVisits) != n {
			t.Errorf("size %d: %d simulations, %d visits of the root with proof %d", size, n, root.boardVisits, root.proof)
		}
		visits := make(map[int32]int32)
		for i := range nodes[1:] {
			k := &nodes[i+1]
			if k.boardNode != 0 {
				visits[k.boardNode] += k.visits
			} else {
				visits[int32(i+1)] += k.visits
			}
		}
		for i, sum := range visits {
			if k := nodes[i]; k.boardVisits != sum || k.pending != 0 || k.wins < 0 || k.wins > float32(k.boardVisits)*1.001 || k.untriedCount == isListing {
				t.Errorf("size %d: node %d has %d visits (%d by its moves), %.3f wins and %d untried moves", size, i, k.boardVisits, sum, k.wins, k.untriedCount)
			}
		}
		walk(t, m.tree, 0, b)
	}
}

// TestWorkersEnd checks that all workers end with the context, when one has proven the result, and when one panics.
func TestWorkersEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := ayu.FromBoard(opening(9, 6, 1))
	o := search.Options{Level: search.MaxLevel, Time: search.DefaultTime * 3600, Threads: 3}
	for _, o.Threads = range []int{1, 3, search.MaxThreads} {
		if a, err := new(searcher).Search(ctx, p, o); err != nil || a.Playouts > o.Threads*simulationsPerTimeCheck {
			t.Errorf("%d threads make %d playouts after the end of the context, %v", o.Threads, a.Playouts, err)
		}
	}
	o.Threads = 3
	// A move joins the last two units of the side to move.
	b, err := ayu.ParseBoard("5 b ...../oxxx./....x/o.x.x/.o..x")
	if err != nil {
		t.Fatal(err)
	}
	a, err := new(searcher).Search(context.Background(), ayu.FromBoard(b), o)
	if err != nil || a.Choices[0].Chance != 1 {
		t.Errorf("%v, %v, want a proven win", a, err)
	}
	m := new(searcher)
	m.prepare(p.Board(), o)
	m.workers[2].policy.network = nil
	defer func() {
		if recover() == nil {
			t.Error("the panic of a worker is lost")
		}
	}()
	m.Search(context.Background(), p, o)
}

// BenchmarkWorkers reports how many times as many simulations several workers make in the same time as one.
func BenchmarkWorkers(b *testing.B) {
	p := ayu.FromBoard(policyGame(11, 20))
	for _, threads := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			made := make(map[int]int)
			for b.Loop() {
				for _, n := range []int{1, threads} {
					var m searcher
					o := search.Options{Level: search.MaxLevel, Time: time.Second, Threads: n}
					made[n] += m.run(context.Background(), p, o, 0)
				}
			}
			b.ReportMetric(float64(made[threads])/float64(made[1]), "speedup")
		})
	}
}
