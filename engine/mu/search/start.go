package search

import (
	"math/bits"

	"ayumu/engine/mu"
)

// evaluateStart returns the shares at the start of play.
func (s *evaluator) evaluateStart(p *mu.Position) shares {
	if p.Phase() != mu.Play {
		return s.evaluate(p)
	}
	s.load(p)
	s.extractStart(p)
	return s.weigh(p, startNetwork)
}

// evaluateKept returns the shares at the start of play of the layout whose start p was evaluated last, if each seat keeps
// the segment with the given centre. It takes half the time of evaluateStart.
func (s *evaluator) evaluateKept(p *mu.Position, keep *[maxSeats]mu.Hex) shares {
	var owners [64]uint8 // of the segments, from 1
	for seat := range s.seats {
		if !p.HasLeft(seat) {
			owners[p.Board().Segment(p.Board().Index(keep[seat]))] = uint8(seat) + 1
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		c.Men, c.Owner = 0, 0
		if owner := owners[s.segmentOf[i]]; owner > 0 {
			c.Men, c.Owner = 1, owner-1
		}
	}
	s.extractFeatures(p, p.Turn()) // the zones stay the same
	s.distanceFeatures()
	s.chainFeatures()
	return s.weigh(p, startNetwork)
}

// extractStart computes the features of all seats in a loaded position at the start of play.
func (s *evaluator) extractStart(p *mu.Position) {
	s.extract(p, p.Turn())
	s.distanceFeatures()
	s.chainFeatures()
}

// distanceFeatures computes how much of the board is nearest to the pieces of each seat, and how near the
// opponents are.
func (s *evaluator) distanceFeatures() {
	s.nearest = zeroed(s.nearest, len(s.cells))
	s.distance = zeroed(s.distance, len(s.cells))
	queue := s.queue[:0]
	var closest [maxSeats]uint8
	for i := range s.cells {
		if c := &s.cells[i]; c.Men > 0 {
			s.nearest[i] = 1 << c.Owner
			queue = append(queue, int16(i))
		}
	}
	for k := 0; k < len(queue); k++ {
		i := queue[k]
		for _, j := range s.neighbours[i] {
			switch {
			case j < 0:
			case s.nearest[j] == 0:
				s.nearest[j], s.distance[j] = s.nearest[i], s.distance[i]+1
				queue = append(queue, j)
			case s.distance[j] == s.distance[i]+1:
				s.nearest[j] |= s.nearest[i]
			}
			if j >= 0 {
				s.meet(i, j, &closest)
			}
		}
	}
	s.queue = queue
	for seat := range s.seats {
		if closest[seat] > 0 {
			s.features[seat][featureCloseness] = 1 / float32(closest[seat])
		}
	}
	for i, seats := range s.nearest {
		if seats&(seats-1) == 0 {
			t := &s.features[bits.TrailingZeros8(seats)]
			t[featureNear] += s.one
			t[featureNearGrowth] += s.one / float32(max(1, s.cells[i].Capacity))
			continue
		}
		part := s.one / float32(bits.OnesCount8(seats))
		for ; seats != 0; seats &= seats - 1 {
			s.features[bits.TrailingZeros8(seats)][featureTiedNear] += part
		}
	}
}

// meet records the steps between the seats that are nearest to two neighbouring cells.
func (s *evaluator) meet(i, j int16, closest *[maxSeats]uint8) {
	seats := s.nearest[i] | s.nearest[j]
	if seats&(seats-1) == 0 {
		return
	}
	steps := s.distance[i] + s.distance[j] + 1
	for ; seats != 0; seats &= seats - 1 {
		if seat := bits.TrailingZeros8(seats); closest[seat] == 0 || steps < closest[seat] {
			closest[seat] = steps
		}
	}
}

// chainFeatures computes the features of chains of explosions at the start of play.
func (s *evaluator) chainFeatures() {
	for i := range s.cells {
		c := &s.cells[i]
		if c.Men == 0 || c.Men+2 < uint16(c.Capacity) {
			continue
		}
		t := &s.features[c.Owner]
		gained, captured := s.explodeChain(int16(i))
		t[featureChainMen] = max(t[featureChainMen], gained)
		t[featureChainCaptures] = max(t[featureChainCaptures], captured)
	}
}

// explodeChain returns the men that are added and captured when virgin cell i explodes, in fair shares. It follows
// the explosions of virgin cells only, and none becomes Wall.
func (s *evaluator) explodeChain(i int16) (gained, captured float32) {
	if len(s.chain) != len(s.cells) {
		s.chain = make([]mu.PackedCell, len(s.cells))
	}
	copy(s.chain, s.cells)
	owner := s.chain[i].Owner
	queue := append(s.exploded[:0], i)
	s.chain[i].Terrain = mu.Commonwealth
	for k := 0; k < len(queue); k++ {
		gained += s.one
		for _, j := range s.neighbours[queue[k]] {
			if j < 0 || s.chain[j].Terrain != mu.Virgin {
				continue
			}
			c := &s.chain[j]
			c.Capacity--
			if c.Men > 0 && c.Owner != owner {
				captured += float32(c.Men) * s.one
				c.Men = 0
			}
			c.Men++
			c.Owner = owner
			if c.Men >= uint16(c.Capacity) {
				c.Terrain = mu.Commonwealth
				queue = append(queue, j)
			}
		}
	}
	s.exploded = queue
	return gained, captured
}
