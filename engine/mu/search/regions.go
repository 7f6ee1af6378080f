package search

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// region is what an evaluator knows of a region, which pieces leave only over the Wall.
type region struct {
	men   [maxSeats]uint16
	held  [maxSeats]int16 // cells of zones that only the seat holds
	entry uint8           // bit set of seats that can end a move in it, or have men on the Wall beside it
}

// findRegions fills s.regions.
func (s *evaluator) findRegions() {
	z := &s.zones
	if n := len(z.RegionCells); cap(s.regions) < n {
		s.regions = make([]region, n)
	} else {
		s.regions = s.regions[:n]
		clear(s.regions)
	}
	s.wallSeats = zeroed(s.wallSeats, z.WallCount)
	onWall := uint8(0)
	for i := range s.cells {
		c := &s.cells[i]
		r := z.RegionOf[i]
		if r < 0 {
			if c.Men > 0 {
				s.wallSeats[z.WallOf[i]] |= 1 << c.Owner
				onWall |= 1 << c.Owner
			}
			continue
		}
		of := &s.regions[r]
		of.entry |= s.landing[i]
		if c.Men > 0 {
			of.men[c.Owner] += c.Men
		}
		if held := z.Zones[z.ZoneOf[i]].Held; held != 0 && held&(held-1) == 0 {
			of.held[bits.TrailingZeros8(held)]++
		}
	}
	if onWall == 0 {
		return
	}
	for i, w := range z.WallOf {
		if w < 0 || s.wallSeats[w] == 0 {
			continue
		}
		for _, j := range s.neighbours[i] {
			if j >= 0 && z.RegionOf[j] >= 0 {
				s.regions[z.RegionOf[j]].entry |= s.wallSeats[w]
			}
		}
	}
}

// regionFeatures computes the features of regions.
func (s *evaluator) regionFeatures() {
	s.findRegions()
	for r := range s.regions {
		total, holders := uint16(0), 0
		of := &s.regions[r]
		for _, n := range of.men {
			if total += n; n > 0 {
				holders++
			}
		}
		for seat, n := range of.men {
			if n == 0 {
				continue
			}
			t, size := &s.features[seat], float32(s.zones.RegionCells[r])*s.one
			if holders == 1 {
				t[featureEnclosed] += size
				continue
			}
			t[featureOpen] += size
			t[featureOpenPart] += size * float32(n) / float32(total)
			t[featureOpenMen] += float32(n) * s.one
		}
	}
}

// boundDoubt is the number of cells by which a bound of the territory may be exceeded without being wrong by much.
const boundDoubt = 0.5

// possibleShares returns for each seat how possible it is that it wins, from nearly 0 to nearly 1: whether the most
// territory that it can get exceeds the least of each other seat. A seat can get no more than the regions that it is in
// or can enter, and it keeps what it has in regions that no other seat is in or can enter.
func (s *evaluator) possibleShares(p *mu.Position) (possible [maxSeats]float64) {
	var least, most [maxSeats]int
	for r := range s.regions {
		of := &s.regions[r]
		seats := of.entry
		for seat, n := range of.men {
			if n > 0 {
				seats |= 1 << seat
			}
		}
		if seats != 0 && seats&(seats-1) == 0 {
			seat := bits.TrailingZeros8(seats)
			least[seat] += int(of.held[seat])
		}
		for ; seats != 0; seats &= seats - 1 {
			most[bits.TrailingZeros8(seats)] += int(s.zones.RegionCells[r])
		}
	}
	for seat := range s.seats {
		others := 0
		for other := range s.seats {
			if other != seat && !p.HasLeft(other) {
				others = max(others, least[other])
			}
		}
		if possible[seat] = 1; others == 0 {
			continue
		}
		possible[seat] = 1 / (1 + math.Exp(float64(others-most[seat])/boundDoubt))
	}
	return possible
}

// hasWon reports whether the bounds of the territory leave the win to the seat to move alone.
func (s *evaluator) hasWon(p *mu.Position) bool {
	s.load(p)
	s.extract(p, p.Turn())
	possible := s.possibleShares(p)
	for seat := range s.seats {
		if seat != p.Turn() && s.features[seat][featureMen] > 0 && !p.HasLeft(seat) && possible[seat] > 0.02 {
			return false
		}
	}
	return true
}
