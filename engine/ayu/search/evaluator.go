package search

import (
	_ "embed"
	"sync"

	"ayumu/engine/ayu"
	"ayumu/engine/search/network"
)

// Offsets of the groups of features of a board. A feature is present any number of times. Those of the side to move are
// others than those of the opponent.
const (
	freeFeatures    = 0                                 // empty points: nearness and gaps of both sides, empty neighbours
	aroundFeatures  = freeFeatures + 7*7*7*7*3          // points with the eight points around them
	stoneFeatures   = aroundFeatures + 3*neighbourhoods // stones: their units, neighbours and gaps
	gapFeatures     = stoneFeatures + 2*5*5*4*4*4       // gaps of the forest and the units at their ends
	leadFeatures    = gapFeatures + 2*6*3*3*3*3*2*3     // difference of the spans
	spanFeatures    = leadFeatures + 2*maxLead + 1      // span
	unitFeatures    = spanFeatures + 2*(maxSpan+1)      // number of units
	largestFeatures = unitFeatures + 2*16               // size of the largest unit
	sizeFeatures    = largestFeatures + 2*16            // size of the board
	featureCount    = sizeFeatures + 16
)

// Limits of what has a feature of its own.
const (
	maxLead = 15 // difference of the spans
	maxSpan = 63
)

// secondNeurons is the number of neurons of the second layer.
const secondNeurons = 16

// valueNetwork estimates who wins from the features of a board. After the layer of the features and a second one the
// weights of the output are interpolated between those of two stages. After both layers negative values are 0, and
// after the first one those above maxFirst are maxFirst.
type valueNetwork struct {
	*network.Layer
	second [secondNeurons][network.Neurons]float32
	biases [secondNeurons]float32 // of the second layer
	output [len(breakpoints)][secondNeurons]float32
}

const maxFirst = 4

// breakpoints are the sums of both spans, scaled to 11×11, for which the network has weights of the output.
var breakpoints = [...]float32{0, 15, 35, 60}

//go:embed weights.bin
var valueBytes []byte

// defaultValueNetwork returns the network of levels 4 and 5. Engine.Train (train.go) fits it to searches and results of
// games.
var defaultValueNetwork = sync.OnceValue(func() *valueNetwork { return network.Decode("weights.bin", valueBytes, readValueNetwork) })

// readValueNetwork reads the layer of the features, then the other weights in the order of their declaration.
func readValueNetwork(r *network.Reader) *valueNetwork {
	w := &valueNetwork{Layer: r.Layer(featureCount)}
	for i := range w.second {
		r.Floats(w.second[i][:])
	}
	r.Floats(w.biases[:])
	for k := range w.output {
		r.Floats(w.output[k][:])
	}
	return w
}

// evaluator evaluates boards. It reuses its memory.
type evaluator struct {
	network  *valueNetwork
	features []uint16
}

// evaluate returns the estimated share of wins of the side to move of a board.
func (e *evaluator) evaluate(s *boardFeatures) float64 {
	if s.sides[0].span == 0 {
		return 1
	}
	e.features = s.appendFeatures(e.features[:0])
	k, part := bracket(s.stage())
	return logistic(float64(e.network.logit(e.features, k, part)))
}

// logit returns the logit of the win, given the features of a board and what bracket returns.
func (w *valueNetwork) logit(features []uint16, k int, part float32) float32 {
	neurons := w.Sums(features)
	for i, x := range neurons {
		neurons[i] = min(max(x, 0), maxFirst)
	}
	sum := float32(0)
	for i := range w.second {
		neuron := w.biases[i]
		for j, x := range neurons {
			neuron += w.second[i][j] * x
		}
		if neuron > 0 {
			sum += neuron * (w.output[k][i]*(1-part) + w.output[k+1][i]*part)
		}
	}
	return sum
}

// bracket returns the lower breakpoint of a stage and its position between the two breakpoints, 0 to 1.
func bracket(stage float64) (int, float32) {
	spans := float32(stage)
	k := 0
	for k < len(breakpoints)-2 && spans >= breakpoints[k+1] {
		k++
	}
	return k, min((spans-breakpoints[k])/(breakpoints[k+1]-breakpoints[k]), 1)
}

// appendFeatures appends the features of the board.
func (s *boardFeatures) appendFeatures(features []uint16) []uint16 {
	classes := neighbourhoodClasses()
	for _, p := range s.points {
		kind := s.kinds[p]
		features = append(features, uint16(aroundFeatures+int(kind)*neighbourhoods)+classes[s.neighbourhood(p)])
		around := s.around(p)
		free, own, enemies := int(around&15), int(around>>4&15), int(around>>8)
		switch kind {
		case kindFree:
			near := s.nearness(0, p, own)*7 + s.nearness(1, p, enemies)
			gaps := lengthAndOpen(s.sides[0].gapCode[p])*7 + lengthAndOpen(s.sides[1].gapCode[p])
			features = append(features, uint16(freeFeatures+(near*7*7+gaps)*3+int(freeClasses[free])))
		case kindOwn:
			features = append(features, s.stoneFeature(0, p, free, enemies))
		case kindEnemy:
			features = append(features, s.stoneFeature(1, p, free, own))
		}
	}
	for i := range s.sides {
		side := &s.sides[i]
		for k := range side.joined {
			features = append(features, s.gapFeature(i, &side.joined[k]))
		}
		features = append(features, uint16(spanFeatures+(maxSpan+1)*i+min(side.span, maxSpan)),
			uint16(unitFeatures+16*i+min(side.units, 15)), uint16(largestFeatures+16*i+min(int(side.largest)/2, 15)))
	}
	lead := min(max(s.sides[1].span-s.sides[0].span, -maxLead), maxLead) + maxLead
	return append(features, uint16(leadFeatures+lead), uint16(sizeFeatures+s.size))
}

// freeClasses has the class of the number of empty points around a point.
var freeClasses = [...]uint8{0, 0, 1, 2, 2}

// lengthAndOpen returns what a code of a gap (markGaps) says of its length and of whether it is open, 0 to 6.
func lengthAndOpen(code uint8) int {
	if code == 0 {
		return 0
	}
	return 1 + int(code-1)/4*2 + int(code-1)&1
}

// stoneFeature returns the feature of a stone of a side, with that many empty points and stones of the other side around.
func (s *boardFeatures) stoneFeature(i int, p ayu.Point, free, others int) uint16 {
	u := s.units[p] & 127
	unit := (i*5+s.sizeCode(p))*5 + free
	gaps := gapClass(s.nearest[u])*4 + min(int(s.degree[u]), 3)
	return uint16(stoneFeatures + (unit*4+min(others, 3))*4*4 + gaps)
}

// gapFeature returns the feature of a gap of the forest of a side.
func (s *boardFeatures) gapFeature(i int, e *joint) uint16 {
	open := 0
	if e.open {
		open = 1
	}
	a, b := s.ends(e)
	units := (gapUnitClass(s.sizes[a])*3+gapUnitClass(s.sizes[b]))*9 + (min(int(s.degree[a]), 3)-1)*3 + min(int(s.degree[b]), 3) - 1
	return uint16(gapFeatures + (((i*6+lengthCode(int(e.length)))*81+units)*2+open)*3 + int(e.paths) - 1)
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
