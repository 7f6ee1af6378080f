package search

import (
	"fmt"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// BenchmarkSimulations makes simulations of level 5 on 11×11 from positions after some turns of a game of the policy against
// itself. The tree grows to 4,000 simulations and begins anew.
func BenchmarkSimulations(b *testing.B) {
	for _, plies := range []int{2, 20, 40} {
		b.Run(fmt.Sprint(plies), func(b *testing.B) {
			board := policyGame(11, plies)
			var s searcher
			made := 0
			for b.Loop() {
				if made%4000 == 0 {
					s = searcher{}
					s.prepare(board, search.Options{Level: search.MaxLevel})
				}
				s.workers[0].simulate(s.tree)
				made++
			}
		})
	}
}

// policyGame returns the board after that many turns, each the most probable one by the policy, after two random ones.
func policyGame(size, plies int) ayu.Board {
	board := opening(size, 2, 1)
	var s boardFeatures
	y := policy{network: defaultPolicyNetwork()}
	var last ayu.Move
	for range plies {
		moves := board.Moves(nil)
		if len(moves) == 0 {
			break
		}
		s.compute(board)
		best, highest := 0, float32(0)
		for i, p := range y.estimate(&s, moves, last) {
			if p > highest {
				best, highest = i, p
			}
		}
		last = moves[best]
		board = board.After(last)
	}
	return board
}
