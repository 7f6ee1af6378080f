package search

import (
	"math/bits"

	"ayumu/engine/mu"
)

// Counts of a seat, in cells or men. Each has a feature for each of its levels, and a linear term.
const (
	countMen             = iota // men
	countWallMen                // men on the Wall
	countVirginMen              // men on virgin cells
	countPieces                 // pieces
	countSegments               // cells of the segments with a piece, each of which gives a right
	countSafe                   // cells of territory that no opponent can enter in a move
	countUnsafe                 // other cells of territory
	countShared                 // cells of zones with several owners, by the seat's part of the men there
	countHanging                // men that an opponent can capture in a move and no man of the seat covers
	countDefended               // other men that an opponent can capture in a move
	countLargestAttacked        // men of the largest piece that an opponent can capture in a move
	countTallest                // men of the largest piece
	countCapturable             // men of opponents that the seat can capture in a move
	countLargestTarget          // men of the largest piece of them
	countAtCapacity             // virgin cells with a piece that one man more explodes
	countTwoShort               // virgin cells with a piece that at most two men more explode
	countThreeShort             // virgin cells with a piece that at most three men more explode
	countTrigger                // those at capacity that a move of the seat can explode
	countThreat                 // men of opponents that would be captured if a piece exploded that a move of the seat can explode
	countExposed                // men of the seat that opponents threaten so
	countReach                  // cells where a move can end
	countOwnReach               // virgin cells where only the seat's moves can end
	countReachSegments          // cells of the segments where a move can end
	countEntry                  // cells of territory of opponents that the seat can enter in a move
	countEnclosed               // cells of regions where only the seat has men
	countOpen                   // cells of other regions where it has men
	countOpenPart               // the same by its part of the men there
	countOpenMen                // men in these regions

	countFeatures // number of the counts so far

	// Differences to opponents, in levels of their own:
	countLead         = iota - 1 // territory less that of the best opponent
	countMenLead                 // men less those of the opponent with the most
	countSecureLead              // its enclosed cells less the enclosed and open ones of the opponent with the most
	countPossibleLead            // its enclosed and open cells less the enclosed ones of the opponent with the most

	countAll
)

// seatCounts has the counts of a seat.
type seatCounts [countAll]int32

// Offsets of the groups of features of a seat. A feature is present any number of times.
const (
	levelFeatures    = 0                                             // counts by their levels
	leadFeatures     = levelFeatures + countFeatures*shareLevels     // differences to opponents by their levels
	pieceFeatures    = leadFeatures + (countAll-countFeatures)*leads // own pieces: terrain, capacity, men, cover, attackers
	aroundFeatures   = pieceFeatures + 2*3*7*8*2*3                   // own pieces: what is around them
	targetFeatures   = aroundFeatures + 2*3*5*4*4*3*3                // pieces of opponents that the seat can capture
	landingFeatures  = targetFeatures + 2*3*7*8*2                    // empty cells where a move can end
	zoneFeatures     = landingFeatures + 3*7*3                       // zones: cells, part, men
	regionFeatures   = zoneFeatures + 16*7*5                         // regions: cells, part of the men, holders
	opponentFeatures = regionFeatures + 16*4*4                       // opponents: difference of territory and of men
	orderFeatures    = opponentFeatures + 17*17                      // seats with men and turns until the own one
	virginFeatures   = orderFeatures + (maxSeats+1)*maxSeats         // virgin part of the board and number of seats
	wallFeatures     = virginFeatures + 16*(maxSeats+1)              // part of the board that is Wall
	quietFeatures    = wallFeatures + 16                             // rounds without gain or loss, and whether the seat leads
	rankFeatures     = quietFeatures + 13*3                          // place by territory, and virgin part of the board
	playFeatures     = rankFeatures + maxSeats*8
)

// leads is the number of levels of a difference.
const leads = 2*leadSide + 1

// leadSide is the number of levels of a difference on each side of 0.
const leadSide = 24

// menClass returns the class of a number of men, 0 to 7.
func menClass(men uint16) int {
	switch {
	case men <= 6:
		return int(men) - 1
	case men <= 8:
		return 6
	}
	return 7
}

// pieceFeatures finds the features of the pieces of all seats.
func (s *boardFeatures) pieceFeatures() {
	for _, i := range s.pieces {
		c := &s.cells[i]
		t, men := &s.counts[c.Owner], int32(c.Men)
		t[countMen] += men
		t[countPieces]++
		t[countTallest] = max(t[countTallest], men)
		switch c.Terrain {
		case mu.Virgin:
			t[countVirginMen] += men
		case mu.Wall:
			t[countWallMen] += men
		}
		covered := 0
		if s.landing[c.Owner].has(i) {
			covered = 1
		}
		kind := (int(c.Terrain)*7+int(c.Capacity))*8 + menClass(c.Men)
		moves := 0 // whether the owner is to move
		if int(c.Owner) == s.toMove {
			moves = 1
		}
		attackers := 0
		for seat := range s.seats {
			if seat == int(c.Owner) || !s.landing[seat].has(i) {
				continue
			}
			attackers++
			o := &s.counts[seat]
			o[countCapturable] += men
			o[countLargestTarget] = max(o[countLargestTarget], men)
			target := (kind*2 + covered) * 2
			if seat == s.toMove {
				target++
			}
			s.features[seat] = append(s.features[seat], uint16(targetFeatures+target))
		}
		if attackers > 0 {
			t[countLargestAttacked] = max(t[countLargestAttacked], men)
			if covered == 0 {
				t[countHanging] += men
			} else {
				t[countDefended] += men
			}
		}
		s.features[c.Owner] = append(s.features[c.Owner],
			uint16(pieceFeatures+((kind*2+covered)*3+min(attackers, 2))*2+moves), s.aroundFeature(i, c, t, covered == 1)+uint16(moves))
	}
}

// aroundFeature returns the feature of what is around the piece on cell i, and adds to the counts of explosions.
func (s *boardFeatures) aroundFeature(i int16, c *mu.PackedCell, t *seatCounts, reached bool) uint16 {
	toExplode := int(s.toExplode[i])
	own, others, ownNear, othersNear, threatened := 0, 0, 0, 0, int32(0)
	triggered := toExplode <= 1 && reached
	for _, j := range s.neighbours[i] {
		if j < 0 || s.toExplode[j] == isEmpty {
			continue
		}
		o := &s.cells[j]
		near := s.toExplode[j] <= 1 && receives(o.Terrain, c.Terrain)
		if o.Owner == c.Owner {
			own++
			if near {
				ownNear++
			}
			continue
		}
		others++
		if near {
			othersNear++
		}
		if triggered && receives(c.Terrain, o.Terrain) {
			threatened += int32(o.Men)
			s.counts[o.Owner][countExposed] += int32(o.Men)
		}
	}
	if c.Terrain == mu.Virgin {
		if toExplode <= 3 {
			t[countThreeShort]++
		}
		if toExplode <= 2 {
			t[countTwoShort]++
		}
		if toExplode <= 1 {
			t[countAtCapacity]++
			if triggered {
				t[countTrigger]++
			}
		}
	}
	t[countThreat] += threatened
	around := min(own, 3)*4 + min(others, 3)
	nearly := min(ownNear, 2)*3 + min(othersNear, 2)
	return uint16(aroundFeatures + (((int(c.Terrain)*5+toExplode)*16+around)*9+nearly)*2)
}

// isEmpty marks a cell without a piece.
const isEmpty = 5

// menToExplode returns how many men more explode a piece, 0 to 4.
func menToExplode(c *mu.PackedCell) uint8 {
	limit := int(c.Capacity)
	if c.Terrain == mu.Wall {
		limit++
	}
	return uint8(min(max(limit-int(c.Men), 0), 4))
}

// receives reports whether a cell of terrain u receives a man when a neighbour of terrain t explodes.
func receives(t, u mu.Terrain) bool {
	return u == t || t == mu.Commonwealth && u == mu.Virgin
}

// reachFeatures finds the features of the cells that the seats can reach.
func (s *boardFeatures) reachFeatures() {
	for seat := range s.seats {
		t, list := &s.counts[seat], s.features[seat]
		landing := &s.landing[seat]
		for w := range s.words {
			l := landing[w]
			t[countReach] += int32(bits.OnesCount64(l))
			t[countOwnReach] += int32(bits.OnesCount64(l & s.virgin[w] &^ s.contested[w]))
			for free := l & s.empty[w]; free != 0; free &= free - 1 {
				bit := free & -free
				c := &s.cells[w<<6|bits.TrailingZeros64(free)]
				others := 0
				if s.contested[w]&bit != 0 {
					others = 1
					if s.contestedByThree[w]&bit != 0 {
						others = 2
					}
				}
				list = append(list, uint16(landingFeatures+(int(c.Terrain)*7+int(c.Capacity))*3+others))
			}
		}
		for k := range s.segments {
			held, reached := uint64(0), uint64(0)
			for w := range s.words {
				held |= s.segments[k][w] & s.occupied[seat][w]
				reached |= s.segments[k][w] & landing[w]
			}
			if held != 0 {
				t[countSegments] += 7
			}
			if reached != 0 {
				t[countReachSegments] += 7
			}
		}
		s.features[seat] = list
	}
}

// zoneFeatures finds the features of zones.
func (s *boardFeatures) zoneFeatures() {
	for k := range s.zones.Zones {
		zone := &s.zones.Zones[k]
		if zone.Cells == 0 {
			continue
		}
		cells, men := int32(zone.Cells), &s.zoneMen[k]
		size := min(s.level(cells)/2, 15)
		holders := zone.Held
		if holders == 0 {
			holders = zone.Reach
		}
		alone := holders != 0 && holders&(holders-1) == 0
		total := int32(0)
		for seat := range s.seats {
			total += men[seat]
		}
		for seats := holders | s.zoneEntry[k]; seats != 0; seats &= seats - 1 {
			seat := bits.TrailingZeros8(seats)
			bit, own := uint8(1)<<seat, men[seat]
			t, part := &s.counts[seat], 0
			switch {
			case holders == bit && s.zoneEntry[k]&^bit == 0:
				t[countSafe] += cells
			case holders == bit:
				t[countUnsafe] += cells
				part = 1
			case zone.Held&bit != 0:
				t[countShared] += roundedPart(cells, own, total)
				switch {
				case own > total-own:
					part = 2
				case own == total-own:
					part = 3
				default:
					part = 4
				}
			case zone.Held == 0 && holders&bit != 0:
				part = 5
			default:
				part = 6
				if alone {
					t[countEntry] += cells
				}
			}
			menPart := 0
			if own > 0 {
				menPart = 1 + min(3, int(own)*2/int(cells))
			}
			s.features[seat] = append(s.features[seat], uint16(zoneFeatures+(size*7+part)*5+menPart))
		}
	}
}

// roundedPart returns the part of a number of cells that own men of total have, rounded.
func roundedPart(cells, own, total int32) int32 {
	return int32((int64(cells)*int64(own)*2 + int64(total)) / (2 * int64(total)))
}

// regionFeatures finds the features of regions.
func (s *boardFeatures) regionFeatures() {
	s.findRegions()
	for r := range s.regions {
		total, holders := int32(0), 0
		of := &s.regions[r]
		for _, n := range of.men {
			if total += n; n > 0 {
				holders++
			}
		}
		cells := int32(s.zones.RegionCells[r])
		size := min(s.level(cells)/3, 15)
		for seat, n := range of.men {
			if n == 0 {
				continue
			}
			t := &s.counts[seat]
			if holders == 1 {
				t[countEnclosed] += cells
			} else {
				t[countOpen] += cells
				t[countOpenPart] += roundedPart(cells, n, total)
				t[countOpenMen] += n
			}
			part := min(3, int(int64(n)*4/int64(total)))
			s.features[seat] = append(s.features[seat], uint16(regionFeatures+(size*4+part)*4+min(holders, 4)-1))
		}
	}
}

// leadLevel returns the level of a difference in cells or men, 0 to leads-1.
func (s *boardFeatures) leadLevel(n int32) int {
	if n < 0 {
		return leadSide - min(leadSide, max(1, s.level(-n)*2/3))
	}
	if n == 0 {
		return leadSide
	}
	return leadSide + min(leadSide, max(1, s.level(n)*2/3))
}

// seatFeatures finds what compares the seats: leads, the order of turns, and what describes the board. The seat to move
// is the first from next on that has men.
func (s *boardFeatures) seatFeatures(p *mu.Position, next int) {
	var order [maxSeats]int
	alive := 0
	for k := range s.seats {
		seat := (next + k) % s.seats
		if s.counts[seat][countMen] > 0 && !p.HasLeft(seat) {
			order[alive] = seat
			alive++
		}
	}
	virgin := int(s.count(&s.virgin, &s.virgin)) * 15 / len(s.cells)
	wall := int(s.count(&s.wall, &s.wall)) * 15 / len(s.cells)
	quiet := min(12, p.QuietTurns()/s.seats)
	for k, seat := range order[:alive] {
		t, list := &s.counts[seat], s.features[seat]
		t[countLead], t[countMenLead], t[countSecureLead], t[countPossibleLead] = 1<<20, 1<<20, 1<<20, 1<<20
		own, place := t[countSafe]+t[countUnsafe], 0
		for _, other := range order[:alive] {
			if other == seat {
				continue
			}
			o := &s.counts[other]
			lead, menLead := own-o[countSafe]-o[countUnsafe], t[countMen]-o[countMen]
			if lead < 0 {
				place++
			}
			t[countLead], t[countMenLead] = min(t[countLead], lead), min(t[countMenLead], menLead)
			t[countSecureLead] = min(t[countSecureLead], t[countEnclosed]-o[countEnclosed]-o[countOpen])
			t[countPossibleLead] = min(t[countPossibleLead], t[countEnclosed]+t[countOpen]-o[countEnclosed])
			list = append(list, uint16(opponentFeatures+s.leadLevel(lead)/3*17+s.leadLevel(menLead)/3))
		}
		for f := range countFeatures {
			list = append(list, uint16(levelFeatures+f*shareLevels+s.level(t[f])))
		}
		leading := 0
		if alive > 1 {
			for f := countFeatures; f < countAll; f++ {
				list = append(list, uint16(leadFeatures+(f-countFeatures)*leads+s.leadLevel(t[f])))
			}
			if t[countLead] > 0 {
				leading = 2
			} else if t[countLead] == 0 {
				leading = 1
			}
		} else {
			for f := countFeatures; f < countAll; f++ {
				t[f] = 0
			}
		}
		s.features[seat] = append(list, uint16(orderFeatures+alive*maxSeats+k), uint16(virginFeatures+virgin*(maxSeats+1)+s.seats),
			uint16(wallFeatures+wall), uint16(quietFeatures+quiet*3+leading), uint16(rankFeatures+place*8+virgin/2))
	}
}
