package search

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// maxSeats is the maximum number of seats.
const maxSeats = 6

// shares has the share of the win of each seat. The sum is 1.
type shares [maxSeats]float64

// featureValues has the features of a seat. Counts of cells and men are in fair shares: 1 is what each seat
// would have if the cells were divided equally.
type featureValues [featureCount]float32

// Features.
const (
	featureMen             = iota // men
	featureWallMen                // men on the Wall
	featureVirginMen              // men on virgin cells
	featurePieces                 // pieces
	featureSegments               // cells of the segments with a piece, each of which gives a right
	featureSafe                   // cells of territory that no opponent can enter in a move
	featureUnsafe                 // other cells of territory
	featureShared                 // cells of zones with several owners, by the seat's part of the men there
	featureHanging                // men that an opponent can capture in a move and no man of the seat covers
	featureDefended               // other men that an opponent can capture in a move
	featureLargestAttacked        // men of the largest piece that an opponent can capture in a move
	featureTallest                // men of the largest piece
	featureCapturable             // men of opponents that the seat can capture in a move
	featureLargestTarget          // men of the largest piece of them
	featureNearExplosion          // virgin cells, by how close their pieces are to exploding
	featureAtCapacity             // virgin cells with a piece that one man more explodes
	featureTwoShort               // virgin cells with a piece that two men more explode
	featureThreeShort             // those that three men more explode
	featureChain                  // neighbours of the cells that two men more explode, which one man more explodes then
	featureTrigger                // those of the virgin cells at capacity that a move of the seat can explode
	featureThreat                 // men of opponents that would be captured if a piece exploded that a move of the seat can explode
	featureExposed                // men of the seat that opponents threaten so
	featureReach                  // cells where a move can end
	featureOwnReach               // virgin cells where only the seat's moves can end
	featureReachSegments          // cells of the segments where a move can end
	featureLead                   // territory less that of the best opponent
	featureMenLead                // men less those of the opponent with the most
	featureDelay                  // turns until the seat's turn, 0 to 1
	featureToMove                 // 1 for the seat to move
	featureVirgin                 // part of the board that is virgin; the same for all seats
	featureWall                   // part of the board that is Wall; the same for all seats
	featureSeats                  // 2 divided by the number of seats with men; the same for all seats
	featureEnclosed               // cells of regions where only the seat has men
	featureOpen                   // cells of other regions where it has men
	featureOpenPart               // the same by its part of the men there
	featureOpenMen                // men in these regions
	featureSecureLead             // its enclosed cells less the enclosed and open ones of the opponent with the most
	featurePossibleLead           // its enclosed and open cells less the enclosed ones of the opponent with the most
	featureEntry                  // cells of territory of opponents that the seat can enter in a move
	featureQuiet                  // rounds without gain or loss, 1 for quietScale; the same for all seats

	playFeatures // number of the features so far

	// Only at the start of play:
	featureNear          = iota - 1 // cells that are nearest to pieces of the seat
	featureTiedNear                 // cells that are as near to pieces of several seats, divided among these
	featureCloseness                // 1 divided by the steps to the nearest opponent
	featureNearGrowth               // the nearest cells, each divided by the number of men that explode it
	featureChainMen                 // men that the best chain of explosions adds that two men more on a cell start
	featureChainCaptures            // men of opponents that such a chain captures

	featureCount
)

// evaluator evaluates positions of Mu. It reuses its memory.
type evaluator struct {
	board      *mu.Board
	neighbours [][6]int16
	segmentOf  []uint8 // segment of each cell
	cells      []mu.PackedCell
	zones      mu.ZoneMap
	landing    []uint8 // bit set of seats that can end a move on each cell
	zoneEntry  []uint8 // bit set of seats that can end a move in each zone
	zoneMen    [][maxSeats]float32
	regions    []region
	wallSeats  []uint8 // bit set of seats with men in each section of the Wall
	nearest    []uint8 // bit set of seats with the nearest piece
	distance   []uint8 // steps to it
	queue      []int16
	chain      []mu.PackedCell // cells in a chain of explosions
	exploded   []int16         // cells of a chain
	seats      int
	one        float32 // a cell in fair shares
	features   [maxSeats]featureValues
}

// evaluate returns the shares after a turn.
func (s *evaluator) evaluate(p *mu.Position) shares {
	if r, over := p.Result(); over {
		var v shares
		for _, seat := range r.Winners {
			v[seat] = 1 / float64(len(r.Winners))
		}
		return v
	}
	s.load(p)
	return s.evaluateTurn(p, p.Turn())
}

// load reads the cells of a position.
func (s *evaluator) load(p *mu.Position) {
	if b := p.Board(); s.board != b {
		s.board, s.neighbours, s.segmentOf = b, s.neighbours[:0], s.segmentOf[:0]
		for i := range b.Size() {
			s.neighbours = append(s.neighbours, b.Neighbours(i))
			s.segmentOf = append(s.segmentOf, uint8(b.Segment(i)))
		}
	}
	s.cells = p.AppendPackedCells(s.cells[:0])
	s.seats = p.Seats()
	s.one = float32(s.seats) / float32(len(s.cells))
}

// hash returns a hash of the cells.
func (s *evaluator) hash() uint64 {
	h := uint64(14695981039346656037)
	for _, c := range s.cells {
		if c.Men > 0 {
			h ^= uint64(c.Men)<<8 ^ uint64(c.Owner)<<4
		}
		h = (h ^ uint64(c.Terrain)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// evaluateTurn returns the shares in a loaded position of play as if the turn ended now. next is the seat
// after it, which may be passed over.
func (s *evaluator) evaluateTurn(p *mu.Position, next int) shares {
	s.extract(p, next)
	return s.weigh(p, playNetwork)
}

// extract computes the features of all seats in a loaded position.
func (s *evaluator) extract(p *mu.Position, next int) {
	p.FindZones(&s.zones)
	s.extractFeatures(p, next)
}

// extractFeatures computes the features of all seats by the cells and the zones.
func (s *evaluator) extractFeatures(p *mu.Position, next int) {
	s.features = [maxSeats]featureValues{}
	s.findAttacks(p)
	s.pieceFeatures()
	s.explosionFeatures()
	s.zoneFeatures()
	s.regionFeatures()
	s.sharedFeatures(p, next%s.seats)
}

// findAttacks finds the cells that each seat can reach in a single move, regardless of rights.
func (s *evaluator) findAttacks(p *mu.Position) {
	s.landing = zeroed(s.landing, len(s.cells))
	s.zoneEntry = zeroed(s.zoneEntry, len(s.zones.Zones))
	for i := range s.cells {
		c := &s.cells[i]
		if c.Men == 0 || p.HasLeft(int(c.Owner)) {
			continue
		}
		bit := uint8(1) << c.Owner
		for d := range mu.Dirs {
			at := int16(i)
			for range c.Men {
				if at = s.neighbours[at][d]; at < 0 {
					break
				}
				if t := &s.cells[at]; t.Terrain == mu.Wall && c.Terrain != mu.Wall {
					if t.Men == 0 || t.Owner != c.Owner {
						break
					}
					continue
				}
				s.landing[at] |= bit
				if z := s.zones.ZoneOf[at]; z >= 0 {
					s.zoneEntry[z] |= bit
				}
			}
		}
	}
}

// zeroed returns a slice of n zeroes, reusing buf if it is large enough.
func zeroed(buf []uint8, n int) []uint8 {
	if cap(buf) < n {
		return make([]uint8, n)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}

// pieceFeatures computes the features of pieces and of the cells that they can reach.
func (s *evaluator) pieceFeatures() {
	var segments, reached [maxSeats]uint64
	for i, c := range s.cells {
		virgin := c.Terrain == mu.Virgin
		if seats := s.landing[i]; seats != 0 {
			if virgin && seats&(seats-1) == 0 {
				s.features[bits.TrailingZeros8(seats)][featureOwnReach] += s.one
			}
			segment := uint64(1) << s.segmentOf[i]
			for ; seats != 0; seats &= seats - 1 {
				seat := bits.TrailingZeros8(seats)
				s.features[seat][featureReach] += s.one
				reached[seat] |= segment
			}
		}
		if c.Men == 0 {
			continue
		}
		t := &s.features[c.Owner]
		men := float32(c.Men) * s.one
		t[featureMen] += men
		t[featurePieces] += s.one
		t[featureTallest] = max(t[featureTallest], men)
		segments[c.Owner] |= 1 << s.segmentOf[i]
		switch c.Terrain {
		case mu.Virgin:
			t[featureVirginMen] += men
		case mu.Wall:
			t[featureWallMen] += men
		}
		own := uint8(1) << c.Owner
		if others := s.landing[i] &^ own; others != 0 {
			t[featureLargestAttacked] = max(t[featureLargestAttacked], men)
			if s.landing[i]&own == 0 {
				t[featureHanging] += men
			} else {
				t[featureDefended] += men
			}
			for ; others != 0; others &= others - 1 {
				o := &s.features[bits.TrailingZeros8(others)]
				o[featureCapturable] += men
				o[featureLargestTarget] = max(o[featureLargestTarget], men)
			}
		}
	}
	for seat := range s.seats {
		t := &s.features[seat]
		t[featureSegments] = 7 * s.one * float32(bits.OnesCount64(segments[seat]))
		t[featureReachSegments] = 7 * s.one * float32(bits.OnesCount64(reached[seat]))
	}
}

// explosionFeatures computes the features of pieces that are about to explode.
func (s *evaluator) explosionFeatures() {
	for i := range s.cells {
		c := &s.cells[i]
		if c.Men == 0 {
			continue
		}
		t, own := &s.features[c.Owner], uint8(1)<<c.Owner
		virgin := c.Terrain == mu.Virgin
		if virgin {
			full := float32(c.Men) / float32(max(1, c.Capacity))
			t[featureNearExplosion] += full * full * s.one
			s.shortFeatures(i, c, t)
		}
		limit := uint16(c.Capacity)
		if c.Terrain == mu.Wall {
			limit++
		}
		if c.Men+1 < limit {
			continue
		}
		if virgin {
			t[featureAtCapacity] += s.one
		}
		if s.landing[i]&own == 0 {
			continue
		}
		if virgin {
			t[featureTrigger] += s.one
		}
		for _, j := range s.neighbours[i] {
			if j < 0 {
				continue
			}
			if o := &s.cells[j]; o.Men > 0 && o.Owner != c.Owner && receives(c.Terrain, o.Terrain) {
				men := float32(o.Men) * s.one
				t[featureThreat] += men
				s.features[o.Owner][featureExposed] += men
			}
		}
	}
}

// shortFeatures computes the features of a virgin cell that a few men more explode.
func (s *evaluator) shortFeatures(i int, c *mu.PackedCell, t *featureValues) {
	if c.Men+3 < uint16(c.Capacity) {
		return
	}
	t[featureThreeShort] += s.one
	if c.Men+2 < uint16(c.Capacity) {
		return
	}
	t[featureTwoShort] += s.one
	for _, j := range s.neighbours[i] {
		if j < 0 {
			continue
		}
		if o := &s.cells[j]; o.Men > 0 && o.Owner == c.Owner && o.Terrain == mu.Virgin && o.Men+3 >= uint16(o.Capacity) {
			t[featureChain] += s.one
		}
	}
}

// receives reports whether a cell of terrain u receives a man when a neighbour of terrain t explodes.
func receives(t, u mu.Terrain) bool {
	return u == t || t == mu.Commonwealth && u == mu.Virgin
}

// zoneFeatures computes the features of territory.
func (s *evaluator) zoneFeatures() {
	contested := false
	for z := range s.zones.Zones {
		zone := &s.zones.Zones[z]
		seats := zone.Held
		if seats == 0 {
			seats = zone.Reach
		}
		switch {
		case seats == 0:
		case seats&(seats-1) == 0:
			feature := featureSafe
			others := s.zoneEntry[z] &^ seats
			if others != 0 {
				feature = featureUnsafe
			}
			for ; others != 0; others &= others - 1 {
				s.features[bits.TrailingZeros8(others)][featureEntry] += float32(zone.Cells) * s.one
			}
			s.features[bits.TrailingZeros8(seats)][feature] += float32(zone.Cells) * s.one
		case zone.Held != 0:
			contested = true
		}
	}
	if contested {
		s.contestedZones()
	}
}

// contestedZones divides the zones that several seats hold by their men there.
func (s *evaluator) contestedZones() {
	s.zoneMen = s.zoneMen[:0]
	for range s.zones.Zones {
		s.zoneMen = append(s.zoneMen, [maxSeats]float32{})
	}
	for i, z := range s.zones.ZoneOf {
		if c := &s.cells[i]; z >= 0 && c.Men > 0 {
			s.zoneMen[z][c.Owner] += float32(c.Men)
		}
	}
	for z := range s.zones.Zones {
		zone := &s.zones.Zones[z]
		if zone.Held&(zone.Held-1) == 0 {
			continue
		}
		total := float32(0)
		for _, men := range s.zoneMen[z] {
			total += men
		}
		for seat, men := range s.zoneMen[z] {
			s.features[seat][featureShared] += float32(zone.Cells) * s.one * men / total
		}
	}
}

// quietScale is the number of rounds without gain or loss at which featureQuiet is 1.
const quietScale = 8

// quietValue returns featureQuiet.
func quietValue(turns, seats int) float32 {
	return min(1, float32(turns)/float32(quietScale*seats))
}

// sharedFeatures computes what compares the seats: leads, the order of turns, and what describes the board.
// The seat to move is the first from next on that has men.
func (s *evaluator) sharedFeatures(p *mu.Position, next int) {
	virgin, wall := 0, 0
	for i := range s.cells {
		switch s.cells[i].Terrain {
		case mu.Virgin:
			virgin++
		case mu.Wall:
			wall++
		}
	}
	quiet := quietValue(p.QuietTurns(), s.seats)
	var order [maxSeats]int
	alive := 0
	for k := range s.seats {
		seat := (next + k) % s.seats
		if s.features[seat][featureMen] > 0 && !p.HasLeft(seat) {
			order[alive] = seat
			alive++
		}
	}
	for k, seat := range order[:alive] {
		t := &s.features[seat]
		t[featureLead], t[featureMenLead], t[featureSecureLead], t[featurePossibleLead] = 2, 2, 2, 2
		own := t[featureSafe] + t[featureUnsafe]
		for _, other := range order[:alive] {
			if o := &s.features[other]; other != seat {
				t[featureLead] = min(t[featureLead], own-o[featureSafe]-o[featureUnsafe])
				t[featureMenLead] = min(t[featureMenLead], t[featureMen]-o[featureMen])
				t[featureSecureLead] = min(t[featureSecureLead], t[featureEnclosed]-o[featureEnclosed]-o[featureOpen])
				t[featurePossibleLead] = min(t[featurePossibleLead], t[featureEnclosed]+t[featureOpen]-o[featureEnclosed])
			}
		}
		if k == 0 {
			t[featureToMove] = 1
		}
		t[featureDelay] = float32(k) / float32(alive)
		t[featureVirgin] = float32(virgin) / float32(len(s.cells))
		t[featureWall] = float32(wall) / float32(len(s.cells))
		t[featureSeats] = 2 / float32(alive)
		t[featureQuiet] = quiet
	}
}

// leastPossible is the least factor of the odds of a seat that cannot win by the bounds of its territory: they do not
// know what the Wall will be.
const leastPossible = 1e-3

// weigh returns the shares by a network. A seat without men, or that has left, has none.
func (s *evaluator) weigh(p *mu.Position, kind int) shares {
	n, inputs := &networks[kind], inputs[kind]
	var v shares
	total := 0.0
	possible := s.possibleShares(p)
	for seat := range s.seats {
		t := &s.features[seat]
		if t[featureMen] == 0 || p.HasLeft(seat) {
			continue
		}
		v[seat] = math.Exp(float64(n.logOdds(t, inputs))) * max(leastPossible, possible[seat])
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}
