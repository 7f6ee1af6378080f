package bot

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// muSeats is the maximum number of seats.
const muSeats = 6

// muShares has the share of the win of each seat. The sum is 1.
type muShares [muSeats]float64

// muFeatures has the features of a seat in fair shares: 1 is what each seat would have if the cells were
// divided equally.
type muFeatures [muFeatureCount]float64

// Features.
const (
	muMen           = iota // men
	muSafe                 // cells of territory that no opponent can enter in a move
	muUnsafe               // other cells of territory
	muShared               // cells of zones with several owners, by the seat's part of the men there
	muHanging              // men that an opponent can capture in a move and no man of the seat covers
	muDefended             // other men that an opponent can capture in a move
	muNearExplosion        // virgin cells, by how close their pieces are to exploding
	muAtCapacity           // virgin cells with a piece that one man more explodes
	muReach                // cells where a move can end
	muToMove               // 1 for the seat to move
	muToMoveHanging        // men that an opponent can capture, of the seat to move
	muFeatureCount
)

// muWeights has the weights of the features on a board that is all virgin, and on one without virgin
// cells. The weighted sum is the logarithm of the odds of winning. The weights are fitted to the winners
// of about 1,500 games between such players and greedy ones on boards of several sizes. Then the weight of
// men was raised and that of reach lowered for the first board, which did better against greedy players on
// 4×3.
var muWeights = [2]muFeatures{
	{muMen: 4.5, muSafe: 1.1, muUnsafe: 1.28, muShared: 1.46, muHanging: -2.33, muDefended: -2.86,
		muNearExplosion: 2.71, muAtCapacity: 2.43, muReach: 0, muToMove: 0.16, muToMoveHanging: 0.78},
	{muMen: -0.14, muSafe: 2.51, muUnsafe: 2.15, muShared: 1.07, muHanging: -1.16, muDefended: 1.16,
		muNearExplosion: 0.48, muAtCapacity: 0.65, muReach: 2.14, muToMove: 0.17, muToMoveHanging: 2.99},
}

// muEvaluator evaluates positions of Mu. It reuses its memory.
type muEvaluator struct {
	board      *mu.Board
	neighbours [][6]int16
	cells      []mu.PackedCell
	zones      mu.ZoneMap
	landing    []uint8 // bit set of seats that can end a move on each cell
	zoneEntry  []uint8 // bit set of seats that can end a move in each zone
	seats      int
	fairShare  float64 // number of cells in a fair share
	features   [muSeats]muFeatures
}

// evaluate returns the shares after a turn.
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

// load reads the cells of a position.
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

// hash returns a hash of the cells.
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

// evaluateTurn returns the shares in a loaded position of play as if the turn ended now. next is the seat
// after it, which may be passed over.
func (s *muEvaluator) evaluateTurn(p *mu.Position, next int) muShares {
	p.FindZones(&s.zones)
	s.findAttacks(p)
	s.features = [muSeats]muFeatures{}
	s.pieceFeatures()
	s.zoneFeatures()
	s.turnFeatures(p, next%s.seats)
	return s.weigh(p)
}

// findAttacks finds the cells that each seat can reach in a single move, regardless of rights.
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

// zeroed returns a slice of n zeroes, reusing buf if it is large enough.
func zeroed(buf []uint8, n int) []uint8 {
	if cap(buf) < n {
		return make([]uint8, n)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}

// pieceFeatures computes the features of pieces.
func (s *muEvaluator) pieceFeatures() {
	one := 1 / s.fairShare
	for i, c := range s.cells {
		for seats := s.landing[i]; seats != 0; seats &= seats - 1 {
			s.features[bits.TrailingZeros8(seats)][muReach] += one
		}
		if c.Men == 0 {
			continue
		}
		t := &s.features[c.Owner]
		men := float64(c.Men) * one
		t[muMen] += men
		own := uint8(1) << c.Owner
		switch seats := s.landing[i]; {
		case seats&^own == 0:
		case seats&own == 0:
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

// turnFeatures computes the features of the seat to move: the first from next on that has men.
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

// zoneFeatures computes the features of territory.
func (s *muEvaluator) zoneFeatures() {
	one := 1 / s.fairShare
	var men [muSeats]float64
	for z := range s.zones.Zones {
		zone := &s.zones.Zones[z]
		cells := float64(zone.Cells) * one
		seats := zone.Held
		if seats == 0 {
			seats = zone.Reach
		}
		switch {
		case seats == 0:
		case bits.OnesCount8(seats) == 1:
			feature := muSafe
			if s.zoneEntry[z]&^seats != 0 {
				feature = muUnsafe
			}
			s.features[bits.TrailingZeros8(seats)][feature] += cells
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

// weigh returns the shares. A seat without men, or that has left, has none.
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
		logOdds := 0.0
		for k, x := range t {
			logOdds += x * (virgin*muWeights[0][k] + (1-virgin)*muWeights[1][k])
		}
		v[seat] = math.Exp(logOdds)
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}
