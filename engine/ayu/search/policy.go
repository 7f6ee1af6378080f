package search

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"ayumu/engine/ayu"
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

// policyStages is the number of weight tables: the first for the end of the game, the last for its beginning.
const policyStages = 2

// policyTable has the weights of the features of moves.
type policyTable [policyFeatures][policyStages]float32

// Weights of the policy. BenchmarkTrain fits them to the visits of searches.
var (
	//go:embed policy.bin
	policyBytes   []byte
	policyWeights = readPolicy(policyBytes)
)

// readPolicy decodes the weights of the policy.
func readPolicy(b []byte) *policyTable {
	w := new(policyTable)
	for f := range w {
		b = decodeWeights(w[f][:], b)
	}
	return w
}

// policy estimates the probability of each move to be the best one. It reuses its memory.
type policy struct {
	weights *policyTable

	gapCode [2][256]uint8 // code of the gap of the side's forest that passes a point; 0 for none
	gapAt   [2][256]uint8 // its index in sideMap.joined, from 1
	nearest [128]uint8    // length of the shortest gap of each unit; 0 for none
	second  [128]uint8    // length of its second gap; 0 for none
	degree  [128]uint8    // number of its gaps
	chances []float32
	traits  [policyPerMove]uint16

	// Of the last move, whose target or source the next one often shares; offBoard before the first one.
	target, source ayu.Point
	enemyNear      int // nearness of the opponent to the target
	left, reach    int // what leaving the source leaves, and how near the opponent is
}

// offBoard is on no board.
const offBoard ayu.Point = 0xff

// neighbourhoods is the number of classes of the eight points around a point.
const neighbourhoods = 8740

// neighbourhoodClasses returns the class of each neighbourhood: eight contents of two bits each, in a circle. Turned
// and mirrored ones have the same class.
var neighbourhoodClasses = sync.OnceValue(func() *[1 << 16]uint16 {
	classes := new([1 << 16]uint16)
	count := uint16(0)
	for i := range classes {
		x := uint16(i)
		least := x
		for _, y := range [2]uint16{x, mirror(x)} {
			for range 4 {
				y = y<<4 | y>>12
				least = min(least, y)
			}
		}
		if least == x {
			classes[i] = count
			count++
		} else {
			classes[i] = classes[least]
		}
	}
	return classes
})

// mirror returns a neighbourhood with the points in the opposite order, the first one unchanged.
func mirror(x uint16) uint16 {
	y := x & 3
	for i := 1; i < 8; i++ {
		y |= x >> (2 * i) & 3 << (2 * (8 - i))
	}
	return y
}

// neighbourhood returns the contents of the eight points around p.
func (s *evaluator) neighbourhood(p ayu.Point) uint16 {
	const upRight, downRight, downLeft, upLeft = 0x11, 0xf1, 0xef, 0x0f
	k := &s.kinds
	return uint16(k[p+stepUp]) | uint16(k[p+upRight])<<2 | uint16(k[p+stepRight])<<4 | uint16(k[p+downRight])<<6 |
		uint16(k[p+stepDown])<<8 | uint16(k[p+downLeft])<<10 | uint16(k[p+stepLeft])<<12 | uint16(k[p+upLeft])<<14
}

// wideNeighbourhood returns a hash of the contents of the eight points around p and of the four at distance two in a
// row or column. Turned and mirrored ones have the same hash.
func (s *evaluator) wideNeighbourhood(p ayu.Point) int {
	ring := s.neighbourhood(p)
	far := s.kindAt(p, 0, 2) | s.kindAt(p, 2, 0)<<2 | s.kindAt(p, 0, -2)<<4 | s.kindAt(p, -2, 0)<<6
	mirrored := far&0x33 | far<<4&0xc0 | far>>4&0x0c
	least := min(leastTurned(ring, uint8(far)), leastTurned(mirror(ring), uint8(mirrored)))
	const golden = 2654435761 // 2³² divided by the golden ratio
	return int(least * golden >> (32 - wideBits))
}

// leastTurned returns the least code of a neighbourhood and the four points farther away, of the four that can be
// turned into each other.
func leastTurned(ring uint16, far uint8) uint32 {
	least := uint32(math.MaxUint32)
	for range 4 {
		ring, far = ring<<4|ring>>12, far<<2|far>>6
		least = min(least, uint32(ring)<<8|uint32(far))
	}
	return least
}

// kindAt returns the content of a point so many columns and rows from p.
func (s *evaluator) kindAt(p ayu.Point, columns, rows int) pointKind {
	c, r := p.Column()+columns, p.Row()+rows
	if min(c, r) < 0 || max(c, r) > 14 {
		return kindOffBoard
	}
	return s.kinds[ayu.At(c, r)]
}

// adjacent returns the four points adjacent to p, which may be off the board.
func adjacent(p ayu.Point) [4]ayu.Point {
	return [4]ayu.Point{p + stepUp, p + stepRight, p + stepDown, p + stepLeft}
}

// prepare computes what all moves of a board share. s has extracted the features of the board.
func (y *policy) prepare(s *evaluator) {
	y.target, y.source = offBoard, offBoard
	clear(y.nearest[:])
	clear(y.second[:])
	clear(y.degree[:])
	for i := range s.sides {
		clear(y.gapCode[i][:])
		clear(y.gapAt[i][:])
		side := &s.sides[i]
		for at, e := range side.joined {
			for _, u := range [2]uint8{e.a, e.b} {
				u &= 127
				switch y.degree[u]++; y.degree[u] {
				case 1:
					y.nearest[u] = e.length
				case 2:
					y.second[u] = e.length
				}
			}
			paths, open := 0, 0
			if e.paths > 1 {
				paths = 1
			}
			if e.open {
				open = 1
			}
			code := uint8(1 + (min(int(e.length), 3)-1)*4 + paths*2 + open)
			y.mark(s, i, e.p, code, uint8(at+1))
			y.mark(s, i, e.q, code, uint8(at+1))
		}
	}
}

// mark sets the code of the points of a path from p to its closest unit, unless a shorter gap passes them.
func (y *policy) mark(s *evaluator, i int, p ayu.Point, code, gap uint8) {
	side := &s.sides[i]
	for d := side.distance[p]; d > 0; d-- {
		if y.gapCode[i][p] == 0 {
			y.gapCode[i][p], y.gapAt[i][p] = code, gap
		}
		if d == 1 {
			return
		}
		for _, q := range adjacent(p) {
			if s.kinds[q] == kindFree && side.distance[q] == d-1 && side.unit[q] == side.unit[p] {
				p = q
				break
			}
		}
	}
}

// gapClass returns the class of the length of the shortest gap of a unit, 0 to 3.
func gapClass(n uint8) int {
	switch {
	case n <= 2:
		return max(int(n), 1) - 1
	case n <= 4:
		return 2
	}
	return 3
}

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
func (y *policy) moveFeatures(s *evaluator, size int, m, last ayu.Move) {
	t := &y.traits
	unit := s.units[m.From] & 127
	unitSize := int(sizeCodes[s.sizes[unit]&127])
	joined, approached := s.approach(m)
	t[0] = uint16(joinFeatures + (unitSize*4+gapClass(y.nearest[unit]))*4 + joined)
	t[1] = uint16(meetFeatures + unitSize*6 + approached)
	t[2] = uint16(degreeFeatures + ((min(int(y.degree[unit]), 3)*4+min(int(y.second[unit]), 3))*3+min(joined, 2))*2)
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
	ownGap, enemyGap, reply := int(y.gapCode[0][m.To]), int(y.gapCode[1][m.To]), 5
	if last != (ayu.Move{}) {
		t[9] = uint16(lastFeatures + distanceClass(m.To, last.To)*8 + distanceClass(m.To, last.From))
		t[10] = uint16(nearFeatures + distanceClass(m.From, last.To))
		reply = min(distanceClass(m.To, last.To), 4)
	}
	t[11] = uint16(edgeFeatures + edgeClass(m.From, size)*4 + edgeClass(m.To, size))

	classes := neighbourhoodClasses()
	s.kinds[m.From] = kindFree
	t[12] = targetFeatures + classes[s.neighbourhood(m.To)]
	t[14] = uint16(bothFeatures + (ownGap*gapCodes+enemyGap)*3 + min(joined, 2))
	t[15] = uint16(wideFeatures + s.wideNeighbourhood(m.To))
	t[16] = uint16(replyFeatures + (reply*gapCodes+ownGap)*gapCodes + enemyGap)
	t[17] = uint16(againstFeatures + (((unitSize*4+gapClass(y.nearest[unit]))*4+min(int(y.degree[unit]), 3))*gapCodes+enemyGap)*3 +
		min(joined, 2))
	s.kinds[m.To] = kindOwn
	t[13] = sourceFeatures + classes[s.neighbourhood(m.From)]
	s.kinds[m.From], s.kinds[m.To] = kindOwn, kindFree
}

// describeTarget computes the features of a target alone, unless the last move had the same one.
func (y *policy) describeTarget(s *evaluator, to ayu.Point) {
	if to == y.target {
		return
	}
	t, at := &y.traits, s.around(to)
	y.target, y.enemyNear = to, s.nearness(1, to, int(at>>8))
	t[3] = uint16(ownFeatures + s.nearness(0, to, int(at>>4&15))*gapCodes + int(y.gapCode[0][to]))
	t[4] = uint16(enemyFeatures + y.enemyNear*gapCodes + int(y.gapCode[1][to]))
	t[5] = uint16(bridgeFeatures + y.gapUnits(s, 0, to))
	t[6] = uint16(blockFeatures + y.gapUnits(s, 1, to))
}

// leaving returns the class of what is next to a point that is left: the opponent's units and the own stones.
func (s *evaluator) leaving(p ayu.Point) int {
	return min(s.countTouching(kindEnemy, p), 3)*5 + int(s.around(p)>>4&15)
}

// approach returns the number of units that a move joins with its own, and the class of the size of one of them, or of
// the unit that it approaches; 5 for none.
func (s *evaluator) approach(m ayu.Move) (joined, sizeClass int) {
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
func (s *evaluator) enemyReach(p ayu.Point) int {
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
func (y *policy) gapUnits(s *evaluator, i int, p ayu.Point) int {
	at := y.gapAt[i][p]
	if at == 0 {
		return 0
	}
	e := &s.sides[i].joined[at-1]
	a, b := e.a&127, e.b&127
	if s.sizes[a] > s.sizes[b] || s.sizes[a] == s.sizes[b] && y.degree[a] > y.degree[b] {
		a, b = b, a
	}
	class := func(n uint8) int { return min(int(n), 3) - 1 }
	return 1 + (((class(e.length)*3+gapUnitClass(s.sizes[a]))*3+gapUnitClass(s.sizes[b]))*3+class(y.degree[a]))*3 + class(y.degree[b])
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

// policyStage returns the weight of the table of the beginning, 0 to 1.
func (s *evaluator) policyStage() float32 {
	return min(float32(scaledSpan(s.sides[0].span+s.sides[1].span, len(s.points)))/50, 1)
}

// estimate returns the probability of each move, valid until the next call. s has extracted the features of the
// board; last is the move before it, or the zero Move.
func (y *policy) estimate(s *evaluator, size int, moves []ayu.Move, last ayu.Move) []float32 {
	y.prepare(s)
	y.chances = y.chances[:0]
	part := s.policyStage()
	for _, m := range moves {
		y.moveFeatures(s, size, m, last)
		y.chances = append(y.chances, y.weights.logit(&y.traits, part))
	}
	softmax(y.chances)
	return y.chances
}

// logit returns the weighted sum of the features of a move. part is the weight of the table of the beginning.
func (w *policyTable) logit(traits *[policyPerMove]uint16, part float32) float32 {
	end, beginning := float32(0), float32(0)
	for _, f := range traits {
		weight := &w[f]
		end += weight[0]
		beginning += weight[1]
	}
	return end + (beginning-end)*part
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
