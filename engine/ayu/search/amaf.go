package search

import "ayumu/engine/ayu"

// amafTable has the value for each side of moving to a point at any time in the simulations through a node
// ("all moves as first"). Descendants without their own table use it too, as in GRAVE (Cazenave, 2015). It
// orders untried moves and estimates moves with few visits.
type amafTable struct {
	times [2][256]float32 // by side and point
	wins  [2][256]float32 // of that side
}

const (
	amafMinVisits = 50   // visits of a node before it has a table
	maxAmafTables = 1024 // tables of a tree, together 4 MB

	amafBias        = 0.03 // how fast a move's own visits gain weight
	amafPriorVisits = 3    // weight of the node's own value, in visits
	untriedBonus    = 0.05 // added to the estimate of untried moves
)

// bestUntried returns the index of the untried move with the highest estimate for the side to move, and
// the estimate. node is the value of the node for that side.
func (a *amafTable) bestUntried(moves []ayu.Move, turn ayu.Color, node float64) (int, float64) {
	times, wins := &a.times[turn], &a.wins[turn]
	best, highest := 0, float32(-1)
	for i, m := range moves {
		value := (wins[m.To] + float32(node)*amafPriorVisits) / (times[m.To] + amafPriorVisits)
		if value > highest {
			best, highest = i, value
		}
	}
	return best, float64(highest) + untriedBonus
}

// winRate returns the estimated share of wins of a visited move: the fewer visits it has, the more the
// table counts. A nil table has no influence.
func (a *amafTable) winRate(k *node, turn ayu.Color) float64 {
	if a == nil || a.times[turn][k.move.To] == 0 {
		return k.winRate()
	}
	times, visits := a.times[turn][k.move.To], float32(k.visits)
	part := float64(times / (times + visits + amafBias*times*visits))
	return part*float64(a.wins[turn][k.move.To]/times) + (1-part)*k.winRate()
}

// backpropagateTargets updates the tables of the nodes on the path with the targets of the moves after
// them. value is that of the side that made the last move of the path.
func (t *tree) backpropagateTargets(w *worker, value float64) {
	var share [2]float32 // of each side
	turn := t.board.Turn()
	last := turn ^ ayu.Color(len(w.path)&1)
	share[last], share[last.Other()] = float32(value), float32(1-value)
	for i, at := range w.path {
		if t.nodes[at].boardVisits <= amafMinVisits {
			break
		}
		a := t.amaf[at]
		if a == nil {
			if len(t.amaf) >= maxAmafTables {
				break
			}
			a = new(amafTable)
			t.amaf[at] = a
		}
		side := turn ^ ayu.Color(i&1)
		for _, p := range w.played[i:] {
			a.times[side][p]++
			a.wins[side][p] += share[side]
			side ^= 1
		}
	}
}
