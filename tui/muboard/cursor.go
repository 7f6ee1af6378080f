package muboard

import (
	"slices"

	"ayumu/engine/mu"
	"ayumu/tui/board"
)

// compass are the keys of the six directions as they lie on a keyboard: y and u above h and l,
// b and n below. The arrows left and right go along a row.
var compass = map[string]mu.Dir{
	"y": mu.NW, "u": mu.NE, "h": mu.W, "l": mu.E, "b": mu.SW, "n": mu.SE,
	"left": mu.W, "right": mu.E,
}

// steer moves the cursor by a key; false if the key is not one for that.
func (b *Board) steer(key string) bool {
	if d, ok := compass[key]; ok {
		b.step(d)
		return true
	}
	switch key {
	case "up", "k":
		b.climb(mu.NE, mu.NW)
	case "down", "j":
		b.climb(mu.SW, mu.SE)
	default:
		return false
	}
	return true
}

// step goes one cell in a direction, or, when it was said how many men are to move, to the cell to
// which they would go.
func (b *Board) step(d mu.Dir) {
	to := b.cursor.Step(d, 1)
	if b.choosing && b.men > 0 {
		to = b.chosen.Step(d, b.men)
	}
	if groundOf(b.shown()).has(to) {
		b.goTo(to)
	}
}

// climb goes straight up or down: to whichever of two cells is closer to the column in which that
// began, so that a second step there leads back to it.
func (b *Board) climb(one, other mu.Dir) {
	g := groundOf(b.shown())
	to, second := b.cursor.Step(one, 1), b.cursor.Step(other, 1)
	away := func(h mu.Hex) int { return max(across(h)-b.column, b.column-across(h)) }
	if away(second) < away(to) || !g.has(to) {
		to = second
	}
	if g.has(to) {
		b.cursor = to
	}
}

// stops are the cells between which Tab goes: what can be done something with now.
func (b *Board) stops() []mu.Hex {
	p := b.shown()
	var stops []mu.Hex
	switch {
	case !b.state.Live:
	case p.Phase() == mu.Layout:
		return inRows(p.Placements())
	case len(p.Critical()) > 0:
		return inRows(p.Critical())
	case b.choosing:
		for h := range b.targets {
			stops = append(stops, h)
		}
		return inRows(stops)
	default:
		for _, c := range p.Cells() {
			if b.canMove(c) || p.Phase() == mu.Clearing && b.mine(c) {
				stops = append(stops, c.At)
			}
		}
	}
	return inRows(stops)
}

// inRows sorts cells as they are read: row by row, each from left to right.
func inRows(cells []mu.Hex) []mu.Hex {
	slices.SortFunc(cells, compareInRows)
	return cells
}

func compareInRows(a, b mu.Hex) int {
	if a.R != b.R {
		return int(a.R) - int(b.R)
	}
	return int(a.Q) - int(b.Q)
}

// next moves the cursor to the next cell with which something can be done.
func (b *Board) next(step int) board.Answer {
	stops := b.stops()
	if len(stops) == 0 {
		return board.Answer{}
	}
	at, found := slices.BinarySearchFunc(stops, b.cursor, compareInRows)
	if step < 0 || found {
		at += step
	}
	b.goTo(stops[(at+len(stops))%len(stops)])
	return board.Answer{Used: true}
}
