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
var trainingSizes = [...]int{11, 9, 11, 7, 9, 13, 7, 11}

const (
	quickSimulations = 50 // of most moves of a training game
	searchInterval   = 6  // moves for each one that is searched longer, on average
)

// trainingWeights are the weights with which training games are played; nil ones are not used.
type trainingWeights struct {
	evaluator *weightTable
	policy    *policyTable
}

// playTraining plays a game and returns its searched positions, one a line: a board, the move before it, the share of
// wins of the side to move, and each visited move with its visits. One move in six is searched with that many
// simulations, the others with few, since positions of one game resemble each other. In half of the games one move in
// three is random, so that positions as in a search tree are included. The last line has "won" and a colour.
func playTraining(seed, g uint64, simulations int, w trainingWeights) string {
	rng := rand.New(rand.NewPCG(seed, g))
	size := trainingSizes[g%uint64(len(trainingSizes))]
	vary := g/uint64(len(trainingSizes))%2 == 0
	board := opening(size, rng.IntN(7), seed*1e6+g)
	player := searcher{level: search.MaxLevel, tree: newTree(board)}
	if w.evaluator != nil {
		player.tree.evaluator = &evaluator{weights: w.evaluator}
		player.tree.policy = &policy{weights: w.policy}
	}
	var out strings.Builder
	var last ayu.Move
	for !board.IsImmobile() {
		isSearched, made := rng.IntN(searchInterval) == 0, quickSimulations
		if isSearched {
			made = simulations
		}
		o := search.Options{Level: search.MaxLevel, Seed: rng.Uint64()}
		p := ayu.FromBoard(board)
		made = player.search(p, o, made, 0, func() bool { return false })
		a := player.tree.advice(p, made, player.tree.children())
		if isSearched {
			player.tree.writeSearched(&out, 0, board, last, simulations/3)
		}
		m, err := ayu.ParseMove(a.Choices[0].Actions[0])
		if err != nil {
			panic(err)
		}
		if vary && rng.IntN(3) == 0 || rng.IntN(20) == 0 {
			all := board.Moves(nil)
			m = all[rng.IntN(len(all))]
		}
		board, last = board.After(m), m
	}
	fmt.Fprintf(&out, "won %s\n", board.Turn())
	return out.String()
}

// writeSearched writes a node and the nodes below it that have at least so many visits, the former first.
func (t *tree) writeSearched(w io.Writer, at int32, b ayu.Board, last ayu.Move, visits int) {
	n := &t.nodes[at]
	if n.proof == unproven {
		fmt.Fprintf(w, "%s %s %.4f", b, last, 1-n.winRate())
		for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
			if k := &t.nodes[i]; k.visits > 0 {
				fmt.Fprintf(w, " %s %d", k.move, k.visits)
			}
		}
		fmt.Fprintln(w)
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		if k := &t.nodes[i]; int(k.visits) >= visits {
			t.writeSearched(w, i, b.After(k.move), k.move, visits)
		}
	}
}
