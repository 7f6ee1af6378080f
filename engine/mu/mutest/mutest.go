// Package mutest proves statements about positions of Mu for tests. It uses the rules for legal actions and their effects
// only, and none of the code that makes such statements for players. Only tests import it.
package mutest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ayumu/engine/mu"
)

// key returns everything that decides how a turn can go on: the position line, which cells have exploded since their
// section was last disturbed, and which oscillate.
func key(p *mu.Position) string {
	v := reflect.ValueOf(p).Elem()
	return fmt.Sprint(p.String(), v.FieldByName("fired"), v.FieldByName("oscillating"))
}

// Ends returns the positions after all turns of the seat to move, with the actions of one turn that leads there. Without
// moves the turn only chooses the order of explosions. It returns false after a number of positions within the turn.
func Ends(p *mu.Position, moves bool, most int) (ends map[*mu.Position][]string, ok bool) {
	type draft struct {
		p       *mu.Position
		actions []string
	}
	ends, seen := make(map[*mu.Position][]string), map[string]bool{key(p): true}
	for open := []draft{{p, nil}}; len(open) > 0; {
		d := open[0]
		open = open[1:]
		for _, text := range d.p.Legal() {
			if strings.HasPrefix(text, "move ") && !moves {
				continue
			}
			next, err := d.p.Play(text)
			if err != nil {
				panic(err) // legal actions can be played
			}
			after, actions := next.(*mu.Position), append(slices.Clip(d.actions), text)
			if text == "end" {
				ends[after] = actions
			} else if k := key(after); !seen[k] {
				seen[k] = true
				open = append(open, draft{after, actions})
			}
		}
		if len(seen) > most {
			return ends, false
		}
	}
	return ends, true
}

// board has the cells of a position by their coordinates.
type board map[mu.Hex]mu.Cell

func newBoard(p *mu.Position) board {
	b := make(board)
	for _, c := range p.Cells() {
		b[c.At] = c
	}
	return b
}

// area returns the connected cells of one terrain around a cell.
func (b board) area(at mu.Hex) map[mu.Hex]bool {
	area := map[mu.Hex]bool{at: true}
	for open := []mu.Hex{at}; len(open) > 0; open = open[1:] {
		for d := mu.E; d <= mu.SE; d++ {
			h := open[0].Step(d, 1)
			if c, ok := b[h]; ok && c.Terrain == b[at].Terrain && !area[h] {
				area[h] = true
				open = append(open, h)
			}
		}
	}
	return area
}

// sections returns the sets of cells that are scored as one: each section of the Commonwealth, with the sets of virgin
// cells that touch no other section, and the other sets of virgin cells.
func (b board) sections() (all []map[mu.Hex]bool) {
	var virgin []map[mu.Hex]bool
	seen := make(map[mu.Hex]bool)
	for at, c := range b {
		if seen[at] || c.Terrain == mu.Wall {
			continue
		}
		area := b.area(at)
		for h := range area {
			seen[h] = true
		}
		if c.Terrain == mu.Virgin {
			virgin = append(virgin, area)
		} else {
			all = append(all, area)
		}
	}
	commonwealth := len(all)
	for _, area := range virgin {
		touched := make(map[int]bool)
		for h := range area {
			for d := mu.E; d <= mu.SE; d++ {
				for i := range commonwealth {
					if next := h.Step(d, 1); all[i][next] && b[next].Terrain == mu.Commonwealth {
						touched[i] = true
					}
				}
			}
		}
		if len(touched) != 1 {
			all = append(all, area)
			continue
		}
		for i := range touched {
			for h := range area {
				all[i][h] = true
			}
		}
	}
	return all
}

// reached returns the cells on which a piece on the Wall can end one move.
func (b board) reached(c mu.Cell) (cells []mu.Hex) {
	for d := mu.E; d <= mu.SE; d++ {
		for n := 1; n <= c.Men; n++ {
			h := c.At.Step(d, n)
			if _, ok := b[h]; !ok {
				break
			}
			cells = append(cells, h)
		}
	}
	return cells
}

// Territory returns the territory of each seat in a position in which nobody has left, as docs/rules/mu.md, section 8,
// defines it.
func Territory(p *mu.Position) []int {
	b, cells := newBoard(p), make([]int, p.Seats())
	for _, section := range b.sections() {
		held, reached := make(map[int]bool), make(map[int]bool)
		for _, c := range b {
			switch {
			case c.Men > 0 && section[c.At]:
				held[c.Owner] = true
			case c.Men > 0 && c.Terrain == mu.Wall && slices.ContainsFunc(b.reached(c), func(h mu.Hex) bool { return section[h] }):
				reached[c.Owner] = true
			}
		}
		if len(held) == 0 {
			held = reached
		}
		if len(held) == 1 {
			for seat := range held {
				cells[seat] += len(section)
			}
		}
	}
	return cells
}
