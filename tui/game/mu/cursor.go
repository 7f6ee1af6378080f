package mu

import (
	"slices"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// directionKeys are the keys of the six directions as they lie on a keyboard: y and u above h and l,
// b and n below. The arrows left and right go along a row.
var directionKeys = map[string]mu.Dir{
	"y": mu.NW, "u": mu.NE, "h": mu.W, "l": mu.E, "b": mu.SW, "n": mu.SE,
	"left": mu.W, "right": mu.E,
}

// moveCursorBy moves the cursor by a key; false if the key is not one for that.
func (b *Board) moveCursorBy(key string) bool {
	if d, ok := directionKeys[key]; ok {
		b.stepTo(d)
		return true
	}
	switch key {
	case "up", "k":
		b.stepVertical(mu.NE, mu.NW)
	case "down", "j":
		b.stepVertical(mu.SW, mu.SE)
	default:
		return false
	}
	return true
}

// stepTo goes one cell in a direction, or, when it was said how many men are to move, to the cell to
// which they would go.
func (b *Board) stepTo(d mu.Dir) {
	to := b.cursor.Step(d, 1)
	if b.hasSelection && b.men > 0 {
		to = b.selected.Step(d, b.men)
	}
	if geometryOf(b.shown()).has(to) {
		b.moveCursorTo(to)
	}
}

// stepVertical goes straight up or down: to whichever of two cells is closer to the column in which that
// began, so that a second step there leads back to it.
func (b *Board) stepVertical(one, other mu.Dir) {
	g := geometryOf(b.shown())
	to, second := b.cursor.Step(one, 1), b.cursor.Step(other, 1)
	away := func(h mu.Hex) int { return max(halfColumn(h)-b.column, b.column-halfColumn(h)) }
	if away(second) < away(to) || !g.has(to) {
		to = second
	}
	if g.has(to) {
		b.cursor = to
	}
}

// tabStops are the cells between which Tab goes: what can be done something with now.
func (b *Board) tabStops() []mu.Hex {
	p := b.shown()
	var stops []mu.Hex
	switch {
	case !b.state.CanAct:
	case p.Phase() == mu.Layout:
		return sortByRow(p.Placements())
	case len(p.Critical()) > 0:
		return sortByRow(p.Critical())
	case b.hasSelection:
		for h := range b.targets {
			stops = append(stops, h)
		}
		return sortByRow(stops)
	default:
		for _, c := range p.Cells() {
			if b.canMove(c) || p.Phase() == mu.Clearing && b.isOwn(c) {
				stops = append(stops, c.At)
			}
		}
	}
	return sortByRow(stops)
}

// sortByRow sorts cells as they are read: row by row, each from left to right.
func sortByRow(cells []mu.Hex) []mu.Hex {
	slices.SortFunc(cells, compareByRow)
	return cells
}

func compareByRow(a, b mu.Hex) int {
	if a.R != b.R {
		return int(a.R) - int(b.R)
	}
	return int(a.Q) - int(b.Q)
}

// cycleStop moves the cursor to the next cell with which something can be done.
func (b *Board) cycleStop(step int) game.InputResult {
	stops := b.tabStops()
	if len(stops) == 0 {
		return game.InputResult{}
	}
	at, found := slices.BinarySearchFunc(stops, b.cursor, compareByRow)
	if step < 0 || found {
		at += step
	}
	b.moveCursorTo(stops[(at+len(stops))%len(stops)])
	return game.InputResult{Handled: true}
}
