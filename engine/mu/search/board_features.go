package search

import (
	"math"
	"math/bits"

	"ayumu/engine/mu"
)

// cellSet is a set of cells by number.
type cellSet [6]uint64

func (s *cellSet) add(i int16)      { s[i>>6] |= 1 << (i & 63) }
func (s *cellSet) has(i int16) bool { return s[i>>6]>>(i&63)&1 != 0 }

// boardFeatures has a position as sets and counts, from which the features of the seats follow. It reuses its memory.
type boardFeatures struct {
	board      *mu.Board
	words      int // of a cellSet that are used
	neighbours [][6]int16
	segments   []cellSet
	openReach  [][]cellSet // by cell and number of men: where a move of up to that many men ends on a board without Wall
	levels     []uint8     // shareLevel of each count of cells

	cells            []mu.PackedCell
	seats            int
	cellShare        float32 // a cell, in fair shares of the board
	pieces           []int16 // cells with a piece
	occupied         [maxSeats]cellSet
	empty            cellSet
	wall             cellSet
	virgin           cellSet
	landing          [maxSeats]cellSet // cells where a single move of each seat can end, regardless of rights
	contested        cellSet           // cells where moves of two or more seats can end
	contestedByThree cellSet           // the same of three or more

	toExplode []uint8 // how many men more explode the piece on each cell, at most 4; isEmpty
	key       uint64  // hash of the cells

	zones      mu.ZoneMap
	zoneCells  []cellSet
	zoneRegion []int16
	zoneMen    [][maxSeats]int32
	zoneEntry  []uint8 // bit set of seats that can end a move in each zone
	regions    []region
	wallSeats  []uint8 // bit set of seats with men in each section of the Wall

	toMove   int // seat to move
	counts   [maxSeats]seatCounts
	features [maxSeats][]uint16
}

// load reads the cells of a position.
func (s *boardFeatures) load(p *mu.Position) {
	if b := p.Board(); s.board != b {
		s.setBoard(b)
	}
	s.cells = p.AppendPackedCells(s.cells[:0])
	s.seats = p.Seats()
	s.pieces = s.pieces[:0]
	s.occupied = [maxSeats]cellSet{}
	s.empty, s.wall, s.virgin = cellSet{}, cellSet{}, cellSet{}
	h := uint64(14695981039346656037)
	for i := range s.cells {
		c := &s.cells[i]
		w, bit := i>>6, uint64(1)<<(i&63)
		if c.Men > 0 {
			h ^= uint64(c.Men)<<8 ^ uint64(c.Owner)<<4
			s.pieces = append(s.pieces, int16(i))
			s.occupied[c.Owner][w] |= bit
			s.toExplode[i] = menToExplode(c)
		} else {
			s.empty[w] |= bit
			s.toExplode[i] = isEmpty
		}
		switch c.Terrain {
		case mu.Virgin:
			s.virgin[w] |= bit
		case mu.Wall:
			s.wall[w] |= bit
		}
		h = (h ^ uint64(c.Terrain)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	s.key = h
}

// hash returns a hash of the loaded cells.
func (s *boardFeatures) hash() uint64 { return s.key }

// setBoard computes what depends on the board alone.
func (s *boardFeatures) setBoard(b *mu.Board) {
	n := b.Size()
	s.board, s.neighbours = b, s.neighbours[:0]
	s.words = (n + 63) / 64
	s.segments = append(s.segments[:0], make([]cellSet, n/7)...)
	for i := range n {
		s.neighbours = append(s.neighbours, b.Neighbours(i))
		s.segments[b.Segment(i)].add(int16(i))
	}
	s.toExplode = resized(s.toExplode, n)
	if cap(s.openReach) < n {
		s.openReach = make([][]cellSet, n)
	}
	s.openReach = s.openReach[:n]
	for i := range s.openReach {
		s.openReach[i] = s.openReach[i][:0]
	}
}

// setSeats computes what depends on the number of seats.
func (s *boardFeatures) setSeats() {
	cellShare := float32(s.seats) / float32(len(s.cells))
	if s.cellShare == cellShare && len(s.levels) > 2*len(s.cells) {
		return
	}
	s.cellShare = cellShare
	s.levels = s.levels[:0]
	for n := range 2*len(s.cells) + 2 {
		s.levels = append(s.levels, uint8(shareLevel(float64(n)*float64(cellShare))))
	}
}

// shareLevels is the number of levels of a count in fair shares.
const shareLevels = 48

// shareLevel returns the level of a number of fair shares. Levels are narrow for small numbers.
func shareLevel(x float64) int {
	return min(shareLevels-1, int(shareLevels*math.Pow(x/4, 0.6)+0.5))
}

// level returns shareLevel of a count of cells or men.
func (s *boardFeatures) level(n int32) int {
	return int(s.levels[min(int(n), len(s.levels)-1)])
}

// reachWithoutWall returns the cells at which a move of up to that many men from a cell ends on a board without Wall.
func (s *boardFeatures) reachWithoutWall(i int16, men uint16) *cellSet {
	all := s.openReach[i]
	if len(all) == 0 {
		var set cellSet
		at := [6]int16{i, i, i, i, i, i}
		for open := true; open; {
			all = append(all, set)
			open = false
			for d := range at {
				if at[d] < 0 {
					continue
				}
				if at[d] = s.neighbours[at[d]][d]; at[d] >= 0 {
					set.add(at[d])
					open = true
				}
			}
		}
		s.openReach[i] = all
	}
	return &all[min(int(men), len(all)-1)]
}

// compute computes the features of the loaded position of play as if the turn ended now. next is the seat after it,
// which may be passed over.
func (s *boardFeatures) compute(p *mu.Position, next int) {
	s.setSeats()
	if p.FindZones(&s.zones) {
		s.setZones()
	}
	s.findLanding(p)
	s.findMen()
	s.counts = [maxSeats]seatCounts{}
	for seat := range s.seats {
		s.features[seat] = s.features[seat][:0]
	}
	s.toMove = next % s.seats
	for p.HasLeft(s.toMove) || s.occupied[s.toMove] == (cellSet{}) {
		if s.toMove = (s.toMove + 1) % s.seats; s.toMove == next%s.seats {
			break
		}
	}
	s.pieceFeatures()
	s.reachFeatures()
	s.zoneFeatures()
	s.regionFeatures()
	s.seatFeatures(p, next%s.seats)
}

// findLanding finds the cells that each seat can reach in a single move, regardless of rights.
func (s *boardFeatures) findLanding(p *mu.Position) {
	s.landing = [maxSeats]cellSet{}
	left := uint8(0)
	for seat := range s.seats {
		if p.HasLeft(seat) {
			left |= 1 << seat
		}
	}
	for _, i := range s.pieces {
		c := &s.cells[i]
		if left>>c.Owner&1 != 0 {
			continue
		}
		reach, set := s.reachWithoutWall(i, c.Men), &s.landing[c.Owner]
		met := uint64(0)
		if c.Terrain != mu.Wall {
			for w := range s.words {
				met |= reach[w] & s.wall[w]
			}
		}
		if met != 0 {
			s.landAroundWall(i, c, set)
			continue
		}
		for w := range s.words {
			set[w] |= reach[w]
		}
	}
	for w := range s.words {
		one, two, three := uint64(0), uint64(0), uint64(0)
		for seat := range s.seats {
			l := s.landing[seat][w]
			three |= two & l
			two |= one & l
			one |= l
		}
		s.contested[w], s.contestedByThree[w] = two, three
	}
}

// landAroundWall adds the cells where a move from cell i, which is not Wall, can end.
func (s *boardFeatures) landAroundWall(i int16, c *mu.PackedCell, set *cellSet) {
	for d := range mu.Dirs {
		at := i
		for range c.Men {
			if at = s.neighbours[at][d]; at < 0 {
				break
			}
			if !s.wall.has(at) {
				set.add(at)
			} else if !s.occupied[c.Owner].has(at) {
				break
			}
		}
	}
}

// setZones computes what depends on the terrain alone.
func (s *boardFeatures) setZones() {
	z := &s.zones
	s.zoneCells = resized(s.zoneCells, len(z.Zones))
	s.zoneRegion = resized(s.zoneRegion, len(z.Zones))
	for i, k := range z.ZoneOf {
		if k >= 0 {
			s.zoneCells[k].add(int16(i))
			s.zoneRegion[k] = z.RegionOf[i]
		}
	}
}

// findMen finds who has men in the zones and who can enter them.
func (s *boardFeatures) findMen() {
	z := &s.zones
	s.zoneMen = resized(s.zoneMen, len(z.Zones))
	s.zoneEntry = resized(s.zoneEntry, len(z.Zones))
	for _, i := range s.pieces {
		if k := z.ZoneOf[i]; k >= 0 {
			s.zoneMen[k][s.cells[i].Owner] += int32(s.cells[i].Men)
		}
	}
	for k := range z.Zones {
		for seat := range s.seats {
			met := uint64(0)
			for w := range s.words {
				met |= s.landing[seat][w] & s.zoneCells[k][w]
			}
			if met != 0 {
				s.zoneEntry[k] |= 1 << seat
			}
		}
	}
}

// resized returns a slice of n zero values, reusing buf if it is large enough.
func resized[T any](buf []T, n int) []T {
	if cap(buf) < n {
		return make([]T, n, n+8)
	}
	buf = buf[:n]
	clear(buf)
	return buf
}

// count returns the number of cells in both sets.
func (s *boardFeatures) count(a, b *cellSet) (n int32) {
	for w := range s.words {
		n += int32(bits.OnesCount64(a[w] & b[w]))
	}
	return n
}
