package search

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// region is what boardFeatures knows of a region, which pieces leave only over the Wall.
type region struct {
	men   [maxSeats]int32
	held  [maxSeats]int16 // cells of zones that only the seat holds
	entry uint8           // bit set of seats that can end a move in it, or have men on the Wall beside it
}

// findRegions fills s.regions.
func (s *boardFeatures) findRegions() {
	z := &s.zones
	s.regions = resized(s.regions, len(z.RegionCells))
	for k := range z.Zones {
		if z.Zones[k].Cells == 0 {
			continue
		}
		of := &s.regions[s.zoneRegion[k]]
		of.entry |= s.zoneEntry[k]
		for seat, men := range s.zoneMen[k][:s.seats] {
			of.men[seat] += men
		}
		if held := z.Zones[k].Held; held != 0 && held&(held-1) == 0 {
			of.held[bits.TrailingZeros8(held)] += int16(z.Zones[k].Cells)
		}
	}
	s.findWallEntries()
}

// findWallEntries adds to the entries of regions the seats with men on the Wall beside them.
func (s *boardFeatures) findWallEntries() {
	z, onWall := &s.zones, false
	for _, i := range s.pieces {
		if w := z.WallOf[i]; w >= 0 {
			if !onWall {
				s.wallSeats, onWall = resized(s.wallSeats, z.WallCount), true
			}
			s.wallSeats[w] |= 1 << s.cells[i].Owner
		}
	}
	if !onWall {
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

// boundDoubt is the number of cells by which a bound of the territory may be exceeded without being wrong by much.
const boundDoubt = 0.5

// possibleShares returns for each seat how possible it is that it wins, above 0 and at most 1: whether the most
// territory that it can get exceeds the least of each other seat. A seat can get no more than the regions that it is in
// or can enter, and it keeps what it has in regions that no other seat is in or can enter.
func (s *boardFeatures) possibleShares(p *mu.Position) (possible [maxSeats]float64) {
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
func (s *boardFeatures) hasWon(p *mu.Position) bool {
	s.load(p)
	s.compute(p, p.Turn())
	possible := s.possibleShares(p)
	for seat := range s.seats {
		if seat != p.Turn() && s.counts[seat][countMen] > 0 && !p.HasLeft(seat) && possible[seat] > 0.02 {
			return false
		}
	}
	return true
}
