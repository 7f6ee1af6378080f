package search

import (
	"math"

	"ayumu/engine/mu"
)

// node is a position between two turns in the search tree.
type node struct {
	turn     turn    // turn to this node; the root has only its end
	prior    float64 // prior probability of a visit
	visits   int
	sum      shares  // sum over all visits
	children []*node // the best static value first; nil before the first visit
	solved   bool    // whether turn.value is what the seats get if each plays the best of the turns found
}

// mean returns the mean value of the visits, or the static value if it is solved or without visits.
func (n *node) mean() shares {
	if n.visits == 0 || n.solved {
		return n.turn.value
	}
	v := n.sum
	for seat := range v {
		v[seat] /= float64(n.visits)
	}
	return v
}

// maxBytes limits the memory of a tree.
const maxBytes = 64 << 20

// nodeBytes returns the measured size of a node of a board with that many cells.
func nodeBytes(cells int) int { return 500 + 6*cells }

// Parameters of the search, chosen by hand.
const (
	exploreWeight = 0.5 // weight of the exploration term
	priorExponent = 20  // exponent of the static value in the prior
)

// Limits of the turn search at the root and in the tree.
var (
	rootBreadth = breadth{beam: 8, moves: 40, orders: 60, positions: 6000, keep: 40}
	treeBreadth = breadth{beam: 2, moves: 12, orders: 8, positions: 300, keep: 10}
)

// tree is a tree search in which each seat maximizes its own share.
type tree struct {
	turns turnSearch
	nodes int
}

// newTree returns a tree of a player with that network.
func newTree(w *valueNetwork) *tree {
	return &tree{turns: turnSearch{evaluator: evaluator{network: w}}}
}

// search visits a position up to playouts times (0: no limit), while there are time and memory.
func (t *tree) search(p *mu.Position, playouts int) *node {
	t.nodes = 0
	root := &node{turn: turn{end: p}, visits: 1}
	t.expand(root, rootBreadth)
	root.sum = root.children[0].turn.value
	maxNodes := maxBytes / nodeBytes(p.Board().Size())
	for len(root.children) > 1 && !root.solved && (playouts == 0 || root.visits < playouts) && t.nodes < maxNodes && !t.turns.isTimeUp() {
		t.visit(root)
	}
	return root
}

// expand adds the turns of a node as children.
func (t *tree) expand(n *node, b breadth) {
	seat := n.turn.end.Turn()
	turns := t.turns.find(n.turn.end, b)
	total := 0.0
	best := turns[0].value[seat]
	n.children = make([]*node, len(turns))
	for i, turn := range turns {
		prior := math.Pow((turn.value[seat]+1e-6)/(best+1e-6), priorExponent)
		total += prior
		n.children[i] = &node{turn: turn, prior: prior, solved: turn.end.Phase() == mu.Over}
	}
	for _, k := range n.children {
		k.prior /= total
	}
	t.nodes += len(turns)
}

// visit selects the most promising turns down to an unvisited or solved node, expands it, and updates all nodes on
// the path.
func (t *tree) visit(root *node) {
	var path [64]*node
	depth := 0
	n := root
	for {
		path[depth] = n
		depth++
		if n.children == nil || n.solved || depth == len(path) {
			break
		}
		n = n.selectChild()
	}
	value := n.turn.value
	if !n.solved && n.children == nil {
		t.expand(n, treeBreadth)
		value = n.children[0].turn.value
	}
	for k := depth - 1; k >= 0; k-- {
		n := path[k]
		if !n.solved && n.solve() {
			value = n.turn.value
		}
		n.visits++
		for seat := range value {
			n.sum[seat] += value[seat]
		}
	}
}

// solve reports whether a node with children is solved, and sets its value then. It is if a solved turn wins alone for
// the seat to move, or if all turns found are solved, of which the best counts.
func (n *node) solve() bool {
	if n.children == nil {
		return false
	}
	seat := n.turn.end.Turn()
	best, all := -1, true
	for i, k := range n.children {
		if !k.solved {
			all = false
		} else if best < 0 || k.turn.value[seat] > n.children[best].turn.value[seat] {
			best = i
		}
	}
	if best < 0 || !all && n.children[best].turn.value[seat] < 1 {
		return false
	}
	n.solved = true
	n.turn.value = n.children[best].turn.value
	return true
}

// selectChild returns the child to visit next.
func (n *node) selectChild() *node {
	seat := n.turn.end.Turn()
	explore := exploreWeight * math.Sqrt(float64(n.visits))
	best, highest := n.children[0], math.Inf(-1)
	for _, k := range n.children {
		if value := n.expectedShare(k, seat) + explore*k.prior/float64(1+k.visits); value > highest {
			best, highest = k, value
		}
	}
	return best
}

// expectedShare returns the share of a seat after a child. For an unvisited child that is not solved it is the static
// value, shifted as the value of the first child was by its visits.
func (n *node) expectedShare(k *node, seat int) float64 {
	if k.solved {
		return k.turn.value[seat]
	}
	if k.visits > 0 {
		return k.sum[seat] / float64(k.visits)
	}
	first := n.children[0]
	if first.visits == 0 {
		return k.turn.value[seat]
	}
	shift := first.sum[seat]/float64(first.visits) - first.turn.value[seat]
	return min(1, max(0, k.turn.value[seat]+shift))
}

// mostVisited returns the child with the most visits.
func (n *node) mostVisited() *node {
	best := n.children[0]
	for _, k := range n.children {
		if k.visits > best.visits {
			best = k
		}
	}
	return best
}
