package mu

import "slices"

// Terrain is the terrain of a cell (docs/rules/mu.md, section 6).
type Terrain uint8

// The terrains.
const (
	Virgin Terrain = iota
	Commonwealth
	Wall
)

// String returns the letter of the terrain in a position line: v, c or w.
func (t Terrain) String() string { return "vcw"[t : t+1] }

// receivesFrom reports whether a neighbour of terrain u counts for a cell of terrain t: it receives a man
// when the cell explodes.
func (t Terrain) receivesFrom(u Terrain) bool {
	switch t {
	case Commonwealth:
		return u != Wall
	default:
		return u == t
	}
}

// terrainMap is the terrain of a board. Positions share it, so changes are made to a clone.
type terrainMap struct {
	board    *Board
	cells    []terrainCell
	sections []section // by number; merged sections have no cells
	virgins  int
}

// terrainCell is the terrain of one cell.
type terrainCell struct {
	terrain  Terrain
	capacity uint8  // number of neighbours that count
	section  uint16 // of a Commonwealth or Wall cell
}

// section is a maximal connected set of Commonwealth or Wall cells.
type section struct {
	cells int16
	open  int16 // pairs of one of its Commonwealth cells and a virgin neighbour; 0 if closed
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

// newTerrainMap returns the terrain map of a board with these terrains.
func newTerrainMap(b *Board, terrains []Terrain) *terrainMap {
	l := virginTerrain(b)
	for i, t := range terrains {
		switch t {
		case Commonwealth:
			// Two sections can meet here, which no explosion causes: merge renumbers one of them.
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

// adjacentSections returns the number of different sections of the Commonwealth adjacent to a cell, and
// one of them.
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

// newSection returns the number of a new section without cells.
func (l *terrainMap) newSection() uint16 {
	l.sections = append(l.sections, section{})
	return uint16(len(l.sections) - 1)
}

// merge merges all sections of a terrain adjacent to cell i and returns the number of the result, or of a
// new section if there are none.
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

// becomeCommonwealth turns virgin cell i into a cell of section id, which must be the only section of the
// Commonwealth adjacent to it.
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

// becomeWall turns virgin cell i into a Wall cell and merges all sections of the Wall adjacent to it.
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
