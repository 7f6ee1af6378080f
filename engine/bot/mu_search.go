package bot

import (
	"math"

	"ayumu/engine/mu"
)

// muNode is a position between two turns in the tree of a search.
type muNode struct {
	turn     muTurn  // that led here; of the root only its end
	prior    float64 // how often the search looks at it, before it has
	visits   int
	sum      muShares  // of all visits
	children []*muNode // the best first by their own value; nil until the first visit
}

// mean returns the seats' shares as the visits have found them.
func (n *muNode) mean() muShares {
	if n.visits == 0 {
		return n.turn.value
	}
	v := n.sum
	for seat := range v {
		v[seat] /= float64(n.visits)
	}
	return v
}

// muMaxBytes bounds a tree, of which a node has about as much as muNodeBytes says.
const muMaxBytes = 64 << 20

// muNodeBytes returns what a node of a board with so many cells takes, as measured.
func muNodeBytes(cells int) int { return 500 + 6*cells }

// How the search spreads. Both numbers are chosen by hand.
const (
	muExplore       = 0.5 // how much it cares for turns that it has looked at little
	muPriorExponent = 20  // a turn with twice the share of another is looked at 2 to this power as often at first
)

// The breadth of the search for turns at the root and in the tree.
var (
	muRootBreadth = muBreadth{beam: 8, moves: 40, choices: 4, positions: 6000, keep: 40}
	muTreeBreadth = muBreadth{beam: 2, moves: 12, choices: 1, positions: 300, keep: 10}
)

// muTree searches by visiting the most promising turns of every seat, each for its own share.
type muTree struct {
	turns muTurnSearch
	nodes int
}

// search visits a position so many times, 0 for as long as there is time and room.
func (t *muTree) search(p *mu.Position, playouts int) *muNode {
	t.nodes = 0
	root := &muNode{turn: muTurn{end: p}, visits: 1}
	t.expand(root, muRootBreadth)
	root.sum = root.children[0].turn.value
	room := muMaxBytes / muNodeBytes(p.Board().Size())
	for len(root.children) > 1 && (playouts == 0 || root.visits < playouts) && t.nodes < room && !t.turns.timeUp() {
		t.visit(root)
	}
	return root
}

// expand looks for the turns of a node.
func (t *muTree) expand(n *muNode, b muBreadth) {
	seat := n.turn.end.Turn()
	turns := t.turns.find(n.turn.end, b)
	total := 0.0
	best := turns[0].value[seat]
	n.children = make([]*muNode, len(turns))
	for i, turn := range turns {
		prior := math.Pow((turn.value[seat]+1e-6)/(best+1e-6), muPriorExponent)
		total += prior
		n.children[i] = &muNode{turn: turn, prior: prior}
	}
	for _, k := range n.children {
		k.prior /= total
	}
	t.nodes += len(turns)
}

// visit follows the most promising turns to a node that has not been visited, looks for its turns
// and tells all nodes on the way how good it is.
func (t *muTree) visit(root *muNode) {
	var way [64]*muNode
	depth := 0
	n := root
	for {
		way[depth] = n
		depth++
		if n.children == nil || depth == len(way) {
			break
		}
		n = n.selectChild()
	}
	value := n.turn.value
	if n.turn.end.Phase() != mu.Over && n.children == nil {
		t.expand(n, muTreeBreadth)
		value = n.children[0].turn.value
	}
	for _, n := range way[:depth] {
		n.visits++
		for seat := range value {
			n.sum[seat] += value[seat]
		}
	}
}

// selectChild returns the kid to visit next.
func (n *muNode) selectChild() *muNode {
	seat := n.turn.end.Turn()
	explore := muExplore * math.Sqrt(float64(n.visits))
	best, highest := n.children[0], math.Inf(-1)
	for _, k := range n.children {
		if worth := n.expectedShare(k, seat) + explore*k.prior/float64(1+k.visits); worth > highest {
			best, highest = k, worth
		}
	}
	return best
}

// expectedShare returns the share of a seat after the turn of a kid. One that has not been visited is
// taken to be as much better or worse than the first as it was before the replies to them.
func (n *muNode) expectedShare(k *muNode, seat int) float64 {
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
