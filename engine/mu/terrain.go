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

// counts reports whether a neighbour of terrain u counts for a cell of terrain t: it receives a
// man when the cell explodes.
func (t Terrain) counts(u Terrain) bool {
	switch t {
	case Commonwealth:
		return u != Wall
	default:
		return u == t
	}
}

// land is the terrain of a board. Positions share it; who changes it works on a clone.
type land struct {
	board    *Board
	sites    []site
	sections []section // by number; those that were merged into others have no cells
	virgins  int
}

// site is one cell's part of the land.
type site struct {
	terrain  Terrain
	capacity uint8  // the number of neighbours that count
	section  uint16 // of a Commonwealth or a Wall cell
}

// section is a maximal connected set of Commonwealth or of Wall cells.
type section struct {
	cells int16
	open  int16 // pairs of a Commonwealth cell of it and a virgin neighbour; 0 when it is closed
}

func virginLand(b *Board) *land {
	l := &land{board: b, sites: make([]site, b.Size()), virgins: b.Size()}
	for i := range l.sites {
		for _, j := range b.near[i] {
			if j != none {
				l.sites[i].capacity++
			}
		}
	}
	return l
}

// newLand returns the land with these terrains.
func newLand(b *Board, terrains []Terrain) *land {
	l := virginLand(b)
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

func (l *land) clone() *land {
	next := *l
	next.sites = slices.Clone(l.sites)
	next.sections = slices.Clone(l.sections)
	return &next
}

// adjacentSections returns how many different sections of the Commonwealth a cell is adjacent
// to, and one of them.
func (l *land) adjacentSections(i int16) (n int, one uint16) {
	var seen [6]uint16
	for _, j := range l.board.near[i] {
		if j == none || l.sites[j].terrain != Commonwealth || slices.Contains(seen[:n], l.sites[j].section) {
			continue
		}
		seen[n] = l.sites[j].section
		n++
	}
	return n, seen[0]
}

// newSection returns the number of a section that has no cells yet.
func (l *land) newSection() uint16 {
	l.sections = append(l.sections, section{})
	return uint16(len(l.sections) - 1)
}

// merge makes one section of all sections of a terrain that cell i is adjacent to and returns
// its number; a new one where there are none.
func (l *land) merge(i int16, t Terrain) uint16 {
	id, found := uint16(0), false
	for _, j := range l.board.near[i] {
		if j == none || l.sites[j].terrain != t {
			continue
		}
		other := l.sites[j].section
		switch {
		case !found:
			id, found = other, true
		case other != id:
			for k := range l.sites {
				if l.sites[k].terrain == t && l.sites[k].section == other {
					l.sites[k].section = id
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
func (l *land) becomeCommonwealth(i int16, id uint16) {
	l.virgins--
	l.sites[i] = site{terrain: Commonwealth, section: id}
	l.sections[id].cells++
	for _, j := range l.board.near[i] {
		if j == none {
			continue
		}
		switch l.sites[j].terrain {
		case Virgin:
			l.sites[j].capacity--
			l.sites[i].capacity++
			l.sections[id].open++
		case Commonwealth:
			l.sites[i].capacity++
			l.sections[id].open--
		}
	}
}

// becomeWall turns virgin cell i into a cell of the Wall, joining all sections of the Wall that
// it is adjacent to.
func (l *land) becomeWall(i int16) {
	id := l.merge(i, Wall)
	l.virgins--
	l.sites[i] = site{terrain: Wall, section: id}
	l.sections[id].cells++
	for _, j := range l.board.near[i] {
		if j == none {
			continue
		}
		switch l.sites[j].terrain {
		case Virgin:
			l.sites[j].capacity--
		case Commonwealth:
			l.sites[j].capacity--
			l.sections[l.sites[j].section].open--
		case Wall:
			l.sites[j].capacity++
			l.sites[i].capacity++
		}
	}
}
