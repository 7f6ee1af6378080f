package search

import (
	"math/rand/v2"

	"ayumu/engine/ayu"
)

// Different orders of moves lead to the same board: in half of the nodes of a search with a policy and 60,000 simulations.
// Such nodes share the board of the first of them, with its visits and its subtree; each has the visits of its own move.

// zobrist has the random numbers whose XOR is the hash of a board (Zobrist hashing): for each stone by colour and
// point, and one for White to move.
var zobrist = func() (k struct {
	stones [2][256]uint64
	white  uint64
}) {
	rng := rand.New(rand.NewPCG(1, 2))
	for c := range k.stones {
		for p := range k.stones[c] {
			k.stones[c][p] = rng.Uint64()
		}
	}
	k.white = rng.Uint64()
	return k
}()

// hashBoard returns the hash of a board.
func hashBoard(b ayu.Board) (key uint64) {
	for _, c := range [...]ayu.Color{ayu.Black, ayu.White} {
		for _, p := range b.Stones(c).AppendTo(nil) {
			key ^= zobrist.stones[c][p]
		}
	}
	if b.Turn() == ayu.White {
		key ^= zobrist.white
	}
	return key
}

// hashChange returns the XOR of the hashes before and after a move of a side.
func hashChange(m ayu.Move, side ayu.Color) uint64 {
	return zobrist.stones[side][m.From] ^ zobrist.stones[side][m.To] ^ zobrist.white
}

// transpositions has the nodes that have a board, by their hashes, except the root. The zero value is empty.
type transpositions struct {
	table []int32 // 0 for none; its length is a power of two, and at least half of it is empty
	count int
}

// findOrAdd returns the node with a hash, or adds the one with the index and returns 0.
func (t *transpositions) findOrAdd(nodes []node, key uint64, index int32) int32 {
	if 2*t.count >= len(t.table) {
		t.grow(nodes)
	}
	i := t.slot(nodes, key)
	if t.table[i] == 0 {
		t.table[i] = index
		t.count++
		return 0
	}
	return t.table[i]
}

// slot returns the place of the node with a hash, or an empty one for it.
func (t *transpositions) slot(nodes []node, key uint64) int {
	mask := len(t.table) - 1
	i := int(key>>32) & mask
	for t.table[i] != 0 && nodes[t.table[i]].key != key {
		i = (i + 1) & mask
	}
	return i
}

// grow makes the table larger.
func (t *transpositions) grow(nodes []node) {
	old := t.table
	t.table = make([]int32, max(2*len(old), 1024))
	for _, index := range old {
		if index != 0 {
			t.table[t.slot(nodes, nodes[index].key)] = index
		}
	}
}

// reset rebuilds the table for the nodes of a tree.
func (t *transpositions) reset(nodes []node) {
	*t = transpositions{}
	for i := range nodes[1:] {
		if n := &nodes[i+1]; n.boardNode == 0 {
			t.findOrAdd(nodes, n.key, int32(i+1))
		}
	}
}
