package search

import (
	"math/rand/v2"

	"ayumu/engine/mu"
)

// Offsets of the groups of features of a seat at the start of play, where each seat has one segment.
const (
	cellFeatures     = 0                              // cells: steps of the seat and of the nearest opponent, whether two are as near, capacity
	segmentFeatures  = cellFeatures + 8*8*2*4         // other segments: the same steps to their nearest cells, whether somebody has it, capacities
	ownFeatures      = segmentFeatures + 8*8*2*4      // own segment: cells of capacity 3 and 4
	wideFeatures     = ownFeatures + 8*8              // own segment: cells of capacity 5 and 6
	chainFeatures    = wideFeatures + 8*8             // men that a chain of explosions adds, and how many cells begin one
	meetingFeatures  = chainFeatures + 24*4           // opponents: steps, turns to theirs, who moves first
	contactFeatures  = meetingFeatures + 8*maxSeats*2 // opponents: adjacent cells, men that chains capture, who moves first
	sequenceFeatures = contactFeatures + 6*5*5*2      // number of seats and turns until the own one
	startFeatures    = sequenceFeatures + (maxSeats+1)*maxSeats
)

// maxSteps is the largest number of steps that is distinguished.
const maxSteps = 7

// startEvaluator evaluates starts of play. It reuses its memory.
type startEvaluator struct {
	network       *valueNetwork
	board         *mu.Board
	neighbours    [][6]int16
	segmentOf     []uint8
	segments      []startSegment
	capacity      []uint8 // class of the number of neighbours of each cell, 0 to 3
	cells         []mu.PackedCell
	queue         []int16
	chain         []uint8 // men on each cell in a chain of explosions
	first, second []uint8 // steps of the nearest and of the second-nearest seat to each cell
	features      []uint16
}

// startSegment is what a start depends on of a segment that a seat may keep.
type startSegment struct {
	cells    [7]int16
	kind     uint8 // class of its capacities, 0 to 3
	isKnown  bool  // whether what follows is set
	steps    []uint8
	reaches  []uint8   // steps to the nearest cell of each segment
	own      [3]uint16 // ownFeatures, wideFeatures and chainFeatures
	exploded cellSet   // cells of the longest chain of explosions
}

// setBoard computes what depends on the board alone.
func (e *startEvaluator) setBoard(b *mu.Board) {
	n := b.Size()
	e.board, e.neighbours, e.segmentOf = b, e.neighbours[:0], e.segmentOf[:0]
	e.capacity = resized(e.capacity, n)
	if cap(e.segments) < n/7 {
		e.segments = make([]startSegment, n/7)
	}
	e.segments = e.segments[:n/7]
	var counts, sums [64]int
	for i := range n {
		around, k := b.Neighbours(i), b.Segment(i)
		neighbours := 0
		for _, j := range around {
			if j >= 0 {
				neighbours++
			}
		}
		e.neighbours, e.segmentOf = append(e.neighbours, around), append(e.segmentOf, uint8(k))
		e.capacity[i] = uint8(max(neighbours, 3) - 3)
		e.segments[k].cells[counts[k]] = int16(i)
		counts[k]++
		sums[k] += neighbours
	}
	for k := range e.segments {
		e.segments[k].isKnown = false
		e.segments[k].kind = uint8(min(max((sums[k]-25)/4, 0), 3)) // that of a segment without neighbours is 24
	}
}

// segment returns what is known of a segment.
func (e *startEvaluator) segment(k int) *startSegment {
	s := &e.segments[k]
	if s.isKnown {
		return s
	}
	s.isKnown = true
	s.steps, s.reaches = resized(s.steps, len(e.neighbours)), resized(s.reaches, len(e.segments))
	for i := range s.steps {
		s.steps[i] = maxSteps
	}
	for i := range s.reaches {
		s.reaches[i] = maxSteps
	}
	var classes [4]int
	queue := e.queue[:0]
	for _, i := range s.cells {
		s.steps[i] = 0
		queue = append(queue, i)
		classes[e.capacity[i]]++
	}
	for q := 0; q < len(queue); q++ {
		i := queue[q]
		to := &s.reaches[e.segmentOf[i]]
		*to = min(*to, s.steps[i])
		if s.steps[i] == maxSteps-1 {
			continue
		}
		for _, j := range e.neighbours[i] {
			if j >= 0 && s.steps[j] == maxSteps {
				s.steps[j] = s.steps[i] + 1
				queue = append(queue, j)
			}
		}
	}
	e.queue = queue
	longest, count := 0, 0
	s.exploded = cellSet{}
	for _, i := range s.cells {
		if e.capacity[i] != 0 {
			continue
		}
		count++
		if gained, exploded := e.explodeChain(s, i); gained > longest {
			longest, s.exploded = gained, exploded
		}
	}
	s.own = [3]uint16{uint16(ownFeatures + classes[0]*8 + classes[1]), uint16(wideFeatures + classes[2]*8 + classes[3]),
		uint16(chainFeatures + min(longest, 23)*4 + min(count, 3))}
	return s
}

// explodeChain returns the men that are added when two men more come to cell i of a segment of a seat on an otherwise empty
// board, and the cells that explode. None becomes Wall.
func (e *startEvaluator) explodeChain(s *startSegment, i int16) (gained int, exploded cellSet) {
	e.chain = resized(e.chain, len(e.neighbours))
	for _, j := range s.cells {
		e.chain[j] = 1
	}
	queue := append(e.queue[:0], i)
	exploded.add(i)
	for q := 0; q < len(queue); q++ {
		gained++
		for _, j := range e.neighbours[queue[q]] {
			if j < 0 || exploded.has(j) {
				continue
			}
			e.chain[j]++
			left := uint8(0) // its capacity now
			for _, k := range e.neighbours[j] {
				if k >= 0 && !exploded.has(k) {
					left++
				}
			}
			if e.chain[j] >= left {
				exploded.add(j)
				queue = append(queue, j)
			}
		}
	}
	e.queue = queue
	return gained, exploded
}

// evaluate returns the shares at the start of play.
func (e *startEvaluator) evaluate(p *mu.Position) shares {
	if r, over := p.Result(); over {
		return resultShares(r.Winners)
	}
	kept := e.keptSegments(p)
	return e.evaluateKept(p.Board(), &kept, p.Seats())
}

// noneKept are the segments of seats that keep none.
var noneKept = [maxSeats]int{-1, -1, -1, -1, -1, -1}

// keptSegments returns the segment of each seat at the start of play, -1 for a seat without men.
func (e *startEvaluator) keptSegments(p *mu.Position) [maxSeats]int {
	kept := noneKept
	e.cells = p.AppendPackedCells(e.cells[:0])
	for i, c := range e.cells {
		if c.Men > 0 {
			kept[c.Owner] = p.Board().Segment(i)
		}
	}
	return kept
}

// evaluateKept returns the shares at the start of play on a complete board if each seat keeps a segment, -1 if it has left.
// The first seat that has not left begins.
func (e *startEvaluator) evaluateKept(b *mu.Board, kept *[maxSeats]int, seats int) shares {
	v := noShares
	var none seatCounts
	e.describe(b, kept, seats, func(seat int, features []uint16) {
		v[seat] = float64(e.network.logit(features, &none, 0, &e.network.output[0]))
	})
	return softmax(v)
}

// describe calls f with the features of each seat that has not left.
func (e *startEvaluator) describe(b *mu.Board, kept *[maxSeats]int, seats int, f func(seat int, features []uint16)) {
	if e.board != b {
		e.setBoard(b)
	}
	n := len(e.neighbours)
	var segments [maxSeats]*startSegment
	var order [maxSeats]int // turns before the first one of each seat
	alive, owned := 0, uint64(0)
	for seat := range seats {
		if kept[seat] >= 0 {
			segments[seat] = e.segment(kept[seat])
			owned |= 1 << kept[seat]
			order[seat] = alive
			alive++
		}
	}
	e.findNearest(segments[:seats])
	for seat, s := range segments[:seats] {
		if s == nil {
			continue
		}
		list := e.features[:0]
		for i := range n {
			own, other, tied := s.steps[i], e.first[i], 0
			if own == other {
				other = e.second[i]
			} else if e.second[i] == other {
				tied = 1
			}
			list = append(list, uint16(cellFeatures+((int(own)*8+int(other))*2+tied)*4+int(e.capacity[i])))
		}
		for k := range e.segments {
			if k == kept[seat] {
				continue
			}
			other := uint8(maxSteps)
			for o, by := range segments[:seats] {
				if o != seat && by != nil {
					other = min(other, by.reaches[k])
				}
			}
			list = append(list, uint16(segmentFeatures+((int(s.reaches[k])*8+int(other))*2+int(owned>>k&1))*4+int(e.segments[k].kind)))
		}
		for o, by := range segments[:seats] {
			if o == seat || by == nil {
				continue
			}
			isLater := 0
			if order[o] > order[seat] {
				isLater = 1
			}
			turns := (order[o] - order[seat] + alive) % alive
			list = append(list, uint16(meetingFeatures+(int(s.reaches[kept[o]])*maxSeats+turns)*2+isLater),
				e.contactFeature(s, by)+uint16(isLater))
		}
		e.features = append(list, s.own[0], s.own[1], s.own[2], uint16(sequenceFeatures+alive*maxSeats+order[seat]))
		f(seat, e.features)
	}
}

// findNearest finds the steps of the nearest and of the second-nearest seat to each cell.
func (e *startEvaluator) findNearest(segments []*startSegment) {
	n := len(e.neighbours)
	e.first, e.second = resized(e.first, n), resized(e.second, n)
	for i := range n {
		first, second := uint8(maxSteps), uint8(maxSteps)
		for _, s := range segments {
			if s == nil {
				continue
			}
			if d := s.steps[i]; d < first {
				first, second = d, first
			} else if d < second {
				second = d
			}
		}
		e.first[i], e.second[i] = first, second
	}
}

// contactFeature returns the feature of the contact with an opponent who moves first.
func (e *startEvaluator) contactFeature(s, o *startSegment) uint16 {
	touching, captured, lost := 0, 0, 0
	if s.steps[o.cells[0]] <= 3 {
		for _, i := range o.cells {
			if s.steps[i] == 1 {
				touching++
			}
			if e.isBeside(&s.exploded, i) {
				captured++
			}
		}
		for _, i := range s.cells {
			if e.isBeside(&o.exploded, i) {
				lost++
			}
		}
	}
	return uint16(contactFeatures + ((min(touching, 5)*5+min(captured, 4))*5+min(lost, 4))*2)
}

// isBeside reports whether a cell is beside one of a set.
func (e *startEvaluator) isBeside(set *cellSet, i int16) bool {
	for _, j := range e.neighbours[i] {
		if j >= 0 && set.has(j) {
			return true
		}
	}
	return false
}

// randomStart returns the start of play with random segments. Training games and those of tests begin with it.
func randomStart(o mu.Options, rng *rand.Rand) *mu.Position {
	o.Min = o.Players
	p := mu.New(o)
	for p.Phase() < mu.Play {
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
	}
	return p
}
