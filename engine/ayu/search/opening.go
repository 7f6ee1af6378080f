package search

import (
	"math/rand/v2"

	"ayumu/engine/ayu"
)

// opening returns the board after random moves, fewer if the game ends before. Training games and those of tests begin
// with it.
func opening(size int, moves int, seed uint64) ayu.Board {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := ayu.NewBoard(size)
	for range moves {
		list := b.Moves(nil)
		if len(list) == 0 {
			break
		}
		b = b.After(list[rng.IntN(len(list))])
	}
	return b
}
