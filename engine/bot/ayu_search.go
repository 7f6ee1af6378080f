package bot

import (
	"math"
	"math/rand/v2"

	"ayumu/engine/ayu"
)

// ayuNode is a board in the tree of a search. Its kids stand next to each other in the tree; the
// board itself is found by playing the moves on the way to it.
type ayuNode struct {
	first int32    // of its kids
	kids  int16    // how many; -1 until they are listed
	move  ayu.Move // that led here
	fate  fate     // of the side that made it

	visits int32
	wins   float32 // of the side that made the move
}

// fate is a result that no play can change.
type fate int8

const (
	open fate = iota
	won
	lost
)

// ayuMostNodes bounds a tree to 10 MB. When it is full it grows no more, and the search goes on.
const ayuMostNodes = 1 << 19

// How the search spreads. Games against each other, at equal time, have found the numbers.
const (
	ayuPlies   = 20  // of a simulation by chance, before its end is estimated
	ayuTempo   = 1.0 // what a move's lead adds to the logit of winning
	ayuExplore = 0.2 // how much it cares for moves that it has looked at little
)

// ayuTree searches by simulations: from the root it takes the most promising moves, then a few by
// chance, and estimates what came out of it.
type ayuTree struct {
	board ayu.Board // of the root
	nodes []ayuNode // the root first
	fair  bool      // all moves of the root are looked at as often

	rng   *rand.Rand
	moves []ayu.Move // of the board at hand
	way   []int32    // the nodes of the simulation at hand
}

// newAyuTree returns a tree of a board that nothing is known of.
func newAyuTree(b ayu.Board) *ayuTree {
	return &ayuTree{board: b, nodes: []ayuNode{{kids: -1}}}
}

// follow makes a board the root, and keeps what is known of it if it is at most two moves from the
// present one.
func (t *ayuTree) follow(b ayu.Board) *ayuTree {
	if at := t.find(0, t.board, b, 2); at >= 0 {
		t.cut(at)
		t.board = b
		return t
	}
	return newAyuTree(b)
}

// find returns the node of a board at most so many moves from a node, or -1.
func (t *ayuTree) find(at int32, from, b ayu.Board, moves int) int32 {
	if from == b {
		return at
	}
	n := t.nodes[at]
	for kid := n.first; moves > 0 && kid < n.first+int32(n.kids); kid++ {
		if found := t.find(kid, from.After(t.nodes[kid].move), b, moves-1); found >= 0 {
			return found
		}
	}
	return -1
}

// cut keeps the nodes below one, which becomes the root.
func (t *ayuTree) cut(root int32) {
	if root == 0 {
		return
	}
	kept := []ayuNode{t.nodes[root]}
	for i := 0; i < len(kept); i++ {
		n := &kept[i]
		if n.kids > 0 {
			from := n.first
			n.first = int32(len(kept))
			kept = append(kept, t.nodes[from:from+int32(n.kids)]...)
		}
	}
	t.nodes = kept
}

// settled reports whether the result of the root is known, so that there is nothing to search.
func (t *ayuTree) settled() bool { return t.nodes[0].fate != open && t.nodes[0].kids >= 0 }

// list appends the kids of a node. A side that cannot move has won.
func (t *ayuTree) list(at int32, b ayu.Board) {
	t.moves = b.Moves(t.moves[:0])
	t.rng.Shuffle(len(t.moves), func(i, j int) { t.moves[i], t.moves[j] = t.moves[j], t.moves[i] })
	n := &t.nodes[at]
	n.first, n.kids = int32(len(t.nodes)), int16(len(t.moves))
	if n.kids == 0 {
		n.fate = lost
	}
	for _, m := range t.moves {
		t.nodes = append(t.nodes, ayuNode{move: m, kids: -1})
	}
}

// simulate makes one simulation and tells all nodes on its way what came of it.
func (t *ayuTree) simulate() {
	t.way = append(t.way[:0], 0)
	b := t.board
	at := int32(0)
	for {
		n := t.nodes[at]
		if n.kids < 0 && (n.visits > 0 || at == 0) && len(t.nodes) < ayuMostNodes {
			t.list(at, b)
			n = t.nodes[at]
		}
		// A way that long goes round in a circle.
		if n.kids <= 0 || n.fate != open || len(t.way) > 4*ayuMostPlies {
			break
		}
		at = t.choose(at)
		t.way = append(t.way, at)
		b = b.After(t.nodes[at].move)
	}
	value := 0.0 // for the side that made the last move of the way
	switch t.nodes[at].fate {
	case won:
		value = 1
	case open:
		value = 1 - t.play(b)
	}
	t.tell(value)
}

// ayuMostPlies is more than a game of two who want to win has, on the largest board.
const ayuMostPlies = 256

// choose returns the kid of a node to visit next.
func (t *ayuTree) choose(at int32) int32 {
	n := &t.nodes[at]
	wide := ayuExplore * math.Sqrt(math.Log(float64(n.visits)+1))
	best, highest := n.first, math.Inf(-1)
	for i := n.first; i < n.first+int32(n.kids); i++ {
		k := &t.nodes[i]
		var worth float64
		switch {
		case k.fate == lost:
			worth = -1
		case at == 0 && t.fair:
			worth = -float64(k.visits)
		case k.visits == 0:
			return i
		default:
			worth = k.expect() + wide*rarity(k.visits)
		}
		if worth > highest {
			best, highest = i, worth
		}
	}
	return best
}

// expect returns the share that a move has won; half of it where nothing is known.
func (k *ayuNode) expect() float64 {
	if k.visits == 0 {
		return 0.5
	}
	return float64(k.wins / float32(k.visits))
}

// rarity is 1/√n. It is asked for all the time, mostly for small n.
func rarity(n int32) float64 {
	if int(n) < len(rarities) {
		return rarities[n]
	}
	return 1 / math.Sqrt(float64(n))
}

var rarities = func() (r [1024]float64) {
	for n := range r {
		r[n] = 1 / math.Sqrt(float64(n))
	}
	return r
}()

// play goes on by chance for a few moves and returns the share that the side to move then seems to
// win.
func (t *ayuTree) play(b ayu.Board) float64 {
	side := b.Turn()
	for range ayuPlies {
		m, ok := b.Random(t.pick)
		if !ok {
			break
		}
		b = b.After(m)
	}
	v := ayuShare(b)
	if b.Turn() != side {
		return 1 - v
	}
	return v
}

// pick returns a number from 0 to below n, faster than the generator's own and as good for this.
func (t *ayuTree) pick(n int) int { return int(t.rng.Uint64() >> 32 * uint64(n) >> 32) }

// ayuShare estimates the share that the side to move wins, by how many moves fewer it needs to
// join all its units: if both need as many, it is half a move ahead. Units that no path joins need
// none, since a side all of whose units are locked in has won.
func ayuShare(b ayu.Board) float64 {
	own := b.Span(b.Turn())
	if own == 0 {
		return 1
	}
	lead := float64(b.Span(b.Turn().Other())-own) + 0.5
	return 1 / (1 + math.Exp(-ayuTempo*lead))
}

// tell goes back on the way with what its last side has won.
func (t *ayuTree) tell(value float64) {
	for i := len(t.way) - 1; i >= 0; i-- {
		n := &t.nodes[t.way[i]]
		n.visits++
		n.wins += float32(value)
		if i < len(t.way)-1 && t.nodes[t.way[i+1]].fate != open {
			t.settle(n)
		}
		value = 1 - value
	}
}

// settle gives a node the fate that its kids leave it: it is lost by a move that wins, and won if
// all moves lose.
func (t *ayuTree) settle(n *ayuNode) {
	fate := won
	for _, k := range t.nodes[n.first:][:n.kids] {
		switch k.fate {
		case won:
			n.fate = lost
			return
		case open:
			fate = open
		}
	}
	n.fate = fate
}
