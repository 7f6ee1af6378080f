package mu

import (
	"slices"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// directionKeys has the keys of the six directions, placed as on a keyboard: y and u above h and l, b and
// n below. The left and right arrows move along a row.
var directionKeys = map[string]mu.Dir{
	"y": mu.NW, "u": mu.NE, "h": mu.W, "l": mu.E, "b": mu.SW, "n": mu.SE,
	"left": mu.W, "right": mu.E,
}

// moveCursorBy moves the cursor by a key; it returns false for other keys.
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

// stepTo moves the cursor one cell in a direction or, if the number of men is chosen, to their target in
// that direction.
func (b *Board) stepTo(d mu.Dir) {
	to := b.cursor.Step(d, 1)
	if b.hasSelection && b.men > 0 {
		to = b.selected.Step(d, b.men)
	}
	if geometryOf(b.shown()).has(to) {
		b.moveCursorTo(to)
	}
}

// stepVertical moves the cursor straight up or down: to the one of two cells that is closer to the column
// in which the movement began.
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

// tabStops returns the cells for Tab, those with a possible action, in the order of sortByRow.
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

// sortByRow sorts cells in place, row by row, each from left to right.
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

// cycleStop moves the cursor to the next tab stop, or the previous one for step -1.
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
