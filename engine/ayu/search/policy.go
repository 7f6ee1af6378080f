package search

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"ayumu/engine/ayu"
	"ayumu/engine/search/network"
)

// Offsets of the groups of features of a move.
const (
	joinFeatures    = 0                                   // the moving unit, its gap, and what the move joins
	meetFeatures    = joinFeatures + 5*4*4                // sizes of the moving unit and of the one that it approaches
	enemyFeatures   = meetFeatures + 5*6                  // the opponent at the target
	ownFeatures     = enemyFeatures + 7*gapCodes          // the own side at the target
	leaveFeatures   = ownFeatures + 7*gapCodes            // the point left
	lastFeatures    = leaveFeatures + 4*5*2               // distances of the target to both points of the last move
	nearFeatures    = lastFeatures + 8*8                  // distance of the point left to the last target
	edgeFeatures    = nearFeatures + 8                    // distances of both points to the edge
	reachFeatures   = edgeFeatures + 4*4                  // nearness of the opponent to both points
	degreeFeatures  = reachFeatures + 7*5                 // gaps of the moving unit, and what the move joins
	blockFeatures   = degreeFeatures + 4*4*3*2            // the opponent's gap at the target and its units
	bridgeFeatures  = blockFeatures + gapUnitCodes        // the own gap at the target and its units
	targetFeatures  = bridgeFeatures + gapUnitCodes       // the eight points around the target
	sourceFeatures  = targetFeatures + neighbourhoods     // the eight points around the point left
	bothFeatures    = sourceFeatures + neighbourhoods     // the gaps of both sides at the target, and what the move joins
	wideFeatures    = bothFeatures + gapCodes*gapCodes*3  // the twelve nearest points around the target
	replyFeatures   = wideFeatures + 1<<wideBits          // distance to the last target, and the gaps at the target
	againstFeatures = replyFeatures + 6*gapCodes*gapCodes // the moving unit and the opponent's gap at the target
	policyFeatures  = againstFeatures + 5*4*4*gapCodes*3  // number of features
	policyPerMove   = 18                                  // features of a move
	gapUnitCodes    = 1 + 3*3*3*3*3                       // codes of the units of a gap
	gapCodes        = 1 + 3*2*2                           // codes of a point on a gap
	wideBits        = 15                                  // bits of the hash of the twelve points
)

// policyStages is the number of sets of output weights: the first for the end of the game, the last for its beginning.
const policyStages = 2

// policyNetwork estimates the logarithm of the probability of a move from its features, up to a constant that all moves
// of a board share: the layer of the features, whose negative values are 0, and an output.
type policyNetwork struct {
	*network.Layer
	output [policyStages][network.Neurons]float32
}

//go:embed policy.bin
var policyBytes []byte

// defaultPolicyNetwork returns the network of the policy of levels 4 and 5. Engine.Train (train.go) fits it to the
// visits of searches.
var defaultPolicyNetwork = sync.OnceValue(func() *policyNetwork { return network.Decode("policy.bin", policyBytes, readPolicyNetwork) })

// readPolicyNetwork reads the layer of the features and the weights of the output.
func readPolicyNetwork(r *network.Reader) *policyNetwork {
	w := &policyNetwork{Layer: r.Layer(policyFeatures)}
	for k := range w.output {
		r.Floats(w.output[k][:])
	}
	return w
}

// policy estimates the probability of each move to be the best one. It reuses its memory.
type policy struct {
	network *policyNetwork

	chances  []float32
	features [policyPerMove]uint16

	// Of the last move, whose target or source the next one often shares; offBoard before the first one.
	target, source ayu.Point
	enemyNear      int // nearness of the opponent to the target
	left, reach    int // what leaving the source leaves, and how near the opponent is
}

// offBoard is on no board.
const offBoard ayu.Point = 0xff

// distanceClass returns the class of the distance of two points, 0 to 6.
func distanceClass(p, q ayu.Point) int {
	return min(abs(p.Column()-q.Column())+abs(p.Row()-q.Row()), 6)
}

func abs(n int) int { return max(n, -n) }

// edgeClass returns the distance of a point to the edge, at most 3.
func edgeClass(p ayu.Point, size int) int {
	c, r := p.Column(), p.Row()
	return min(c, r, size-1-c, size-1-r, 3)
}

// moveFeatures computes the features of a move. last is the move before it, or the zero Move.
func (y *policy) moveFeatures(s *boardFeatures, m, last ayu.Move) {
	t := &y.features
	unit := s.units[m.From] & 127
	unitSize := int(sizeCodes[s.sizes[unit]&127])
	joined, approached := s.approach(m)
	t[0] = uint16(joinFeatures + (unitSize*4+gapClass(s.nearest[unit]))*4 + joined)
	t[1] = uint16(meetFeatures + unitSize*6 + approached)
	t[2] = uint16(degreeFeatures + ((min(int(s.degree[unit]), 3)*4+min(int(s.second[unit]), 3))*3+min(joined, 2))*2)
	if unitSize == 0 {
		t[2]++
	}

	y.describeTarget(s, m.To)
	if m.From != y.source {
		y.source, y.left, y.reach = m.From, s.leaving(m.From), s.enemyReach(m.From)
	}
	t[7] = uint16(leaveFeatures + y.left*2)
	if distanceClass(m.From, m.To) == 1 {
		t[7]++
	}
	t[8] = uint16(reachFeatures + y.enemyNear*5 + y.reach)

	t[9], t[10] = uint16(lastFeatures+7*8+7), uint16(nearFeatures+7)
	ownGap, enemyGap, reply := int(s.sides[0].gapCode[m.To]), int(s.sides[1].gapCode[m.To]), 5
	if last != (ayu.Move{}) {
		t[9] = uint16(lastFeatures + distanceClass(m.To, last.To)*8 + distanceClass(m.To, last.From))
		t[10] = uint16(nearFeatures + distanceClass(m.From, last.To))
		reply = min(distanceClass(m.To, last.To), 4)
	}
	t[11] = uint16(edgeFeatures + edgeClass(m.From, s.size)*4 + edgeClass(m.To, s.size))

	classes := neighbourhoodClasses()
	s.kinds[m.From] = kindFree
	t[12] = targetFeatures + classes[s.neighbourhood(m.To)]
	t[14] = uint16(bothFeatures + (ownGap*gapCodes+enemyGap)*3 + min(joined, 2))
	t[15] = uint16(wideFeatures + s.wideNeighbourhood(m.To))
	t[16] = uint16(replyFeatures + (reply*gapCodes+ownGap)*gapCodes + enemyGap)
	t[17] = uint16(againstFeatures + (((unitSize*4+gapClass(s.nearest[unit]))*4+min(int(s.degree[unit]), 3))*gapCodes+enemyGap)*3 +
		min(joined, 2))
	s.kinds[m.To] = kindOwn
	t[13] = sourceFeatures + classes[s.neighbourhood(m.From)]
	s.kinds[m.From], s.kinds[m.To] = kindOwn, kindFree
}

// describeTarget computes the features of a target alone, unless the last move had the same one.
func (y *policy) describeTarget(s *boardFeatures, to ayu.Point) {
	if to == y.target {
		return
	}
	t, at := &y.features, s.around(to)
	y.target, y.enemyNear = to, s.nearness(1, to, int(at>>8))
	t[3] = uint16(ownFeatures + s.nearness(0, to, int(at>>4&15))*gapCodes + int(s.sides[0].gapCode[to]))
	t[4] = uint16(enemyFeatures + y.enemyNear*gapCodes + int(s.sides[1].gapCode[to]))
	t[5] = uint16(bridgeFeatures + s.gapUnits(0, to))
	t[6] = uint16(blockFeatures + s.gapUnits(1, to))
}

// leaving returns the class of what is next to a point that is left: the opponent's units and the own stones.
func (s *boardFeatures) leaving(p ayu.Point) int {
	return min(s.countTouching(kindEnemy, p), 3)*5 + int(s.around(p)>>4&15)
}

// approach returns the number of units that a move joins with its own, and the class of the size of one of them, or of
// the unit that it approaches; 5 for none.
func (s *boardFeatures) approach(m ayu.Move) (joined, sizeClass int) {
	own, unit := &s.sides[0], s.units[m.From]
	sizeClass = 5
	var seen [4]uint8
	for _, q := range adjacent(m.To) {
		u := own.unit[q]
		if u == 0 || u == unit {
			continue
		}
		isStone := s.kinds[q] == kindOwn
		if isStone && !slices.Contains(seen[:joined], u) {
			seen[joined] = u
			joined++
		}
		if isStone || sizeClass == 5 {
			sizeClass = int(sizeCodes[s.sizes[u&127]&127])
		}
	}
	return joined, sizeClass
}

// enemyReach returns how far the opponent's stones are from the points adjacent to an own stone, at most 4; 0 if one is
// adjacent.
func (s *boardFeatures) enemyReach(p ayu.Point) int {
	closest := uint8(4)
	for _, q := range adjacent(p) {
		switch distance := s.sides[1].distance[q]; {
		case s.kinds[q] == kindEnemy:
			return 0
		case s.kinds[q] == kindFree && distance > 0:
			closest = min(closest, distance)
		}
	}
	return int(closest)
}

// gapUnits returns the code of the gap that passes a point: its length, and the sizes and numbers of gaps of its two
// units.
func (s *boardFeatures) gapUnits(i int, p ayu.Point) int {
	at := s.sides[i].gapAt[p]
	if at == 0 {
		return 0
	}
	e := &s.sides[i].joined[at-1]
	a, b := s.ends(e)
	class := func(n uint8) int { return min(int(n), 3) - 1 }
	return 1 + (((class(e.length)*3+gapUnitClass(s.sizes[a]))*3+gapUnitClass(s.sizes[b]))*3+class(s.degree[a]))*3 + class(s.degree[b])
}

// gapUnitClass returns the class of the size of a unit at a gap, 0 to 2.
func gapUnitClass(size uint8) int {
	switch {
	case size == 1:
		return 0
	case size <= 4:
		return 1
	}
	return 2
}

// policyPart returns the weight of the output weights of the beginning, 0 to 1, at a stage.
func policyPart(stage float64) float32 { return min(float32(stage)/50, 1) }

// begin forgets the last move. It is called before the features of the moves of another board.
func (y *policy) begin() { y.target, y.source = offBoard, offBoard }

// estimate returns the probability of each move of a board with these features, valid until the next call. last is the move
// before it, or the zero Move.
func (y *policy) estimate(s *boardFeatures, moves []ayu.Move, last ayu.Move) []float32 {
	y.begin()
	y.chances = y.chances[:0]
	output := y.network.outputAt(policyPart(s.stage()))
	for _, m := range moves {
		y.moveFeatures(s, m, last)
		y.chances = append(y.chances, y.network.logit(&y.features, &output))
	}
	softmax(y.chances)
	return y.chances
}

// outputAt returns the weights of the output. part is the weight of those of the beginning.
func (w *policyNetwork) outputAt(part float32) (output [network.Neurons]float32) {
	for i := range output {
		output[i] = w.output[0][i] + (w.output[1][i]-w.output[0][i])*part
	}
	return output
}

// logit returns the output for the features of a move.
func (w *policyNetwork) logit(features *[policyPerMove]uint16, output *[network.Neurons]float32) float32 {
	neurons := w.Sums(features[:])
	sum := float32(0)
	for i, x := range neurons {
		sum += max(x, 0) * output[i]
	}
	return sum
}

// softmax replaces logits with probabilities.
func softmax(x []float32) {
	highest, sum := float32(math.Inf(-1)), float32(0)
	for _, logit := range x {
		highest = max(highest, logit)
	}
	for i, logit := range x {
		x[i] = float32(math.Exp(float64(logit - highest)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}
