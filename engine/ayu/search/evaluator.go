package search

import (
	_ "embed"
	"encoding/binary"
	"slices"

	"ayumu/engine/ayu"
)

// pointKind is the content of a point for the side to move.
type pointKind uint8

const (
	kindFree pointKind = iota
	kindOwn
	kindEnemy
	kindOffBoard
)

// Steps to the four adjacent points. They wrap around off the board.
const (
	stepUp    ayu.Point = 16
	stepDown  ayu.Point = 0xf0
	stepLeft  ayu.Point = 0xff
	stepRight ayu.Point = 1
)

// Offsets of the groups of features. A feature is present or not, some several times. Those of the side to
// move come before those of the opponent.
const (
	gapFeatures     = 0                            // gaps in the minimum spanning forest of the units
	freeFeatures    = gapFeatures + 2*6*3*2        // empty points
	stoneFeatures   = freeFeatures + 7*7*5         // stones
	leadFeatures    = stoneFeatures + 2*5*5*4      // difference of the spans
	unitFeatures    = leadFeatures + 2*maxLead + 1 // number of units
	largestFeatures = unitFeatures + 2*16          // size of the largest unit
	biasFeature     = largestFeatures + 2*16
	featureCount    = biasFeature + 1
)

// maxLead is the largest lead with its own feature.
const maxLead = 15

// maxGap limits the lengths of gaps: longer ones count as maxGap-1.
const maxGap = 24

// Weights of the features at some sums of the spans of both sides, scaled to 11×11, with linear
// interpolation between them. BenchmarkLearn fits them to search results.
var (
	breakpoints = [...]float32{0, 15, 35, 60}

	//go:embed weights.bin
	weightBytes []byte
	weights     = readWeights(weightBytes)
)

type weightTable [len(breakpoints)][featureCount]float32

// readWeights decodes the weights of the evaluator.
func readWeights(b []byte) *weightTable {
	w := new(weightTable)
	for k := range w {
		b = decodeWeights(w[k][:], b)
	}
	return w
}

// decodeWeights decodes weights, which are thousandths as 16-bit integers in little-endian order, and returns the
// rest of b. Missing ones are 0.
func decodeWeights(w []float32, b []byte) []byte {
	for i := range w {
		if len(b) < 2 {
			break
		}
		w[i] = float32(int16(binary.LittleEndian.Uint16(b))) / 1000
		b = b[2:]
	}
	return b
}

// evaluator evaluates boards. It reuses its memory.
type evaluator struct {
	points []ayu.Point    // all points of the current size
	blank  [256]pointKind // the empty board of that size

	kinds    [256]pointKind
	units    [256]uint8     // unit of each stone, from 1; 0 elsewhere
	count    uint8          // number of units
	sizes    [128]uint8     // size of each unit
	parent   [128]uint8     // union-find parent of each unit
	sides    [2]sideMap     // side to move, opponent
	queue    [256]ayu.Point // queue of reached points
	queued   int
	gaps     [maxGap][]gap // by length
	pairs    [1024]pair    // by a hash of the two units
	features []uint16
}

// sideMap has a side's stones and the distance of the empty points to them.
type sideMap struct {
	stones   []ayu.Point
	unit     [256]uint8 // closest unit of each point; 0 without a path
	distance [256]uint8 // empty points on the path there, including the point; 0 for a stone
	span     int        // sum of the gaps
	units    int
	largest  uint8
	joined   []joint // the forest, the shortest gaps first
}

// gap is a shortest path between two units.
type gap struct {
	a, b uint8
	open bool      // no opposing stone is adjacent to the middle of the path
	p, q ayu.Point // adjacent points in the middle of the path, closest to different units
}

// joint is a gap of the minimum spanning forest.
type joint struct {
	gap
	length uint8
	paths  uint8 // number of shortest paths, at most 3
}

// pair has the number of shortest paths between two units, and whether one of them is open.
type pair struct {
	paths uint8
	open  uint8
}

// evaluate returns the estimated share of wins of the side to move.
func (s *evaluator) evaluate(b ayu.Board) float64 {
	s.extract(b)
	if s.sides[0].span == 0 {
		return 1
	}
	breakpoint, part := s.phase()
	return probability(s.features, weights, breakpoint, part)
}

// phase returns the lower breakpoint of a board and its position between the two breakpoints, 0 to 1.
func (s *evaluator) phase() (int, float32) {
	spans := float32(scaledSpan(s.sides[0].span+s.sides[1].span, len(s.points)))
	k := 0
	for k < len(breakpoints)-2 && spans >= breakpoints[k+1] {
		k++
	}
	return k, min((spans-breakpoints[k])/(breakpoints[k+1]-breakpoints[k]), 1)
}

// scaledSpan scales the sum of both spans on a board with that many points to 11×11.
func scaledSpan(spans, points int) float64 { return float64(spans) * 120 / float64(points-1) }

// probability returns the weighted sum of features as a probability.
func probability(features []uint16, w *weightTable, breakpoint int, part float32) float64 {
	first, second := float32(0), float32(0)
	for _, t := range features {
		first += w[breakpoint][t]
		second += w[breakpoint+1][t]
	}
	return logistic(float64(first*(1-part) + second*part))
}

// extract computes the features of a board.
func (s *evaluator) extract(b ayu.Board) {
	s.placeStones(b)
	s.features = s.features[:0]
	for i := range s.sides {
		s.findDistances(&s.sides[i])
	}
	for i := range s.sides {
		s.joinUnits(i)
	}
	for i := range s.sides {
		side := &s.sides[i]
		s.addFeature(unitFeatures, 16*i+min(side.units, 15))
		s.addFeature(largestFeatures, 16*i+min(int(side.largest)/2, 15))
	}
	s.addPointFeatures()
	lead := s.sides[1].span - s.sides[0].span
	s.addFeature(leadFeatures, min(max(lead, -maxLead), maxLead)+maxLead)
	s.addFeature(biasFeature, 0)
}

func (s *evaluator) addFeature(group, i int) { s.features = append(s.features, uint16(group+i)) }

// placeStones sets the content of the points and finds the units.
func (s *evaluator) placeStones(b ayu.Board) {
	if n := b.Size(); len(s.points) != n*n {
		s.reset(n)
	}
	s.kinds = s.blank
	clear(s.units[:])
	s.count = 0
	for i, c := range [2]ayu.Color{b.Turn(), b.Turn().Other()} {
		side := &s.sides[i]
		side.stones = side.stones[:0]
		for p := range b.Stones(c).All() {
			side.stones = append(side.stones, p)
			s.kinds[p] = kindOwn + pointKind(i)
		}
	}
	for i := range s.sides {
		side := &s.sides[i]
		side.units, side.largest = 0, 0
		for _, p := range side.stones {
			if s.units[p] == 0 {
				side.units++
				side.largest = max(side.largest, s.floodUnit(p))
			}
		}
	}
}

// reset prepares the evaluator for boards of a size.
func (s *evaluator) reset(size int) {
	s.points = s.points[:0]
	for i := range s.blank {
		s.blank[i] = kindOffBoard
	}
	for row := range size {
		for column := range size {
			p := ayu.At(column, row)
			s.points = append(s.points, p)
			s.blank[p] = kindFree
		}
	}
}

// floodUnit numbers the unit of a stone and returns its size.
func (s *evaluator) floodUnit(p ayu.Point) uint8 {
	s.count++
	s.queued = 0
	s.addToUnit(p, s.kinds[p])
	for i := 0; i < s.queued; i++ {
		p := s.queue[i&255]
		kind := s.kinds[p]
		s.addToUnit(p+stepUp, kind)
		s.addToUnit(p+stepRight, kind)
		s.addToUnit(p+stepDown, kind)
		s.addToUnit(p+stepLeft, kind)
	}
	size := uint8(s.queued)
	s.sizes[s.count&127], s.parent[s.count&127] = size, s.count
	return size
}

// addToUnit adds a stone of a kind to the last unit, unless it belongs to one.
func (s *evaluator) addToUnit(p ayu.Point, kind pointKind) {
	if s.kinds[p] == kind && s.units[p] == 0 {
		s.units[p] = s.count
		s.queue[s.queued&255] = p
		s.queued++
	}
}

// findDistances finds the closest unit of a side for each empty point: a Voronoi diagram.
func (s *evaluator) findDistances(side *sideMap) {
	clear(side.unit[:])
	clear(side.distance[:])
	s.queued = 0
	for _, p := range side.stones {
		side.unit[p] = s.units[p]
		s.reachAround(side, p)
	}
	for i := 0; i < s.queued; i++ {
		s.reachAround(side, s.queue[i&255])
	}
}

// reachAround reaches the empty points adjacent to p.
func (s *evaluator) reachAround(side *sideMap, p ayu.Point) {
	distance, unit := side.distance[p]+1, side.unit[p]
	s.reach(side, p+stepUp, distance, unit)
	s.reach(side, p+stepRight, distance, unit)
	s.reach(side, p+stepDown, distance, unit)
	s.reach(side, p+stepLeft, distance, unit)
}

// reach records the distance of an empty point that has not been reached before.
func (s *evaluator) reach(side *sideMap, p ayu.Point, distance, unit uint8) {
	if s.kinds[p] == kindFree && side.unit[p] == 0 {
		side.distance[p], side.unit[p] = distance, unit
		s.queue[s.queued&255] = p
		s.queued++
	}
}

// joinUnits joins the units of a side by the shortest gaps: a minimum spanning forest. A shortest path
// between two units of the forest passes the border between their cells of the diagram.
func (s *evaluator) joinUnits(i int) {
	side := &s.sides[i]
	for n := range s.gaps {
		s.gaps[n] = s.gaps[n][:0]
	}
	for _, p := range s.points {
		unit := side.unit[p]
		if unit == 0 {
			continue
		}
		if q := p + stepRight; side.unit[q] != unit && side.unit[q] != 0 {
			s.addGap(i, p, q)
		}
		if q := p + stepUp; side.unit[q] != unit && side.unit[q] != 0 {
			s.addGap(i, p, q)
		}
	}
	side.span, side.joined = 0, side.joined[:0]
	for length, gaps := range s.gaps {
		if len(side.joined) == side.units-1 {
			break
		}
		for _, g := range gaps {
			s.pairs[g.pair()].add(g)
		}
		for _, g := range gaps {
			a, b := s.root(g.a), s.root(g.b)
			if a == b {
				continue
			}
			s.parent[a&127] = b
			side.span += length
			p := s.pairs[g.pair()]
			side.joined = append(side.joined, joint{gap{g.a, g.b, p.open > 0, g.p, g.q}, uint8(length), p.paths})
			s.addFeature(gapFeatures, ((i*6+lengthCode(length))*3+int(p.paths)-1)*2+int(p.open))
		}
		for _, g := range gaps {
			s.pairs[g.pair()] = pair{}
		}
	}
}

// addGap records the path across two adjacent points with different closest units.
func (s *evaluator) addGap(i int, p, q ayu.Point) {
	side, enemy := &s.sides[i], &s.sides[1-i]
	a, b := side.unit[p], side.unit[q]
	length := min(int(side.distance[p])+int(side.distance[q]), maxGap-1)
	s.gaps[length] = append(s.gaps[length], gap{min(a, b), max(a, b), enemy.distance[p] != 1 && enemy.distance[q] != 1, p, q})
}

// pair returns a hash of the two units.
func (g gap) pair() int { return (int(g.a)*31 + int(g.b)) & 1023 }

func (p *pair) add(g gap) {
	p.paths = min(p.paths+1, 3)
	if g.open {
		p.open = 1
	}
}

// root returns the representative of the units joined with u.
func (s *evaluator) root(u uint8) uint8 {
	for s.parent[u&127] != u {
		above := s.parent[s.parent[u&127]&127]
		s.parent[u&127] = above
		u = above
	}
	return u
}

// lengthCode returns the class of the length of a gap, 0 to 5.
func lengthCode(n int) int {
	switch {
	case n <= 4:
		return n - 1
	case n <= 6:
		return 4
	}
	return 5
}

// sizeCodes has the class of the size of a unit, 0 to 4.
var sizeCodes = func() (codes [128]uint8) {
	for n := range codes {
		switch {
		case n <= 2:
			codes[n] = uint8(max(n, 1) - 1)
		case n <= 4:
			codes[n] = 2
		case n <= 8:
			codes[n] = 3
		default:
			codes[n] = 4
		}
	}
	return codes
}()

// neighbourCounts counts the contents of adjacent points in four bits each: empty points, own stones,
// opposing stones.
var neighbourCounts = [...]uint16{kindFree: 1, kindOwn: 1 << 4, kindEnemy: 1 << 8, kindOffBoard: 0}

// around counts the contents of the points adjacent to p, as neighbourCounts has them.
func (s *evaluator) around(p ayu.Point) uint16 {
	return neighbourCounts[s.kinds[p+stepUp]] + neighbourCounts[s.kinds[p+stepRight]] +
		neighbourCounts[s.kinds[p+stepDown]] + neighbourCounts[s.kinds[p+stepLeft]]
}

// addPointFeatures adds a feature for each point: for an empty one, the distance of both sides and the
// number of empty neighbours; for a stone, the size of its unit and its neighbours.
func (s *evaluator) addPointFeatures() {
	for _, p := range s.points {
		around := s.around(p)
		free, own, enemies := int(around&15), int(around>>4&15), int(around>>8)
		switch size := int(sizeCodes[s.sizes[s.units[p]&127]&127]); s.kinds[p] {
		case kindFree:
			s.addFeature(freeFeatures, (s.nearness(0, p, own)*7+s.nearness(1, p, enemies))*5+free)
		case kindOwn:
			s.addFeature(stoneFeatures, (size*5+free)*4+min(enemies, 3))
		case kindEnemy:
			s.addFeature(stoneFeatures, ((5+size)*5+free)*4+min(own, 3))
		}
	}
}

// nearness returns the class of the distance of a side to an empty point with that many of its stones
// adjacent: 0 to 2 for one, two, or more adjacent units, 3 and 4 for distances of two and three, 5 for
// more, and 6 without a path.
func (s *evaluator) nearness(i int, p ayu.Point, stones int) int {
	side := &s.sides[i]
	switch distance := side.distance[p]; distance {
	case 0:
		return 6
	case 1:
		if stones == 1 {
			return 0
		}
		return min(s.countTouching(kindOwn+pointKind(i), p), 3) - 1
	case 2, 3:
		return int(distance) + 1
	}
	return 5
}

// countTouching returns the number of units of a kind adjacent to a point.
func (s *evaluator) countTouching(kind pointKind, p ayu.Point) int {
	var seen [4]uint8
	n := 0
	for _, q := range [...]ayu.Point{p + stepUp, p + stepRight, p + stepDown, p + stepLeft} {
		if s.kinds[q] == kind && !slices.Contains(seen[:n], s.units[q]) {
			seen[n] = s.units[q]
			n++
		}
	}
	return n
}
