//go:build train

package search

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// trainingSizes are the sizes of training games, in turn.
var trainingSizes = [...]int{11, 9, 11, 11, 9, 13, 7, 11, 11, 9, 11, 15, 9, 11, 7, 11}

const (
	quickSimulations = 64 // of most moves of a training game
	searchInterval   = 8  // moves for each one that is searched longer, on average
)

// How a training game went on after a position.
const (
	nextBest   = "best"
	nextRandom = "random"
	nextNone   = "none" // the position is of the search tree only
)

// trainingWeights are the weights with which training games are played; nil ones are not used.
type trainingWeights struct {
	network *valueNetwork
	policy  *policyNetwork
}

// playTraining plays a game and returns its positions, one a line: a board, the move before it, the share of wins of
// the side to move, how the game went on, and, of those that were searched longer, each visited move with its visits. One
// move in eight is searched with that many simulations, the others with few, since positions of one game resemble
// each other; of the former, other positions of the tree are included. In half of the games one move in six is random. The
// last line has "won" and a colour.
func playTraining(seed, g uint64, simulations int, w trainingWeights) string {
	rng := rand.New(rand.NewPCG(seed, g))
	size := trainingSizes[g%uint64(len(trainingSizes))]
	vary := rng.IntN(2) == 0
	board := opening(size, rng.IntN(9), seed*1e6+g)
	player := searcher{level: search.MaxLevel, tree: newTree(board, w.network != nil), workers: []*worker{{}}}
	if w.network != nil {
		player.workers[0].useWeights(w.network, w.policy)
	}
	var out strings.Builder
	var last ayu.Move
	for {
		isSearched, made := rng.IntN(searchInterval) == 0, quickSimulations
		if isSearched {
			made = simulations
		}
		p := ayu.FromBoard(board)
		made = player.search(p, search.Options{Level: search.MaxLevel, Seed: rng.Uint64()}, made, 0, func(int) bool { return false })
		t := player.tree
		if proof := t.nodes[0].proof; proof != unproven {
			// The proof of a node is that of the side that made the move to it.
			winner := board.Turn()
			if proof == provenWin {
				winner = winner.Other()
			}
			fmt.Fprintf(&out, "won %s\n", winner)
			return out.String()
		}
		a := t.advice(p, made, t.children())
		m, err := ayu.ParseMove(a.Choices[0].Actions[0])
		if err != nil {
			panic(err)
		}
		next := nextBest
		if vary && rng.IntN(6) == 0 {
			all := board.Moves(nil)
			m, next = all[rng.IntN(len(all))], nextRandom
		}
		if isSearched {
			t.writeSearched(&out, 0, board, last, next, simulations/3)
		} else {
			fmt.Fprintf(&out, "%s %s %.4f %s\n", board, last, 1-t.nodes[0].winRate(), next)
		}
		board, last = board.After(m), m
	}
}

// writeSearched writes a node and the nodes below it that have at least so many visits, the former first. next is how the
// game went on after the node.
func (t *tree) writeSearched(w io.Writer, at int32, b ayu.Board, last ayu.Move, next string, visits int) {
	n := &t.nodes[at]
	if n.proof == unproven {
		fmt.Fprintf(w, "%s %s %.4f %s", b, last, 1-n.winRate(), next)
		for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
			if k := &t.nodes[i]; k.visits > 0 {
				fmt.Fprintf(w, " %s %d", k.move, k.visits)
			}
		}
		fmt.Fprintln(w)
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		if k := &t.nodes[i]; k.boardNode == 0 && int(k.visits) >= visits {
			t.writeSearched(w, i, b.After(k.move), k.move, nextNone, visits)
		}
	}
}
