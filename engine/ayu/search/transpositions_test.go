package search

import (
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// TestTranspositionsShareBoards checks that moves to the same board share its node, whose visits are those of all these moves,
// and that the hashes of nodes are those of their boards.
func TestTranspositionsShareBoards(t *testing.T) {
	for seed := range uint64(4) {
		b := opening(9, 4+6*int(seed), seed)
		var m searcher
		m.search(ayu.FromBoard(b), search.Options{Level: search.MaxLevel, Seed: 1}, 4000, 0, func(int) bool { return false })
		nodes := m.tree.nodes
		visits := make(map[int32]int32)
		shared := 0
		for i := range nodes[1:] {
			k := &nodes[i+1]
			if k.boardNode == 0 {
				visits[int32(i+1)] += k.visits
				continue
			}
			shared++
			visits[k.boardNode] += k.visits
			if nodes[k.boardNode].boardNode != 0 || nodes[k.boardNode].key != k.key {
				t.Fatalf("node %d shares node %d, which has another board", i+1, k.boardNode)
			}
		}
		if shared == 0 {
			t.Errorf("seed %d: no board is shared", seed)
		}
		byKey := make(map[uint64]int32)
		for i, n := range visits {
			if nodes[i].boardVisits != n {
				t.Errorf("the board of node %d has %d visits, and the moves to it %d", i, nodes[i].boardVisits, n)
			}
			if other, ok := byKey[nodes[i].key]; ok {
				t.Errorf("nodes %d and %d have the same board", i, other)
			}
			byKey[nodes[i].key] = i
		}
		walk(t, m.tree, 0, b)
	}
}
