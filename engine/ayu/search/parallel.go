package search

import (
	"context"
	"sync"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// searchParallel searches with o.Threads goroutines, each with a tree of its own, and chooses by the sums of their
// visits. Each makes a part of the playouts. Without a limit on playouts, all end when one has proven the result or the
// time of this searcher's own tree ends. A panic of one of them is one of the caller.
func (m *searcher) searchParallel(ctx context.Context, p *ayu.Position, o search.Options) search.Advice {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for len(m.helpers) < o.Threads-1 {
		m.helpers = append(m.helpers, new(searcher))
	}
	helpers := m.helpers[:o.Threads-1]
	if o.Playouts > 0 {
		o.Playouts = max(o.Playouts/o.Threads, 1)
	} else if o.Time == 0 {
		o.Time = search.DefaultTime
	}
	made, panics := make([]int, len(helpers)), make([]any, len(helpers))
	var running sync.WaitGroup
	for i, h := range helpers {
		running.Go(func() {
			defer func() {
				if panics[i] = recover(); panics[i] != nil {
					stop()
				}
			}()
			own := o
			// The caller's tree decides when to stop.
			if own.StopEarly {
				own.StopEarly, own.Time = false, longestTime(p, own.Time)
			}
			own.Seed += uint64(i+1) * 0x9e3779b97f4a7c15
			made[i] = h.run(ctx, p, own, 0)
			if o.Playouts == 0 && h.tree.isSolved() {
				stop()
			}
		})
	}
	playouts := m.run(ctx, p, o, exactLimit(p.Board(), o))
	if o.Playouts == 0 {
		stop()
	}
	running.Wait()
	for _, x := range panics {
		if x != nil {
			panic(x)
		}
	}
	children := m.tree.children()
	for i, h := range helpers {
		playouts += made[i]
		addVisits(children, h.tree.children())
	}
	m.tree.addBook(children)
	return m.tree.advice(p, playouts, children)
}

// addVisits adds the visits, the wins and the proofs of nodes to those with the same moves.
func addVisits(sum, nodes []node) {
	at := make(map[ayu.Move]*node, len(sum))
	for i := range sum {
		at[sum[i].move] = &sum[i]
	}
	for _, k := range nodes {
		s := at[k.move]
		s.visits += k.visits
		s.total += k.visits
		s.wins += k.wins
		if s.proof == unproven {
			s.proof = k.proof
		}
	}
}
