package search

import (
	"math/rand/v2"
	"testing"

	"ayumu/engine/mu"
)

// TestSolvesNodes checks when a node is solved: by a turn that wins alone for its seat, or when all turns found are.
func TestSolvesNodes(t *testing.T) {
	p := anyOfPlay(3, 2, 4, 1)
	seat := p.Turn()
	child := func(share float64, solved bool) *node {
		var v shares
		v[seat], v[(seat+1)%3] = share, 1-share
		return &node{turn: turn{end: p, value: v}, solved: solved}
	}
	for _, c := range []struct {
		name     string
		children []*node
		solved   bool
		share    float64
	}{
		{"a win", []*node{child(0.9, false), child(1, true)}, true, 1},
		{"a win that is not solved", []*node{child(1, false), child(0, true)}, false, 0},
		{"all solved", []*node{child(0, true), child(0.5, true)}, true, 0.5},
		{"one not solved", []*node{child(0.5, true), child(0.1, false)}, false, 0},
		{"no children", nil, false, 0},
	} {
		n := &node{turn: turn{end: p}, children: c.children}
		if got := n.solve(); got != c.solved || n.turn.value[seat] != c.share {
			t.Errorf("%s: solved is %v with the share %v", c.name, got, n.turn.value[seat])
		}
	}
}

// TestStopsWhenSolved checks that a search ends when the root is solved, and that it plays the win.
func TestStopsWhenSolved(t *testing.T) {
	m := newSearcher(defaultWeights())
	m.tree.turns.isTimeUp = func() bool { return false }
	p := parsePosition(t, "0,0:c0.1 3,-1:c0.2 1,0:c1.3", 0)
	root := m.tree.search(p, 1000)
	if !root.solved || root.visits > 50 {
		t.Errorf("solved is %v after %d visits", root.solved, root.visits)
	}
	if a := root.advice(0, rand.New(rand.NewPCG(1, 1))); a.Choices[0].Chance != 1 || a.Chances[0] != 1 {
		t.Errorf("the advice is %v", a)
	}
}

// TestSearchesTheStartsOfClearings checks that clearings are compared by searches as far as the playouts go.
func TestSearchesTheStartsOfClearings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	p := mu.New(mu.Options{Players: 2, Segments: 3, Min: 2})
	for p.Phase() == mu.Layout {
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
	}
	_, starts := countClearings(p)
	for _, c := range []struct{ playouts, searched int }{
		{starts, 0},
		{starts + startPlayouts, 1},
		{starts + 100*starts*startPlayouts, -1},
	} {
		m := newSearcher(defaultWeights())
		m.tree.turns.isTimeUp = func() bool { return false }
		l := layoutSearch{rng: rng, isTimeUp: m.tree.turns.isTimeUp, tree: m.tree, evaluator: &m.start, starts: make(map[uint64]*start), clearings: make(map[uint64]*clearing)}
		all := l.allClearings(p)
		done := l.searchStarts(all.next, p.Turn(), c.playouts-starts)
		n, last, most := 0, 0, 0 // the starts that were searched, and the playouts of the last searches of them
		for _, s := range l.starts {
			last, most = last+s.playouts, max(most, s.playouts)
			if s.playouts > 0 {
				n++
			}
		}
		if done > c.playouts-starts || last > done {
			t.Errorf("with %d playouts the starts were searched with %d, the last time with %d", c.playouts, done, last)
		}
		if c.searched >= 0 && (n != c.searched || done != n*startPlayouts) {
			t.Errorf("with %d playouts %d starts were searched with %d", c.playouts, n, done)
		}
		if c.searched < 0 && most < startPlayouts*startGrowth {
			t.Errorf("no start of play was searched with more than %d playouts", most)
		}
	}
}

// TestTriesOrdersOfExplosions compares the boards after one move with those of all orders of its explosions. A board
// does not tell which cells of a section have exploded, so positions where a cell explodes twice are left out.
func TestTriesOrdersOfExplosions(t *testing.T) {
	var e boardFeatures
	several := 0
	for seed := range uint64(30) {
		p := anyOfPlay(2, 3, 10, seed)
		if p.Phase() != mu.Play {
			continue
		}
		boards := func(orders int) map[uint64]bool {
			g := newTree(defaultWeights().value).turns
			g.isTimeUp = func() bool { return false }
			g.find(p, breadth{orders: orders, positions: 1 << 30, keep: 1})
			return g.seen
		}
		one, all := boards(0), boards(1<<30)
		want := make(map[uint64]bool)
		exploded, twice := make(map[mu.Hex]bool), false
		var follow func(p *mu.Position)
		follow = func(p *mu.Position) {
			actions := p.AppendLegal(nil)
			if actions[0].Kind != mu.Explode {
				e.load(p)
				want[e.hash()] = true
				return
			}
			for _, a := range actions {
				twice = twice || exploded[a.At]
				exploded[a.At] = true
				follow(play(p, a))
				exploded[a.At] = false
			}
		}
		follow(p)
		for _, a := range p.AppendLegal(nil) {
			if a.Kind == mu.Move {
				follow(play(p, a))
			}
		}
		if len(all) != len(want) && !twice {
			t.Errorf("%s\n%d boards were found of %d", p, len(all), len(want))
		}
		if len(one) < len(all) {
			several++
		}
	}
	if several == 0 {
		t.Error("the order of explosions never mattered")
	}
}
