package ayu

import (
	"slices"

	"ayumu/engine/ayu"
)

// pointer is a session's cursor and its selected stone with the targets of that stone.
type pointer struct {
	cursor       ayu.Point
	placed       bool // place has run
	isCalled     bool // the user has asked for the cursor where it is hidden at first
	selected     ayu.Point
	hasSelection bool // selected is a stone
	targets      ayu.Points
}

// place puts the cursor on the movable stone nearest to the middle, or on the middle if there is none.
func (c *pointer) place(v *seatView) {
	n := v.pos.Board().Size()
	middle := ayu.At(n/2, n/2)
	c.cursor = middle
	best := 2 * n
	for p := range v.movable.All() {
		if d := distance(p, middle); d < best {
			best, c.cursor = d, p
		}
	}
	c.placed = true
}

// distance returns the number of steps along rows and columns from p to q.
func distance(p, q ayu.Point) int { return abs(p.Column()-q.Column()) + abs(p.Row()-q.Row()) }

func abs(n int) int { return max(n, -n) }

// step moves the cursor by dx columns and dy rows, at most to the edge of a board of n points on a side.
func (c *pointer) step(dx, dy, n int) {
	c.cursor = ayu.At(min(max(c.cursor.Column()+dx, 0), n-1), min(max(c.cursor.Row()+dy, 0), n-1))
}

// cycle moves the cursor to the next of some points, or to the previous one for step -1. It returns false
// if there are none.
func (c *pointer) cycle(points ayu.Points, step int) bool {
	all := slices.Collect(points.All())
	if len(all) == 0 {
		return false
	}
	at, found := slices.BinarySearch(all, c.cursor)
	if step < 0 || found {
		at += step
	}
	c.cursor = all[(at+len(all))%len(all)]
	return true
}

// selectStone selects the stone on a point of b.
func (c *pointer) selectStone(b ayu.Board, p ayu.Point) {
	c.selected, c.hasSelection = p, true
	c.targets = b.Targets(p)
}

func (c *pointer) deselect() {
	c.hasSelection, c.targets = false, ayu.Points{}
}
