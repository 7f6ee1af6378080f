package bot

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// muSeats is the most seats that a game of Mu has.
const muSeats = 6

// muShares is a share of the win for each seat; together they are 1.
type muShares [muSeats]float64

// muFeatures is what a seat's standing is judged by. All are in fair shares: 1 is what each seat
// would have if the cells of the board were dealt out evenly.
type muFeatures [muFeatureCount]float64

// The traits.
const (
	muMen           = iota // men
	muSafe                 // cells of territory that no opponent can enter in a move
	muUnsafe               // other cells of territory
	muShared               // cells of zones with several colours, by the seat's part of the men there
	muHanging              // men that an opponent can capture in a move and no man of the seat covers
	muDefended             // other men that an opponent can capture in a move
	muNearExplosion        // virgin cells, by how near their pieces are to exploding
	muAtCapacity           // virgin cells with a piece that one man more explodes
	muReach                // cells where a move can end
	muToMove               // 1 for the seat to move
	muToMoveHanging        // men that an opponent can capture, of the seat to move
	muFeatureCount
)

// muWeights has what a trait is worth on a board that is all virgin, and on one without virgin
// cells; the worth of all traits together is the logarithm of the odds of winning. They are fitted to
// who won some 1,500 games between players of this kind and greedy ones, on boards of several
// sizes; then men were given more and reach less at the beginning, which did better against greedy
// players on a board of 4×3.
var muWeights = [2]muFeatures{
	{muMen: 4.5, muSafe: 1.1, muUnsafe: 1.28, muShared: 1.46, muHanging: -2.33, muDefended: -2.86,
		muNearExplosion: 2.71, muAtCapacity: 2.43, muReach: 0, muToMove: 0.16, muToMoveHanging: 0.78},
	{muMen: -0.14, muSafe: 2.51, muUnsafe: 2.15, muShared: 1.07, muHanging: -1.16, muDefended: 1.16,
		muNearExplosion: 0.48, muAtCapacity: 0.65, muReach: 2.14, muToMove: 0.17, muToMoveHanging: 2.99},
}

// muEvaluator is what a player sees in a position of Mu, with the room to look at the next one.
type muEvaluator struct {
	board      *mu.Board
	neighbours [][6]int16
	cells      []mu.PackedCell
	zones      mu.ZoneMap
	landing    []uint8 // the seats that could end a move on a cell, as bits
	zoneEntry  []uint8 // the seats that could end a move in a zone of the count, as bits
	seats      int
	fairShare  float64 // cells in a fair share
	features   [muSeats]muFeatures
}

// evaluate returns how the win is shared out after a turn.
func (s *muEvaluator) evaluate(p *mu.Position) muShares {
	if r, over := p.Result(); over {
		var v muShares
		for _, seat := range r.Winners {
			v[seat] = 1 / float64(len(r.Winners))
		}
		return v
	}
	s.load(p)
	return s.evaluateTurn(p, p.Turn())
}

// load sees what stands where.
func (s *muEvaluator) load(p *mu.Position) {
	if b := p.Board(); s.board != b {
		s.board, s.neighbours = b, s.neighbours[:0]
		for i := range b.Size() {
			s.neighbours = append(s.neighbours, b.Neighbours(i))
		}
	}
	s.cells = p.AppendPackedCells(s.cells[:0])
	s.seats = p.Seats()
	s.fairShare = float64(len(s.cells)) / float64(s.seats)
}

// hash is a number for what stands where.
func (s *muEvaluator) hash() uint64 {
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

// evaluateTurn returns how the win is shared out in a position of play that was looked at, as if the
// turn ended now; next is the seat after it, or the one before those that are passed over.
func (s *muEvaluator) evaluateTurn(p *mu.Position, next int) muShares {
	p.FindZones(&s.zones)
	s.findAttacks(p)
	s.features = [muSeats]muFeatures{}
	s.pieceFeatures()
	s.zoneFeatures()
	s.turnFeatures(p, next%s.seats)
	return s.weigh(p)
}

// findAttacks finds out who could go where in a single move, rights aside.
func (s *muEvaluator) findAttacks(p *mu.Position) {
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

// zeroed returns n zeroes in the room of a slice, if there is enough.
func zeroed(room []uint8, n int) []uint8 {
	if cap(room) < n {
		return make([]uint8, n)
	}
	room = room[:n]
	clear(room)
	return room
}

// pieceFeatures fills in the traits that are about pieces.
func (s *muEvaluator) pieceFeatures() {
	one := 1 / s.fairShare
	for i, c := range s.cells {
		for who := s.landing[i]; who != 0; who &= who - 1 {
			s.features[bits.TrailingZeros8(who)][muReach] += one
		}
		if c.Men == 0 {
			continue
		}
		t := &s.features[c.Owner]
		men := float64(c.Men) * one
		t[muMen] += men
		own := uint8(1) << c.Owner
		switch who := s.landing[i]; {
		case who&^own == 0:
		case who&own == 0:
			t[muHanging] += men
		default:
			t[muDefended] += men
		}
		if c.Terrain == mu.Virgin {
			full := float64(c.Men) / float64(max(1, c.Capacity))
			t[muNearExplosion] += full * full * one
			if c.Men+1 >= uint16(c.Capacity) {
				t[muAtCapacity] += one
			}
		}
	}
}

// turnFeatures fills in the traits of the seat to move, the first one from next on that has men.
func (s *muEvaluator) turnFeatures(p *mu.Position, next int) {
	for range s.seats {
		if t := &s.features[next]; t[muMen] > 0 && !p.HasLeft(next) {
			t[muToMove] = 1
			t[muToMoveHanging] = t[muHanging] + t[muDefended]
			return
		}
		next = (next + 1) % s.seats
	}
}

// zoneFeatures fills in the traits that are about territory.
func (s *muEvaluator) zoneFeatures() {
	one := 1 / s.fairShare
	var men [muSeats]float64
	for z := range s.zones.Zones {
		zone := &s.zones.Zones[z]
		cells := float64(zone.Cells) * one
		who := zone.Held
		if who == 0 {
			who = zone.Reach
		}
		switch {
		case who == 0:
		case bits.OnesCount8(who) == 1:
			trait := muSafe
			if s.zoneEntry[z]&^who != 0 {
				trait = muUnsafe
			}
			s.features[bits.TrailingZeros8(who)][trait] += cells
		case zone.Held != 0:
			total := 0.0
			men = [muSeats]float64{}
			for i, of := range s.zones.ZoneOf {
				if c := &s.cells[i]; int(of) == z && c.Men > 0 {
					men[c.Owner] += float64(c.Men)
					total += float64(c.Men)
				}
			}
			for seat := range s.seats {
				s.features[seat][muShared] += cells * men[seat] / total
			}
		}
	}
}

// weigh weighs the traits. Who has no men, or has left, has no share.
func (s *muEvaluator) weigh(p *mu.Position) muShares {
	virgin := 0.0
	for i := range s.cells {
		if s.cells[i].Terrain == mu.Virgin {
			virgin++
		}
	}
	virgin /= float64(len(s.cells))
	var v muShares
	total := 0.0
	for seat := range s.seats {
		t := &s.features[seat]
		if t[muMen] == 0 || p.HasLeft(seat) {
			continue
		}
		worth := 0.0
		for k, x := range t {
			worth += x * (virgin*muWeights[0][k] + (1-virgin)*muWeights[1][k])
		}
		v[seat] = math.Exp(worth)
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}
