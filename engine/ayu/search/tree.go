package search

import (
	"math"
	"sync"

	"ayumu/engine/ayu"
)

// node is a move in the search tree. Unless another node has the board to which the move leads, it has that board's
// statistics and children, too. The board itself is found by playing the moves on the path. Untried moves are in a list
// of the tree and take four bytes each with their priors; there are four to 25 of them for each board.
type node struct {
	sibling   int32    // next child of the same parent; 0 for none
	boardNode int32    // the node that has the board, if other moves led to it before (transpositions.go); 0 for this one
	visits    int32    // of the move
	move      ayu.Move // move to this node
	prior     uint16   // probability of the move by the policy, 0 to maxPrior

	// Of the board, if this node has it:
	proof        proof   // for the side that made the move
	untriedCount int16   // number of untried moves, or unlisted or isListing
	untried      int32   // index of the first untried move
	firstChild   int32   // index; 0 for none
	boardVisits  int32   // visits by all moves that lead to it
	wins         float32 // of the side that made the move
	pending      int32   // visits whose board is not judged yet
	key          uint64  // hash of the board
}

// proof is a proven result.
type proof int8

const (
	unproven proof = iota
	provenWin
	provenLoss
)

// Values of node.untriedCount of a node whose moves are not known.
const (
	unlisted  = -1
	isListing = -2 // a worker generates them
)

// Limits of a tree, for each of its workers: 25 MB, plus 2 MB for transpositions with a policy and 4 MB of tables without one
// (amaf.go). A full tree no longer grows, and the search continues.
const (
	maxNodes = 1 << 18
	maxMoves = 3 << 20
)

// maxPrior is the prior of a move that is certain.
const maxPrior = 1<<16 - 1

// Parameters of the search, tuned by games at equal time.
const (
	rolloutPlies  = 20   // random moves of a simulation before its board is judged, without an evaluator
	tempoLogit    = 1.0  // logit of winning per move of lead
	exploreWeight = 0.1  // weight of the exploration term
	priorWeight   = 0.25 // weight of the exploration term with a policy
)

// tree is the tree of a Monte Carlo tree search: each simulation selects the most promising moves from the root and
// judges the board to which they lead (worker.go). During a search its workers hold mu while they use nodes, moves,
// priors, amaf and boards; the other fields do not change then.
type tree struct {
	mu        sync.Mutex
	board     ayu.Board            // board of the root
	nodes     []node               // the root first
	moves     []ayu.Move           // untried moves of all nodes
	priors    []uint16             // their probabilities by the policy, 0 to maxPrior; none without a policy
	amaf      map[int32]*amafTable // tables of the most visited nodes
	uniform   bool                 // give all moves of the root equal visits
	defence   []ayu.Move           // moves of the longest defence, if the root is lost
	boards    transpositions       // nodes by their boards; empty without a policy
	hasPolicy bool                 // the workers have an evaluator and a policy
	workers   int                  // number of workers of the search
}

// newTree returns an empty tree of a board for one worker.
func newTree(b ayu.Board, hasPolicy bool) *tree {
	return &tree{board: b, nodes: []node{{untriedCount: unlisted, key: hashBoard(b)}}, amaf: make(map[int32]*amafTable),
		hasPolicy: hasPolicy, workers: 1}
}

// advanceTo makes a board the root. It keeps the subtree of a board at most two moves from the current
// root.
func (t *tree) advanceTo(b ayu.Board) *tree {
	if at := t.find(0, t.board, b, 2); at >= 0 {
		t.reroot(at)
		t.board = b
		return t
	}
	return newTree(b, t.hasPolicy)
}

// find returns the node of a board at most that many moves below a node, or -1.
func (t *tree) find(at int32, from, b ayu.Board, moves int) int32 {
	if from == b {
		return at
	}
	for child := t.boardNode(at).firstChild; moves > 0 && child != 0; child = t.nodes[child].sibling {
		if found := t.find(child, from.After(t.nodes[child].move), b, moves-1); found >= 0 {
			return found
		}
	}
	return -1
}

// reroot makes the board of a node the root and keeps only its descendants.
func (t *tree) reroot(root int32) {
	if root == 0 {
		return
	}
	if t.nodes[root].boardNode != 0 {
		root = t.nodes[root].boardNode
	}
	nodes := []node{t.nodes[root]}
	oldIndex := []int32{root}
	newIndex := make([]int32, len(t.nodes)) // by the old index of the node that has a board; 0 for none and for the root
	var moves []ayu.Move
	var priors []uint16
	amaf := make(map[int32]*amafTable)
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.boardNode != 0 {
			continue
		}
		if a := t.amaf[oldIndex[i]]; a != nil {
			amaf[int32(i)] = a
		}
		nodes[i].untried = int32(len(moves))
		moves = append(moves, t.moves[n.untried:][:max(n.untriedCount, 0)]...)
		if t.hasPolicy {
			priors = append(priors, t.priors[n.untried:][:max(n.untriedCount, 0)]...)
		}
		link, first := int32(-1), int32(0)
		for child := n.firstChild; child != 0; child = t.nodes[child].sibling {
			k, index, board := t.nodes[child], int32(len(nodes)), child
			if k.boardNode != 0 {
				board = k.boardNode
			}
			if k.boardNode = newIndex[board]; k.boardNode == 0 {
				k = t.nodes[child].withBoard(&t.nodes[board])
				newIndex[board] = index
			}
			k.sibling = 0
			nodes, oldIndex = append(nodes, k), append(oldIndex, board)
			if link < 0 {
				first = index
			} else {
				nodes[link].sibling = index
			}
			link = index
		}
		nodes[i].firstChild = first
	}
	nodes[0].sibling = 0
	t.nodes, t.moves, t.priors, t.amaf = nodes, moves, priors, amaf
	if t.hasPolicy {
		t.boards.reset(nodes)
	}
}

// boardNode returns the node that has the board to which node i leads.
func (t *tree) boardNode(i int32) *node {
	if b := t.nodes[i].boardNode; b != 0 {
		return &t.nodes[b]
	}
	return &t.nodes[i]
}

// withBoard returns a move with the board of another node.
func (k node) withBoard(b *node) node {
	board := *b
	board.sibling, board.boardNode, board.visits, board.move, board.prior = k.sibling, 0, k.visits, k.move, k.prior
	return board
}

// isSolved reports whether the result of the root is proven.
func (t *tree) isSolved() bool {
	return t.nodes[0].proof != unproven
}

// lead returns by how many visits the most visited move of the root leads, without those that are proven to lose; 0 if the
// moves are not compared by their visits.
func (t *tree) lead() int32 {
	if t.uniform {
		return 0
	}
	t.lock()
	defer t.unlock()
	first, second := int32(0), int32(0)
	for i := t.nodes[0].firstChild; i != 0; i = t.nodes[i].sibling {
		if n := t.nodes[i].visits; t.boardNode(i).proof == provenLoss {
			continue
		} else if n > first {
			first, second = n, first
		} else {
			second = max(second, n)
		}
	}
	return first - second
}

// lock takes mu. Workers hold it for a few microseconds, less than it takes to wake a goroutine that waits for it. So a
// worker first tries for some 30 µs, which makes two workers 1.8 times as fast as one instead of 1.4 times.
func (t *tree) lock() {
	for range lockAttempts {
		if t.mu.TryLock() {
			return
		}
	}
	t.mu.Lock()
}

func (t *tree) unlock() { t.mu.Unlock() }

// lockAttempts is the number of attempts to take the lock of a tree before waiting for it.
const lockAttempts = 10_000

// addMoves adds the moves that a worker has listed. A side without a move has won.
func (t *tree) addMoves(w *worker) {
	t.lock()
	defer t.unlock()
	n := &t.nodes[w.at]
	n.untried = int32(len(t.moves))
	t.moves, t.priors = append(t.moves, w.moves...), append(t.priors, w.priors...)
	if n.untriedCount = int16(len(w.moves)); n.untriedCount == 0 {
		n.proof = provenLoss
	}
}

// expand adds a node for an untried move of the side to move at a node that has a board, and returns its index.
func (t *tree) expand(at int32, untried int, turn ayu.Color) int32 {
	n := &t.nodes[at]
	list := t.moves[n.untried:]
	child := node{move: list[untried], sibling: n.firstChild, untriedCount: unlisted}
	if t.hasPolicy {
		toFront(list, untried)
		child.prior = toFront(t.priors[n.untried:], untried)
		child.key = n.key ^ hashChange(child.move, turn)
		child.boardNode = t.boards.findOrAdd(t.nodes, child.key, int32(len(t.nodes)))
	} else {
		list[0], list[untried] = list[untried], list[0]
	}
	n.untried++
	n.untriedCount--
	n.firstChild = int32(len(t.nodes))
	t.nodes = append(t.nodes, child)
	return n.firstChild
}

// toFront moves an element of a list to its front and returns it. The others keep their order.
func toFront[T any](list []T, i int) T {
	x := list[i]
	copy(list[1:], list[:i])
	list[0] = x
	return x
}

// descend continues a simulation from the last node of the path of a worker, whose board is b, and selects moves. It
// returns the board to judge or, with needsMoves, one whose moves the worker must list and add before it calls descend
// again. Each visit counts at once, as a loss until the board is judged (virtual loss), so that other workers choose
// other moves.
func (t *tree) descend(w *worker, b ayu.Board) (end ayu.Board, needsMoves bool) {
	t.lock()
	defer t.unlock()
	for {
		w.at = w.path[len(w.path)-1]
		if b := t.nodes[w.at].boardNode; b != 0 {
			w.at = b
		}
		n := &t.nodes[w.at]
		if n.untriedCount == unlisted && n.boardVisits > 0 && len(t.moves) < maxMoves*t.workers {
			n.untriedCount, w.move = isListing, n.move
			return b, true
		}
		w.proof = n.proof
		if n.boardVisits >= amafMinVisits && t.amaf[w.at] != nil {
			w.amaf = t.amaf[w.at]
		}
		child := int32(0)
		// A path of that length repeats positions.
		if n.proof == unproven && n.untriedCount >= 0 && len(w.path) <= 4*maxPlies {
			child = t.selectChild(w.at, b.Turn(), w.amaf)
		}
		n = &t.nodes[w.at] // selectChild may have moved it
		n.boardVisits++
		n.pending++
		if child == 0 {
			return b, false
		}
		k := &t.nodes[child]
		k.visits++
		w.path, w.played = append(w.path, child), append(w.played, k.move.To)
		b = b.After(k.move)
	}
}

// maxPlies exceeds the length of any game between two players who try to win, on the largest board.
const maxPlies = 256

// selectChild returns the child of a node to visit next, or 0 if there is none. Without a table, untried
// moves come first.
func (t *tree) selectChild(at int32, turn ayu.Color, amaf *amafTable) int32 {
	n := &t.nodes[at]
	even := at == 0 && t.uniform
	if t.hasPolicy && !even {
		return t.selectByPrior(at, turn)
	}
	untried, highest := -1, math.Inf(-1)
	if n.untriedCount > 0 && len(t.nodes) < maxNodes*t.workers {
		if amaf == nil || even {
			return t.expand(at, 0, turn)
		}
		untried, highest = amaf.bestUntried(t.moves[n.untried:][:n.untriedCount], turn, 1-n.judgedWinRate())
	}
	exploration := exploreWeight * math.Sqrt(math.Log(float64(n.boardVisits)+1))
	best := int32(0)
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		k := &t.nodes[i]
		var value float64
		switch {
		case even:
			value = -float64(k.visits)
		case t.boardNode(i).proof == provenLoss:
			value = -1
		default:
			value = amaf.winRate(k, turn) + exploration*invSqrt(k.visits)
		}
		if value > highest {
			best, highest = i, value
		}
	}
	if best == 0 && untried >= 0 {
		return t.expand(at, untried, turn)
	}
	return best
}

// selectByPrior returns the child of a node that has a board to visit next, or 0 if there is none: the one with the
// highest sum of its share of wins and an exploration term in proportion to its prior (PUCT). An untried move has the
// share of the node.
func (t *tree) selectByPrior(at int32, turn ayu.Color) int32 {
	n := &t.nodes[at]
	scale := float32(priorWeight / maxPrior * math.Sqrt(float64(n.boardVisits)+1))
	best, highest := int32(0), float32(math.Inf(-1))
	canExpand := n.untriedCount > 0 && len(t.nodes) < maxNodes*t.workers
	if canExpand {
		highest = float32(1-n.judgedWinRate()) + scale*float32(t.priors[n.untried])
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		k := &t.nodes[i]
		value := float32(-1)
		switch board := t.boardNode(i); board.proof {
		case provenWin:
			return i // proven by other moves to it, since this node has no proof yet
		case unproven:
			value = float32(board.winRate()) + scale*float32(k.prior)/float32(k.visits+1)
		}
		if value > highest {
			best, highest = i, value
		}
	}
	if best == 0 && canExpand {
		return t.expand(at, 0, turn)
	}
	return best
}

// winRate returns the share of wins of the visits of a board, of which those that are pending count as lost; 0.5
// without visits.
func (k *node) winRate() float64 {
	if k.boardVisits == 0 {
		return 0.5
	}
	return float64(k.wins / float32(k.boardVisits))
}

// judgedWinRate returns the share of wins of the visits of a board that have ended; 0.5 without any.
func (k *node) judgedWinRate() float64 {
	if k.boardVisits == k.pending {
		return 0.5
	}
	return float64(k.wins / float32(k.boardVisits-k.pending))
}

// invSqrt returns 1/√n. It is called often, mostly for small n.
func invSqrt(n int32) float64 {
	if int(n) < len(invSqrts) {
		return invSqrts[n]
	}
	return 1 / math.Sqrt(float64(n))
}

var invSqrts = func() (r [1024]float64) {
	for n := range r {
		r[n] = 1 / math.Sqrt(float64(n))
	}
	return r
}()

// backpropagate ends a simulation: it adds the value of the board that was judged, for the side that made the last
// move, to the nodes of the path, and reports whether the result of the root is proven.
func (t *tree) backpropagate(w *worker, value float64) (isSolved bool) {
	t.lock()
	defer t.unlock()
	if !t.hasPolicy {
		t.backpropagateTargets(w, value)
	}
	for i := len(w.path) - 1; i >= 0; i-- {
		n := t.boardNode(w.path[i])
		n.pending--
		n.wins += float32(value)
		if i < len(w.path)-1 && t.boardNode(w.path[i+1]).proof != unproven {
			t.updateProof(n)
		}
		value = 1 - value
	}
	return t.isSolved()
}

// updateProof derives the proof of a node from its children: it is lost if a child wins, and won if all
// children lose.
func (t *tree) updateProof(n *node) {
	proof := provenWin
	if n.untriedCount > 0 {
		proof = unproven
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		switch t.boardNode(i).proof {
		case provenWin:
			n.proof = provenLoss
			return
		case unproven:
			proof = unproven
		}
	}
	n.proof = proof
}
