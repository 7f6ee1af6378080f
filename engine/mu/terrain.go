package mu

import "slices"

// Terrain is what a cell is made of (docs/rules/mu.md, section 6).
type Terrain uint8

// The terrains.
const (
	Virgin Terrain = iota
	Commonwealth
	Wall
)

// String is the terrain's letter in a position's line: v, c or w.
func (t Terrain) String() string { return "vcw"[t : t+1] }

// receivesFrom reports whether a neighbour of terrain u counts for a cell of terrain t: it receives a
// man when the cell explodes.
func (t Terrain) receivesFrom(u Terrain) bool {
	switch t {
	case Commonwealth:
		return u != Wall
	default:
		return u == t
	}
}

// terrainMap is the terrain of a board. Positions share it; who changes it works on a clone.
type terrainMap struct {
	board    *Board
	cells    []terrainCell
	sections []section // by number; those that were merged into others have no cells
	virgins  int
}

// terrainCell is one cell's part of the land.
type terrainCell struct {
	terrain  Terrain
	capacity uint8  // the number of neighbours that count
	section  uint16 // of a Commonwealth or a Wall cell
}

// section is a maximal connected set of Commonwealth or of Wall cells.
type section struct {
	cells int16
	open  int16 // pairs of a Commonwealth cell of it and a virgin neighbour; 0 when it is closed
}

func virginTerrain(b *Board) *terrainMap {
	l := &terrainMap{board: b, cells: make([]terrainCell, b.Size()), virgins: b.Size()}
	for i := range l.cells {
		for _, j := range b.neighbours[i] {
			if j != none {
				l.cells[i].capacity++
			}
		}
	}
	return l
}

// newTerrainMap returns the land with these terrains.
func newTerrainMap(b *Board, terrains []Terrain) *terrainMap {
	l := virginTerrain(b)
	for i, t := range terrains {
		switch t {
		case Commonwealth:
			// Two sections may meet here, which no sprouting does: the others are renumbered.
			l.becomeCommonwealth(int16(i), l.merge(int16(i), Commonwealth))
		case Wall:
			l.becomeWall(int16(i))
		}
	}
	return l
}

func (l *terrainMap) clone() *terrainMap {
	next := *l
	next.cells = slices.Clone(l.cells)
	next.sections = slices.Clone(l.sections)
	return &next
}

// adjacentSections returns how many different sections of the Commonwealth a cell is adjacent
// to, and one of them.
func (l *terrainMap) adjacentSections(i int16) (n int, one uint16) {
	var seen [6]uint16
	for _, j := range l.board.neighbours[i] {
		if j == none || l.cells[j].terrain != Commonwealth || slices.Contains(seen[:n], l.cells[j].section) {
			continue
		}
		seen[n] = l.cells[j].section
		n++
	}
	return n, seen[0]
}

// newSection returns the number of a section that has no cells yet.
func (l *terrainMap) newSection() uint16 {
	l.sections = append(l.sections, section{})
	return uint16(len(l.sections) - 1)
}

// merge makes one section of all sections of a terrain that cell i is adjacent to and returns
// its number; a new one where there are none.
func (l *terrainMap) merge(i int16, t Terrain) uint16 {
	id, found := uint16(0), false
	for _, j := range l.board.neighbours[i] {
		if j == none || l.cells[j].terrain != t {
			continue
		}
		other := l.cells[j].section
		switch {
		case !found:
			id, found = other, true
		case other != id:
			for k := range l.cells {
				if l.cells[k].terrain == t && l.cells[k].section == other {
					l.cells[k].section = id
				}
			}
			l.sections[id].cells += l.sections[other].cells
			l.sections[id].open += l.sections[other].open
			l.sections[other] = section{}
		}
	}
	if !found {
		return l.newSection()
	}
	return id
}

// becomeCommonwealth turns virgin cell i into a cell of a section, the only one of the
// Commonwealth that it is adjacent to.
func (l *terrainMap) becomeCommonwealth(i int16, id uint16) {
	l.virgins--
	l.cells[i] = terrainCell{terrain: Commonwealth, section: id}
	l.sections[id].cells++
	for _, j := range l.board.neighbours[i] {
		if j == none {
			continue
		}
		switch l.cells[j].terrain {
		case Virgin:
			l.cells[j].capacity--
			l.cells[i].capacity++
			l.sections[id].open++
		case Commonwealth:
			l.cells[i].capacity++
			l.sections[id].open--
		}
	}
}

// becomeWall turns virgin cell i into a cell of the Wall, joining all sections of the Wall that
// it is adjacent to.
func (l *terrainMap) becomeWall(i int16) {
	id := l.merge(i, Wall)
	l.virgins--
	l.cells[i] = terrainCell{terrain: Wall, section: id}
	l.sections[id].cells++
	for _, j := range l.board.neighbours[i] {
		if j == none {
			continue
		}
		switch l.cells[j].terrain {
		case Virgin:
			l.cells[j].capacity--
		case Commonwealth:
			l.cells[j].capacity--
			l.sections[l.cells[j].section].open--
		case Wall:
			l.cells[j].capacity++
			l.cells[i].capacity++
		}
	}
}
