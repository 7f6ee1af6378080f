package ayu

import (
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// walk is the way of the stone of the last move over the empty points of a board. The zero value is none.
type walk struct {
	way   []ayu.Point // from where the stone was to where it is now
	step  int         // that is shown, from 1; 0: none
	steps int
}

// Walk implements game.Walker.
func (b *Board) Walk() {
	b.walk = walk{}
	if !b.view.hasLast {
		return
	}
	way := findWay(b.view.pos.Board(), b.view.last)
	steps := min(max(len(way)-1, minWalkSteps), game.MaxWalkSteps, b.drawnLayout.cellsBetween(way))
	if steps > 0 {
		b.walk = walk{way: way, step: 1, steps: steps}
	}
}

// minWalkSteps is the number of steps on the way to the next point, if there is space for so many.
const minWalkSteps = 3

// cellsBetween returns the number of characters between the ends of a way, in which a stone can be drawn on it.
func (l layout) cellsBetween(way []ayu.Point) (n int) {
	for i, p := range way[1:] {
		x, y := l.cell(way[i])
		toX, toY := l.cell(p)
		n += abs(toX-x) + abs(toY-y)
	}
	return n - 1
}

// IsReplaying implements game.Walker.
func (b *Board) IsReplaying() bool { return b.walk.step > 0 }

// Advance implements game.Walker.
func (b *Board) Advance() {
	if b.walk.step++; b.walk.step > b.walk.steps {
		b.walk = walk{}
	}
}

// findWay returns a shortest way of a move that has led to b over points without a stone, from its first point to its
// last one; a straight one if stones are everywhere between them.
func findWay(b ayu.Board, m ayu.Move) []ayu.Point {
	free := b.Without(m.To).Empty()
	next := map[ayu.Point]ayu.Point{m.To: m.To} // by point: the next one to the end of the way
	for queue := []ayu.Point{m.To}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if p == m.From {
			way := []ayu.Point{p}
			for p != m.To {
				p = next[p]
				way = append(way, p)
			}
			return way
		}
		for _, q := range neighbours(p, b.Size()) {
			if _, known := next[q]; !known && free.Has(q) {
				next[q] = p
				queue = append(queue, q)
			}
		}
	}
	return []ayu.Point{m.From, m.To}
}

// neighbours returns the points beside p on a board of n points on a side.
func neighbours(p ayu.Point, n int) []ayu.Point {
	column, row := p.Column(), p.Row()
	var all []ayu.Point
	for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if c, r := column+d[0], row+d[1]; c >= 0 && c < n && r >= 0 && r < n {
			all = append(all, ayu.At(c, r))
		}
	}
	return all
}

// at returns the upper left corner of the walking stone in a layout.
func (w *walk) at(l layout) (x, y int) {
	parts := w.steps + 1
	done := w.step * (len(w.way) - 1) // in parts of the way from one point to the next
	i, part := done/parts, done%parts
	x, y = l.cell(w.way[i])
	toX, toY := l.cell(w.way[min(i+1, len(w.way)-1)])
	return x + (toX-x)*part/parts, y + (toY-y)*part/parts
}

// drawWalk draws the board with the stone of the last move on its way. Of the marks of the session only the cursor is
// there. What is drawn is not kept for other boards, which would hardly need it.
func (b *Board) drawWalk(c paint.Canvas, style game.Style) {
	v, l := &b.view, b.drawnLayout
	board := v.pos.Board()
	k := frameKey{board: board.Without(v.last.To), showDistances: b.showDistances, layout: l, style: style}
	r := newRenderer(c, k)
	r.draw()
	r.drawFrom(v.last.From)
	color := ayu.Black
	if board.Stones(ayu.White).Has(v.last.To) {
		color = ayu.White
	}
	lone := newRenderer(c, frameKey{layout: l, style: style}) // without stones that it would be joined to
	x, y := b.walk.at(l)
	stone := lone.stoneStyle(v.last.To, color)
	stone.BG = lone.ground(b.walk.nearest(), stone.BG)
	lone.drawStone(x, y, v.last.To, color, stone)
	if !v.state.Static && !v.hidesCursor(&b.pointer) {
		sessionRenderer{r, marks{}}.drawCursor(b.pointer.cursor)
	}
}

// nearest returns the point whose ground the walking stone has.
func (w *walk) nearest() ayu.Point {
	return w.way[min((w.step*(len(w.way)-1)+(w.steps+1)/2)/(w.steps+1), len(w.way)-1)]
}
