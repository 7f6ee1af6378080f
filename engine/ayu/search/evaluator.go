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
// interpolation between them. BenchmarkTrain fits them to search results.
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

// evaluator evaluates boards. It reuses its memory. Without weights it only extracts features.
type evaluator struct {
	weights *weightTable

	points       []ayu.Point    // all points of the current size
	blank        [256]pointKind // kinds, free and content of the empty board of that size
	blankFree    [256]bool
	blankContent [256]uint16

	kinds     [256]pointKind
	units     [256]uint8       // unit of each stone, from 1; 0 elsewhere
	count     uint8            // number of units
	sizes     [128]uint8       // size of each unit
	parent    [128]uint8       // union-find parent of each unit
	sides     [2]sideMap       // side to move, opponent
	free      [256]bool        // empty points
	unreached [256]bool        // those that findDistances has not reached
	queue     [256]ayu.Point   // queue of reached points
	borders   [maxGap][]border // by the length of the gap across them
	gaps      []gap            // of one length
	pairs     [1024]pair       // by a hash of the two units
	features  []uint16
	content   [256]uint16 // of the points, as neighbourCounts has it
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

// border is a pair of adjacent points with different closest units.
type border struct{ p, q ayu.Point }

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
	return probability(s.features, s.weights, breakpoint, part)
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
	s.survey(b)
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
	return s.content[p+stepUp] + s.content[p+stepRight] + s.content[p+stepDown] + s.content[p+stepLeft]
}

// addPointFeatures adds a feature for each point: for an empty one, the distance of both sides and the
// number of empty neighbours; for a stone, the size of its unit and its neighbours.
func (s *evaluator) addPointFeatures() {
	for _, p := range s.points {
		around := s.around(p)
		free, own, enemies := int(around&15), int(around>>4&15), int(around>>8)
		feature := 0
		switch s.kinds[p] {
		case kindFree:
			feature = freeFeatures + (s.nearness(0, p, own)*7+s.nearness(1, p, enemies))*5 + free
		case kindOwn:
			feature = stoneFeatures + (s.sizeCode(p)*5+free)*4 + min(enemies, 3)
		default:
			feature = stoneFeatures + ((5+s.sizeCode(p))*5+free)*4 + min(own, 3)
		}
		s.features = append(s.features, uint16(feature))
	}
}

// sizeCode returns the class of the size of the unit of a stone.
func (s *evaluator) sizeCode(p ayu.Point) int { return int(sizeCodes[s.sizes[s.units[p]&127]&127]) }

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
