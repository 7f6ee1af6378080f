package bot

import "ayumu/engine/ayu"

// ayuAmaf has what simulations through a node were worth to each side in which it moved to a
// point, at once or later ("all moves as first"). Nodes below that have none of their own use it too,
// as in GRAVE (Cazenave, 2015): which moves are tried first follows from it, and what they are
// thought to be worth while they have been visited little.
type ayuAmaf struct {
	times [2][256]float32 // by side and point
	wins  [2][256]float32 // of that side
}

const (
	ayuAmafMinVisits = 50   // of a node, before it gets one
	ayuMaxAmafs      = 1024 // of a tree, together 4 MB

	ayuAmafBias        = 0.03 // how soon a move's own visits count more
	ayuAmafPriorVisits = 3    // as many times are taken to have gone as the node has
	ayuUntriedBonus    = 0.05 // what a move that has not been tried is better than it seems
)

// bestUntried returns the move to be tried first and what it seems to be worth to the side to move, to
// whom the node is worth so much.
func (a *ayuAmaf) bestUntried(moves []ayu.Move, turn ayu.Color, node float64) (int, float64) {
	times, wins := &a.times[turn], &a.wins[turn]
	best, highest := 0, float32(-1)
	for i, m := range moves {
		worth := (wins[m.To] + float32(node)*ayuAmafPriorVisits) / (times[m.To] + ayuAmafPriorVisits)
		if worth > highest {
			best, highest = i, worth
		}
	}
	return best, float64(highest) + ayuUntriedBonus
}

// winRate returns the share that a visited move wins: the fewer visits it has, the more as other
// moves to its target have. Without a table it is what its own visits say.
func (a *ayuAmaf) winRate(k *ayuNode, turn ayu.Color) float64 {
	if a == nil || a.times[turn][k.move.To] == 0 {
		return k.winRate()
	}
	times, visits := a.times[turn][k.move.To], float32(k.visits)
	part := float64(times / (times + visits + ayuAmafBias*times*visits))
	return part*float64(a.wins[turn][k.move.To]/times) + (1-part)*k.winRate()
}

// backpropagateTargets tells the tables of the nodes on the way which points were moved to after them. The
// value is that for the side that made the last move of the way.
func (t *ayuTree) backpropagateTargets(value float64) {
	var share [2]float32 // of each side
	turn := t.board.Turn()
	last := turn ^ ayu.Color(len(t.path)&1)
	share[last], share[last.Other()] = float32(value), float32(1-value)
	for i, at := range t.path {
		if t.nodes[at].visits < ayuAmafMinVisits {
			break
		}
		a := t.amaf[at]
		if a == nil {
			if len(t.amaf) >= ayuMaxAmafs {
				break
			}
			a = new(ayuAmaf)
			t.amaf[at] = a
		}
		side := turn ^ ayu.Color(i&1)
		for _, p := range t.played[i:] {
			a.times[side][p]++
			a.wins[side][p] += share[side]
			side ^= 1
		}
	}
}
