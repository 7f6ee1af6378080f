package bot

import (
	"math"
	"math/rand/v2"

	"ayumu/engine/ayu"
)

// ayuNode is a board in the tree of a search that has been visited. The board itself is found by
// playing the moves on the way to it. Moves that have not been tried stand in a list of the tree, and
// take two bytes there: there are four to twelve of them for each that has.
type ayuNode struct {
	firstChild   int32    // the first one; 0 for none
	sibling      int32    // kid of the same node; 0 for none
	untried      int32    // where the moves begin that have not been tried
	untriedCount int16    // how many those are; -1 until they are listed
	move         ayu.Move // that led here
	proof        proof    // of the side that made it

	visits int32
	wins   float32 // of the side that made the move
}

// proof is a result that no play can change.
type proof int8

const (
	unproven proof = iota
	provenWin
	provenLoss
)

// These bound a tree to 12 MB, beside 4 MB of its tables (ayu_amaf.go). When it is full it grows no more, and the search goes on.
const (
	ayuMaxNodes = 1 << 18
	ayuMaxMoves = 1 << 21
)

// How the search spreads. Games against each other, at equal time, have found the numbers.
const (
	ayuRolloutPlies = 20  // of a simulation by chance, before its end is estimated
	ayuTempo        = 1.0 // what a move's lead adds to the logit of winning
	ayuExplore      = 0.1 // how much it cares for moves that it has looked at little
)

// ayuEvaluatorWeight returns the part of what sight says in the worth of the simulations from a board: most of it
// while the units are far apart. Near the end games by chance tell more, since they reach it.
func ayuEvaluatorWeight(root ayu.Board) float64 {
	stage := ayuScaledSpan(root.Span(ayu.Black)+root.Span(ayu.White), root.Size()*root.Size())
	return min(max((stage-10)/35, 0), 0.7)
}

// ayuTree searches by simulations: from the root it takes the most promising moves, then a few by
// chance, and estimates what came out of it; and what the board was worth before those few.
type ayuTree struct {
	board           ayu.Board          // of the root
	nodes           []ayuNode          // the root first
	moves           []ayu.Move         // that have not been tried, of all nodes
	amaf            map[int32]*ayuAmaf // of the nodes that have been visited most
	uniform         bool               // all moves of the root are looked at as often
	evaluator       *ayuEvaluator      // nil for a search that does without
	evaluatorWeight float64            // the part of what it says in the worth of a simulation

	rng    *rand.Rand
	path   []int32     // the nodes of the simulation at hand
	played []ayu.Point // the targets of its moves, from the root on
}

// newAyuTree returns a tree of a board that nothing is known of.
func newAyuTree(b ayu.Board) *ayuTree {
	return &ayuTree{board: b, nodes: []ayuNode{{untriedCount: -1}}, amaf: make(map[int32]*ayuAmaf)}
}

// advanceTo makes a board the root, and keeps what is known of it if it is at most two moves from the
// present one.
func (t *ayuTree) advanceTo(b ayu.Board) *ayuTree {
	if at := t.find(0, t.board, b, 2); at >= 0 {
		t.reroot(at)
		t.board = b
		return t
	}
	fresh := newAyuTree(b)
	fresh.evaluator = t.evaluator
	return fresh
}

// find returns the node of a board at most so many moves from a node, or -1.
func (t *ayuTree) find(at int32, from, b ayu.Board, moves int) int32 {
	if from == b {
		return at
	}
	for child := t.nodes[at].firstChild; moves > 0 && child != 0; child = t.nodes[child].sibling {
		if found := t.find(child, from.After(t.nodes[child].move), b, moves-1); found >= 0 {
			return found
		}
	}
	return -1
}

// reroot keeps the nodes below one, which becomes the root.
func (t *ayuTree) reroot(root int32) {
	if root == 0 {
		return
	}
	nodes := []ayuNode{t.nodes[root]}
	were := []int32{root}
	var moves []ayu.Move
	amaf := make(map[int32]*ayuAmaf)
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if a := t.amaf[were[i]]; a != nil {
			amaf[int32(i)] = a
		}
		nodes[i].untried = int32(len(moves))
		moves = append(moves, t.moves[n.untried:][:max(n.untriedCount, 0)]...)
		link := &nodes[i].firstChild
		for child := n.firstChild; child != 0; child = t.nodes[child].sibling {
			*link = int32(len(nodes))
			nodes = append(nodes, t.nodes[child])
			were = append(were, child)
			link = &nodes[len(nodes)-1].sibling
		}
		*link = 0
	}
	t.nodes, t.moves, t.amaf = nodes, moves, amaf
}

// isSolved reports whether the result of the root is known, so that there is nothing to search.
func (t *ayuTree) isSolved() bool {
	return t.nodes[0].proof != unproven && t.nodes[0].untriedCount >= 0
}

// listMoves appends the moves of a node, in an order by chance. A side that cannot move has won.
func (t *ayuTree) listMoves(at int32, b ayu.Board) {
	n := &t.nodes[at]
	n.untried = int32(len(t.moves))
	t.moves = b.Moves(t.moves)
	list := t.moves[n.untried:]
	t.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if n.untriedCount = int16(len(list)); n.untriedCount == 0 {
		n.proof = provenLoss
	}
}

// expand makes a node of one of the moves of a node that have not been tried, and returns it.
func (t *ayuTree) expand(at int32, untried int) int32 {
	n := &t.nodes[at]
	list := t.moves[n.untried:][:n.untriedCount]
	list[0], list[untried] = list[untried], list[0]
	child := ayuNode{move: t.moves[n.untried], sibling: n.firstChild, untriedCount: -1}
	n.untried++
	n.untriedCount--
	n.firstChild = int32(len(t.nodes))
	t.nodes = append(t.nodes, child)
	return n.firstChild
}

// simulate makes one simulation and tells all nodes on its way what came of it.
func (t *ayuTree) simulate() {
	t.path, t.played = append(t.path[:0], 0), t.played[:0]
	b := t.board
	at := int32(0)
	var amaf *ayuAmaf // of the last node that has one
	for {
		n := &t.nodes[at]
		if n.untriedCount < 0 && (n.visits > 0 || at == 0) && len(t.moves) < ayuMaxMoves {
			t.listMoves(at, b)
		}
		// A way that long goes round in a circle.
		if n.proof != unproven || len(t.path) > 4*ayuMaxPlies {
			break
		}
		if n.visits >= ayuAmafMinVisits && t.amaf[at] != nil {
			amaf = t.amaf[at]
		}
		child := t.selectChild(at, b.Turn(), amaf)
		if child == 0 {
			break
		}
		at = child
		t.path = append(t.path, at)
		t.played = append(t.played, t.nodes[at].move.To)
		b = b.After(t.nodes[at].move)
	}
	value := 0.0 // for the side that made the last move of the way
	switch t.nodes[at].proof {
	case provenWin:
		value = 1
	case unproven:
		value = 1 - t.rollout(b)
		if t.evaluatorWeight > 0 {
			value += t.evaluatorWeight * (1 - t.evaluator.evaluate(b) - value)
		}
	}
	t.backpropagate(value)
}

// ayuMaxPlies is more than a game of two who want to win has, on the largest board.
const ayuMaxPlies = 256

// selectChild returns the kid of a node to visit next; 0 if there is none. Where nothing is known of the
// targets of moves, one that has not been visited goes first.
func (t *ayuTree) selectChild(at int32, turn ayu.Color, amaf *ayuAmaf) int32 {
	n := &t.nodes[at]
	even := at == 0 && t.uniform
	untried, highest := -1, math.Inf(-1)
	if n.untriedCount > 0 && len(t.nodes) < ayuMaxNodes {
		if amaf == nil || even {
			return t.expand(at, 0)
		}
		untried, highest = amaf.bestUntried(t.moves[n.untried:][:n.untriedCount], turn, 1-n.winRate())
	}
	wide := ayuExplore * math.Sqrt(math.Log(float64(n.visits)+1))
	best := int32(0)
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		k := &t.nodes[i]
		var worth float64
		switch {
		case k.proof == provenLoss:
			worth = -1
		case even:
			worth = -float64(k.visits)
		default:
			worth = amaf.winRate(k, turn) + wide*invSqrt(k.visits)
		}
		if worth > highest {
			best, highest = i, worth
		}
	}
	if best == 0 && untried >= 0 {
		return t.expand(at, untried)
	}
	return best
}

// winRate returns the share that a move has won; half of it where nothing is known.
func (k *ayuNode) winRate() float64 {
	if k.visits == 0 {
		return 0.5
	}
	return float64(k.wins / float32(k.visits))
}

// invSqrt is 1/√n. It is asked for all the time, mostly for small n.
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

// rollout goes on by chance for a few moves and returns the share that the side to move then seems to
// win.
func (t *ayuTree) rollout(b ayu.Board) float64 {
	side := b.Turn()
	for range ayuRolloutPlies {
		m, ok := b.RandomMove(t.randN)
		if !ok {
			break
		}
		b = b.After(m)
		t.played = append(t.played, m.To)
	}
	v := ayuSpanShare(b)
	if b.Turn() != side {
		return 1 - v
	}
	return v
}

// randN returns a number from 0 to below n, faster than the generator's own and as good for this.
func (t *ayuTree) randN(n int) int { return int(t.rng.Uint64() >> 32 * uint64(n) >> 32) }

// ayuSpanShare estimates the share that the side to move wins, by how many moves fewer it needs to
// join all its units: if both need as many, it is half a move ahead. Units that no path joins need
// none, since a side all of whose units are locked in has won.
func ayuSpanShare(b ayu.Board) float64 {
	own := b.Span(b.Turn())
	if own == 0 {
		return 1
	}
	lead := float64(b.Span(b.Turn().Other())-own) + 0.5
	return logistic(ayuTempo * lead)
}

// logistic returns the probability with this logit.
func logistic(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// backpropagate goes back on the way with what its last side has won.
func (t *ayuTree) backpropagate(value float64) {
	t.backpropagateTargets(value)
	for i := len(t.path) - 1; i >= 0; i-- {
		n := &t.nodes[t.path[i]]
		n.visits++
		n.wins += float32(value)
		if i < len(t.path)-1 && t.nodes[t.path[i+1]].proof != unproven {
			t.updateProof(n)
		}
		value = 1 - value
	}
}

// updateProof gives a node the fate that its kids leave it: it is lost by a move that wins, and won if
// all moves lose.
func (t *ayuTree) updateProof(n *ayuNode) {
	fate := provenWin
	if n.untriedCount > 0 {
		fate = unproven
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		switch t.nodes[i].proof {
		case provenWin:
			n.proof = provenLoss
			return
		case unproven:
			fate = unproven
		}
	}
	n.proof = fate
}
