package bot

import (
	_ "embed"
	"encoding/binary"
	"slices"

	"ayumu/engine/ayu"
)

// ayuKind is the content of a point for the side to move.
type ayuKind uint8

const (
	ayuFree ayuKind = iota
	ayuOwn
	ayuEnemy
	ayuOffBoard
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
	ayuGapFeatures     = 0                                  // gaps in the minimum spanning forest of the units
	ayuFreeFeatures    = ayuGapFeatures + 2*6*3*2           // empty points
	ayuStoneFeatures   = ayuFreeFeatures + 7*7*5            // stones
	ayuLeadFeatures    = ayuStoneFeatures + 2*5*5*4         // difference of the spans
	ayuUnitFeatures    = ayuLeadFeatures + 2*ayuMaxLead + 1 // number of units
	ayuLargestFeatures = ayuUnitFeatures + 2*16             // size of the largest unit
	ayuBias            = ayuLargestFeatures + 2*16
	ayuFeatureCount    = ayuBias + 1
)

// ayuMaxLead is the largest lead with its own feature.
const ayuMaxLead = 15

// ayuMaxGap limits the lengths of gaps: longer ones count as ayuMaxGap-1.
const ayuMaxGap = 24

// Weights of the features at some sums of the spans of both sides, scaled to 11×11, with linear
// interpolation between them. BenchmarkAyuLearn fits them to search results.
var (
	ayuBreakpoints = [...]float32{0, 15, 35, 60}

	//go:embed ayu_weights.bin
	ayuWeightBytes []byte
	ayuWeights     = readAyuWeights(ayuWeightBytes)
)

type ayuWeightTable [len(ayuBreakpoints)][ayuFeatureCount]float32

// readAyuWeights decodes weights: thousandths as 16-bit integers in little-endian order.
func readAyuWeights(b []byte) *ayuWeightTable {
	w := new(ayuWeightTable)
	for k := range w {
		for i := range w[k] {
			w[k][i] = float32(int16(binary.LittleEndian.Uint16(b))) / 1000
			b = b[2:]
		}
	}
	return w
}

// ayuEvaluator evaluates boards. It reuses its memory.
type ayuEvaluator struct {
	points []ayu.Point  // all points of the current size
	blank  [256]ayuKind // the empty board of that size

	kinds    [256]ayuKind
	units    [256]uint8     // unit of each stone, from 1; 0 elsewhere
	count    uint8          // number of units
	sizes    [128]uint8     // size of each unit
	parent   [128]uint8     // union-find parent of each unit
	sides    [2]ayuSide     // side to move, opponent
	queue    [256]ayu.Point // queue of reached points
	queued   int
	gaps     [ayuMaxGap][]ayuGap // by length
	pairs    [1024]ayuPair       // by a hash of the two units
	features []uint16
}

// ayuSide has a side's stones and the distance of the empty points to them.
type ayuSide struct {
	stones   []ayu.Point
	unit     [256]uint8 // closest unit of each point; 0 without a path
	distance [256]uint8 // empty points on the path there, including the point; 0 for a stone
	span     int        // sum of the gaps
	units    int
	largest  uint8
}

// ayuGap is a shortest path between two units.
type ayuGap struct {
	a, b uint8
	open bool // no opposing stone is adjacent to the middle of the path
}

// ayuPair has the number of shortest paths between two units, and whether one of them is open.
type ayuPair struct {
	paths uint8
	open  uint8
}

// evaluate returns the estimated share of wins of the side to move.
func (s *ayuEvaluator) evaluate(b ayu.Board) float64 {
	s.extract(b)
	if s.sides[0].span == 0 {
		return 1
	}
	breakpoint, part := s.phase()
	return ayuLogistic(s.features, ayuWeights, breakpoint, part)
}

// phase returns the lower breakpoint of a board and its position between the two breakpoints, 0 to 1.
func (s *ayuEvaluator) phase() (int, float32) {
	spans := float32(ayuScaledSpan(s.sides[0].span+s.sides[1].span, len(s.points)))
	k := 0
	for k < len(ayuBreakpoints)-2 && spans >= ayuBreakpoints[k+1] {
		k++
	}
	return k, min((spans-ayuBreakpoints[k])/(ayuBreakpoints[k+1]-ayuBreakpoints[k]), 1)
}

// ayuScaledSpan scales the sum of both spans on a board with that many points to 11×11.
func ayuScaledSpan(spans, points int) float64 { return float64(spans) * 120 / float64(points-1) }

// ayuLogistic returns the weighted sum of features as a probability.
func ayuLogistic(features []uint16, w *ayuWeightTable, breakpoint int, part float32) float64 {
	first, second := float32(0), float32(0)
	for _, t := range features {
		first += w[breakpoint][t]
		second += w[breakpoint+1][t]
	}
	return logistic(float64(first*(1-part) + second*part))
}

// extract computes the features of a board.
func (s *ayuEvaluator) extract(b ayu.Board) {
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
		s.addFeature(ayuUnitFeatures, 16*i+min(side.units, 15))
		s.addFeature(ayuLargestFeatures, 16*i+min(int(side.largest)/2, 15))
	}
	s.addPointFeatures()
	lead := s.sides[1].span - s.sides[0].span
	s.addFeature(ayuLeadFeatures, min(max(lead, -ayuMaxLead), ayuMaxLead)+ayuMaxLead)
	s.addFeature(ayuBias, 0)
}

func (s *ayuEvaluator) addFeature(group, i int) { s.features = append(s.features, uint16(group+i)) }

// placeStones sets the content of the points and finds the units.
func (s *ayuEvaluator) placeStones(b ayu.Board) {
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
			s.kinds[p] = ayuOwn + ayuKind(i)
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
func (s *ayuEvaluator) reset(size int) {
	s.points = s.points[:0]
	for i := range s.blank {
		s.blank[i] = ayuOffBoard
	}
	for row := range size {
		for column := range size {
			p := ayu.At(column, row)
			s.points = append(s.points, p)
			s.blank[p] = ayuFree
		}
	}
}

// floodUnit numbers the unit of a stone and returns its size.
func (s *ayuEvaluator) floodUnit(p ayu.Point) uint8 {
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
func (s *ayuEvaluator) addToUnit(p ayu.Point, kind ayuKind) {
	if s.kinds[p] == kind && s.units[p] == 0 {
		s.units[p] = s.count
		s.queue[s.queued&255] = p
		s.queued++
	}
}

// findDistances finds the closest unit of a side for each empty point: a Voronoi diagram.
func (s *ayuEvaluator) findDistances(side *ayuSide) {
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
func (s *ayuEvaluator) reachAround(side *ayuSide, p ayu.Point) {
	distance, unit := side.distance[p]+1, side.unit[p]
	s.reach(side, p+stepUp, distance, unit)
	s.reach(side, p+stepRight, distance, unit)
	s.reach(side, p+stepDown, distance, unit)
	s.reach(side, p+stepLeft, distance, unit)
}

// reach records the distance of an empty point that has not been reached before.
func (s *ayuEvaluator) reach(side *ayuSide, p ayu.Point, distance, unit uint8) {
	if s.kinds[p] == ayuFree && side.unit[p] == 0 {
		side.distance[p], side.unit[p] = distance, unit
		s.queue[s.queued&255] = p
		s.queued++
	}
}

// joinUnits joins the units of a side by the shortest gaps: a minimum spanning forest. A shortest path
// between two units of the forest passes the border between their cells of the diagram.
func (s *ayuEvaluator) joinUnits(i int) {
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
	side.span = 0
	for length, gaps := range s.gaps {
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
			s.addFeature(ayuGapFeatures, ((i*6+ayuLengthCode(length))*3+int(p.paths)-1)*2+int(p.open))
		}
		for _, g := range gaps {
			s.pairs[g.pair()] = ayuPair{}
		}
	}
}

// addGap records the path across two adjacent points with different closest units.
func (s *ayuEvaluator) addGap(i int, p, q ayu.Point) {
	side, enemy := &s.sides[i], &s.sides[1-i]
	a, b := side.unit[p], side.unit[q]
	length := min(int(side.distance[p])+int(side.distance[q]), ayuMaxGap-1)
	s.gaps[length] = append(s.gaps[length], ayuGap{min(a, b), max(a, b), enemy.distance[p] != 1 && enemy.distance[q] != 1})
}

// pair returns a hash of the two units.
func (g ayuGap) pair() int { return (int(g.a)*31 + int(g.b)) & 1023 }

func (p *ayuPair) add(g ayuGap) {
	p.paths = min(p.paths+1, 3)
	if g.open {
		p.open = 1
	}
}

// root returns the representative of the units joined with u.
func (s *ayuEvaluator) root(u uint8) uint8 {
	for s.parent[u&127] != u {
		u = s.parent[u&127]
	}
	return u
}

// ayuLengthCode returns the class of the length of a gap, 0 to 5.
func ayuLengthCode(n int) int {
	switch {
	case n <= 4:
		return n - 1
	case n <= 6:
		return 4
	}
	return 5
}

// ayuSizeCodes has the class of the size of a unit, 0 to 4.
var ayuSizeCodes = func() (codes [128]uint8) {
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

// ayuNeighbourCounts counts the contents of adjacent points in four bits each: empty points, own stones,
// opposing stones.
var ayuNeighbourCounts = [...]uint16{ayuFree: 1, ayuOwn: 1 << 4, ayuEnemy: 1 << 8, ayuOffBoard: 0}

// addPointFeatures adds a feature for each point: for an empty one, the distance of both sides and the
// number of empty neighbours; for a stone, the size of its unit and its neighbours.
func (s *ayuEvaluator) addPointFeatures() {
	for _, p := range s.points {
		around := ayuNeighbourCounts[s.kinds[p+stepUp]] + ayuNeighbourCounts[s.kinds[p+stepRight]] +
			ayuNeighbourCounts[s.kinds[p+stepDown]] + ayuNeighbourCounts[s.kinds[p+stepLeft]]
		free, own, enemies := int(around&15), int(around>>4&15), int(around>>8)
		switch size := int(ayuSizeCodes[s.sizes[s.units[p]&127]&127]); s.kinds[p] {
		case ayuFree:
			s.addFeature(ayuFreeFeatures, (s.nearness(0, p, own)*7+s.nearness(1, p, enemies))*5+free)
		case ayuOwn:
			s.addFeature(ayuStoneFeatures, (size*5+free)*4+min(enemies, 3))
		case ayuEnemy:
			s.addFeature(ayuStoneFeatures, ((5+size)*5+free)*4+min(own, 3))
		}
	}
}

// nearness returns the class of the distance of a side to an empty point with that many of its stones
// adjacent: 0 to 2 for one, two, or more adjacent units, 3 and 4 for distances of two and three, 5 for
// more, and 6 without a path.
func (s *ayuEvaluator) nearness(i int, p ayu.Point, stones int) int {
	side := &s.sides[i]
	switch distance := side.distance[p]; distance {
	case 0:
		return 6
	case 1:
		if stones == 1 {
			return 0
		}
		return min(s.countTouching(ayuOwn+ayuKind(i), p), 3) - 1
	case 2, 3:
		return int(distance) + 1
	}
	return 5
}

// countTouching returns the number of units of a kind adjacent to a point.
func (s *ayuEvaluator) countTouching(kind ayuKind, p ayu.Point) int {
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
