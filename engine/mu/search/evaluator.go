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

// featureValues has the features of a seat in fair shares: 1 is what each seat would have if the cells were
// divided equally.
type featureValues [featureCount]float64

// Features.
const (
	featureMen           = iota // men
	featureSafe                 // cells of territory that no opponent can enter in a move
	featureUnsafe               // other cells of territory
	featureShared               // cells of zones with several owners, by the seat's part of the men there
	featureHanging              // men that an opponent can capture in a move and no man of the seat covers
	featureDefended             // other men that an opponent can capture in a move
	featureNearExplosion        // virgin cells, by how close their pieces are to exploding
	featureAtCapacity           // virgin cells with a piece that one man more explodes
	featureReach                // cells where a move can end
	featureToMove               // 1 for the seat to move
	featureToMoveHanging        // men that an opponent can capture, of the seat to move
	featureCount
)

// weights has the weights of the features on a board that is all virgin, and on one without virgin
// cells. The weighted sum is the logarithm of the odds of winning. The weights are fitted to the winners
// of about 1,500 games between such players and greedy ones on boards of several sizes. Then the weight of
// men was raised and that of reach lowered for the first board, which did better against greedy players on
// 4×3.
var weights = [2]featureValues{
	{featureMen: 4.5, featureSafe: 1.1, featureUnsafe: 1.28, featureShared: 1.46, featureHanging: -2.33, featureDefended: -2.86,
		featureNearExplosion: 2.71, featureAtCapacity: 2.43, featureReach: 0, featureToMove: 0.16, featureToMoveHanging: 0.78},
	{featureMen: -0.14, featureSafe: 2.51, featureUnsafe: 2.15, featureShared: 1.07, featureHanging: -1.16, featureDefended: 1.16,
		featureNearExplosion: 0.48, featureAtCapacity: 0.65, featureReach: 2.14, featureToMove: 0.17, featureToMoveHanging: 2.99},
}

// evaluator evaluates positions of Mu. It reuses its memory.
type evaluator struct {
	board      *mu.Board
	neighbours [][6]int16
	cells      []mu.PackedCell
	zones      mu.ZoneMap
	landing    []uint8 // bit set of seats that can end a move on each cell
	zoneEntry  []uint8 // bit set of seats that can end a move in each zone
	seats      int
	fairShare  float64 // number of cells in a fair share
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
	p.FindZones(&s.zones)
	s.findAttacks(p)
	s.features = [maxSeats]featureValues{}
	s.pieceFeatures()
	s.zoneFeatures()
	s.turnFeatures(p, next%s.seats)
	return s.weigh(p)
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

// pieceFeatures computes the features of pieces.
func (s *evaluator) pieceFeatures() {
	one := 1 / s.fairShare
	for i, c := range s.cells {
		for seats := s.landing[i]; seats != 0; seats &= seats - 1 {
			s.features[bits.TrailingZeros8(seats)][featureReach] += one
		}
		if c.Men == 0 {
			continue
		}
		t := &s.features[c.Owner]
		men := float64(c.Men) * one
		t[featureMen] += men
		own := uint8(1) << c.Owner
		switch seats := s.landing[i]; {
		case seats&^own == 0:
		case seats&own == 0:
			t[featureHanging] += men
		default:
			t[featureDefended] += men
		}
		if c.Terrain == mu.Virgin {
			full := float64(c.Men) / float64(max(1, c.Capacity))
			t[featureNearExplosion] += full * full * one
			if c.Men+1 >= uint16(c.Capacity) {
				t[featureAtCapacity] += one
			}
		}
	}
}

// turnFeatures computes the features of the seat to move: the first from next on that has men.
func (s *evaluator) turnFeatures(p *mu.Position, next int) {
	for range s.seats {
		if t := &s.features[next]; t[featureMen] > 0 && !p.HasLeft(next) {
			t[featureToMove] = 1
			t[featureToMoveHanging] = t[featureHanging] + t[featureDefended]
			return
		}
		next = (next + 1) % s.seats
	}
}

// zoneFeatures computes the features of territory.
func (s *evaluator) zoneFeatures() {
	one := 1 / s.fairShare
	var men [maxSeats]float64
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
			feature := featureSafe
			if s.zoneEntry[z]&^seats != 0 {
				feature = featureUnsafe
			}
			s.features[bits.TrailingZeros8(seats)][feature] += cells
		case zone.Held != 0:
			total := 0.0
			men = [maxSeats]float64{}
			for i, of := range s.zones.ZoneOf {
				if c := &s.cells[i]; int(of) == z && c.Men > 0 {
					men[c.Owner] += float64(c.Men)
					total += float64(c.Men)
				}
			}
			for seat := range s.seats {
				s.features[seat][featureShared] += cells * men[seat] / total
			}
		}
	}
}

// weigh returns the shares. A seat without men, or that has left, has none.
func (s *evaluator) weigh(p *mu.Position) shares {
	virgin := 0.0
	for i := range s.cells {
		if s.cells[i].Terrain == mu.Virgin {
			virgin++
		}
	}
	virgin /= float64(len(s.cells))
	var v shares
	total := 0.0
	for seat := range s.seats {
		t := &s.features[seat]
		if t[featureMen] == 0 || p.HasLeft(seat) {
			continue
		}
		logOdds := 0.0
		for k, x := range t {
			logOdds += x * (virgin*weights[0][k] + (1-virgin)*weights[1][k])
		}
		v[seat] = math.Exp(logOdds)
		total += v[seat]
	}
	for seat := range v {
		v[seat] /= total
	}
	return v
}
