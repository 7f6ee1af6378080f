package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"ayumu/engine/ayu"
)

// worker makes the simulations of one goroutine. Workers of one tree hold its lock while they read and change it, but
// not while they list moves and judge boards, where they spend nine tenths of their time. A search by several cannot be
// repeated exactly.
type worker struct {
	rng       *rand.Rand     // unused with a policy
	features  *boardFeatures // nil without an evaluator and a policy
	evaluator *evaluator     // nil for none
	policy    *policy        // nil for none

	// Of the current simulation:
	path   []int32     // nodes, as moves; the root first
	played []ayu.Point // targets of the moves
	amaf   *amafTable  // table of the last node that has one

	// Of the last node of the path, as tree.descend left it:
	at     int32 // the node that has its board
	move   ayu.Move
	proof  proof
	moves  []ayu.Move // if the worker has listed them
	priors []uint16   // their probabilities by the policy, 0 to maxPrior
}

// useWeights gives a new worker an evaluator and a policy.
func (w *worker) useWeights(v *valueNetwork, p *policyNetwork) {
	w.features, w.evaluator, w.policy = new(boardFeatures), &evaluator{network: v}, &policy{network: p}
}

// runWorkers lets workers make simulations in a tree until there are as many as playouts (0: no limit), the result of
// the root is proven, or stop returns true. Each worker calls stop once in simulationsPerTimeCheck of its simulations
// with the number of all that have begun; the first one runs in the goroutine of the caller. runWorkers returns the
// number of simulations once all workers have ended. If one panics, the others end and runWorkers panics with a text
// that has the value and the stack of the first panic; the tree cannot be used any more then.
func (t *tree) runWorkers(workers []*worker, playouts int, stop func(made int) bool) int {
	if t.isSolved() {
		return 0
	}
	var begun atomic.Int64
	var hasEnded atomic.Bool
	run := func(w *worker) {
		defer hasEnded.Store(true)
		for own := 1; !hasEnded.Load(); own++ {
			made := int(begun.Add(1))
			if playouts > 0 && made > playouts {
				begun.Add(-1)
				return
			}
			if w.simulate(t) || own%simulationsPerTimeCheck == 0 && stop(made) {
				return
			}
		}
	}
	panics := make(chan any, len(workers))
	var running sync.WaitGroup
	for _, w := range workers[1:] {
		running.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					panics <- fmt.Sprintf("%v\n%s", r, debug.Stack())
				}
			}()
			run(w)
		})
	}
	func() {
		defer running.Wait()
		run(workers[0])
	}()
	select {
	case r := <-panics:
		panic(r)
	default:
	}
	return int(begun.Load())
}

// simulate makes one simulation, updates all nodes on its path, and reports whether the result of the root is proven.
func (w *worker) simulate(t *tree) (isSolved bool) {
	w.path, w.played, w.amaf = append(w.path[:0], 0), w.played[:0], nil
	b, needsMoves := t.descend(w, t.board)
	for needsMoves {
		w.listMoves(b)
		t.addMoves(w)
		b, needsMoves = t.descend(w, b)
	}
	value := 0.0 // for the side that made the last move of the path
	switch w.proof {
	case provenWin:
		value = 1
	case unproven:
		value = 1 - w.judge(b)
	}
	return t.backpropagate(w, value)
}

// listRoot lists the moves of the root, if they are not known. No other worker may run.
func (w *worker) listRoot(t *tree) {
	if root := &t.nodes[0]; root.untriedCount < 0 {
		w.at, w.move = 0, root.move
		w.listMoves(t.board)
		t.addMoves(w)
	}
}

// listMoves generates the moves of the last node of the path, the most probable ones first, or in random order without
// a policy.
func (w *worker) listMoves(b ayu.Board) {
	w.moves, w.priors = b.Moves(w.moves[:0]), w.priors[:0]
	if w.policy == nil {
		w.rng.Shuffle(len(w.moves), func(i, j int) { w.moves[i], w.moves[j] = w.moves[j], w.moves[i] })
		return
	}
	w.features.compute(b)
	for _, p := range w.policy.estimate(w.features, w.moves, w.move) {
		w.priors = append(w.priors, uint16(p*maxPrior))
	}
	sortByPrior(w.moves, w.priors)
}

// sortByPrior sorts moves and their priors, the highest prior first.
func sortByPrior(moves []ayu.Move, priors []uint16) {
	for i, p := range priors {
		m, at := moves[i], i
		for ; at > 0 && priors[at-1] < p; at-- {
			moves[at], priors[at] = moves[at-1], priors[at-1]
		}
		moves[at], priors[at] = m, p
	}
}

// judge returns the estimated share of wins of the side to move.
func (w *worker) judge(b ayu.Board) float64 {
	if w.evaluator == nil {
		return w.rollout(b)
	}
	w.features.compute(b)
	return w.evaluator.evaluate(w.features)
}

// rollout plays a few random moves and returns the estimated share of wins of the side that was to move
// first.
func (w *worker) rollout(b ayu.Board) float64 {
	side := b.Turn()
	for range rolloutPlies {
		m, ok := b.RandomMove(w.randN)
		if !ok {
			break
		}
		b = b.After(m)
		w.played = append(w.played, m.To)
	}
	v := spanShare(b)
	if b.Turn() != side {
		return 1 - v
	}
	return v
}

// randN returns a random number from 0 to n-1. It is faster than the generator's own method.
func (w *worker) randN(n int) int { return int(w.rng.Uint64() >> 32 * uint64(n) >> 32) }

// spanShare estimates the share of wins of the side to move from the difference of the moves that both
// sides need to join all their units. With equal numbers the side to move is half a move ahead. Units
// without a path between them need no moves, since a side whose units are all locked in has won.
func spanShare(b ayu.Board) float64 {
	own := b.Span(b.Turn())
	if own == 0 {
		return 1
	}
	lead := float64(b.Span(b.Turn().Other())-own) + 0.5
	return logistic(tempoLogit * lead)
}

// logistic returns the probability of a logit.
func logistic(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
